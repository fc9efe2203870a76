"""Scrapy following links, with or without extruct, as ``speed.py`` runs it.

Every request goes to one loopback port, as ``sundog crawl --connect-to`` does it: Scrapy's own agent is given
another endpoint, nothing is rewritten. So URLs keep their hosts, and all hosts share connections.
"""

from __future__ import annotations

import argparse
import logging
import warnings
from collections.abc import AsyncIterator, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import scrapy
from scrapy.core.downloader.handlers import http11
from scrapy.crawler import CrawlerProcess
from scrapy.http import Response, TextResponse
from scrapy.linkextractors import LinkExtractor
from twisted.internet.endpoints import TCP4ClientEndpoint
from twisted.web.client import URI

SETTINGS = {
    "CONCURRENT_REQUESTS": 64,
    "CONCURRENT_REQUESTS_PER_DOMAIN": 64,
    "DOWNLOAD_DELAY": 0,
    "ROBOTSTXT_OBEY": True,
    "ASYNCIO_EVENT_LOOP": "uvloop.Loop" if find_spec("uvloop") else None,  # as Sundog has it
    # everything that a crawl of links does not need
    "COOKIES_ENABLED": False,
    "DOWNLOADER_STATS": False,
    "HTTPPROXY_ENABLED": False,
    "LOG_ENABLED": False,
    "LOGSTATS_INTERVAL": 0,
    "MEMUSAGE_ENABLED": False,
    "METAREFRESH_ENABLED": False,
    "REFERER_ENABLED": False,
    "REMOTE_CONTROL_ENABLED": False,
    "RETRY_ENABLED": False,
    "TELNETCONSOLE_ENABLED": False,
}


class Follower(scrapy.Spider):
    name = "follower"

    def __init__(self, seeds: list[str], stay: bool, with_extruct: bool) -> None:
        super().__init__()
        self._seeds, self._with_extruct = seeds, with_extruct
        self._hosts = {urlsplit(url).netloc for url in seeds} if stay else None
        self._links = LinkExtractor()

    async def start(self) -> AsyncIterator[Any]:
        for url in self._seeds:
            yield scrapy.Request(url)

    def parse(self, response: Response) -> Iterator[Any]:
        if not isinstance(response, TextResponse):
            return
        if self._with_extruct:
            import extruct

            extruct.extract(response.text, base_url=response.url, errors="ignore")
        for link in self._links.extract_links(response):
            if self._hosts is None or urlsplit(link.url).netloc in self._hosts:
                yield scrapy.Request(link.url)


def send_everything_to(port: int) -> None:
    before_2_14 = not hasattr(http11, "_BindAddressAgent")
    base: Any = http11.ScrapyAgent._Agent if before_2_14 else http11._BindAddressAgent

    class LoopbackAgent(base):  # type: ignore[misc]
        def request(self, method: bytes, uri: bytes, headers: Any = None, bodyProducer: Any = None) -> Any:  # noqa: N803
            parsed = URI.fromBytes(uri)
            endpoint = TCP4ClientEndpoint(self._reactor, "127.0.0.1", port)
            return self._requestWithEndpoint(
                ("loopback",), endpoint, method, parsed, headers, bodyProducer, parsed.originForm
            )

    if before_2_14:
        http11.ScrapyAgent._Agent = LoopbackAgent
    else:
        http11._BindAddressAgent = LoopbackAgent


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.live.scrapy_spider", description=__doc__)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--seeds", type=Path, required=True, help="a file, one URL per line")
    parser.add_argument("--pages", type=int, default=0, help="stop after this many")
    parser.add_argument("--stay", action="store_true", help="on the hosts of the seeds")
    parser.add_argument("--extruct", action="store_true")
    given = parser.parse_args()
    logging.disable()
    warnings.simplefilter("ignore")
    send_everything_to(given.port)
    process = CrawlerProcess({**SETTINGS, "CLOSESPIDER_PAGECOUNT": given.pages})
    seeds = given.seeds.read_text().split()
    process.crawl(Follower, seeds=seeds, stay=given.stay, with_extruct=given.extruct)
    process.start()


if __name__ == "__main__":
    main()
