"""Downloader middleware: robots.txt holds for all requests that have waited for it."""

from __future__ import annotations

from typing import Any

from scrapy import Request
from scrapy.downloadermiddlewares.robotstxt import RobotsTxtMiddleware
from scrapy.utils.httpobj import urlparse_cached


class SharedRobots(RobotsTxtMiddleware):
    """From Scrapy 2.14 on, of all that wait for one robots.txt only the first two are given it.

    The others are given None, which allows everything. Whoever waits is called when the file is known.
    """

    def process_request_2(self, rp: Any, request: Request, *spider: Any) -> None:
        """Scrapy 2.13 gives a ``spider``."""
        known: Any = self._parsers[urlparse_cached(request).netloc]
        super().process_request_2(known, request, *spider)
