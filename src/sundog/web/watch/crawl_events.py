"""The events of one crawl: reads what is new in its log, and says what has changed."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from itertools import chain
from pathlib import Path
from threading import Lock
from time import monotonic
from typing import Any

import orjson

from sundog.errors import SundogError
from sundog.report.crawl.page import BREADTH_FIRST
from sundog.store import open_readonly
from sundog.web.one_shot import run_command
from sundog.web.results.pattern_items import added_counts, pattern_counts
from sundog.web.results.reading import Outcome, outcomes_since, version_before
from sundog.web.runs.crawls import Crawls, spec_of
from sundog.web.runs.directories import CrawlDirectory
from sundog.web.runs.state import State, process_of
from sundog.web.watch.counters import FoundCounters, HostRecords

AT_ONCE = 4_000  # outcomes an update
LAST = 200  # pages for a new watcher: as many as the stream shows, so a break leaves no hole in it
NEW = 50  # pages an update: nobody reads more in a second
SECONDS_BETWEEN = {"crawl": 0.9, "harvest": 1.9, "hosts": 1.9, "found": 2.9}
# Of the line of breadth-first order:
FEWEST_FETCHES = 20
GROWTH = 1.5  # before it is replayed anew
SECONDS_BETWEEN_REPLAYS = 10.0
SECONDS_FOR_A_REPLAY = 600.0
SHARE_OF_A_CORE = 0.05  # that it may take; several crawls are watched at once
Events = dict[str, Any]
Point = tuple[int, float, float, float]  # fetched, and least, likely and most relevant
_one_replay_at_a_time = Lock()


class CrawlEvents:
    """May be asked by several threads."""

    def __init__(self, crawl: CrawlDirectory, crawls: Crawls) -> None:
        self.crawl, self._crawls = crawl, crawls
        self._lock = Lock()
        self._steps: dict[Path, int] = {}  # up to which each log was read
        self._last: deque[Outcome] = deque(maxlen=LAST)
        self._found = FoundCounters()
        self._patterns: dict[Path, list[dict[str, Any]]] = {}  # by log
        self._hosts = HostRecords(spec_of(crawl)["delay"])
        self.bfs = BfsLine(crawl)
        self.is_behind = True
        self._makers: dict[str, Callable[[], Any]] = {
            "crawl": self._crawl_as_json,
            "hosts": self._hosts_as_json,
            "found": self._found_as_json,
            "harvest": self._harvest_as_json,
        }
        self._sent: Events = {}
        self._due: dict[str, float] = {}

    def update(self) -> Events:
        """What has changed since the last call; what changes slowly is not sent every time."""
        with self._lock:
            new = self._read_on()
            due = [name for name in self._makers if monotonic() >= self._due.get(name, 0.0)]
            changed: Events = {}
            for name in due:
                made = self._makers[name]()
                if made != self._sent.get(name):
                    changed[name] = self._sent[name] = made
                    self._due[name] = monotonic() + SECONDS_BETWEEN[name]
            return changed | ({"pages": _pages_as_json(new[-NEW:])} if new else {})

    def whole(self) -> Events:
        """All of it, as of the last update."""
        with self._lock:
            return {name: make() for name, make in self._makers.items()} | {"pages": _pages_as_json(self._last)}

    def vocabulary(self) -> dict[str, Any]:
        with self._lock:
            return self._found.vocabulary()

    @property
    def fetched(self) -> int:
        return self._crawls.figures_of(self.crawl).fetched

    def _read_on(self) -> list[Outcome]:
        read = [self._read_log(log) for log in self.crawl.logs]
        new = sorted(chain.from_iterable(read), key=lambda outcome: outcome.at)
        for outcome in new:
            self._hosts.add(outcome)
            self._found.add(outcome)
        self._last.extend(new)
        self.is_behind = any(len(each) == AT_ONCE for each in read)
        return new

    def _read_log(self, log: Path) -> list[Outcome]:
        step = self._steps.get(log, 0)
        try:
            with open_readonly(log) as reader:
                new = list(outcomes_since(reader, step, AT_ONCE))
                for outcome in new:
                    if (before := version_before(reader, outcome)) is not None:
                        self._found.replace(reader, before)
                if new:
                    self._found.read_properties(reader, step, new[-1].step)
                    self._hosts.read_delays(reader)
                    self._steps[log] = new[-1].step
                    self._patterns[log] = pattern_counts(reader)
        except SundogError:  # it has not begun yet
            return []
        return new

    def _crawl_as_json(self) -> dict[str, Any]:
        return self._crawls.as_json(self.crawl)

    def _hosts_as_json(self) -> dict[str, Any]:
        live = self.crawl.live
        queues = live.get("queues") if process_of(State(), live) else None
        return self._hosts.as_json(queues if isinstance(queues, list) else [])

    def _found_as_json(self) -> dict[str, Any]:
        return {**self._found.as_json(), "patterns": added_counts(self._patterns.values())}

    def _harvest_as_json(self) -> dict[str, Any]:
        points = self._crawls.figures_of(self.crawl).curve()
        return {"points": points, "bfs": self.bfs.points, "tried": self._hosts.exploration.as_json()}


def _pages_as_json(outcomes: Iterable[Outcome]) -> dict[str, Any]:
    return {"pages": [outcome.as_json() for outcome in outcomes]}


class BfsLine:
    """The line beside the harvest curve: what breadth-first order would have found. It takes time to replay."""

    def __init__(self, crawl: CrawlDirectory) -> None:
        self._crawl = crawl
        self._fetched, self._next = 0.0, 0.0
        self.points: list[Point] = []

    def is_due(self, fetched: int) -> bool:
        """When the crawl has grown by much, and once more when it has ended."""
        if fetched < FEWEST_FETCHES or fetched <= self._fetched or monotonic() < self._next:
            return False
        return fetched >= GROWTH * self._fetched or process_of(State(), self._crawl.live) is None

    def update(self, fetched: int) -> None:
        """For a thread. How long it took decides when it may be done again."""
        with _one_replay_at_a_time:
            began = monotonic()
            with suppress(SundogError):
                self.points = _bfs_points(self._crawl)
            self._fetched = fetched
            self._next = monotonic() + max(SECONDS_BETWEEN_REPLAYS, (monotonic() - began) / SHARE_OF_A_CORE)


def _bfs_points(crawl: CrawlDirectory) -> list[Point]:
    """Of a crawl in shards nobody knows it before they are merged. A process of its own loads the kernels."""
    if crawl.is_sharded:
        return []
    words = ["replay", str(crawl.path.absolute()), "--policy", BREADTH_FIRST, "--json"]
    (answer,) = orjson.loads(run_command(words, SECONDS_FOR_A_REPLAY))["policies"]
    return [(int(at), float(low), float(likely), float(high)) for at, low, likely, high in answer["curve"]]
