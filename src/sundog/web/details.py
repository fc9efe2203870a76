"""What a watcher sees of one crawl: read from its log as it grows, told as events."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from threading import Lock
from time import monotonic
from typing import Any

from sundog.errors import SundogError
from sundog.store import open_readonly
from sundog.web.bfs_line import BfsLine
from sundog.web.crawls import Crawls, spec_of
from sundog.web.directories import Home
from sundog.web.finds import Finds
from sundog.web.host_records import HostRecords
from sundog.web.pattern_finds import pattern_counts
from sundog.web.records import Outcome, outcomes_since
from sundog.web.states import State
from sundog.web.status import process_of

AT_ONCE = 4_000  # outcomes a look
LAST = 200  # pages for a new watcher: as many as the stream shows, so a break leaves no hole in it
NEW = 50  # pages a look: nobody reads more in a second
SECONDS_BETWEEN = {"crawl": 0.9, "harvest": 1.9, "hosts": 1.9, "found": 2.9}
Events = dict[str, Any]


class Details:
    """May be asked by several threads."""

    def __init__(self, home: Home, crawls: Crawls) -> None:
        self.home, self._crawls = home, crawls
        self._lock = Lock()
        self._step = 0
        self._last: deque[Outcome] = deque(maxlen=LAST)
        self._finds = Finds()
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
            return changed | ({"pages": _pages(new[-NEW:])} if new else {})

    def whole(self) -> Events:
        """All of it, as of the last update."""
        with self._lock:
            return {name: tell() for name, tell in self._tellers.items()} | {"pages": _pages(self._last)}

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


def _pages(outcomes: Iterable[Outcome]) -> dict[str, Any]:
    return {"pages": [outcome.page() for outcome in outcomes]}
