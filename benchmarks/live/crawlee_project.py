"""Program: crawlee looking for recipes, as ``addons.py`` runs it, with and without Sundog. Prints how many it
found, and how many pages it had."""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
from crawlee import ConcurrencySettings, HttpHeaders, Request
from crawlee.crawlers import ParselCrawler, ParselCrawlingContext
from crawlee.http_clients import HttpClient, HttpCrawlingResult
from crawlee.storage_clients import MemoryStorageClient


class LoopbackResponse:
    """As crawlee wants it."""

    http_version = "HTTP/1.1"

    def __init__(self, response: httpx.Response) -> None:
        self.status_code, self._body = response.status_code, response.content
        self.headers = HttpHeaders(dict(response.headers))

    async def read(self) -> bytes:
        return self._body


class LoopbackClient(HttpClient):
    """Every request goes to one loopback port; URLs keep their hosts."""

    def __init__(self, port: int) -> None:
        super().__init__()
        self._port = port
        self._client = httpx.AsyncClient(limits=httpx.Limits(max_connections=64))

    async def crawl(self, request: Request, **_: Any) -> HttpCrawlingResult:
        return HttpCrawlingResult(http_response=await self.send_request(request.url))

    async def send_request(self, url: str, **_: Any) -> Any:
        parts = urlsplit(url)
        target = f"http://127.0.0.1:{self._port}{parts.path}{'?' * bool(parts.query)}{parts.query}"
        return LoopbackResponse(await self._client.get(target, headers={"Host": parts.netloc}))

    def stream(self, *_: Any, **__: Any) -> Any:
        raise NotImplementedError

    async def cleanup(self) -> None:
        await self._client.aclose()


async def crawl(given: argparse.Namespace) -> tuple[int, int]:
    items: list[str] = []
    manager = None
    if given.sundog:
        from sundog.contrib.crawlee import SundogRequestManager

        manager = SundogRequestManager(budget=given.pages)
    crawler = ParselCrawler(
        request_manager=manager,
        http_client=LoopbackClient(given.port),
        storage_client=MemoryStorageClient(),
        concurrency_settings=ConcurrencySettings(min_concurrency=16, desired_concurrency=16, max_concurrency=16),
        max_requests_per_crawl=given.pages,
        configure_logging=False,
    )

    async def handle(context: ParselCrawlingContext) -> None:
        text = context.selector.get()
        if "ecipeIngredient" in text or "p-ingredient" in text:
            items.append(context.request.url)
            await context.push_data({"url": context.request.url})
        await context.enqueue_links(strategy="all")

    crawler.router.default_handler(manager.handler(handle) if manager else handle)
    done = await crawler.run(given.seeds.read_text().split())
    return len(items), done.requests_finished


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.live.crawlee_project", description=__doc__)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--seeds", type=Path, required=True, help="a file, one URL per line")
    parser.add_argument("--pages", type=int, required=True)
    parser.add_argument("--sundog", action="store_true")
    logging.disable()
    print(json.dumps(asyncio.run(crawl(parser.parse_args()))))


if __name__ == "__main__":
    main()
