"""What a watcher sees of one crawl: read from its log as it grows, told as events."""

from __future__ import annotations

from collections import deque
from threading import Lock
from typing import Any

from sundog.errors import SundogError
from sundog.store import open_readonly
from sundog.web.bfs_line import BfsLine
from sundog.web.crawls import Crawls, spec_of
from sundog.web.directories import Home
from sundog.web.finds import Finds
from sundog.web.host_records import HostRecords
from sundog.web.records import Outcome, outcomes_since

AT_ONCE = 4_000  # outcomes a look
LAST = 50  # pages for a new watcher
Events = dict[str, Any]


class Details:
    """May be asked by several threads."""

    def __init__(self, home: Home, crawls: Crawls) -> None:
        self.home, self._crawls = home, crawls
        self._lock = Lock()
        self._step = 0
        self._last: deque[Outcome] = deque(maxlen=LAST)
        self._finds = Finds()
        delay = spec_of(home).get("delay", 1.0)
        self._hosts = HostRecords(float(delay) if isinstance(delay, int | float) else 1.0)
        self.bfs = BfsLine(home)
        self.is_behind = True
        self._sent: Events = {}

    def update(self) -> Events:
        """What has changed since the last call."""
        with self._lock:
            new = self._read_on()
            events = self._events(new)
            changed = {name: data for name, data in events.items() if self._sent.get(name) != data}
            if not new:
                changed.pop("pages", None)
            self._sent |= changed
            return changed

    def whole(self) -> Events:
        """All of it, as of the last update."""
        with self._lock:
            return self._events(list(self._last))

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
        except SundogError:  # it has not begun yet
            new = []
        for outcome in new:
            self._hosts.add(outcome)
            self._finds.add(outcome)
        self._last.extend(new)
        self.is_behind = len(new) == AT_ONCE
        return new

    def _events(self, outcomes: list[Outcome]) -> Events:
        crawl = self._crawls.crawl(self.home)
        queues = self.home.live.get("queues") if crawl["state"] == "running" else None
        overview = self._crawls.overview(self.home)
        return {
            "crawl": crawl,
            "pages": {"pages": [outcome.page() for outcome in outcomes[-LAST:]]},
            "hosts": self._hosts.told(queues if isinstance(queues, list) else []),
            "found": self._finds.told(),
            "harvest": {"points": overview.curve(), "bfs": self.bfs.points},
        }
