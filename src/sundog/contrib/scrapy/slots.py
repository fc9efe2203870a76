"""When the downloader has room for a request of a slot, which is usually its host.

The downloader would queue it as well, but then it takes one of the places that all hosts share. What is counted is
what the scheduler has handed out: a request is in no slot while it waits for robots.txt.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

from scrapy import Request

if TYPE_CHECKING:
    from scrapy.crawler import Crawler


class Slots:
    def __init__(self, crawler: Crawler, out: Mapping[str, int]) -> None:
        """``out``: how many requests of each slot are out."""
        assert crawler.engine is not None
        self._downloader = crawler.engine.downloader
        self._out = out
        self._last: dict[str, float] = {}  # when one was handed out

    def key_of(self, request: Request) -> str:
        return str(self._downloader.get_slot_key(request))

    def wait(self, key: str, now: float) -> float:
        """Seconds until a request may go out; infinite: not before another comes in."""
        slot = self._downloader.slots.get(key)
        most = slot.concurrency if slot else self._downloader.domain_concurrency
        if self._out.get(key, 0) >= most:
            return math.inf
        delay = slot.delay if slot else 0.0
        return max(0.0, self._last.get(key, -math.inf) + delay - now)

    def goes_out(self, key: str, now: float) -> None:
        self._last[key] = now
        if len(self._last) > 10_000:
            self._last = dict(list(self._last.items())[-5_000:])
