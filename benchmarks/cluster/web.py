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
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.live.server import key_of
from sundog.demo_web.serving import server_process

ANSWER_AFTER = 0.1  # seconds
PAGES = 60  # per host
LINKS = 24  # per page


def url(host: int, number: int, port: int = 80) -> str:
    return f"http://www.h{host}.example{f':{port}' if port != 80 else ''}/{number}"


def page(host: int, number: int, hosts: int, port: int = 80) -> bytes:
    """Two links of three stay on their host; the content is of no more use than to cost what a page costs."""
    chance = random.Random(f"{host} {number}")
    links = []
    for each in range(LINKS):
        there = host if each % 3 else chance.randrange(hosts)
        links.append(f'<li><a href="{url(there, chance.randrange(PAGES), port)}">item {each}</a></li>')
    item = {"@context": "https://schema.org/", "@type": "Product", "name": f"item {host} {number}"}
    data = f'<script type="application/ld+json">{json.dumps(item)}</script>' if chance.random() < 0.4 else ""
    text = " ".join(chance.choice(("wood", "steel", "glass", "large", "small", "new")) for _ in range(300))
    nav = f'<a href="/{(number + 1) % PAGES}">next</a>'
    return f"<!doctype html><title>{host} {number}</title>{data}<ul>{''.join(links)}</ul>{nav}<p>{text}".encode()


class Connection(asyncio.Protocol):
    """``beats``: the last turns of the server's loop; a request takes so many until it is noticed."""

    def __init__(self, hosts: int, port: int, log: list[str], beats: deque[float]) -> None:
        self._hosts, self._port, self._log, self._beats, self._buffer = hosts, port, log, beats, b""

    def connection_made(self, transport: Any) -> None:
        self._transport = transport
        self._address = transport.get_extra_info("sockname")[0]

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        while (end := self._buffer.find(b"\r\n\r\n")) >= 0:
            head, self._buffer = self._buffer[:end], self._buffer[end + 4 :]
            key = key_of(head).decode()
            self._log.append(f"{time.time():.4f} {self._beats[0]:.4f} {self._address} {key}\n")
            asyncio.get_running_loop().call_later(ANSWER_AFTER, self._answer, key)

    def _answer(self, key: str) -> None:
        host, _, path = key.partition(" /")
        status, body = "404 Not Found", b""
        if path.isdecimal() and int(path) < PAGES:
            status, body = "200 OK", page(int(host.split(".")[1][1:]), int(path), self._hosts, self._port)
        head = f"HTTP/1.1 {status}\r\nContent-Type: text/html\r\nContent-Length: {len(body)}\r\n\r\n"
        if not self._transport.is_closing():
            self._transport.write(head.encode() + body)


async def serve(hosts: int, addresses: int, log: Path) -> None:
    """Pages of a web of several addresses link with the port, for whoever looks the hosts up."""
    loop, stop, lines = asyncio.get_running_loop(), asyncio.Event(), list[str]()
    loop.add_signal_handler(signal.SIGTERM, stop.set)
    beats, ports = deque([time.time()], maxlen=5), [0]

    def connection() -> Connection:
        return Connection(hosts, ports[-1] if addresses > 1 else 80, lines, beats)

    for number in range(1, addresses + 1):
        server = await loop.create_server(connection, f"127.0.0.{number}", ports[-1], backlog=1_024)
        ports.append(server.sockets[0].getsockname()[1])
    print(ports[-1], flush=True)
    while not stop.is_set():
        beats.append(time.time())
        with suppress(TimeoutError):
            await asyncio.wait_for(stop.wait(), 0.002 if addresses > 1 else 1.0)
    log.write_text("".join(lines))


class Request(NamedTuple):
    at: float  # when the server noticed it
    since: float  # it came after this
    address: str
    host: str
    path: str


def requests_in(log: Path) -> list[Request]:
    rows = (line.split(" ", 4) for line in log.read_text().splitlines())
    return [Request(float(at), float(since), address, host, path) for at, since, address, host, path in rows]


@contextmanager
def serving(hosts: int, log: Path, addresses: int = 1) -> Iterator[str]:
    """Gives the address; the log is there when it has ended."""
    with server_process(
        "benchmarks.cluster.web", "--hosts", hosts, "--addresses", addresses, "--log", log
    ) as port:
        yield f"127.0.0.1:{port}"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.cluster.web", description=__doc__)
    parser.add_argument("--hosts", type=int, required=True)
    parser.add_argument("--addresses", type=int, default=1)
    parser.add_argument("--log", type=Path, required=True)
    given = parser.parse_args()
    asyncio.run(serve(given.hosts, given.addresses, given.log))


if __name__ == "__main__":
    main()
