"""The server's own log: nobody is asked too soon, nothing forbidden is asked."""

from __future__ import annotations

import asyncio
import random
from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest

from sundog.fetch.fetcher import Fetcher
from sundog.fetch.pace import Manners, Pace
from sundog.fetch.polite import PoliteFetcher, steady_clock
from sundog.fetch.robots import Robots
from sundog.fetch.values import Limits, Page, Trouble, trouble
from tests.fetch.server import Client, Server

HOSTS = [f"h{number}.example" for number in range(20)]
DELAY, LONGER = 0.05, 0.12
SLOW = "h1.example"


async def serve(client: Client) -> None:
    """Redirects hither and thither, sometimes late; every third answer is an error."""
    host, target = client.asked.host, client.asked.target
    chance = random.Random(host + target)
    await asyncio.sleep(chance.random() * 0.03)
    if target == "/robots.txt":
        delay = f"Crawl-delay: {LONGER}\n" if host == SLOW else ""
        await client.page(f"User-agent: *\n{delay}Disallow: /secret\n".encode(), type_="text/plain")
    elif target.startswith("/jump"):
        place = chance.choice(["/page", "/secret/x", f"http://{chance.choice(HOSTS)}/jump/{chance.random()}"])
        await client.page(b"", f"Location: {place}", status="302 Found")
    else:
        await client.page(b"x", status=chance.choice(["200 OK", "200 OK", "404 Not Found"]))


@pytest.fixture
def server() -> Iterator[Server]:
    with Server({"": serve}) as running:
        yield running


def run(server: Server, urls: list[str], **settings: Any) -> list[Page | Trouble]:
    async def main() -> list[Page | Trouble]:
        connect_to = ("127.0.0.1", server.port)
        async with Fetcher(connect_to=connect_to, clock=steady_clock(), limits=Limits(total=10.0)) as fetcher:
            robots = settings.pop("robots", Robots(fetcher.agent))
            polite = PoliteFetcher(fetcher, pace=Pace(Manners(delay=DELAY)), robots=robots, **settings)
            return await asyncio.gather(*(polite.fetch(url) for url in urls))

    return asyncio.run(main())


def test_the_log_of_the_server(server: Server) -> None:
    paths = ["page/1", "jump/1", "jump/2", "secret/1"]
    results = run(server, [f"http://{host}/{path}" for host in HOSTS for path in paths])
    asked: dict[str, list[float]] = defaultdict(list)
    for request in server.log:
        asked[request.host].append(request.at)
        assert not request.target.startswith("/secret")
    for host, times in asked.items():
        least = LONGER if host == SLOW else DELAY
        # the delay of a host is known only after its robots.txt
        assert all(later - earlier >= DELAY for earlier, later in pairwise(times))
        assert all(later - earlier >= least for earlier, later in pairwise(times[1:]))
    assert [request.target for request in server.log].count("/robots.txt") == len(HOSTS)
    kinds = {result.kind for result in results if isinstance(result, Trouble)}
    assert kinds <= {"robots", "http-4xx", "too-many-redirects", "redirect-loop"}
    forbidden = [result for result in results[3::4] if isinstance(result, Trouble) and not result.was_asked]
    assert len(forbidden) == len(HOSTS)


def test_redirects_keep_to_the_scope(server: Server) -> None:
    urls = [f"http://{host}/jump/1" for host in HOSTS]

    def redirect_filter(target: str, asked: str) -> Trouble | None:
        assert asked in urls
        return trouble("redirect-out-of-scope", "elsewhere", was_asked=False) if "/page" in target else None

    results = run(server, urls, redirect_filter=redirect_filter)
    assert not any(request.target == "/page" for request in server.log)
    assert any(isinstance(result, Trouble) and result.kind == "redirect-out-of-scope" for result in results)


def test_robots_may_be_disobeyed(server: Server) -> None:
    run(server, ["http://h0.example/secret/1"], robots=None)
    assert [request.target for request in server.log] == ["/secret/1"]


def test_no_answer_to_robots_is_waited_for() -> None:
    async def fails(client: Client) -> None:
        await client.page(b"", status="500 Oops")

    with Server({"": fails}) as server:
        (result,) = run(server, ["http://a.example/"])
        assert isinstance(result, Trouble)
        assert (result.kind, result.healable, result.was_asked) == ("robots", True, False)
        assert 50 < (result.retry_after or 0.0) <= 60
        assert len(server.log) == 1


def test_robots_count_up_to_500_kibibytes() -> None:
    """RFC 9309, 2.5: at least so much must be read; what comes after it is not."""
    first, last, beyond = (b"User-agent: *\n", b"Disallow: /last\n", b"Disallow: /beyond\n")
    text = first + b"#" * (512_000 - len(first) - len(last) - 1) + b"\n" + last + beyond

    async def long_rules(client: Client) -> None:
        await client.page(text if client.asked.target == "/robots.txt" else b"x", type_="text/html")

    with Server({"": long_rules}) as server:
        kept_from, allowed = run(server, ["http://a.example/last", "http://a.example/beyond"])
    assert isinstance(kept_from, Trouble)
    assert kept_from.kind == "robots"
    assert isinstance(allowed, Page)
