"""crawlee's Playwright crawler with the system's Chromium: pages are what the browser makes of them."""

from __future__ import annotations

import asyncio
import shutil
from collections import Counter

from crawlee import ConcurrencySettings, service_locator
from crawlee.crawlers import PlaywrightCrawler, PlaywrightCrawlingContext
from crawlee.storage_clients import MemoryStorageClient

from sundog.contrib.crawlee import SundogRequestManager
from tests.browser.chromium import QUIET
from tests.engines.live.webs import SmallWeb

LINKS = "for (const n of {numbers}) document.write(`<p><a href='{section}/${{n}}'>{section} ${{n}}</a>`)"


def script(section: str, number: int) -> str:
    return f"<script>{LINKS.format(section=section, numbers=list(range(number)))}</script>"


async def _crawl(manager: SundogRequestManager, home: str) -> None:
    crawler = PlaywrightCrawler(
        request_manager=manager,
        storage_client=MemoryStorageClient(),
        concurrency_settings=ConcurrencySettings(min_concurrency=1, desired_concurrency=1, max_concurrency=1),
        browser_launch_options={"executable_path": shutil.which("chromium"), "args": list(QUIET)},
        max_request_retries=0,
        configure_logging=False,
    )

    @crawler.router.default_handler
    @manager.handler
    async def handle(context: PlaywrightCrawlingContext) -> None:
        if await context.page.locator("b.price").count():
            await context.push_data({"url": context.request.url})
        await context.enqueue_links()

    await crawler.run([home])


def test_pages_that_scripts_make(web: SmallWeb) -> None:
    """Links and items are there only after scripts have run; the budget goes where the items are."""
    home = f"http://{web.connect_to}/"
    web.page(home, body=script("news", 12) + script("product", 12))
    for n in range(12):
        web.page(f"{home}news/{n}")
        web.page(f"{home}product/{n}", body="<script>document.write('<b class=price>1</b>')</script>")
    service_locator.__init__()  # type: ignore[misc]  # it is one for the process, and tied to a loop
    manager = SundogRequestManager(budget=16)
    asyncio.run(asyncio.wait_for(_crawl(manager, home), 600))
    asked = Counter(url for url in web.asked() if not url.endswith("favicon.ico"))
    assert asked.total() == len(asked) == 16
    assert manager.reward == sum("product" in url for url in asked) > 8, "by chance 7.5"
    assert asyncio.run(manager.is_finished())
