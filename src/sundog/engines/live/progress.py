"""How far a crawl is: its counts (``Tally``), one moment of them (``Snapshot``), ``live.json`` (``LiveFile``)."""

from __future__ import annotations

import math
import os
from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic, time
from typing import TYPE_CHECKING, Any, NamedTuple

import orjson

from sundog.completeness.estimate import Left
from sundog.errors import SundogError
from sundog.files import write_whole
from sundog.model import Failed, Fetched, Refused
from sundog.processes.detached import process_started
from sundog.store.directory import LIVE

if TYPE_CHECKING:  # views import this module, and need neither session nor world
    from sundog.engines.live.worlds.world import Observation
    from sundog.session import CrawlSession

RECENT = 200  # fetches
SHOWN = 8  # lines of each kind
SECONDS_A_WRITE = 1.0  # of live.json
MOST_HOSTS = 100  # in live.json


class HostLine(NamedTuple):
    """A host's record so far."""

    host: str
    good: int
    bad: int


class ShardLine(NamedTuple):
    """One shard of a crawl at one moment."""

    shard: int
    fetched: int
    lease: int  # how many fetches it may make
    queued: int
    pages_per_second: float
    to_send: int  # links that are for others
    restarts: int
    state: str  # what it is doing, if not crawling
    pid: int = 0
    sent: int = 0  # links that others have taken, since it was started
    received: int = 0  # links that it has taken from others, since then
    lessons: int = 0  # how often it has taken in what others have learned
    node: str = ""


class Snapshot(NamedTuple):
    """A live crawl at one moment. ``recent_*`` are of the last fetches, ``RECENT`` at most.

    ``types`` and ``troubles`` are (name, count) pairs or a mapping; ``hosts`` the best first. All names in them
    come from strangers' pages.
    """

    budget: int
    fetched: int = 0
    relevant: int = 0
    reward: float = 0.0
    recent_fetched: int = 0
    recent_relevant: int = 0
    pages_per_second: float = 0.0
    elapsed: float = 0.0  # seconds
    queued: int = 0  # candidates known and not fetched
    hosts_found: int = 0
    asleep: int = 0  # hosts that rest
    in_flight: int = 0
    statements: int = 0
    refused: int = 0
    internal: int = 0  # pages on which Sundog itself failed
    types: Mapping[str, int] | Sequence[tuple[str, int]] = ()
    hosts: Sequence[HostLine] = ()
    troubles: Mapping[str, int] | Sequence[tuple[str, int]] = ()
    stage: str = ""  # what is going on besides fetching: "reading seeds", "finishing what is in flight"
    warning: str = ""  # what the user should know now
    paused: str = ""  # why nothing is fetched until there is space on the disk
    requests: int | None = None  # made so far, if the budget is of them; None: it is of fetches
    revisited: int = 0  # known pages that were visited again
    besides: float = 0.0  # of the budget, on other things than pages, such as rendering
    unit: str = "pages"  # what the budget counts
    shards: Sequence[ShardLine] = ()  # of a crawl that has some
    items: Mapping[str, int] = {}  # by data pattern, since the crawl was begun or resumed
    left: Left | None = None  # wanted pages that are not fetched, as it was when it was last asked
    left_by_host: Mapping[str, Any] = {}  # of the hosts with most left, as in the summary

    @property
    def harvest_rate(self) -> float:
        return self.relevant / self.fetched if self.fetched else 0.0

    @property
    def recent_rate(self) -> float:
        return self.recent_relevant / self.recent_fetched if self.recent_fetched else 0.0

    @property
    def spent(self) -> int:
        """Of the budget."""
        return self.visits + math.ceil(self.besides) if self.requests is None else self.requests

    @property
    def visits(self) -> int:
        """Of pages, first ones and later ones."""
        return self.fetched + self.revisited

    @property
    def share(self) -> float:
        """Of the budget that is spent, from 0 to 1."""
        return min(1.0, self.spent / self.budget) if self.budget > 0 else 0.0

    @property
    def seconds_left(self) -> float | None:
        """At the present speed; None before there is one."""
        left = max(0, self.budget - self.spent)
        a_second = self.pages_per_second * self.spent / max(1, self.visits)
        return left / a_second if a_second > 0 else None


