"""Parts of the project that settings name; Scrapy before 2.14 gives them the spider, too."""

from __future__ import annotations

import asyncio
from typing import Any

import scrapy
from scrapy.dupefilters import RFPDupeFilter
from scrapy.exceptions import DropItem, IgnoreRequest
from scrapy.http import Response


class Product(dict[str, Any]):
    pass


class Swallower:
    def process_response(self, request: scrapy.Request, response: Response, spider: Any = None) -> Response:
        if "/swallowed" in request.url:
            raise IgnoreRequest("swallowed")
        return response


class SlowPipeline:
    """Each item takes a while; every other one is dropped, some fail."""

    number = 0

    async def process_item(self, item: Any, spider: Any = None) -> Any:
        self.number += 1
        number = self.number
        await asyncio.sleep(0.3)
        if number % 2:
            raise DropItem("every other one")
        if number % 4 == 0:
            raise RuntimeError("no room for it")
        return item


class NeverDone:
    """Items of one page stay in it."""

    async def process_item(self, item: Any, spider: Any = None) -> Any:
        if item["url"].endswith("/slow"):
            await asyncio.Event().wait()
        return item


def double(response: Response, items: list[Any]) -> float:
    return 2.0 * len(items)


class OncePerSection(RFPDupeFilter):
    """A filter of the project's own."""

    def __init__(self, *words: Any, **more: Any) -> None:
        super().__init__(*words, **more)
        self.sections: set[str] = set()

    def request_seen(self, request: scrapy.Request) -> bool:
        section = request.url.rpartition("/")[0]
        is_known = section in self.sections
        self.sections.add(section)
        return is_known
