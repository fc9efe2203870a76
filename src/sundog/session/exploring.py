"""Random pages in place of the policy's choices, now and then: a log that can say what other choices were worth.

Every policy explores in the same way. With probability ``share`` a page is drawn from all that wait and whose
hosts are awake: half of the time each such page is as likely as any other, half of the time each host is, and then
each of its pages. So big hosts and small ones both have their part.

The propensity of a decision is exact, given what the policy itself would have chosen: share × chance of the page,
and 1 − share more if it is the policy's own choice.
"""

from __future__ import annotations

import random
from array import array
from collections.abc import Callable, Iterable
from typing import Any, Protocol

import numpy as np

from sundog.frontier.arrays import QUEUED
from sundog.frontier.facts import Facts

TRIES = 32  # to draw a page whose host is awake, before all are looked at
NOWHERE = -1


class KnowsHosts(Protocol):
    """Of pages, by their numbers."""

    @property
    def facts(self) -> Facts: ...


class NumberSet:
    """Small whole numbers, of which any can be drawn.

    >>> some = NumberSet()
    >>> some.add(7), some.add(3), some.discard(7), some.discard(5)
    (True, True, True, False)
    >>> list(some.members), 3 in some
    ([3], True)
    """

    def __init__(self) -> None:
        self.members = array("i")
        self._places = array("i")

    def __len__(self) -> int:
        return len(self.members)

    def __contains__(self, number: int) -> bool:
        return number < len(self._places) and self._places[number] != NOWHERE

    def add(self, number: int) -> bool:
        """Whether it is new."""
        if number in self:
            return False
        missing = number + 1 - len(self._places)
        if missing > 0:
            self._places.extend([NOWHERE] * missing)
        self._places[number] = len(self.members)
        self.members.append(number)
        return True

    def discard(self, number: int) -> bool:
        """Whether it was there."""
        if number not in self:
            return False
        place, last = self._places[number], self.members.pop()
        if last != number:
            self.members[place] = last
            self._places[last] = place
        self._places[number] = NOWHERE
        return True


class Waiting:
    """The pages that wait, by host, and which hosts sleep."""

    def __init__(self, source: KnowsHosts) -> None:
        self._source = source
        self.pages = NumberSet()
        self.awake = 0  # pages whose hosts are awake
        self.hosts = NumberSet()  # awake, with pages that wait
        self._counts: dict[int, int] = {}
        self._asleep: set[int] = set()

    @property
    def _hosts_of(self) -> Any:
        return self._source.facts.host

    def add(self, page: int) -> None:
        if self.pages.add(page):
            self._count(int(self._hosts_of[page]), 1)

    def discard(self, page: int) -> None:
        if self.pages.discard(page):
            self._count(int(self._hosts_of[page]), -1)

    def set_asleep(self, host: int, asleep: bool) -> None:
        if asleep == (host in self._asleep):
            return
        count = self._counts.get(host, 0)
        (self._asleep.add if asleep else self._asleep.remove)(host)
        self.awake += -count if asleep else count
        self._settle(host)

    def _count(self, host: int, change: int) -> None:
        self._counts[host] = self._counts.get(host, 0) + change
        if not self._counts[host]:
            del self._counts[host]
        if host not in self._asleep:
            self.awake += change
        self._settle(host)

    def _settle(self, host: int) -> None:
        may_be_drawn = host in self._counts and host not in self._asleep
        (self.hosts.add if may_be_drawn else self.hosts.discard)(host)

    def chance(self, page: int) -> float:
        """With which ``draw`` gives this page, which waits and whose host is awake."""
        of_host = self._counts[int(self._hosts_of[page])]
        return 0.5 / self.awake + 0.5 / len(self.hosts) / of_host

    def draw(self, rng: random.Random) -> int:
        """A page whose host is awake; there must be one."""
        if rng.random() < 0.5:
            host = self.hosts.members[rng.randrange(len(self.hosts))]
            return self._one_of(rng, lambda hosts: hosts == host)
        for _ in range(TRIES):
            page = self.pages.members[rng.randrange(len(self.pages))]
            if int(self._hosts_of[page]) not in self._asleep:
                return page
        asleep = np.array(sorted(self._asleep), np.int64)
        return self._one_of(rng, lambda hosts: ~np.isin(hosts, asleep))

    def _one_of(self, rng: random.Random, is_meant: Callable[[Any], Any]) -> int:
        pages = np.array(self.pages.members)
        meant = pages[is_meant(self._hosts_of[pages])]
        return int(meant[rng.randrange(len(meant))])


class Explorer:
    def __init__(self, share: float, seed: int, source: KnowsHosts) -> None:
        self.share = share
        self.waiting = Waiting(source)
        self._rng = random.Random(f"explore.log {seed}")

    def found(self, pages: Iterable[int], state_of: Callable[[int], int]) -> None:
        """They were offered; those that the policy has taken wait from now on."""
        for page in pages:
            if state_of(page) == QUEUED:
                self.waiting.add(page)

    def instead_of(self, chosen: int) -> tuple[int, float]:
        """A page, maybe the chosen one, and the probability of this decision. The chosen one counts as waiting."""
        explores = self._rng.random() < self.share
        page = self.waiting.draw(self._rng) if explores else chosen
        chance = self.share * self.waiting.chance(page)
        return page, chance + (1.0 - self.share) * (page == chosen)
