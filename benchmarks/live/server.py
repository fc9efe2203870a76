"""A web on loopback whose answers are all ready before the first request, so that serving costs next to nothing.

``python -m benchmarks.live.server``: the first line printed is the port. The Host header says which site is meant.
"""

from __future__ import annotations

import argparse
import asyncio
import gzip
import json
import signal
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from sundog.demo_web.serving import server_process

NOT_FOUND = b"HTTP/1.1 404 Not Found\r\nContent-Type: text/plain\r\nContent-Length: 0\r\n\r\n"
DEMO_HOSTS = 60


class Stored(NamedTuple):
    """A page to be served."""

    url: str
    content_type: str
    body: bytes

    @property
    def key(self) -> bytes:
        """Host and target, as ``key_of`` a request."""
        host, _, path = self.url.partition("://")[2].partition("/")
        return f"{host} /{path}".encode()

    @property
    def response(self) -> bytes:
        head = f"HTTP/1.1 200 OK\r\nContent-Type: {self.content_type}\r\nContent-Length: {len(self.body)}\r\n\r\n"
        return head.encode() + self.body


def pages_of_file(path: Path) -> list[Stored]:
    """Real pages: one object per line, with url, content_type and body."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        pages = map(json.loads, lines)
        return [
            Stored(page["url"], page["content_type"], page["body"].encode("utf-8", "replace")) for page in pages
        ]


def pages_of_demo(count: int) -> list[Stored]:
    """The demo web without its corners."""
    from sundog.demo_web.web import Web

    web, pages = Web(1, DEMO_HOSTS, count, corners=False), []
    for url in [url for url, _, _ in web.pages()] + [f"{site.root}/robots.txt" for site in web.sites]:
        host, _, path = url.partition("://")[2].partition("/")
        answer = web.answer(host, f"/{path}")
        if answer.status == 200:
            pages.append(Stored(url, answer.content_type, answer.body))
    return pages


class Connection(asyncio.Protocol):
    def __init__(self, responses: dict[bytes, bytes], log: list[bytes]) -> None:
        self._responses, self._log = responses, log
        self._buffer = b""

    def connection_made(self, transport: Any) -> None:
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        while (end := self._buffer.find(b"\r\n\r\n")) >= 0:
            head, self._buffer = self._buffer[:end], self._buffer[end + 4 :]
            key = key_of(head)
            answer = self._responses.get(key)
            self._log.append(b"%s %d %s\n" % (b"404" if answer is None else b"200", len(answer or b""), key))
            self._transport.write(answer or NOT_FOUND)


def key_of(head: bytes) -> bytes:
    """
    >>> key_of(b"GET /a?b HTTP/1.1\\r\\nAccept: */*\\r\\nHost: x.example:80")
    b'x.example /a?b'
    """
    target = head.split(b" ", 2)[1]
    begin = head.lower().index(b"\r\nhost:") + 7
    return b"%s %s" % (head[begin:].partition(b"\r\n")[0].strip().partition(b":")[0], target)


async def serve(responses: dict[bytes, bytes], log: Path) -> None:
    loop, stop, lines = asyncio.get_running_loop(), asyncio.Event(), list[bytes]()
    loop.add_signal_handler(signal.SIGTERM, stop.set)
    server = await loop.create_server(lambda: Connection(responses, lines), "127.0.0.1", 0, backlog=1_024)
    print(server.sockets[0].getsockname()[1], flush=True)
    await stop.wait()
    log.write_bytes(b"".join(lines))


class Requests(NamedTuple):
    """By the server's log, when it has stopped: how often each host and target was requested."""

    pages: Counter[str]
    missed: Counter[str]
    bytes: int

    @property
    def served(self) -> int:
        """How many pages, without robots.txt."""
        return self.pages.total()


class Served:
    def __init__(self, port: int, log: Path) -> None:
        self.address, self._log = f"127.0.0.1:{port}", log

    def requests(self) -> Requests:
        pages, missed, size = Counter[str](), Counter[str](), 0
        for line in self._log.read_text().splitlines():
            status, length, key = line.split(" ", 2)
            if not key.endswith(" /robots.txt"):
                (pages if status == "200" else missed)[key] += 1
                size += int(length)
        return Requests(pages, missed, size)


@contextmanager
def serving(what: Path | int, log: Path) -> Iterator[Served]:
    """A web of a file's pages, or the demo web with that many, in a separate process that logs at its end."""
    given = ["--site", what] if isinstance(what, Path) else ["--demo", what]
    with server_process("benchmarks.live.server", *given, "--log", log) as port:
        yield Served(port, log)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.live.server", description=__doc__)
    parser.add_argument("--site", type=Path, help="pages of a .jsonl.gz file")
    parser.add_argument("--demo", type=int, help="the number of pages of the demo web")
    parser.add_argument("--log", type=Path, required=True)
    given = parser.parse_args()
    pages = pages_of_file(given.site) if given.site else pages_of_demo(given.demo)
    asyncio.run(serve({page.key: page.response for page in pages}, given.log))


if __name__ == "__main__":
    main()
