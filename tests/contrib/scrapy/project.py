"""Program: a Scrapy project whose spiders know nothing of Sundog. Prints stats and items as JSON.

``python -m tests.contrib.scrapy.project SPIDER PORT SETTINGS``
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Iterator
from typing import Any

import scrapy
from benchmarks.live.scrapy_spider import send_everything_to
from scrapy.core.engine import ExecutionEngine
from scrapy.crawler import CrawlerProcess
from scrapy.http import Response
from scrapy.linkextractors import LinkExtractor
from scrapy.spiders import CrawlSpider, Rule, SitemapSpider

from tests.contrib.scrapy.components import Product

HOME = "http://a.example/"
QUIET = {"LOG_LEVEL": "ERROR", "TELNETCONSOLE_ENABLED": False, "REMOTE_CONTROL_ENABLED": False}


def items_of(response: Response) -> Iterator[Any]:
    if b"Product" in response.body:
        yield Product(url=response.url)


class Plain(scrapy.Spider):
    name = "plain"
    start_urls = (HOME,)

    def parse(self, response: Response, **_: Any) -> Iterator[Any]:
        yield from items_of(response)
        yield from response.follow_all(css="a", meta=response.meta)  # as many do: with all that is in there


class Rules(CrawlSpider):
    name = "rules"
    start_urls = (HOME,)
    rules = (Rule(LinkExtractor(), callback="parse_item", follow=True),)

    def parse_item(self, response: Response) -> Iterator[Any]:
        yield from items_of(response)


class Sitemap(SitemapSpider):
    name = "sitemap"
    sitemap_urls = (f"{HOME}sitemap.xml",)

    def parse(self, response: Response) -> Iterator[Any]:
        yield from items_of(response)


class Awkward(Plain):
    """All that can happen to a request, and errbacks that ask for more."""

    name = "awkward"
    custom_settings = {  # noqa: RUF012
        "ROBOTSTXT_OBEY": True,
        "RETRY_TIMES": 1,
        "DOWNLOAD_TIMEOUT": 3,
        "DOWNLOADER_MIDDLEWARES": {"tests.contrib.scrapy.components.Swallower": 900},
    }

    def parse(self, response: Response, **_: Any) -> Iterator[Any]:
        if "raises-at-once" in response.url:
            raise RuntimeError("at once")
        for request in response.follow_all(css="a", errback=self.failed):
            yield request
            if "raises-later" in response.url:
                raise RuntimeError("later")
        yield from items_of(response)

    def failed(self, failure: Any) -> Iterator[Any]:
        yield scrapy.Request(f"{HOME}after-{failure.request.url.rpartition('/')[2]}")


class Insisting(scrapy.Spider):
    """What it insists on, and what can wait."""

    name = "insisting"
    custom_settings = {"CONCURRENT_REQUESTS": 1}  # noqa: RUF012

    async def start(self) -> AsyncIterator[Any]:
        yield scrapy.Request(f"{HOME}begin", self.begin)

    def begin(self, response: Response) -> Iterator[Any]:
        for priority in (-2, 0, 7, 3, -1):
            yield scrapy.Request(f"{HOME}{priority}", priority=priority)
        yield scrapy.Request(HOME, dont_filter=True)
        yield scrapy.Request(HOME, dont_filter=True)
        yield scrapy.Request(f"{HOME}form", method="POST", body=b"a=1")
        yield scrapy.Request(f"{HOME}form", method="POST", body=b"a=2")
        yield scrapy.Request(f"{HOME}form", method="POST", body=b"a=2")

    def parse(self, response: Response) -> None:
        pass


class Unfiltered(scrapy.Spider):
    """A page insists on others, some of them twice."""

    name = "unfiltered"
    start_urls = (f"{HOME}slow",)

    def parse(self, response: Response, **_: Any) -> Iterator[Any]:
        yield from items_of(response)
        if response.url.endswith("/slow"):
            yield from response.follow_all(css="a", dont_filter=True)
            yield response.follow(f"{HOME}0", dont_filter=True)


class Gathering(Plain):
    """No callback but that of the first page yields anything before the last page has come."""

    name = "gathering"

    async def parse(self, response: Response, **_: Any) -> AsyncIterator[Any]:
        self.missing = len(response.css("a"))
        self.complete = asyncio.Event()
        for request in response.follow_all(css="a", callback=self.gather):
            yield request

    async def gather(self, response: Response) -> AsyncIterator[Any]:
        self.missing -= 1
        if not self.missing:
            self.complete.set()
        await self.complete.wait()
        for item in items_of(response):
            yield item


SPIDERS = {spider.name: spider for spider in (Plain, Rules, Sitemap, Awkward, Insisting, Unfiltered, Gathering)}


def main() -> None:
    spider, port, settings = sys.argv[1], int(sys.argv[2]), json.loads(sys.argv[3])
    send_everything_to(port)
    ExecutionEngine._SLOT_HEARTBEAT_INTERVAL = 3600  # whoever counts on it hangs
    items: list[str] = []
    process = CrawlerProcess({**QUIET, **settings})
    crawler = process.create_crawler(SPIDERS[spider])
    crawler.signals.connect(lambda item: items.append(item["url"]), scrapy.signals.item_scraped, weak=False)
    process.crawl(crawler)
    process.start()
    assert crawler.stats is not None
    print(json.dumps({"stats": crawler.stats.get_stats(), "items": items}, default=str))


if __name__ == "__main__":
    main()
