"""Windows of requests: those that servers announce, and those that a crawl is set to keep."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sundog.fetch.failures import trouble_of_status
from sundog.fetch.fetcher import Fetcher
from sundog.fetch.pace import HostState, Manners, Pace
from sundog.fetch.rate_limits import Remaining, remaining_by
from sundog.fetch.values import Extras, Page
from tests.fetch.server import Client, Server
from tests.fetch.test_pace import HOSTS, World, moves

NOW = 1_700_000_000.0
DATE = "Tue, 14 Nov 2023 22:13:20 GMT"  # the same


@pytest.mark.parametrize(
    ("headers", "left"),
    [
        ({"X-RateLimit-Limit": "60", "X-RateLimit-Remaining": "59", "X-RateLimit-Reset": "30"}, (59, 30.0)),
        ({"x-rate-limit-remaining": "0", "x-rate-limit-reset": "1700000060"}, (0, 61.0)),
        ({"X-Ratelimit-Remaining": "0", "X-RateLimit-Reset": "1700000060500"}, (0, 61.5)),
        ({"RateLimit-Remaining": "3", "RateLimit-Reset": "8"}, (3, 8.0)),
        ({"RateLimit": "limit=100, remaining=50, reset=5"}, (50, 5.0)),
        ({"RateLimit": '"user";r=0;t=12', "RateLimit-Policy": '"user";q=10;w=60'}, (0, 12.0)),
        ({"X-RateLimit-Remaining": "0", "X-RateLimit-Reset-After": "1.5"}, (0, 1.5)),
        ({"X-RateLimit-Remaining-Minute": "0", "X-RateLimit-Remaining-Day": "90"}, (0, 60.0)),
        ({"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "Tue, 14 Nov 2023 22:14:20 GMT"}, (0, 61.0)),
        ({"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "32503680000"}, (0, 86_400.0)),
        ({"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1600000000"}, (0, None)),
        ({"X-RateLimit-Remaining": "5, 7", "X-RateLimit-Reset": "x"}, (5, None)),
        ({"X-RateLimit-Remaining": "-1"}, None),
        ({"X-RateLimit-Remaining": "nan", "X-RateLimit-Limit": "inf"}, None),
        ({"X-RateLimit-Limit": "60"}, None),
        ({"X-Content-Limit": "7"}, None),
    ],
)
def test_what_is_left(headers: dict[str, str], left: tuple[int, float | None] | None) -> None:
    raw = [(name.encode(), value.encode()) for name, value in {**headers, "Date": DATE}.items()]
    assert remaining_by(raw, NOW + 500) == (left and Remaining(*left))  # our clock goes wrong, theirs counts


@given(st.lists(st.tuples(st.sampled_from([b"RateLimit", b"X-RateLimit-Reset", b"Date"]), st.binary())))
def test_anything_can_stand_in_headers(headers: list[tuple[bytes, bytes]]) -> None:
    left = remaining_by(headers, NOW)
    assert left is None or left.seconds is None or 0 <= left.seconds <= 86_400


def test_refusals_say_how_long() -> None:
    left = {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "40"}
    assert trouble_of_status(429, left, now=NOW).retry_after == 40.0
    assert trouble_of_status(429, {**left, "Retry-After": "90"}, now=NOW).retry_after == 90.0
    assert trouble_of_status(403, left, now=NOW).kind == "rate-limited"
    assert trouble_of_status(403, {"X-RateLimit-Remaining": "4"}, now=NOW).kind == "http-4xx"


@given(moves, st.integers(1, 4), st.floats(0.5, 6.0), st.integers(1, 4))
def test_no_window_sees_more_requests_than_it_may(steps: Any, requests: int, window: float, places: int) -> None:
    manners = Manners(delay=0.0, requests=requests, window=window, concurrency=places, address_concurrency=99)
    world = World(Pace(manners), {})
    for host, passes, asks, verdict, retry_after, share in steps:
        world.now += passes
        world.ask(host) if asks else world.finish(verdict, retry_after, share)
        if world.now > 1_050:  # killed and resumed
            states = [HostState(*state) for state in world.pace.export()]
            world.pace = Pace(manners)
            world.pace.restore(states, world.now)
            for asked, _ in world.requests:
                world.arrivals[asked].append(world.now)
            world.requests.clear()
    for host in HOSTS:
        times = sorted(world.arrivals[host])
        assert all(sum(begin <= at < begin + window - 1e-6 for at in times) <= requests for begin in times)


def test_after_a_429_without_a_retry_after_a_whole_window_passes() -> None:
    pace = Pace(Manners(delay=0.0, requests=10, window=900.0))
    pace.started("a.example", 100.0)
    assert pace.finished("a.example", 100.0, "slow down") == 1_000.0


def ask(extras: Extras, status: str, location: str) -> tuple[Any, list[Any]]:
    async def behave(client: Client) -> None:
        if client.asked.target == "/":
            await client.page(b"", f"Location: {location}", status=status)
        else:
            await client.page(b"here")

    with Server({"": behave}) as server:

        async def fetch() -> Any:
            async with Fetcher(connect_to=("127.0.0.1", server.port)) as fetcher:
                return await fetcher.fetch("http://a.example/", extras=extras)

        return asyncio.run(fetch()), server.log


SECRET = Extras({"Authorization": "Bearer x"}, b"q=1")


@pytest.mark.parametrize(
    ("status", "location", "headers", "body"),
    [
        ("302 Found", "/there", True, b""),
        ("307 Temporary Redirect", "/there", True, b"q=1"),
        ("302 Found", "http://b.example/there", False, b""),
        ("302 Found", "https://a.example/there", False, b""),
    ],
)
def test_secrets_do_not_leave_their_origin(status: str, location: str, headers: bool, body: bytes) -> None:
    result, log = ask(SECRET, status, location)
    assert isinstance(result, Page)
    assert (log[0].headers["authorization"], log[0].body) == ("Bearer x", b"q=1")
    assert ("authorization" in log[1].headers, log[1].body) == (headers, body)


def test_a_form_is_not_sent_elsewhere() -> None:
    result, log = ask(SECRET, "308 Permanent Redirect", "http://b.example/there")
    assert result.kind == "bad-redirect"
    assert len(log) == 1
