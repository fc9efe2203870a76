"""What handlers push while they run, and the links of the pages that they have."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from typing import Any

from sundog.contrib.page_links import PageLinks
from sundog.contrib.policy_queue import Lease
from sundog.contrib.rewards import ScrapedPage

Handler = Callable[[Any], Awaitable[None]]


@dataclass(eq=False)
class OpenPage:
    lease: Lease
    items: list[Any] = field(default_factory=list)
    scraped: ScrapedPage | None = None
    links: PageLinks | None = None

    async def handle(self, handler: Handler, context: Any) -> None:
        """A retry begins anew."""
        self.items = []
        body, content_type = await _content_of(context)
        url = context.request.loaded_url or context.request.url
        self.scraped = ScrapedPage(context, url, lambda: body, content_type)
        self.links = PageLinks(url, lambda: (body if "html" in content_type else b"", content_type))

        async def push_data(data: Any, *words: Any, **more: Any) -> None:
            self.items += data if isinstance(data, list) else [data]
            await context.push_data(data, *words, **more)

        await handler(replace(context, push_data=push_data))


async def _content_of(context: Any) -> tuple[bytes, str]:
    """The page as its crawler has it: as it came, or as a browser shows it."""
    if hasattr(context, "http_response"):
        response = context.http_response
        return await response.read(), response.headers.get("content-type", "text/html")
    if hasattr(context, "page"):
        return (await context.page.content()).encode(), "text/html; charset=utf-8"
    return b"", ""
