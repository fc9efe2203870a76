"""The line beside the harvest curve: what breadth-first order would have found. It takes its time to estimate.

What a watcher sees of one crawl: read from its log as it grows, told as events.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from threading import Lock
from time import monotonic
from typing import Any

import numpy as np

from sundog.errors import SundogError
from sundog.report.chart_data import edges
from sundog.report.crawl.bfs import estimate_bfs
from sundog.report.crawl.fetches import read_fetches
from sundog.store import open_readonly
from sundog.web.results.pattern_items import pattern_counts
from sundog.web.results.reading import Outcome, outcomes_since
from sundog.web.runs.crawls import Crawls, spec_of
from sundog.web.runs.directories import CrawlDirectory
from sundog.web.runs.state import State, process_of
from sundog.web.watch.counters import FoundCounters, HostRecords

POINTS = 100
FEWEST = 20  # fetches
GROWTH = 1.5  # before it is estimated anew
SECONDS_BETWEEN_ESTIMATES = 5.0
SHARE = 0.01  # of a core that it may take; several crawls are watched at once
_one_at_a_time = Lock()
Point = tuple[int, float, float, float]


class BfsLine:
    def __init__(self, home: CrawlDirectory) -> None:
        self._home = home
        self._fetched, self._next = 0.0, 0.0
        self.points: list[Point] = []

    def is_due(self, fetched: int) -> bool:
        return fetched >= FEWEST and fetched >= GROWTH * self._fetched and monotonic() >= self._next

    def update(self, fetched: int) -> None:
        """For a thread. How long it took decides when it may be done again."""
        with _one_at_a_time:
            began = monotonic()
            with suppress(SundogError, ValueError, IndexError):
                self.points = _points(self._home)
            self._fetched = fetched
            self._next = monotonic() + max(SECONDS_BETWEEN_ESTIMATES, (monotonic() - began) / SHARE)


def _points(home: CrawlDirectory) -> list[Point]:
    with open_readonly(home.directory) as reader:
        reader.connection.execute("BEGIN")  # all of it as of one commit
        estimate = estimate_bfs(reader, read_fetches(reader))
    sums = [np.cumsum(each) for each in (estimate.least, estimate.likely, estimate.most)]
    ends = edges(len(estimate), POINTS)[1:].tolist()
    return [(0, 0.0, 0.0, 0.0), *((end, *(round(float(each[end - 1]), 2) for each in sums)) for end in ends)]


AT_ONCE = 4_000  # outcomes a look
LAST = 200  # pages for a new watcher: as many as the stream shows, so a break leaves no hole in it
NEW = 50  # pages a look: nobody reads more in a second
SECONDS_BETWEEN = {"crawl": 0.9, "harvest": 1.9, "hosts": 1.9, "found": 2.9}
Events = dict[str, Any]


class CrawlEvents:
    """May be asked by several threads."""

    def __init__(self, home: CrawlDirectory, crawls: Crawls) -> None:
        self.home, self._crawls = home, crawls
        self._lock = Lock()
        self._step = 0
        self._last: deque[Outcome] = deque(maxlen=LAST)
        self._finds = FoundCounters()
        self._patterns: list[dict[str, Any]] = []
        delay = spec_of(home).get("delay", 1.0)
        self._hosts = HostRecords(float(delay) if isinstance(delay, int | float) else 1.0)
        self.bfs = BfsLine(home)
        self.is_behind = True
        self._tellers: dict[str, Callable[[], Any]] = {
            "crawl": self._crawl,
            "hosts": self._told_hosts,
            "found": self._found,
            "harvest": self._harvest,
        }
        self._sent: Events = {}
        self._due: dict[str, float] = {}

    def update(self) -> Events:
        """What has changed since the last call; what changes slowly is not told every time."""
        with self._lock:
            new = self._read_on()
            due = [name for name in self._tellers if monotonic() >= self._due.get(name, 0.0)]
            changed: Events = {}
            for name in due:
                told = self._tellers[name]()
                if told != self._sent.get(name):
                    changed[name] = self._sent[name] = told
                    self._due[name] = monotonic() + SECONDS_BETWEEN[name]
            return changed | ({"pages": _pages_as_json(new[-NEW:])} if new else {})

    def whole(self) -> Events:
        """All of it, as of the last update."""
        with self._lock:
            return {name: tell() for name, tell in self._tellers.items()} | {"pages": _pages_as_json(self._last)}

    @property
    def fetched(self) -> int:
        return self._crawls.overview(self.home).fetched

    def _read_on(self) -> list[Outcome]:
        try:
            with open_readonly(self.home.directory) as reader:
                new = list(outcomes_since(reader, self._step, AT_ONCE))
                if new:
                    self._finds.read_properties(reader, self._step, new[-1].step)
                    self._hosts.read_delays(reader)
                    self._step = new[-1].step
                    self._patterns = pattern_counts(reader)
        except SundogError:  # it has not begun yet
            new = []
        for outcome in new:
            self._hosts.add(outcome)
            self._finds.add(outcome)
        self._last.extend(new)
        self.is_behind = len(new) == AT_ONCE
        return new

    def _crawl(self) -> dict[str, Any]:
        return self._crawls.crawl(self.home)

    def _told_hosts(self) -> dict[str, Any]:
        live = self.home.live
        queues = live.get("queues") if process_of(State(), live) else None
        return self._hosts.told(queues if isinstance(queues, list) else [])

    def _found(self) -> dict[str, Any]:
        return {**self._finds.told(), "patterns": self._patterns}

    def _harvest(self) -> dict[str, Any]:
        points = self._crawls.overview(self.home).curve()
        return {"points": points, "bfs": self.bfs.points, "tried": self._hosts.exploration.told()}


def _pages_as_json(outcomes: Iterable[Outcome]) -> dict[str, Any]:
    return {"pages": [outcome.page() for outcome in outcomes]}
