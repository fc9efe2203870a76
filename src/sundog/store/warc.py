"""Pages as they came, in WARC 1.1: a request, a response and a metadata record each, all gzip members. A page that
a browser has rendered has a conversion record besides, which refers to the response.

The file only grows. Its committed length stands in ``crawl.db``, so what a crash left behind it, torn or
whole, is cut off when the crawl is opened again; what a full disk left, when it is written to again.
"""

from __future__ import annotations

import base64
import hashlib
import os
import uuid
import zlib
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from sundog.errors import unwritable
from sundog.urls.hosts import split_host

Headers = Sequence[tuple[str, str]]
LEVEL = 4  # of compression: twice as quick as the usual 6, for a few percent
CHUNK = 1 << 20
RENDERED_TYPE = "text/html; charset=utf-8"
WRITTEN_ANEW = ("content-encoding", "transfer-encoding", "content-length")  # the body is kept unpacked


class Exchange(NamedTuple):
    """One request and its answer. The body is as after decoding."""

    url: str
    at: float
    method: str
    request_headers: Headers
    status: int
    reason: str
    response_headers: Headers
    body: bytes
    metadata: Mapping[str, str] = {}
    rendered: bytes = b""  # its document in a browser, as HTML
    rendered_at: float = 0.0


def records(exchange: Exchange) -> bytes:
    """The three or four records, compressed."""
    response_id = _new_id()
    also = [("WARC-Concurrent-To", response_id)]
    request = _head(f"{exchange.method} {_path(exchange.url)} HTTP/1.1", exchange.request_headers)
    fields = "".join(f"{name}: {_one_line(value)}\r\n" for name, value in exchange.metadata.items()).encode()
    made = [
        _record("response", exchange, response_id, _response(exchange), "application/http; msgtype=response"),
        _record("request", exchange, _new_id(), request, "application/http; msgtype=request", also),
        _record("metadata", exchange, _new_id(), fields, "application/warc-fields", also),
    ]
    if exchange.rendered:
        source = [("WARC-Refers-To", response_id)]
        later = exchange._replace(at=exchange.rendered_at)
        made.append(_record("conversion", later, _new_id(), exchange.rendered, RENDERED_TYPE, source))
    return b"".join(made)


def _response(exchange: Exchange) -> bytes:
    """Headers that say how the body was packed keep their values under other names."""
    kept = [
        (f"X-Crawler-{name}" if name.lower() in WRITTEN_ANEW else name, value)
        for name, value in exchange.response_headers
    ]
    kept.append(("Content-Length", str(len(exchange.body))))
    return _head(f"HTTP/1.1 {exchange.status} {exchange.reason}", kept) + exchange.body


def _head(first: str, headers: Headers) -> bytes:
    lines = [_one_line(first), *[f"{_one_line(name)}: {_one_line(value)}" for name, value in headers]]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("utf-8", "replace")


def _one_line(text: str) -> str:
    return text.replace("\r", " ").replace("\n", " ")


def _path(url: str) -> str:
    path = split_host(url)[1].partition("#")[0]
    return path if path.startswith("/") else f"/{path}"


def _new_id() -> str:
    return f"<urn:uuid:{uuid.uuid4()}>"


def _digest(data: bytes) -> str:
    return "sha1:" + base64.b32encode(hashlib.sha1(data, usedforsecurity=False).digest()).decode()


def _record(
    kind: str, exchange: Exchange, record_id: str, block: bytes, content_type: str, more: Headers = ()
) -> bytes:
    date = datetime.fromtimestamp(exchange.at, UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    headers = [
        ("WARC-Type", kind),
        ("WARC-Record-ID", record_id),
        ("WARC-Target-URI", exchange.url),
        ("WARC-Date", date),
        ("WARC-Block-Digest", _digest(block)),
        *([("WARC-Payload-Digest", _digest(exchange.body))] if kind == "response" else []),
        *more,
        ("Content-Type", content_type),
        ("Content-Length", str(len(block))),
    ]
    packer = zlib.compressobj(LEVEL, wbits=31)
    return packer.compress(_head("WARC/1.1", headers) + block + b"\r\n\r\n") + packer.flush()


class WarcFile:
    """The growing file. ``size`` is its length after what was appended so far.

    It has no buffer: what could not be written is nowhere, and is not written later by itself.
    """

    def __init__(self, path: Path, committed: int) -> None:
        self._path = path
        try:
            self._file = path.open("ab", buffering=0)
        except OSError as error:
            raise unwritable(path, error) from None
        self.size = committed if self._file.tell() >= committed else whole_members(path)
        self._file.truncate(self.size)

    def append(self, data: bytes) -> None:
        """All of it is with the operating system when this returns: a kill does not undo it.

        A part that an attempt before this one left, as on a full disk, is cut off first.
        """
        rest = memoryview(data)
        try:
            self._file.truncate(self.size)
            while rest:
                rest = rest[self._file.write(rest) :]
        except OSError as error:
            raise unwritable(self._path, error) from None
        self.size += len(data)

    def close(self) -> None:
        try:
            os.fsync(self._file.fileno())
        except OSError as error:
            raise unwritable(self._path, error) from None
        finally:
            self._file.close()


def whole_members(path: Path) -> int:
    """How many bytes of a torn file are whole records."""
    whole, at = 0, 0
    unpacker = zlib.decompressobj(wbits=31)
    with path.open("rb") as file:
        while data := file.read(CHUNK):
            while data:
                try:
                    unpacker.decompress(data)
                except zlib.error:
                    return whole
                at += len(data) - len(unpacker.unused_data)
                data = unpacker.unused_data
                if unpacker.eof:
                    whole, unpacker = at, zlib.decompressobj(wbits=31)
    return whole
