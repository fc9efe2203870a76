"""Browsers as the web interface meets them: some watch a crawl by its events, and all ask for pages now and then.

They read bytes and look at nothing, for what they cost is taken from the crawls that are measured beside them.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from itertools import cycle
from time import perf_counter
from typing import NamedTuple

SECONDS_BETWEEN = 4.0  # of one browser's requests


class Asked(NamedTuple):
    path: str
    seconds: float
    status: int


async def browse(port: int, crawls: list[str], browsers: int, seconds: float) -> tuple[list[Asked], int]:
    """So many browsers for so long; what they asked for, and how many bytes of events came."""
    asked: list[Asked] = []
    received = [0]
    tasks = []
    for number, crawl in zip(range(browsers), cycle(crawls), strict=False):
        tasks.append(asyncio.create_task(_watch(port, crawl, received)))
        tasks.append(asyncio.create_task(_ask_now_and_then(port, crawl, number / browsers, asked)))
    await asyncio.sleep(seconds)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return asked, received[0]


async def _watch(port: int, crawl: str, received: list[int]) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(_request(port, f"/api/crawls/{crawl}/events", keep=True))
        while data := await reader.read(1 << 16):
            received[0] += len(data)
    finally:
        writer.close()


async def _ask_now_and_then(port: int, crawl: str, phase: float, asked: list[Asked]) -> None:
    paths = cycle(
        [
            "/",
            "/api/crawls",
            f"/crawls/{crawl}",
            f"/api/crawls/{crawl}",
            f"/api/crawls/{crawl}/pages?kind=relevant&limit=20",
            f"/api/crawls/{crawl}/graph",
            f"/crawls/{crawl}/results",
        ]
    )
    await asyncio.sleep(phase * SECONDS_BETWEEN)
    for path in paths:
        with suppress(OSError):
            asked.append(await _ask(port, path))
        await asyncio.sleep(SECONDS_BETWEEN)


async def _ask(port: int, path: str) -> Asked:
    began = perf_counter()
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(_request(port, path, keep=False))
        status = int((await reader.readline()).split()[1])
        while await reader.read(1 << 16):
            pass
        return Asked(path, perf_counter() - began, status)
    finally:
        writer.close()


def _request(port: int, path: str, *, keep: bool) -> bytes:
    connection = "keep-alive" if keep else "close"
    return f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: {connection}\r\n\r\n".encode()
