"""Downloader middleware: requests that no page comes of."""

from __future__ import annotations

from scrapy import Request, Spider
from scrapy.crawler import Crawler
from scrapy.exceptions import IgnoreRequest

from sundog.contrib.scrapy.pages import Pages, pages_of
from sundog.model import Failed, Refused


class FailureMiddleware:
    """It stands nearest to the engine: whatever reaches it goes to the errback, for nothing will retry it."""

    def __init__(self, pages: Pages) -> None:
        self._pages = pages

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> FailureMiddleware:
        return cls(pages_of(crawler))

    def process_exception(self, request: Request, exception: Exception, spider: Spider | None = None) -> None:
        reason = str(exception) or type(exception).__name__
        refused = isinstance(exception, IgnoreRequest)  # by robots.txt, or another middleware
        self._pages.fails(request, Refused(reason) if refused else Failed(reason))
