"""How much a running crawl has left: asked now and then, for it takes as long as looking at every known page."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from sundog.completeness.left import LeftByHost, next_look
from sundog.session import CrawlSession

LOOKS_A_SECOND = 1.0  # at most
COST = 0.02  # of the crawl's time, at most
HOSTS_TOLD = 20


class LeftWatch:
    """``share``: the crawl is to end when no more than this is missing; None: it is only told."""

    def __init__(self, session: CrawlSession, share: float | None, clock: Callable[[], float]) -> None:
        self._session, self._share, self._clock = session, share, clock
        self._next_fetch, self._next_time = 0, clock()
        self.told: LeftByHost | None = None
        self.hosts: dict[str, Any] = {}  # those with most left

    def is_little(self) -> bool:
        """Whether it is time to end."""
        if self._session.fetched < self._next_fetch or self._clock() < self._next_time:
            return False
        told = self.look()
        return self._share is not None and told.is_at_most(self._share)

    def look(self) -> LeftByHost:
        began, self._next_time = self._clock(), math.inf  # if it fails, it is not tried again
        self.told = self._session.left()
        self.hosts = {
            self._session.source.host_name(host): left.as_json() for host, left in self.told.hosts(HOSTS_TOLD)
        }
        now = self._clock()
        self._next_fetch = next_look(self._session.fetched)
        self._next_time = now + max(1.0 / LOOKS_A_SECOND, (now - began) / COST)
        return self.told
