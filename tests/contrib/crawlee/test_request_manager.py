"""Real crawlee with a handler that knows nothing of Sundog."""

from __future__ import annotations

import asyncio
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from crawlee import ConcurrencySettings, service_locator
from crawlee.crawlers import ParselCrawler, ParselCrawlingContext
from crawlee.storage_clients import MemoryStorageClient

from sundog.contrib.crawlee import SundogRequestManager
from sundog.errors import UsageError
from tests.engines.live.webs import SmallWeb


@pytest.fixture
def home(web: SmallWeb) -> str:
    """Two sections of pages; those of one are worth something."""
    home = f"http://{web.connect_to}/"
    web.page(home, f"{home}news/", f"{home}product/")
    for section, add in (("news", web.page), ("product", web.product)):
        web.page(f"{home}{section}/", *[f"{home}{section}/{n}" for n in range(30)])
        for n in range(30):
            add(f"{home}{section}/{n}", home)
    return home


async def _crawl(manager: SundogRequestManager, starts: list[str], **options: Any) -> ParselCrawler:
    crawler = ParselCrawler(
        request_manager=manager,
        storage_client=MemoryStorageClient(),
        concurrency_settings=ConcurrencySettings(min_concurrency=2, desired_concurrency=2, max_concurrency=2),
        max_request_retries=1,
        configure_logging=False,
        **options,
    )

    @crawler.router.default_handler
    @manager.handler
    async def handle(context: ParselCrawlingContext) -> None:
        if "fails" in context.request.url:
            raise RuntimeError("as it always does")
        if "Product" in context.selector.get():
            await context.push_data({"url": context.request.url})
        await context.enqueue_links()

    await crawler.run(starts)
    return crawler


def crawl(manager: SundogRequestManager, *starts: str, **options: Any) -> ParselCrawler:
    service_locator.__init__()  # type: ignore[misc]  # it is one for the process, and tied to a loop
    return asyncio.run(asyncio.wait_for(_crawl(manager, list(starts), **options), 600))


def test_everything_once(web: SmallWeb, home: str) -> None:
    manager = SundogRequestManager()
    crawl(manager, home)
    assert Counter(web.asked()) == Counter({url: 1 for url in web.replies})
    assert manager.reward == 30
    counts = asyncio.run(manager.get_handled_count()), asyncio.run(manager.get_total_count())
    assert counts == (63, 63)


def test_a_budget_goes_where_the_items_are(web: SmallWeb, home: str) -> None:
    manager = SundogRequestManager(budget=40)
    crawl(manager, home)
    assert len(web.asked()) == 40
    assert manager.reward >= 25, "by chance 18"
    breadth_first = manager.reward_of_breadth_first()
    assert breadth_first.least <= breadth_first.likely <= breadth_first.most
    assert breadth_first.likely < 22, "in truth 18"


def test_retries_and_failures(web: SmallWeb, home: str) -> None:
    web.page(home, f"{home}fails", f"{home}gone", f"{home}product/1")
    web.page(f"{home}fails")
    manager = SundogRequestManager()
    crawl(manager, home)
    assert set(web.asked()) == {home, f"{home}fails", f"{home}gone", f"{home}product/1"}
    assert web.asked().count(f"{home}fails") == 2
    assert manager.reward == 1
    assert asyncio.run(manager.is_finished())


def test_it_goes_on_with_its_file(web: SmallWeb, home: str, tmp_path: Path) -> None:
    file = tmp_path / "crawl.db"
    first = SundogRequestManager(path=file)
    crawl(first, home, max_requests_per_crawl=10)
    assert 10 <= len(web.asked()) < 63
    second = SundogRequestManager(path=file)
    assert second.reward == first.reward
    crawl(second, home)
    assert Counter(web.asked()) == Counter({url: 1 for url in web.replies})
    assert second.reward == 30


def test_anchors_are_read_in_the_charset_of_the_page(web: SmallWeb) -> None:
    home, anchors = f"http://{web.connect_to}/", []
    body = b'<html><body><a href="/next">M\xfcller</a></body></html>'
    web.reply(home, body, type_="text/html; charset=iso-8859-1")
    web.page(f"{home}next")
    manager = SundogRequestManager()
    found = manager._queue.found
    manager._queue.found = lambda lease, link: (anchors.append(link.anchor), found(lease, link))[1]  # type: ignore[method-assign]
    crawl(manager, home)
    assert anchors == ["Müller"]


def test_wrong_words() -> None:
    with pytest.raises(UsageError, match=r"reward = 'no\.such' cannot be imported"):
        SundogRequestManager(reward="no.such")
    with pytest.raises(UsageError, match="sundog"):
        SundogRequestManager(policy="sundgo")
