"""What choosers in plain Python share: the states of candidates, and pages that wait, by host.

A chooser says what it does with new candidates (``found``), which one is next (``next_one``) and what it learns
(``learn``). Hosts that sleep are passed over; what waits is never moved for it.
"""

from __future__ import annotations

import heapq
import math
import random
from abc import abstractmethod
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np

from sundog.frontier.arrays import DONE, LEASED, QUEUED, UNKNOWN, longer
from sundog.model import LinkBatch
from sundog.policies.chooser import PARTS, PROPENSITY, Chooser, HostQueue, Setup

TRIES = 32  # to draw a page whose host is awake, before all are looked at


class Found(NamedTuple):
    """A new candidate, and the first link that led to it; text ids are -1 where there is none."""

    candidate: int
    parent: int
    anchor: int
    path: int


class PythonChooser(Chooser):
    def __init__(self, setup: Setup) -> None:
        self.source = setup.source
        self.parts = np.zeros(PARTS)
        self.rng = random.Random(setup.seed)
        self._states = bytearray()
        self._asleep: set[int] = set()
        self._hosts: set[int] = set()
        self._queued = 0
        self._waiting = Counter[int]()  # candidates by host
        self.restored()
        self.grow()

    def restored(self) -> None:
        self.state_of = self._states.__getitem__

    # -- what a policy says ----------------------------------------------------------------------

    @abstractmethod
    def found(self, new: list[Found]) -> None:
        """New candidates, which ``enter`` afterwards."""

    @abstractmethod
    def enter(self, candidate: int) -> None:
        """It waits from now on."""

    @abstractmethod
    def leave(self, candidate: int) -> None:
        """It does not wait any more."""

    @abstractmethod
    def next_one(self) -> tuple[int, float]:
        """The candidate to fetch, whose host is awake, and the probability of this choice; -1 if there is none."""

    @abstractmethod
    def learn(self, candidate: int, reward: float, links: LinkBatch) -> None: ...

    @abstractmethod
    def fill_parts(self, candidate: int) -> None:
        """All but the propensity."""

    def host_changed(self, host: int, asleep: bool) -> None:
        """A host fell asleep or woke up."""

    # -- the contract ----------------------------------------------------------------------------

    @property
    def queued(self) -> int:
        return self._queued

    @property
    def hosts_found(self) -> int:
        return len(self._hosts)

    def longest_queues(self, most: int) -> list[HostQueue]:
        return [HostQueue(host, count) for host, count in self._waiting.most_common(most) if count]

    def grow(self) -> None:
        self._states.extend(bytes(max(0, self.source.size - len(self._states))))

    def host_of(self, candidate: int) -> int:
        return int(self.source.facts.host[candidate])

    def is_awake(self, candidate: int) -> bool:
        return self.host_of(candidate) not in self._asleep

    def choose(self) -> int:
        candidate, propensity = self.next_one()
        if candidate >= 0:
            self.explain(candidate)
            self.parts[PROPENSITY] = propensity
            self._take(candidate)
        return candidate

    def explain(self, candidate: int) -> None:
        self.parts[:] = 0.0
        self.parts[PROPENSITY] = math.nan
        self.fill_parts(candidate)

    def lease(self, candidate: int, *, counts: bool) -> None:
        self._take(candidate)

    def _take(self, candidate: int) -> None:
        self.leave(candidate)
        self._states[candidate] = LEASED
        self._count(candidate, -1)

    def drop(self, candidate: int) -> None:
        self._states[candidate] = DONE

    def give_back(self, candidate: int) -> None:
        self._states[candidate] = QUEUED
        self._count(candidate, 1)
        self.enter(candidate)

    def _count(self, candidate: int, change: int) -> None:
        self._queued += change
        self._waiting[self.host_of(candidate)] += change

    def set_asleep(self, host: int, asleep: bool) -> None:
        if asleep != (host in self._asleep):
            (self._asleep.add if asleep else self._asleep.remove)(host)
            self.host_changed(host, asleep)

    def take_in(self, candidate: int, reward: float, links: LinkBatch) -> int:
        self._states[candidate] = DONE
        self.learn(candidate, reward, links)
        return self.offer(candidate, links)

    def offer(self, parent: int, links: LinkBatch) -> int:
        new = []
        anchors, paths = (texts.tolist() if len(texts) else None for texts in (links.anchors, links.paths))
        for at, candidate in enumerate(links.targets.tolist()):
            if self._states[candidate] == UNKNOWN:
                self._states[candidate] = QUEUED
                self._hosts.add(self.host_of(candidate))
                self._count(candidate, 1)
                new.append(Found(candidate, parent, anchors[at] if anchors else -1, paths[at] if paths else -1))
        self.found(new)
        for one in new:
            self.enter(one.candidate)
        return len(new)

    def text(self, number: int) -> str:
        if number < 0:
            return ""
        blob, ends = self.source.text_bytes
        return bytes(blob[ends[number] : ends[number + 1]]).decode("utf-8", "replace")


