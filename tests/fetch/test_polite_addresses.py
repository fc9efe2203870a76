"""The server's own log: no address gets too many requests at once, or too soon, whatever becomes of them."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from benchmarks.shared_addresses import AddressWeb, judge

from sundog.fetch import resolver
from sundog.fetch.fetcher import Fetcher
from sundog.fetch.pace import Manners, Pace
from sundog.fetch.polite import PoliteFetcher, steady_clock
from sundog.fetch.robots import Robots
from sundog.fetch.values import Extras, Limits, Page, Trouble

HOSTS, MOST, DELAY = 44, 4, 0.2
GAP = DELAY / 10


@pytest.fixture
def web() -> Iterator[AddressWeb]:
    with AddressWeb(HOSTS, 2, slowness=0.3) as running:
        yield running


def run(urls: list[str], look_up: Any, **settings: Any) -> tuple[list[Page | Trouble], Pace]:
    pace = settings.pop("pace", None) or Pace(Manners(delay=DELAY, address_concurrency=MOST))

    async def main() -> list[Page | Trouble]:
        obeys, extras = settings.pop("obeys_robots", True), settings.pop("extras", Extras())
        async with Fetcher(look_up=look_up, allow_private=True, clock=steady_clock(), **settings) as fetcher:
            polite = PoliteFetcher(fetcher, pace=pace, robots=Robots(fetcher.agent) if obeys else None)
            return await asyncio.gather(*(polite.fetch(url, extras=extras) for url in urls))

    return asyncio.run(main()), pace


def everywhere(host: str, port: int) -> list[str]:
    return ["127.0.0.1"]


def test_new_hosts_missing_pages_redirects_and_robots_share_an_address(web: AddressWeb) -> None:
    urls = [web.url(host, path) for host in range(HOSTS) for path in ("0", "missing/1", "moves/1")]
    results, pace = run(urls, everywhere)
    found = judge(web)
    assert found.peak == MOST, "as many as may be, and no more"
    assert found.most_of_least_gap >= GAP
    assert found.hosts == HOSTS
    assert sum(request.path == "/robots.txt" for request in web.log) == HOSTS
    assert {result.kind for result in results if isinstance(result, Trouble)} == {"http-4xx"}
    assert any(isinstance(result, Page) and result.redirects for result in results)
    assert pace.addresses.in_flight("127.0.0.1") == 0


def test_head_requests_and_forms_count(web: AddressWeb) -> None:
    for extras in (Extras(head=True), Extras(form=b"a=b")):
        run([web.url(host, "0") for host in range(HOSTS)], everywhere, obeys_robots=False, extras=extras)
    assert judge(web).peak == MOST
    assert judge(web).most_of_least_gap >= GAP


def test_a_host_counts_at_each_of_its_addresses(web: AddressWeb) -> None:
    """Nobody knows which of them a connection takes."""

    def look_up(host: str, port: int) -> list[str]:
        return ["127.0.0.1", "127.0.0.2"] if host.startswith("h1") else ["127.0.0.2"]

    run([web.url(host, "0") for host in range(HOSTS)], look_up, obeys_robots=False)
    assert judge(web).peak <= MOST
    assert judge(web).most_of_least_gap >= GAP


def test_what_hosts_are_is_kept_over_a_restart(web: AddressWeb) -> None:
    urls = [web.url(host, "0") for host in range(HOSTS)]
    _, before = run(urls, everywhere, obeys_robots=False)
    after, now = Pace(before.manners), steady_clock()()
    after.restore(before.export(), now)
    after.restarted(now)
    assert set(map(tuple, (state.addresses for state in after.export()))) == {("127.0.0.1",)}
    run(urls, everywhere, pace=after, obeys_robots=False)
    assert judge(web).peak == MOST
    assert judge(web).most_of_least_gap >= GAP


def test_a_name_that_moves_is_counted_where_it_is_connected(
    web: AddressWeb, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each turn has its own look-up here, and each look-up another answer: kept connections must not mix them."""
    monkeypatch.setattr(resolver, "KEPT_FOR", 0.05)
    turns: list[str] = []
    flips = {"now": 0}

    def look_up(host: str, port: int) -> list[str]:
        flips["now"] += 1
        return [f"127.0.0.{1 + flips['now'] % 2}"]

    class Watched(Pace):
        def started(self, host: str, now: float) -> float:
            turns.extend(self.addresses_of(host))
            return super().started(host, now)

    async def main() -> None:
        async with Fetcher(look_up=look_up, allow_private=True, clock=steady_clock(), keep_alive=30.0) as fetcher:
            polite = PoliteFetcher(fetcher, pace=Watched(Manners(delay=0.1)), robots=None)
            for number in range(8):
                assert isinstance(await polite.fetch(web.url(5, str(number))), Page)

    asyncio.run(main())
    assert len(set(turns)) == 2
    assert turns == [request.address for request in web.log]