class Tally:
    """Counts outcomes. A snapshot of it costs little, so that it can be made a few times a second."""

    def __init__(self) -> None:
        self.statements = self.refused = self.internal = self.retries = self.bytes = self.contexts = 0
        self._types: Counter[str] = Counter()
        self._items: Counter[str] = Counter()
        self._troubles: Counter[str] = Counter()
        self._hosts: dict[str, list[int]] = {}
        self._recent: deque[bool] = deque(maxlen=RECENT)
        self._moments: deque[float] = deque(maxlen=RECENT)

    def asked_for_context(self) -> None:
        """Of JSON-LD; it costs no budget."""
        self.contexts += 1

    def add(self, host: str, observation: Observation, now: float) -> None:
        record = observation.record
        self.internal += record.is_internal
        match observation.outcome:
            case Refused():
                self.refused += 1
                return
            case Failed():
                self._troubles[record.trouble or "other"] += 1
                relevant = False
            case Fetched(reward):
                relevant = reward > 0
                self.statements += sum(record.counts.values())
                self.bytes += (record.size or 0) + (observation.render.size if observation.render else 0)
                self._types.update(observation.types)
                if observation.findings:
                    for name, found in observation.findings.items.items():
                        self._items[name] += len(found)
        self._recent.append(relevant)
        self._moments.append(now)
        self._hosts.setdefault(host, [0, 0])[0 if relevant else 1] += 1

    def pages_per_second(self, now: float) -> float:
        """Of the last fetches."""
        span = now - self._moments[0] if len(self._moments) > 1 else 0.0
        return (len(self._moments) - 1) / span if span > 0 else 0.0

    def snapshot(
        self,
        session: CrawlSession,
        now: float,
        *,
        elapsed: float,
        requests: int | None = None,
        unit: str = "pages",
        stage: str,
        warning: str,
        paused: str = "",
    ) -> Snapshot:
        best = sorted(self._hosts.items(), key=lambda item: (-item[1][0], item[1][1]))[:SHOWN]
        return Snapshot(
            budget=session.budget,
            fetched=session.fetched,
            requests=requests,
            revisited=session.revisited,
            besides=session.spent,
            unit=unit,
            relevant=session.relevant,
            reward=session.reward,
            recent_fetched=len(self._recent),
            recent_relevant=sum(self._recent),
            pages_per_second=self.pages_per_second(now),
            elapsed=elapsed,
            queued=session.queued,
            hosts_found=session.hosts_found,
            asleep=session.asleep,
            in_flight=session.in_flight,
            statements=self.statements,
            refused=self.refused,
            internal=self.internal,
            types=self._types.most_common(SHOWN),
            items=dict(self._items),
            hosts=[HostLine(host, good, bad) for host, (good, bad) in best],
            troubles=self._troubles.most_common(SHOWN),
            stage=stage,
            warning=warning,
            paused=paused,
        )


class LiveFile:
    """``live.json``: what only the crawl's own process knows, for those who watch it from another one.

    Written once a second, by renaming. That it cannot be written is no reason to stop a crawl.
    """

    def __init__(self, directory: Path, clock: Callable[[], float] = monotonic) -> None:
        self._path = directory / LIVE
        self._clock, self._next = clock, -math.inf
        self._process = {"pid": os.getpid(), "started": process_started(os.getpid())}
        self._write({"stage": "starting"})

    def update(self, snapshot: Snapshot, session: CrawlSession | None) -> None:
        """``session``: whose queues are shown, if it is here."""
        now = self._clock()
        if now >= self._next:
            self._next = now + SECONDS_A_WRITE
            known = snapshot._asdict()
            by_host = known.pop("left_by_host")
            self._write(
                {
                    **known,
                    "left": {**snapshot.left.as_json(), "hosts": by_host} if snapshot.left is not None else None,
                    "spent": snapshot.spent,
                    "seconds_left": snapshot.seconds_left,
                    "queues": host_queues(session) if session is not None else [],
                }
            )

    def _write(self, content: dict[str, Any]) -> None:
        with suppress(SundogError, TypeError):  # names of strangers may be no text that JSON can hold
            known = {**self._process, "at": time(), **content}
            write_whole(self._path, orjson.dumps(known, default=list), durable=False)


def pairs(counts: Mapping[str, int] | Sequence[tuple[str, int]]) -> list[tuple[str, int]]:
    """The most frequent first."""
    found = counts.items() if isinstance(counts, Mapping) else counts
    return sorted(found, key=lambda pair: -pair[1])


def host_queues(session: CrawlSession, most: int = MOST_HOSTS) -> list[tuple[str, int, float | None]]:
    """Host, pages that wait, until when it sleeps (None: it is awake, -1: for good); the best hosts first."""
    return [(host, queued, _until(until)) for host, queued, until in session.host_queues(most)]


def _until(moment: float | None) -> float | None:
    return -1.0 if moment == math.inf else moment
