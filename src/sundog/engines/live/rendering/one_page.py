"""One page as the crawl of a spec would see it, for previews and examples."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from sundog.engines.live.rendering.rendering import browser_settings
from sundog.fetch.values import Page
from sundog.spec import CrawlSpec

if TYPE_CHECKING:
    from sundog.engines.live.wiring import Wiring
    from sundog.fetch.render.values import Rendered, RenderFailure

LONGEST: Final = 6.0  # seconds of a page's own; whoever asked is waiting


async def rendered_page(spec: CrawlSpec, wiring: Wiring, page: Page) -> Rendered | RenderFailure | None:
    """In a browser of its own. None: the crawl renders nothing, or this is no page for a browser."""
    if spec.render == "never" or "html" not in page.content_type or not page.body:
        return None
    from sundog.fetch.render.browser import find_chromium, import_playwright
    from sundog.fetch.render.pool import Browsers

    import_playwright()
    find_chromium()
    table = replace(spec.rendering, seconds=min(LONGEST, spec.rendering.seconds), screenshots=False, at_once=1)
    async with Browsers(**browser_settings(replace(spec, rendering=table), wiring)) as browsers:
        return await browsers.render(page)
