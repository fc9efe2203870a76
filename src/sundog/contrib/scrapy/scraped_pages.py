"""Spider middleware: what callbacks yield, and what pipelines make of it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from scrapy import Request, Spider, signals
from scrapy.crawler import Crawler
from scrapy.http import HtmlResponse, Response
from scrapy.spidermiddlewares.start import StartSpiderMiddleware

from sundog.contrib.page_links import PageLinks
from sundog.contrib.scrapy.pages import OpenPage, pages_of


class ScrapedPages(StartSpiderMiddleware):
    """It stands nearest to the engine, and sees what other middlewares have left of a callback's output.

    It takes the place of the middleware that marks start requests, and marks them: each middleware that sees a
    callback's output costs more than all that is done here with it. Scrapy 2.13 gives a ``spider`` to all methods.
    """

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._pages = pages_of(crawler)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> ScrapedPages:
        self = cls(crawler)
        crawler.signals.connect(self._item_scraped, signals.item_scraped)
        crawler.signals.connect(self._item_lost, signals.item_dropped)
        crawler.signals.connect(self._item_lost, signals.item_error)
        crawler.signals.connect(self._callback_failed, signals.spider_error)
        return self

    def process_spider_input(self, response: Response, spider: Spider | None = None) -> None:
        page = self._pages.page_of(response.request)
        if page is not None:
            self._pages.has_come(page, response)

    def process_spider_output(
        self, response: Response | None, result: Iterable[Any], spider: Spider | None = None
    ) -> Iterator[Any]:
        assert response is not None
        page, links = self._pages.page_of(response.request), _links_of(response)
        with self._ended(page):
            for each in result:
                self._note(page, links, each)
                yield each

    async def process_spider_output_async(
        self, response: Response | None, result: AsyncIterator[Any], spider: Spider | None = None
    ) -> AsyncIterator[Any]:
        assert response is not None
        page, links = self._pages.page_of(response.request), _links_of(response)
        with self._ended(page):
            async for each in result:
                self._note(page, links, each)
                yield each

    def _note(self, page: OpenPage | None, links: PageLinks, each: Any) -> None:
        if page is None:
            return
        if isinstance(each, Request):
            self._pages.leads_to(page, each, links)
        elif each is not None:
            page.items_in_pipelines += 1

    @contextmanager
    def _ended(self, page: OpenPage | None) -> Iterator[None]:
        """The callback's output is over after it, also if it has raised."""
        try:
            yield
        except GeneratorExit:  # the process ends: it has not yielded all
            raise
        except BaseException:
            self._end(page)
            raise
        self._end(page)

    def _end(self, page: OpenPage | None) -> None:
        if page is not None:
            self._pages.is_exhausted(page)

    # -- signals -------------------------------------------------------------------------------------

    def _item_scraped(self, item: Any, response: Response | None) -> None:
        page = self._page_of(response)
        if page is not None:
            page.items.append(item)
            self._pages.item_ended(page)

    def _item_lost(self, response: Response | None) -> None:
        page = self._page_of(response)
        if page is not None:
            self._pages.item_ended(page)

    def _callback_failed(self, response: Response | None) -> None:
        """It has raised before it yielded anything: then no middleware sees an output."""
        page = self._page_of(response)
        if page is not None and not page.is_exhausted:
            self._end(page)

    def _page_of(self, response: Any) -> OpenPage | None:
        """None for items of start() and of errbacks, which come with a failure."""
        return self._pages.page_of(response.request) if isinstance(response, Response) else None


def _links_of(response: Response) -> PageLinks:
    def read() -> tuple[bytes, str]:
        if not isinstance(response, HtmlResponse):
            return b"", ""
        return response.body, f"text/html; charset={response.encoding}"

    return PageLinks(response.url, read)
