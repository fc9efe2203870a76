"""Compressed bodies to plain ones, with a cap: what a few bytes unpack to is the sender's choice, not ours."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from io import BytesIO

import brotli
import zstandard

MOST_LAYERS = 2
MOST_WINDOW = 8 * 1024 * 1024  # what RFC 9659 allows zstd on the Web


class UnpackError(Exception):
    """The bytes are not what their coding says."""


def _gzip(packed: bytes, cap: int) -> bytes:
    return _inflate(packed, cap, zlib.MAX_WBITS | 16)


def _deflate(packed: bytes, cap: int) -> bytes:
    """With the zlib header that the standard asks for, or without it, as many servers send it."""
    has_header = len(packed) >= 2 and packed[0] & 15 == 8 and (packed[0] << 8 | packed[1]) % 31 == 0
    return _inflate(packed, cap, zlib.MAX_WBITS if has_header else -zlib.MAX_WBITS)


def _inflate(packed: bytes, cap: int, window: int) -> bytes:
    """All members of the stream; one that ends too early gives what it has."""
    parts: list[bytes] = []
    room = cap
    while packed and room > 0:
        member = zlib.decompressobj(window)
        part = member.decompress(packed, room)
        parts.append(part)
        room -= len(part)
        packed = member.unused_data
        if packed[:2] != b"\x1f\x8b":  # padding after the last member is common and harmless
            break
    return b"".join(parts)


def _brotli(packed: bytes, cap: int) -> bytes:
    """Asked for so much at a time, it gives a little more than asked."""
    unpacker = brotli.Decompressor()
    parts = [unpacker.process(packed, output_buffer_limit=cap)]
    room = cap - len(parts[0])
    while room > 0 and not unpacker.is_finished():
        part = unpacker.process(b"", output_buffer_limit=room)
        if not part:
            break
        parts.append(part)
        room -= len(part)
    return b"".join(parts)[:cap]


def _zstd(packed: bytes, cap: int) -> bytes:
    unpacker = zstandard.ZstdDecompressor(max_window_size=MOST_WINDOW)
    with unpacker.stream_reader(BytesIO(packed), read_across_frames=True) as reader:
        return bytes(reader.read(cap))


CODINGS: dict[str, Callable[[bytes, int], bytes]] = {
    "gzip": _gzip,
    "x-gzip": _gzip,
    "deflate": _deflate,
    "br": _brotli,
    "zstd": _zstd,
}
ACCEPT_ENCODING = "gzip, deflate, br, zstd"


def unpack(body: bytes, content_encoding: str, cap: int) -> bytes:
    """At most ``cap`` bytes of what the body is; ``UnpackError`` if it cannot be read.

    >>> unpack(zlib.compress(b"a" * 10), "deflate", 4)
    b'aaaa'
    """
    names = [
        name for part in content_encoding.lower().split(",") if (name := part.strip()) not in ("", "identity")
    ]
    if len(names) > MOST_LAYERS:
        raise UnpackError(f"{len(names)} codings, one upon another")
    for name in reversed(names):
        if name not in CODINGS:
            raise UnpackError(f"unknown coding '{name[:40]}'")
        try:
            body = CODINGS[name](body, cap) if body else body
        except (zlib.error, brotli.error, zstandard.ZstdError) as error:
            raise UnpackError(f"not {name}: {error}") from error
    return body
