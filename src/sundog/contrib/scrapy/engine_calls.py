"""What is asked of the engine: to ask for requests, and what it is at work with.

By itself it asks when something has happened, or every 5 seconds.
"""

from __future__ import annotations

import math
from collections.abc import Container
from typing import TYPE_CHECKING, Any

from scrapy import Request

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

try:
    from scrapy.utils.asyncio import call_later
except ImportError:  # before Scrapy 2.14

    def call_later(seconds: float, function: Any) -> Any:  # type: ignore[misc]
        from twisted.internet import reactor

        return reactor.callLater(seconds, function)  # type: ignore[arg-type]


class EngineCalls:
    """Of the engine's slot, which has no public name; there is no other way."""

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

    def call_soon(self) -> None:
        if self._slot is not None:
            self._slot.nextcall.schedule()

    def cancel(self) -> None:
        if self._call is not None:
            self._call.cancel()
        self._call, self._due = None, math.inf

    @property
    def in_progress(self) -> Container[Request]:
        """Requests from when they were handed out until their callbacks, errbacks and pipelines are through."""
        slot = self._slot
        return slot.inprogress if slot else ()

    def _ask(self) -> None:
        self._call, self._due = None, math.inf
        self.call_soon()

    @property
    def _slot(self) -> Any:
        return getattr(self._crawler.engine, "_slot", None)
