"""Program: three kinds of Scrapy spiders that look for recipes, as ``addons.py`` runs them.

They know nothing of Sundog; prints the numbers of items and of pages.
"""

from __future__ import annotations

import argparse
import json
import logging
import warnings
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import scrapy
from scrapy.crawler import CrawlerProcess
from scrapy.http import HtmlResponse, Response
from scrapy.linkextractors import LinkExtractor
from scrapy.spiders import CrawlSpider, Rule, SitemapSpider

from benchmarks.live.scrapy_spider import SETTINGS, send_everything_to

SEEDS: list[str] = []


def recipes(response: Response) -> Iterator[dict[str, str]]:
    """Pages of one recipe; lists only name them."""
    if b"ecipeIngredient" in response.body or b"p-ingredient" in response.body:
        yield {"url": response.url}


class Plain(scrapy.Spider):
    name = "plain"

    async def start(self) -> AsyncIterator[Any]:
        for url in SEEDS:
            yield scrapy.Request(url)

    def parse(self, response: Response, **_: Any) -> Iterator[Any]:
        if isinstance(response, HtmlResponse):
            yield from recipes(response)
            yield from response.follow_all(css="a")


class Rules(CrawlSpider):
    name = "rules"
    rules = (Rule(LinkExtractor(), callback="parse_page", follow=True),)

    async def start(self) -> AsyncIterator[Any]:
        for url in SEEDS:
            yield scrapy.Request(url)

    def parse_page(self, response: Response) -> Iterator[Any]:
        yield from recipes(response)


class Sitemap(SitemapSpider):
    name = "sitemap"

    def __init__(self) -> None:
        hosts = dict.fromkeys("{0.scheme}://{0.netloc}".format(urlsplit(url)) for url in SEEDS)
        self.sitemap_urls = [f"{host}/robots.txt" for host in hosts]
        super().__init__()

    def parse(self, response: Response) -> Iterator[Any]:
        yield from recipes(response)


SPIDERS = {spider.name: spider for spider in (Plain, Rules, Sitemap)}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.live.scrapy_project", description=__doc__)
    parser.add_argument("spider", choices=SPIDERS)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--seeds", type=Path, required=True, help="a file, one URL per line")
    parser.add_argument("--pages", type=int, required=True)
    parser.add_argument("--sundog", action="store_true")
    parser.add_argument("--job", help="JOBDIR")
    given = parser.parse_args()
    SEEDS[:] = given.seeds.read_text().split()
    logging.disable()
    warnings.simplefilter("ignore")
    send_everything_to(given.port)
    settings: dict[str, Any] = {**SETTINGS, "CONCURRENT_REQUESTS": 16, "CONCURRENT_REQUESTS_PER_DOMAIN": 8}
    if given.sundog:
        settings |= {"ADDONS": {"sundog.contrib.scrapy.Addon": 500}, "SUNDOG_BUDGET": given.pages}
    else:
        settings |= {"CLOSESPIDER_PAGECOUNT": given.pages}
    if given.job:
        settings |= {"JOBDIR": given.job}
    process = CrawlerProcess(settings)
    crawler = process.create_crawler(SPIDERS[given.spider])
    process.crawl(crawler)
    process.start()
    assert crawler.stats is not None
    counts = ("item_scraped_count", "response_received_count")
    print(json.dumps([crawler.stats.get_value(name, 0) for name in counts]))


if __name__ == "__main__":
    main()
