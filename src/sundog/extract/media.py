"""What the bytes are: unpacked if packed, cut if too long, and of which kind."""

from __future__ import annotations

import re
import zlib

import turbohtml

from sundog.extract.result import Fault

_CHARSET = re.compile(r"charset\s*=\s*[\"']?\s*([^\s\"';]+)", re.IGNORECASE)
_GZIP = b"\x1f\x8b\x08"


def charset_of(content_type: str) -> str | None:
    """The encoding that the header declares, if it is one.

    >>> charset_of("text/html; charset=Latin1"), charset_of("text/html; charset=nonsense")
    ('Latin1', None)
    """
    match = _CHARSET.search(content_type)
    if match is None:
        return None
    try:
        turbohtml.parse(b"", encoding=match[1])
    except LookupError:
        return None
    return match[1]


def unpacked(body: bytes, max_bytes: int, faults: list[Fault]) -> bytes:
    """The first ``max_bytes``, after gunzipping; of a bomb no more than that is ever in memory."""
    if body.startswith(_GZIP):
        body = _gunzipped(body, max_bytes + 1, faults)
    if len(body) > max_bytes:
        faults.append(Fault("page", f"cut at {max_bytes:,} bytes"))
        body = body[:max_bytes]
    return body


def _gunzipped(body: bytes, most: int, faults: list[Fault]) -> bytes:
    pieces: list[bytes] = []
    left = most
    while body.startswith(_GZIP) and left > 0:  # a file may have several members
        unpacker = zlib.decompressobj(wbits=31)
        try:
            pieces.append(unpacker.decompress(body, left))
        except zlib.error as error:
            faults.append(Fault("page", f"broken gzip: {error}"))
            break
        left -= len(pieces[-1])
        body = unpacker.unused_data
    return b"".join(pieces)
