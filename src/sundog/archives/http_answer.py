"""An HTTP response as archives keep it: a head and a body, perhaps still in chunks and packed.

Archives are other people's files: a head may be endless or none, a body may be no chunks though its head says so.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from sundog.fetch.unpack import UnpackError, unpack
from sundog.fetch.values import Limits

LONGEST_HEAD = 65_536  # bytes
MOST_HEADERS = 256
STATUS = re.compile(rb"HTTP/\d+(?:\.\d+)?\s+(\d{3})(?!\d)")
CHUNK = re.compile(rb"\s*([0-9A-Fa-f]{1,8})[^\r\n]{0,200}\r?\n")
Headers = tuple[tuple[bytes, bytes], ...]


class HttpAnswer(NamedTuple):
    status: int
    headers: Headers
    body: bytes  # as it was sent

    def header(self, name: bytes) -> str:
        """The first one of that name, in lower case; empty if there is none."""
        return next((value.decode("latin-1") for each, value in self.headers if each.lower() == name), "")


def parse_answer(block: bytes) -> HttpAnswer | None:
    """None if it is no HTTP response.

    >>> answer = parse_answer(b"HTTP/1.1 200 OK\\r\\nContent-Type: text/html\\r\\n\\r\\n<p>")
    >>> answer.status, answer.header(b"content-type"), answer.body
    (200, 'text/html', b'<p>')
    """
    first = STATUS.match(block)
    end = re.compile(rb"\r?\n\r?\n").search(block, 0, LONGEST_HEAD)
    if not first or not end:
        return None
    lines = block[: end.start()].splitlines()[1 : MOST_HEADERS + 1]
    pairs = [line.partition(b":") for line in lines]
    headers = tuple((name.strip(), value.strip()) for name, colon, value in pairs if colon)
    return HttpAnswer(int(first[1]), headers, block[end.end() :])


def plain_body(answer: HttpAnswer, limits: Limits) -> tuple[bytes, bool] | None:
    """The body without chunks and packing, and whether it was cut; None if it is a bomb or cannot be unpacked."""
    body = answer.body
    if "chunked" in answer.header(b"transfer-encoding").lower():
        body = without_chunks(body)
    if coding := answer.header(b"content-encoding"):
        try:
            unpacked = unpack(body, coding, limits.max_bytes + 1)
        except UnpackError:
            return (body, False) if _looks_plain(body) else None
        if len(unpacked.body) > limits.max_bytes and unpacked.density > limits.max_density:
            return None
        body = unpacked.body
    return body[: limits.max_bytes], len(body) > limits.max_bytes


def without_chunks(body: bytes) -> bytes:
    """The chunks joined; the body itself if it is no chunks. A last one that was cut counts as far as it goes.

    >>> without_chunks(b"3\\r\\nabc\\r\\n2;x=y\\r\\nde\\r\\n0\\r\\n\\r\\n"), without_chunks(b"<p>whole")
    (b'abcde', b'<p>whole')
    """
    parts: list[bytes] = []
    at = 0
    while (head := CHUNK.match(body, at)) and (length := int(head[1], 16)):
        parts.append(body[head.end() : head.end() + length])
        at = head.end() + length
        if at >= len(body):
            break
        if body[at : at + 1] not in (b"\r", b"\n"):
            return body  # numbers that happen to stand there
    return b"".join(parts) if parts or CHUNK.match(body) else body


def _looks_plain(body: bytes) -> bool:
    """Some archivers keep the header and unpack the body."""
    return body.lstrip()[:1] in (b"<", b"{", b"[", b"@", b"#")
