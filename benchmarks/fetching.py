"""CPU of one fetch on loopback: ``Fetcher`` and plain aiohttp, in turns, in one process.

The server is a separate process and as simple as can be. Plain aiohttp follows no redirect, checks no address and
has no cap on what it unpacks: the difference is what these cost. ``PoliteFetcher`` adds robots.txt, which is the
page here, and the pace.
"""

from __future__ import annotations

import asyncio
import gzip
import multiprocessing
import time
from collections.abc import Awaitable, Callable, Coroutine
from multiprocessing.connection import Connection
from typing import Any

import aiohttp

from benchmarks.common import print_table
from sundog.fetch.fetcher import Fetcher
from sundog.fetch.pace import Manners, Pace
from sundog.fetch.polite import PoliteFetcher
from sundog.fetch.robots import Robots

REQUESTS, CONCURRENCY, ROUNDS = 2_000, 64, 15
BODY = b"<!doctype html><title>A page</title>" + b"<p>Some text and <a href='/more'>a link</a>." * 450
HEADERS = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n"
Fetch = Callable[[int], Awaitable[int]]


class OnePage(asyncio.Protocol):
    """Answers every request with the same page."""

    def __init__(self, answer: bytes) -> None:
        self.answer = answer

    def connection_made(self, transport: Any) -> None:
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        self.transport.write(self.answer * data.count(b"\r\n\r\n"))


def serve(pipe: Connection, answer: bytes) -> None:
    async def run() -> None:
        server = await asyncio.get_running_loop().create_server(lambda: OnePage(answer), "127.0.0.1", 0)
        pipe.send(server.sockets[0].getsockname()[1])
        await server.serve_forever()

    asyncio.run(run())


async def spend(fetch: Fetch) -> float:
    """CPU microseconds per request, of many with some at once."""
    numbers = iter(range(REQUESTS))

    async def worker() -> None:
        for number in numbers:
            assert await fetch(number) == len(BODY)

    begun = time.process_time()
    await asyncio.gather(*(worker() for _ in range(CONCURRENCY)))
    return (time.process_time() - begun) / REQUESTS * 1e6


async def compare(port: int) -> dict[str, list[float]]:
    spent: dict[str, list[float]] = {"aiohttp": [], "Fetcher": [], "PoliteFetcher": []}
    async with (
        aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session,
        Fetcher(connect_to=("127.0.0.1", port)) as fetcher,
    ):
        pace = Pace(Manners(delay=0.0, concurrency=CONCURRENCY))
        polite = PoliteFetcher(fetcher, pace=pace, robots=Robots(fetcher.agent))

        async def plain(number: int) -> int:
            async with session.get(f"http://127.0.0.1:{port}/page/{number}") as response:
                return len(await response.read())

        async def ours(number: int) -> int:
            page: Any = await fetcher.fetch(f"https://host{number % 100}.example/page/{number}")
            return len(page.body)

        async def politely(number: int) -> int:
            page: Any = await polite.fetch(f"https://host{number % 100}.example/page/{number}")
            return len(page.body)

        for _ in range(ROUNDS):
            spent["aiohttp"].append(await spend(plain))
            spent["Fetcher"].append(await spend(ours))
            spent["PoliteFetcher"].append(await spend(politely))
    return spent


def loops() -> dict[str, Callable[[Coroutine[Any, Any, Any]], Any]]:
    """uvloop where it is installed."""
    found: dict[str, Callable[[Coroutine[Any, Any, Any]], Any]] = {"asyncio": asyncio.run}
    try:
        import uvloop
    except ImportError:
        return found
    return {**found, "uvloop": uvloop.run}


def main() -> None:
    rows = []
    packed = gzip.compress(BODY)
    answers = {
        "plain": HEADERS + b"Content-Length: %d\r\n\r\n" % len(BODY) + BODY,
        "gzip": HEADERS + b"Content-Encoding: gzip\r\nContent-Length: %d\r\n\r\n" % len(packed) + packed,
    }
    for coding, answer in answers.items():
        here, there = multiprocessing.Pipe()
        server = multiprocessing.Process(target=serve, args=(there, answer), daemon=True)
        server.start()
        port = here.recv()
        for name, run in loops().items():
            spent = run(compare(port))
            plain, ours, politely = (min(rounds) for rounds in spent.values())
            ratio = f"{ours / plain:.2f}"
            rows.append((f"{name}, {coding}", f"{plain:.0f}", f"{ours:.0f}", ratio, "≤ 1.4", f"{politely:.0f}"))
        server.terminate()
        server.join()
    title = f"CPU of a fetch of {len(BODY):,} bytes, {CONCURRENCY} at once, best of {ROUNDS} rounds in turns"
    print_table(title, ("loop, body", "aiohttp µs", "Fetcher µs", "ratio", "limit", "PoliteFetcher µs"), rows)


if __name__ == "__main__":
    main()
