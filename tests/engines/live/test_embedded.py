"""A crawl inside of somebody else's program: in a thread, or where an event loop runs already."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from sundog import CrawlControl, Snapshot, SundogError, UsageError, acrawl, aresume, crawl, resume
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
        with pytest.raises(UsageError, match=r"await acrawl"):
            crawl(spec_for(None), tmp_path / "crawl")
        with pytest.raises(UsageError, match=r"await acrawl"):
            resume(tmp_path / "crawl")

    asyncio.run(crawls())
    assert not (tmp_path / "crawl").exists()


def long_chain(web: SmallWeb, pages: int = 2000) -> None:
    """So many pages, one after the other, that nobody waits for the last one."""
    names = [HOME, *urls(*map(str, range(pages)))]
    for name, following in pairwise(names):
        web.product(name, following)


def test_a_summary_is_awaited(web: SmallWeb, tmp_path: Path) -> None:
    web.product(HOME, *urls("1"))
    web.product(*urls("1"))

    async def main() -> Any:
        return await acrawl(spec_for(web), tmp_path / "crawl")

    assert asyncio.run(main())["fetched"] == 2


def test_errors_reach_who_awaits(tmp_path: Path) -> None:
    async def main(wait: Callable[[Any], Any]) -> None:
        await wait(aresume(tmp_path / "nothing"))

    async def watch(running: Any) -> None:
        async for _ in running:
            pass

    async def awaited(running: Any) -> None:
        await running

    for wait in (awaited, watch):
        with pytest.raises(SundogError):
            asyncio.run(main(wait))


def test_progress_is_iterated_over_and_a_stop_ends_it(web: SmallWeb, tmp_path: Path) -> None:
    long_chain(web)

    async def main() -> tuple[list[Snapshot], Any]:
        seen = []
        running = acrawl(spec_for(web, budget=2000, delay=0.01), tmp_path / "crawl")
        async for snapshot in running:
            seen.append(snapshot)
            if snapshot.fetched >= 3:
                running.stop()
        return seen, await running

    seen, summary = asyncio.run(main())
    assert summary["stopped"] == "interrupted"
    assert 3 <= summary["fetched"] < 2000
    assert [each.fetched for each in seen] == sorted(each.fetched for each in seen)

    async def go_on() -> Any:
        return await aresume(tmp_path / "crawl", budget=summary["fetched"] + 2)

    again = asyncio.run(go_on())
    assert (again["stopped"], again["fetched"]) == ("budget", summary["fetched"] + 2)


def test_the_budget_is_changed_meanwhile(web: SmallWeb, tmp_path: Path) -> None:
    long_chain(web)

    async def main() -> Any:
        async with acrawl(spec_for(web, budget=2000, delay=0.01), tmp_path / "crawl") as running:
            running.set_budget(5)  # before it has begun
        return await running

    summary = asyncio.run(main())
    assert summary["stopped"] == "budget"
    assert summary["fetched"] == 5


def test_a_task_that_is_cancelled_ends_its_crawl(web: SmallWeb, tmp_path: Path) -> None:
    long_chain(web)

    async def main() -> Any:
        running = acrawl(spec_for(web, budget=2000, delay=0.01), tmp_path / "crawl")
        task = asyncio.ensure_future(running)
        async for snapshot in running:
            if snapshot.fetched >= 2:
                break
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return await running

    summary = asyncio.run(main())
    assert summary["stopped"] == "interrupted"
    more = summary["fetched"] + 5
    with ThreadPoolExecutor(1) as pool:  # nothing holds the directory any more
        assert pool.submit(resume, tmp_path / "crawl", budget=more).result()["fetched"] == more


def test_an_exception_in_the_block_ends_the_crawl(web: SmallWeb, tmp_path: Path) -> None:
    long_chain(web)

    async def main() -> None:
        async with acrawl(spec_for(web, budget=2000, delay=0.01), tmp_path / "crawl") as running:
            async for _ in running:
                raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        asyncio.run(main())
    assert (tmp_path / "crawl" / "summary.json").exists()


def test_a_thread_is_ended_by_its_control(web: SmallWeb, tmp_path: Path) -> None:
    long_chain(web)
    control = CrawlControl()

    def watch(snapshot: Snapshot) -> None:
        if snapshot.fetched >= 3:
            control.cancel()

    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(
            crawl, spec_for(web, budget=2000, delay=0.01), tmp_path / "crawl", watch=watch, control=control
        )
        assert running.result()["stopped"] == "interrupted"