def test_names_without_an_address_take_no_place(web: AddressWeb) -> None:
    """They are troubles of their kind, and slow ones do not keep others from their turn."""
    end = threading.Event()

    def look_up(host: str, port: int) -> list[str]:
        if host.startswith("slow"):
            end.wait(60)
        if host.startswith("h"):
            return ["127.0.0.1"]
        raise socket.gaierror("no such name")

    names = [f"http://slow{number}.example/" for number in range(50)]
    names += [f"http://unknown{number}.example/" for number in range(20)]

    async def main() -> list[Page | Trouble]:
        limits = Limits(connect=100.0)
        async with Fetcher(look_up=look_up, allow_private=True, clock=steady_clock(), limits=limits) as fetcher:
            polite = PoliteFetcher(fetcher, pace=Pace(Manners(delay=DELAY)), robots=None)
            tasks = [asyncio.create_task(polite.fetch(name)) for name in names]
            pages = await asyncio.gather(*(polite.fetch(web.url(host, "0")) for host in range(10)))
            assert all(isinstance(page, Page) for page in pages)
            assert not end.is_set()
            end.set()
            troubles = await asyncio.gather(*tasks)
            assert polite.pace.state("unknown1.example").errors == 1
            assert polite.pace.in_flight("unknown1.example") == 0
            return troubles

    for name, result in zip(names, asyncio.run(main()), strict=True):
        assert isinstance(result, Trouble)
        assert (result.kind, result.healable, result.was_asked, result.url) == ("dns", True, True, name)


def test_a_look_up_that_takes_too_long_is_a_trouble() -> None:
    end = threading.Event()

    def look_up(host: str, port: int) -> list[str]:
        end.wait(60)
        return []

    try:
        (result,), _ = run(["http://a.example/"], look_up, obeys_robots=False, limits=Limits(connect=0.1))
    finally:
        end.set()
    assert isinstance(result, Trouble)
    assert (result.kind, result.healable) == ("timeout-connect", True)


def test_private_names_are_no_fault_of_the_pace(web: AddressWeb) -> None:
    async def main() -> tuple[Page | Trouble, Pace]:
        async with Fetcher(look_up=everywhere) as fetcher:
            polite = PoliteFetcher(fetcher, pace=Pace(), robots=None)
            return await polite.fetch(web.url(1)), polite.pace

    result, pace = asyncio.run(main())
    assert isinstance(result, Trouble)
    assert (result.kind, result.was_asked, result.healable) == ("private-address", False, False)
    assert (pace.in_flight("h1.example"), web.log) == (0, [])


@pytest.mark.parametrize("setting", ["proxy", "connect_to"])
def test_where_names_are_anothers_business_no_address_counts(web: AddressWeb, setting: str) -> None:
    def look_up(host: str, port: int) -> list[str]:
        raise AssertionError(host)

    there = f"http://127.0.0.1:{web.port}" if setting == "proxy" else ("127.0.0.1", web.port)
    urls = [f"http://h{host}.example/0" for host in range(20)]
    results, _ = run(urls, look_up, obeys_robots=False, **{setting: there})
    assert all(isinstance(result, Page) for result in results)
    assert judge(web).peak > MOST
