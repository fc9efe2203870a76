"""What crawlee asks of a request manager: its base class says so."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from crawlee import Request
from crawlee.request_loaders import RequestManager

from sundog.contrib.crawlee import SundogRequestManager

URLS = [f"http://a.example/{n}" for n in range(4)]
Open = Callable[[], Awaitable[RequestManager]]


async def _in_memory() -> RequestManager:
    return SundogRequestManager()


@pytest.fixture(params=["in memory", "with a file"])
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Open:
    async def with_file() -> RequestManager:
        return SundogRequestManager(path=tmp_path / "crawl.db")

    return with_file if request.param == "with a file" else _in_memory


def run(opened: Open, steps: Callable[[RequestManager], Awaitable[None]]) -> None:
    async def everything() -> None:
        manager = await opened()
        await steps(manager)
        await manager.drop()

    asyncio.run(everything())


async def _counts(manager: RequestManager) -> tuple[int, int]:
    return await manager.get_handled_count(), await manager.get_total_count()


async def _next(manager: RequestManager) -> Request:
    request = await manager.fetch_next_request()
    assert request is not None
    return request


async def _add(manager: RequestManager, request: Any, **options: Any) -> Any:
    added = await manager.add_request(request, **options)
    assert added is not None
    return added


def test_a_request_is_known_once(opened: Open) -> None:
    async def steps(manager: RequestManager) -> None:
        assert await manager.is_empty()
        assert await manager.is_finished()
        assert not (await _add(manager, URLS[0])).was_already_present
        again = await _add(manager, Request.from_url(URLS[0]))
        assert again.was_already_present
        assert not again.was_already_handled
        await manager.add_requests([URLS[0], URLS[1], URLS[1]])
        assert await _counts(manager) == (0, 2)
        assert not await manager.is_empty()

    run(opened, steps)


def test_each_is_handled_once(opened: Open) -> None:
    async def steps(manager: RequestManager) -> None:
        await manager.add_requests(URLS)
        requests = [await _next(manager) for _ in URLS]
        assert sorted(request.url for request in requests) == URLS
        assert await manager.is_empty()
        assert not await manager.is_finished(), "they are in work"
        for request in requests:
            done = await manager.mark_request_as_handled(request)
            assert done is not None
            assert done.was_already_handled
        assert await manager.is_finished()
        assert await manager.fetch_next_request() is None
        assert await _counts(manager) == (4, 4)
        assert (await _add(manager, URLS[0])).was_already_handled

    run(opened, steps)


def test_one_that_is_reclaimed_comes_again_as_it_was_changed(opened: Open) -> None:
    async def steps(manager: RequestManager) -> None:
        await manager.add_requests(URLS[:1])
        request = await _next(manager)
        request.retry_count += 1
        request.user_data["why"] = "it failed"
        assert await manager.reclaim_request(request) is not None
        assert not await manager.is_empty()
        again = await _next(manager)
        assert (again.unique_key, again.retry_count) == (request.unique_key, 1)
        assert again.user_data["why"] == "it failed"
        await manager.mark_request_as_handled(again)
        assert await manager.is_finished()
        assert await _counts(manager) == (1, 1)

    run(opened, steps)


def test_what_is_at_the_front_comes_first(opened: Open) -> None:
    async def steps(manager: RequestManager) -> None:
        await manager.add_requests(URLS[:3])
        await _add(manager, URLS[3], forefront=True)
        assert (await _next(manager)).url == URLS[3]

    run(opened, steps)


def test_requests_of_one_url_that_differ(opened: Open) -> None:
    async def steps(manager: RequestManager) -> None:
        bodies = [b"a=1", b"a=2"]
        for body in bodies:
            await _add(
                manager, Request.from_url(URLS[0], method="POST", payload=body, use_extended_unique_key=True)
            )
        await _add(manager, URLS[0])
        requests = [await _next(manager) for _ in range(3)]
        assert sorted(request.payload or b"" for request in requests) == [b"", *bodies]
        assert sorted(request.method for request in requests) == ["GET", "POST", "POST"]

    run(opened, steps)


def test_one_that_was_not_handed_out(opened: Open) -> None:
    async def steps(manager: RequestManager) -> None:
        request = Request.from_url(URLS[0])
        assert await manager.mark_request_as_handled(request) is None
        assert await manager.reclaim_request(request) is None
        assert await _counts(manager) == (0, 0)

    run(opened, steps)


def test_purged(opened: Open) -> None:
    async def steps(manager: RequestManager) -> None:
        await manager.add_requests(URLS)
        await _next(manager)
        await manager.purge()
        assert await manager.is_finished()
        assert await _counts(manager) == (0, 0)
        assert not (await _add(manager, URLS[0])).was_already_present
        assert (await _next(manager)).url == URLS[0]

    run(opened, steps)
