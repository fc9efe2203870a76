"""Downloader middleware: robots.txt holds for all requests that have waited for it."""

from __future__ import annotations

from typing import Any

from scrapy import Request
from scrapy.downloadermiddlewares.robotstxt import RobotsTxtMiddleware
from scrapy.utils.httpobj import urlparse_cached


class SharedRobots(RobotsTxtMiddleware):
    """Scrapy 2.19 gives a robots.txt to the first two of the requests that wait for it (its pull request 6802).

    The others are given None, which allows everything. Whoever waits is called when the file is known.
    """

    def process_request_2(self, rp: Any, request: Request, *spider: Any) -> None:
        """Scrapy 2.13 gives a ``spider``."""
        known: Any = self._parsers[urlparse_cached(request).netloc]
        super().process_request_2(known, request, *spider)
