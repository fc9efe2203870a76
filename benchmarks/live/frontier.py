"""A live crawl whose frontier grows to a million candidates: memory, and speed at both ends.

Every page links to some hundred pages that no other page links to. A separate process serves them, written on
request. The crawler's process is sampled from outside.
"""

from __future__ import annotations

import asyncio
import signal
import sqlite3
import subprocess
import time
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.common import ROOT, SUNDOG, print_table, process_cost, scratch, with_spread
from benchmarks.live.runs import CONCURRENCY
from benchmarks.live.server import key_of
from sundog.demo_web.serving import server_process

LINKS, CANDIDATES, HOSTS = 200, 1_000_000, 2_000
PARTS, ROUNDS = 5, 3
SECONDS_BETWEEN_SAMPLES = 0.2
WORDS = "amber barley cedar dune ember fjord grove harbour iris juniper kelp larch moss north olive pine".split()


def path_of(number: int) -> str:
    """A page's address; its words depend on its number, so that there is something to learn."""
    kind, theme = WORDS[number % 5], WORDS[number // 7 % len(WORDS)]
    return f"/{kind}/{theme}-{WORDS[number // 3 % len(WORDS)]}/{number:x}.html"


def link_to(number: int) -> str:
    words = f"{WORDS[number % 16]} {WORDS[number // 16 % 16]}"
    return f'<li><a href="http://h{number % HOSTS}.example{path_of(number)}">{words}</a>'


def page(number: int) -> bytes:
    """The page with this number: some have an item, those of two kinds more often than others."""
    first = number * LINKS + 1
    links = "".join(map(link_to, range(first, first + LINKS)))
    has_item = number % 5 < 2 and number // 7 % 16 < 12
    item = f'<div itemscope itemtype="http://schema.org/Product"><b itemprop="name">No. {number}</b></div>'
    return f"<!doctype html><title>{number}</title>{item if has_item else ''}<ul>{links}</ul>".encode()


class Connection(asyncio.Protocol):
    def connection_made(self, transport: Any) -> None:
        self._transport, self._buffer = transport, b""

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        while (end := self._buffer.find(b"\r\n\r\n")) >= 0:
            head, self._buffer = self._buffer[:end], self._buffer[end + 4 :]
            self._transport.write(answer(key_of(head).decode()))


def answer(key: str) -> bytes:
    name = key.rpartition("/")[2].removesuffix(".html")
    status, body = ("200 OK", page(int(name or "0", 16))) if name != "robots.txt" else ("404 Not Found", b"")
    return f"HTTP/1.1 {status}\r\nContent-Type: text/html\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body


async def serve() -> None:
    loop, stop = asyncio.get_running_loop(), asyncio.Event()
    loop.add_signal_handler(signal.SIGTERM, stop.set)
    server = await loop.create_server(Connection, "127.0.0.1", 0, backlog=1_024)
    print(server.sockets[0].getsockname()[1], flush=True)
    await stop.wait()


class Sample(NamedTuple):
    seconds: float
    pages: int
    cpu: float  # seconds
    megabytes: float


def sample(process: int, database: Path, begun: float) -> Sample | None:
    """None if the process has ended, or has committed nothing yet."""
    try:
        cost = process_cost(process)
        with sqlite3.connect(f"file:{database}?mode=ro", uri=True, timeout=5) as connection:
            pages = connection.execute("SELECT count(*) FROM outcomes").fetchone()[0]
        connection.close()
    except (OSError, sqlite3.Error):
        return None
    return Sample(time.perf_counter() - begun, pages, cost.cpu, cost.megabytes)


def crawl(budget: int) -> list[Sample]:
    with scratch() as directory, server_process("benchmarks.live.frontier") as port:
        out = directory / "crawl"
        words = ["--budget", budget, "--delay", 0, "--concurrency", CONCURRENCY, "--out", out]
        command = [*SUNDOG, "crawl", "http://h0.example/", *words, "--connect-to", f"127.0.0.1:{port}"]
        with (directory / "output").open("w") as output:
            process = subprocess.Popen(list(map(str, command)), cwd=ROOT, stdout=output, stderr=output)
        samples, begun = [], time.perf_counter()
        while process.poll() is None:
            taken = sample(process.pid, out / "crawl.db", begun)
            if taken and taken.pages and taken.megabytes:
                samples.append(taken)
            time.sleep(SECONDS_BETWEEN_SAMPLES)
        return samples


def at_page(samples: list[Sample], number: int) -> Sample:
    return next((each for each in samples if each.pages >= number), samples[-1])


def main(rounds: int | None = None) -> None:
    pages = CANDIDATES // LINKS
    part = pages // PARTS
    runs = [crawl(pages) for _ in range(rounds or ROUNDS)]
    rows = []
    for first in range(0, pages, part):
        ends = [(at_page(samples, first), at_page(samples, first + part)) for samples in runs]
        counts = [end.pages - begin.pages for begin, end in ends]
        pairs = list(zip(counts, ends, strict=True))
        rows.append(
            (
                f"{first * LINKS:,} – {(first + part) * LINKS:,}",
                with_spread([count / (end.seconds - begin.seconds) for count, (begin, end) in pairs], ".0f"),
                with_spread([(end.cpu - begin.cpu) / count * 1e3 for count, (begin, end) in pairs], ".2f"),
                with_spread([end.megabytes for _, end in ends], ".0f"),
            )
        )
    columns = ("candidates", "pages/s", "CPU ms per page", "RSS MB at the end")
    print_table(f"Live: a growing frontier, {LINKS} new links per page, {len(runs)} runs", columns, rows)
    highest = [max(each.megabytes for each in samples) for samples in runs]
    print(f"Highest RSS: {with_spread(highest, '.0f')} MB (limit: 1,024).\n")


if __name__ == "__main__":
    asyncio.run(serve())
