"""A single page, fetched and rendered as politely as a crawl does it."""

from __future__ import annotations

import asyncio

from sundog.errors import SundogError
from sundog.fetch.fetcher import Fetcher
from sundog.fetch.pace import Manners, Pace
from sundog.fetch.polite import PoliteFetcher, page_or_error, steady_clock
from sundog.fetch.render.browser import find_chromium, import_playwright
from sundog.fetch.render.pool import Browsers
from sundog.fetch.render.requests import PageRules, Scripts
from sundog.fetch.render.values import Rendered, RenderFailure, RenderLimits, RenderWait
from sundog.fetch.robots import Robots


def render_one(
    url: str,
    *,
    connect_to: tuple[str, int] | None = None,
    allow_private: bool = False,
    delay: float = 1.0,
    limits: RenderLimits | None = None,
    wait: RenderWait | None = None,
) -> Rendered:
    """The page as a browser shows it, or a SundogError that says why there is none."""
    import_playwright()
    find_chromium()

    async def rendered() -> Rendered | RenderFailure:
        async with Fetcher(connect_to=connect_to, allow_private=allow_private, clock=steady_clock()) as fetcher:
            pace = Pace(Manners(delay=delay))
            polite = PoliteFetcher(fetcher, pace=pace, robots=Robots(fetcher.agent))
            plain = page_or_error(url, await polite.fetch(url))
            rules = PageRules(polite, _anywhere, _anywhere, Scripts())
            async with Browsers(rules, limits=limits, wait=wait, at_once=1, clock=fetcher.clock) as browsers:
                return await browsers.render(plain)

    found = asyncio.run(rendered())
    if isinstance(found, RenderFailure):
        raise SundogError(f"{url} cannot be rendered: {found}")
    return found


def _anywhere(url: str) -> str | None:
    """No crawl, no scope; private addresses are refused by whoever connects."""
    return None
