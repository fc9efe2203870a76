"""A server that does everything wrong, on loopback: one path, one misbehaviour.

It speaks raw bytes, for no HTTP library would send what it sends. It runs in a thread of its own and
notes every request.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
import struct
import threading
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import NamedTuple

CERTIFICATE = Path(__file__).parent / "self-signed.pem"
PATIENCE = 5.0  # seconds after which a misbehaviour ends in any case


class Asked(NamedTuple):
    at: float
    host: str
    target: str
    headers: dict[str, str]
    body: bytes = b""
    method: str = "GET"


class Client:
    """The other side of a connection, as behaviours see it."""

    def __init__(self, writer: asyncio.StreamWriter, asked: Asked) -> None:
        self.writer, self.asked = writer, asked

    async def send(self, data: bytes) -> None:
        self.writer.write(data)
        await self.writer.drain()

    async def page(self, body: bytes, *headers: str, status: str = "200 OK", type_: str = "text/html") -> None:
        """The whole answer; to a HEAD request, what the headers of that would be."""
        lines = [f"HTTP/1.1 {status}", f"Content-Type: {type_}", f"Content-Length: {len(body)}", *headers]
        await self.send("\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body * (self.asked.method != "HEAD"))

    async def repeat(self, data: bytes, every: float = 0.0) -> None:
        """Send the same again and again, until the client has had enough."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end and not self.writer.is_closing():
            await self.send(data)
            await asyncio.sleep(every)

    def reset(self) -> None:
        """Close without a farewell."""
        sock = self.writer.get_extra_info("socket")
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.writer.close()


Behaviour = Callable[[Client], Awaitable[object]]


class Server:
    """``with Server(behaviours) as server`` listens at ``server.port``, and with TLS at ``server.tls_port``."""

    def __init__(self, behaviours: dict[str, Behaviour]) -> None:
        self.behaviours = behaviours
        self.log: list[Asked] = []
        self.port = self.tls_port = 0
        self._ready = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()), daemon=True)

    def __enter__(self) -> Server:
        self._thread.start()
        assert self._ready.wait(10)
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(10)

    def times_asked(self, path: str) -> int:
        return sum(asked.target.partition("?")[0] == path for asked in self.log)

    async def _serve(self) -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        secret = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        secret.load_cert_chain(CERTIFICATE)
        plain = await asyncio.start_server(self._handle, "127.0.0.1", 0)
        secure = await asyncio.start_server(self._handle, "127.0.0.1", 0, ssl=secret)
        self._loop.set_exception_handler(lambda *_: None)  # clients that hang up are the point of it
        self.port = plain.sockets[0].getsockname()[1]
        self.tls_port = secure.sockets[0].getsockname()[1]
        self._ready.set()
        await self._stop.wait()
        plain.close()
        secure.close()

    async def _handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while not writer.is_closing():
                start = await reader.readexactly(1)
                if start == b"\x16":  # somebody speaks TLS to a plain port
                    await Client(writer, Asked(0.0, "", "", {})).page(b"", status="400 Bad Request")
                    break
                head = (start + await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
                first, *lines = head.strip().split("\r\n")
                method, target, _ = first.split(" ")
                headers = {
                    name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)
                }
                body = await reader.readexactly(int(headers.get("content-length", 0)))
                asked = Asked(time.monotonic(), headers.get("host", ""), target, headers, body, method)
                self.log.append(asked)
                behave = self.behaviours.get(target.partition("?")[0].strip("/"), self.behaviours[""])
                if await behave(Client(writer, asked)) == "close":
                    break
        except (asyncio.IncompleteReadError, OSError):
            pass
        finally:
            writer.close()
