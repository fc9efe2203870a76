"""Hosts that share an address wait in line for it, and hold up nobody else."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from sundog.engines.live.address_lines import AddressLines
from sundog.fetch.pace import Manners, Pace
from sundog.spec.crawl import Following
from tests.engines.live.webs import SmallWeb, crawled
from tests.fetch.server import Client

SHARED = ("1.1.1.1",)


def lines(most: int = 1, delay: float = 0.0) -> tuple[AddressLines, Pace]:
    pace = Pace(Manners(delay=delay, address_concurrency=most))
    for number in range(6):
        pace.locate(f"h{number}", SHARED)
    return AddressLines(pace), pace


def ask(it: AddressLines, pace: Pace, number: int, now: float) -> bool:
    """As the crawl does; whether it was asked."""
    host = f"h{number}"
    address = it.busy_address(host, now)
    if address is not None:
        it.join(host, number, address, now)
        return False
    it.let_go(host)
    pace.started(host, now)
    it.begun(host)
    return True


def end(pace: Pace, number: int, now: float) -> None:
    pace.finished(f"h{number}", now, "good")


def test_first_come_first_served() -> None:
    it, pace = lines()
    assert ask(it, pace, 0, 0.0)
    assert not any(ask(it, pace, number, 0.1) for number in (3, 1, 2))
    assert (len(it), list(it.call(0.1))) == (3, [])
    now, served = 0.1, [0]
    while it:
        end(pace, served[-1], now)
        now += 1.0
        assert it.due is not None
        assert it.due <= now
        (called,) = it.call(now)
        if len(served) == 1:
            assert not ask(it, pace, 4, now), "though the address is free: others have waited for it"
        assert ask(it, pace, called, now)
        served.append(called)
    assert served == [0, 3, 1, 2, 4]
    assert it.due is None


def test_who_was_called_and_came_too_late_goes_to_the_front() -> None:
    it, pace = lines()
    assert ask(it, pace, 0, 0.0)
    assert not any(ask(it, pace, number, 0.0) for number in (1, 2))
    end(pace, 0, 1.0)
    assert list(it.call(1.0)) == [1]
    pace.started("h5", 1.0)  # such as a redirect, which is under way already
    assert not ask(it, pace, 1, 1.1)
    end(pace, 5, 2.0)
    assert list(it.call(2.0)) == [1]
    assert ask(it, pace, 1, 2.0)


def test_one_is_called_for_each_gap() -> None:
    it, pace = lines(most=8, delay=10.0)
    assert ask(it, pace, 0, 0.0)
    pace.addresses.sent(SHARED, 0.0)
    for number in (1, 2, 3):
        ask(it, pace, number, 0.0)
    assert it.join("h3", 3, SHARED[0], 0.0) >= 3.0, "nobody stands in a line twice, and three gaps are to pass"
    assert list(it.call(0.9)) == []
    assert list(it.call(1.1)) == [1]
    assert list(it.call(1.1)) == []


def test_who_was_let_go_counts_before_the_request_begins() -> None:
    for most, delay, second_may in ((2, 0.0, True), (1, 0.0, False), (2, 1.0, False)):
        it, pace = lines(most, delay)
        it.let_go("h0")
        assert (it.busy_address("h1", 0.0) is None) == second_may
        it.let_go("h1")
        assert it.busy_address("h2", 0.0) == SHARED[0]
        it.begun("h0")  # in vain: the pace has heard of no request
        it.begun("h1")
        it.begun("h1")
        assert it.busy_address("h2", 0.0) is None
        assert not pace.in_flight("h0")


def test_other_addresses_are_not_waited_for() -> None:
    it, pace = lines()
    assert ask(it, pace, 0, 0.0)
    assert not ask(it, pace, 1, 0.0)
    pace.locate("elsewhere", ("2.2.2.2",))
    assert it.busy_address("elsewhere", 0.0) is None
    pace.locate("elsewhere", ("2.2.2.2", *SHARED))
    assert it.busy_address("elsewhere", 0.0) == SHARED[0]
    assert it.busy_address("unknown", 0.0) is None


def names(patch: pytest.MonkeyPatch, look_up: Any) -> None:
    """What the system's resolver answers."""

    def getaddrinfo(host: str, port: int, *_: Any, **__: Any) -> list[Any]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 0, "", (address, port)) for address in look_up(host)]

    patch.setattr(socket, "getaddrinfo", getaddrinfo)


@contextmanager
def also_at(web: SmallWeb, address: str) -> Iterator[None]:
    """The server listens there as well, at the same port."""
    listening = asyncio.start_server(web._handle, address, web.port)
    server = asyncio.run_coroutine_threadsafe(listening, web._loop).result(10)
    try:
        yield
    finally:
        web._loop.call_soon_threadsafe(server.close)


def test_a_busy_address_leaves_the_places_to_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Twenty hosts share an address that answers only after all other hosts were asked; there are two places."""
    names(monkeypatch, lambda host: ["127.0.0.1" if host.startswith("free") else "127.0.0.2"])

    async def stuck(client: Client) -> None:
        end = time.monotonic() + 60
        while sum("free" in url for url in web.asked()) < 10 and time.monotonic() < end:
            await asyncio.sleep(0.01)
        await client.page(client.asked.host.encode())

    with SmallWeb() as web, also_at(web, "127.0.0.2"):
        shared = [f"http://shared{number}.example:{web.port}/" for number in range(20)]
        others = [f"http://free{number}.example:{web.port}/" for number in range(10)]
        for url in shared:
            web.replies[url] = stuck
        for url in others:
            web.page(url)
        following = Following(robots=False, retries=0, address_concurrency=1, patience=60.0)
        done = crawled(
            web, tmp_path / "c", *shared, *others,
            connect_to="", allow_private=True, delay=0.01, concurrency=2, following=following,
        )  # fmt: skip
    assert sum("shared" in url for url in web.asked()[:11]) == 1
    assert sorted(done.fetched) == sorted([*shared, *others])
    assert done.summary["stopped"] == "frontier empty"


def test_slow_and_unknown_names_leave_the_places_to_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Twenty names are not found until all pages were fetched; there are two places."""
    end = threading.Event()

    def look_up(host: str) -> list[str]:
        if host.startswith("a"):
            return ["127.0.0.1"]
        if host.startswith("slow"):
            assert end.wait(60)
        raise socket.gaierror("no such name")

    names(monkeypatch, look_up)
    monkeypatch.setattr("sundog.engines.live.in_flight.SLOW_LOOK_UP", 0.05)
    with SmallWeb() as web:
        home, last = f"http://a.example:{web.port}/", f"http://a.example:{web.port}/last"
        lost = [f"http://{kind}{number}.example/" for kind in ("slow", "unknown") for number in range(10)]
        web.page(home, *lost, last)

        async def leave(client: Client) -> None:
            end.set()
            await client.page(b"last")

        web.replies[last] = leave
        following = Following(robots=False, retries=0, patience=60.0)
        done = crawled(
            web, tmp_path / "c", home,
            connect_to="", allow_private=True, delay=0.01, concurrency=2, following=following,
        )  # fmt: skip
    assert done.faults == dict.fromkeys(lost, "dns: no such name")
    assert set(done.fetched) == {home, last, *lost}
