"""A web of many domains on loopback, whose answers take a tenth of a second; it notes who was asked when.

``python -m benchmarks.cluster.web``: the first line printed is the port.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.live.server import key_of
from sundog.demo_web.serving import server_process

ANSWER_AFTER = 0.1  # seconds
PAGES = 60  # per host
LINKS = 24  # per page


def page(host: int, number: int, hosts: int) -> bytes:
    """Two links of three stay on their host; the content is of no more use than to cost what a page costs."""
    chance = random.Random(f"{host} {number}")
    links = []
    for each in range(LINKS):
        there = host if each % 3 else chance.randrange(hosts)
        links.append(f'<li><a href="http://www.h{there}.example/{chance.randrange(PAGES)}">item {each}</a></li>')
    item = {"@context": "https://schema.org/", "@type": "Product", "name": f"item {host} {number}"}
    data = f'<script type="application/ld+json">{json.dumps(item)}</script>' if chance.random() < 0.4 else ""
    text = " ".join(chance.choice(("wood", "steel", "glass", "large", "small", "new")) for _ in range(300))
    nav = f'<a href="/{(number + 1) % PAGES}">next</a>'
    return f"<!doctype html><title>{host} {number}</title>{data}<ul>{''.join(links)}</ul>{nav}<p>{text}".encode()


class Connection(asyncio.Protocol):
    def __init__(self, hosts: int, log: list[str]) -> None:
        self._hosts, self._log, self._buffer = hosts, log, b""

    def connection_made(self, transport: Any) -> None:
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        while (end := self._buffer.find(b"\r\n\r\n")) >= 0:
            head, self._buffer = self._buffer[:end], self._buffer[end + 4 :]
            key = key_of(head).decode()
            self._log.append(f"{time.time():.4f} {key}\n")
            asyncio.get_running_loop().call_later(ANSWER_AFTER, self._answer, key)

    def _answer(self, key: str) -> None:
        host, _, path = key.partition(" /")
        status, body = "404 Not Found", b""
        if path.isdecimal() and int(path) < PAGES:
            status, body = "200 OK", page(int(host.split(".")[1][1:]), int(path), self._hosts)
        head = f"HTTP/1.1 {status}\r\nContent-Type: text/html\r\nContent-Length: {len(body)}\r\n\r\n"
        if not self._transport.is_closing():
            self._transport.write(head.encode() + body)


async def serve(hosts: int, log: Path) -> None:
    loop, stop, lines = asyncio.get_running_loop(), asyncio.Event(), list[str]()
    loop.add_signal_handler(signal.SIGTERM, stop.set)
    server = await loop.create_server(lambda: Connection(hosts, lines), "127.0.0.1", 0, backlog=1_024)
    print(server.sockets[0].getsockname()[1], flush=True)
    await stop.wait()
    log.write_text("".join(lines))


class Request(NamedTuple):
    at: float
    host: str
    path: str


def requests_in(log: Path) -> list[Request]:
    rows = (line.split(" ", 2) for line in log.read_text().splitlines())
    return [Request(float(at), host, path) for at, host, path in rows]


@contextmanager
def serving(hosts: int, log: Path) -> Iterator[str]:
    """Gives the address; the log is there when it has ended."""
    with server_process("benchmarks.cluster.web", "--hosts", hosts, "--log", log) as port:
        yield f"127.0.0.1:{port}"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.cluster.web", description=__doc__)
    parser.add_argument("--hosts", type=int, required=True)
    parser.add_argument("--log", type=Path, required=True)
    given = parser.parse_args()
    asyncio.run(serve(given.hosts, given.log))


if __name__ == "__main__":
    main()
