"""A crawl inside of somebody else's program: in a thread, or where an event loop runs already."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from sundog import UsageError, crawl, resume
from tests.engines.live.webs import HOME, SmallWeb, spec_for, urls


def test_a_thread_can_crawl(web: SmallWeb, tmp_path: Path) -> None:
    web.product(HOME, *urls("1"))
    web.product(*urls("1"))
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(crawl, spec_for(web), tmp_path / "crawl").result()["fetched"] == 2


def test_so_can_who_runs_an_event_loop(web: SmallWeb, tmp_path: Path) -> None:
    web.product(HOME)
    summary = asyncio.run(asyncio.to_thread(crawl, spec_for(web), tmp_path / "crawl"))
    assert summary["fetched"] == 1


def test_within_the_loop_itself_it_says_how(tmp_path: Path) -> None:
    async def crawls() -> None:
        with pytest.raises(UsageError, match=r"await asyncio\.to_thread"):
            crawl(spec_for(None), tmp_path / "crawl")
        with pytest.raises(UsageError, match=r"await asyncio\.to_thread"):
            resume(tmp_path / "crawl")

    asyncio.run(crawls())
    assert not (tmp_path / "crawl").exists()