class Ranked:
    """Waiting candidates by host, each with a score: the best of a host, and the best of all hosts that are awake.

    ``tops`` has the best score of each host, -inf of hosts that sleep or have none. Of equal scores the one that
    was added first wins, also if it was away in between.
    """

    def __init__(self) -> None:
        self.tops = np.full(16, -np.inf)
        self._top_orders = np.zeros(16, np.int64)
        self._heaps: dict[int, list[tuple[float, int, int]]] = defaultdict(list)
        self._scores: dict[int, float] = {}
        self._orders: dict[int, int] = {}
        self._asleep: set[int] = set()

    def __len__(self) -> int:
        return len(self._scores)

    def add(self, candidate: int, host: int, score: float) -> None:
        self._scores[candidate] = score
        order = self._orders.setdefault(candidate, len(self._orders))
        heapq.heappush(self._heaps[host], (-score, order, candidate))
        self._settle(host)

    def remove(self, candidate: int, host: int) -> None:
        del self._scores[candidate]
        self._settle(host)

    def rate_all(self, rate: Callable[[list[int]], Iterable[float]], host_of: Callable[[int], int]) -> None:
        """Score all again; ``rate`` gives the scores of a list of candidates."""
        known = list(self._scores)
        self._heaps.clear()
        for candidate, score in zip(known, rate(known), strict=True):
            self._scores[candidate] = float(score)
            self._heaps[host_of(candidate)].append((-float(score), self._orders[candidate], candidate))
        for host, heap in self._heaps.items():
            heapq.heapify(heap)
            self._settle(host)

    def best_of(self, host: int) -> int:
        return self._heaps[host][0][2]

    def first_of(self, host: int, most: int) -> list[int]:
        """The best of a host and others that are about as good."""
        near_top = dict.fromkeys(candidate for _, _, candidate in self._heaps[host][:most])
        return [candidate for candidate in near_top if candidate in self._scores]

    def best(self) -> int:
        """Of all hosts that are awake; -1 if there is none."""
        highest = self.tops.max()
        if highest == -np.inf:
            return -1
        hosts = np.flatnonzero(self.tops == highest)
        return self.best_of(int(hosts[self._top_orders[hosts].argmin()]))

    def set_asleep(self, host: int, asleep: bool) -> None:
        (self._asleep.add if asleep else self._asleep.discard)(host)
        self._settle(host)

    def _settle(self, host: int) -> None:
        """Drop what does not wait any more, or has another score now, from the top of a host's heap."""
        heap = self._heaps[host]
        while heap and self._scores.get(heap[0][2]) != -heap[0][0]:
            heapq.heappop(heap)
        known = len(self.tops)
        self.tops, self._top_orders = longer(self.tops, host + 1), longer(self._top_orders, host + 1)
        self.tops[known:] = -np.inf
        self.tops[host] = -heap[0][0] if heap and host not in self._asleep else -np.inf
        self._top_orders[host] = heap[0][1] if heap else 0


class Pools:
    """Waiting candidates in pools, from which random ones are drawn; ``awake`` counts those that may be drawn."""

    def __init__(self) -> None:
        self.awake = np.zeros(1, np.int64)
        self._members: dict[int, list[int]] = defaultdict(list)
        self._places: dict[int, int] = {}
        self._by_host: dict[int, Counter[int]] = defaultdict(Counter)
        self._asleep: set[int] = set()

    def make_room(self, pools: int) -> None:
        self.awake = longer(self.awake, pools)

    def add(self, pool: int, candidate: int, host: int) -> None:
        self.make_room(pool + 1)
        self._places[candidate] = len(self._members[pool])
        self._members[pool].append(candidate)
        self._count(pool, host, 1)

    def remove(self, pool: int, candidate: int, host: int) -> None:
        place, last = self._places.pop(candidate), self._members[pool].pop()
        if last != candidate:
            self._members[pool][place] = last
            self._places[last] = place
        self._count(pool, host, -1)

    def _count(self, pool: int, host: int, change: int) -> None:
        self._by_host[host][pool] += change
        self.awake[pool] += change * (host not in self._asleep)

    def draw(self, pool: int, rng: random.Random, is_awake: Callable[[int], bool]) -> int:
        """A random one whose host is awake; there must be one."""
        members = self._members[pool]
        for _ in range(TRIES):
            candidate = members[rng.randrange(len(members))]
            if is_awake(candidate):
                return candidate
        return rng.choice([one for one in members if is_awake(one)])

    def set_asleep(self, host: int, asleep: bool) -> None:
        if asleep == (host in self._asleep):
            return
        (self._asleep.add if asleep else self._asleep.remove)(host)
        for pool, count in self._by_host[host].items():
            self.awake[pool] += -count if asleep else count
