"""The web over HTTP/1.1, from one port: the Host header says which site is meant.

A proxy's absolute-form targets are understood too, so that crawlers without ``--connect-to`` can reach it.
"""

from __future__ import annotations

import asyncio
import gzip
import socket
import struct
import time
from http import HTTPStatus
from typing import Any, NamedTuple, Protocol

from sundog.demo_web.answers import Answer

REASONS = {status.value: status.phrase for status in HTTPStatus}
MOST_HEAD = 65_536


class Web(Protocol):
    """What is served."""

    def answer(self, host: str, target: str, accept: str = "") -> Answer: ...

    def is_packed(self, host: str) -> bool:
        """Whether the host's pages are sent with gzip."""
        ...


class LoggedRequest(NamedTuple):
    """``at`` is ``time.monotonic()`` on arrival; status 0 is a connection that the server broke."""

    at: float
    host: str
    target: str
    status: int


class Server:
    """``log`` has every request in order of arrival."""

    def __init__(self, web: Web) -> None:
        self.web = web
        self.log: list[LoggedRequest] = []
        self.port = 0

    async def start(self, port: int = 0) -> asyncio.Server:
        server = await asyncio.get_running_loop().create_server(
            lambda: Connection(self), "127.0.0.1", port, backlog=1_024
        )
        self.port = server.sockets[0].getsockname()[1]
        return server


class Connection(asyncio.Protocol):
    """Answers one request after the other; requests that arrive meanwhile wait."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._buffer = b""
        self._is_waiting = False

    def connection_made(self, transport: Any) -> None:
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        self._answer_buffered()

    def _answer_buffered(self) -> None:
        while not self._is_waiting and (end := self._buffer.find(b"\r\n\r\n")) >= 0:
            head, self._buffer = self._buffer[:end], self._buffer[end + 4 :]
            self._handle(head.decode("latin-1"))
        if len(self._buffer) > MOST_HEAD:
            self._transport.close()

    def _handle(self, head: str) -> None:
        first, *lines = head.split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        method, _, target = first.rpartition(" ")[0].partition(" ")
        host = headers.get("host", "")
        if target.startswith("http://"):
            host, _, target = target[7:].partition("/")
            target = f"/{target}"
        host = host.partition(":")[0].lower()
        web = self._server.web
        answer = web.answer(host, target, headers.get("accept", "")) if method in ("GET", "HEAD") else Answer(405)
        self._server.log.append(LoggedRequest(time.monotonic(), host, target, answer.status))
        if answer.reset:
            self._reset()
            return
        packed = web.is_packed(host) and "gzip" in headers.get("accept-encoding", "")
        message = response(answer, packed, method == "HEAD")
        if answer.delay:
            self._is_waiting = True
            asyncio.get_running_loop().call_later(answer.delay, self._send_late, message)
        else:
            self._transport.write(message)

    def _send_late(self, message: bytes) -> None:
        self._is_waiting = False
        if not self._transport.is_closing():
            self._transport.write(message)
            self._answer_buffered()

    def _reset(self) -> None:
        """Close by a reset (RST), without an answer."""
        sock = self._transport.get_extra_info("socket")
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self._transport.abort()


def response(answer: Answer, packed: bool, head_only: bool) -> bytes:
    body = answer.body
    lines = [f"HTTP/1.1 {answer.status} {REASONS[answer.status]}", *answer.headers]
    if answer.content_type:
        lines.append(f"Content-Type: {answer.content_type}")
    if packed and answer.content_type.startswith("text/html"):
        body = gzip.compress(body, compresslevel=1, mtime=0)
        lines.append("Content-Encoding: gzip")
    if answer.location:
        lines.append(f"Location: {answer.location}")
    lines.append(f"Content-Length: {len(body)}\r\n\r\n")
    return "\r\n".join(lines).encode("latin-1") + (b"" if head_only else body)
