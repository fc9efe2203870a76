"""Asks the engine to ask for requests: by itself it does so when something has happened, or every 5 seconds."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

try:
    from scrapy.utils.asyncio import call_later
except ImportError:  # before Scrapy 2.14

    def call_later(seconds: float, function: Any) -> Any:  # type: ignore[misc]
        from twisted.internet import reactor

        return reactor.callLater(seconds, function)  # type: ignore[arg-type]


class EngineCalls:
    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._call: Any = None
        self._due = math.inf

    def call_at(self, due: float, now: float) -> None:
        """Unless it is called before that anyway."""
        if due < self._due:
            self.cancel()
            self._due = due
            self._call = call_later(max(0.0, due - now), self._ask)

    def cancel(self) -> None:
        if self._call is not None:
            self._call.cancel()
        self._call, self._due = None, math.inf

    def _ask(self) -> None:
        self._call, self._due = None, math.inf
        slot = getattr(self._crawler.engine, "_slot", None)  # there is no other way
        if slot is not None:
            slot.nextcall.schedule()
