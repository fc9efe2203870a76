"""Compressed bodies to plain ones, with a cap: what a few bytes unpack to is the sender's choice, not ours."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from typing import NamedTuple

import brotli
from backports import zstd

MOST_LAYERS = 2
GZIP_MAGIC = b"\x1f\x8b"
PIECE = 4_096
MOST_MEMBERS = 64  # of gzip, frames of zstd: each costs a copy of the rest
MOST_WINDOW = 8 * 1024 * 1024  # what RFC 9659 allows zstd on the Web
ZSTD_OPTIONS: dict[int, int] = {zstd.DecompressionParameter.window_log_max: MOST_WINDOW.bit_length() - 1}


class UnpackError(Exception):
    """The bytes are not what their coding says."""


class Unpacked(NamedTuple):
    """``density`` is how many bytes came of one, as far as was read."""

    body: bytes
    density: float


def _gzip(packed: bytes, cap: int) -> tuple[bytes, int]:
    return _inflate(packed, cap, zlib.MAX_WBITS | 16)


def _deflate(packed: bytes, cap: int) -> tuple[bytes, int]:
    """With the zlib header that the standard asks for, or without it, as many servers send it."""
    has_header = len(packed) >= 2 and packed[0] & 15 == 8 and (packed[0] << 8 | packed[1]) % 31 == 0
    return _inflate(packed, cap, zlib.MAX_WBITS if has_header else -zlib.MAX_WBITS)


def _inflate(packed: bytes, cap: int, window: int) -> tuple[bytes, int]:
    """All members of the stream; one that ends too early gives what it has."""
    parts: list[bytes] = []
    left, room = packed, cap
    while left and room > 0 and len(parts) < MOST_MEMBERS:
        member = zlib.decompressobj(window)
        part = member.decompress(left, room)
        parts.append(part)
        room -= len(part)
        left = member.unused_data or member.unconsumed_tail
        if left[:2] != GZIP_MAGIC:  # padding after the last member is common and harmless
            break
    return (parts[0] if len(parts) == 1 else b"".join(parts)), len(packed) - len(left)


def _brotli(packed: bytes, cap: int) -> tuple[bytes, int]:
    """Asked for so much at a time, it gives a little more than asked."""
    unpacker = brotli.Decompressor()
    parts: list[bytes] = []
    used, room = 0, cap
    while room > 0 and not unpacker.is_finished():
        piece = packed[used : used + PIECE] if unpacker.can_accept_more_data() else b""
        part = unpacker.process(piece, output_buffer_limit=room)
        if not piece and not part:
            break
        parts.append(part)
        used += len(piece)
        room -= len(part)
    return b"".join(parts)[:cap], used


def _zstd(packed: bytes, cap: int) -> tuple[bytes, int]:
    """All frames of the stream; one that ends too early gives what it has."""
    unpacker = zstd.ZstdDecompressor(options=ZSTD_OPTIONS)
    parts: list[bytes] = []
    used, room, frames = 0, cap, 0
    while room > 0 and frames < MOST_MEMBERS:
        piece = packed[used : used + PIECE] if unpacker.needs_input else b""
        part = unpacker.decompress(piece, room)
        if not piece and not part:
            break
        parts.append(part)
        used += len(piece)
        room -= len(part)
        if unpacker.eof:
            used -= len(unpacker.unused_data)
            frames += 1
            unpacker = zstd.ZstdDecompressor(options=ZSTD_OPTIONS)
    return b"".join(parts), used


CODINGS: dict[str, Callable[[bytes, int], tuple[bytes, int]]] = {
    "gzip": _gzip,
    "x-gzip": _gzip,
    "deflate": _deflate,
    "br": _brotli,
    "zstd": _zstd,
}
ACCEPT_ENCODING = "gzip, deflate, br, zstd"


def unpack(body: bytes, content_encoding: str, cap: int) -> Unpacked:
    """At most ``cap`` bytes of what the body is; ``UnpackError`` if it cannot be read.

    >>> unpack(zlib.compress(b"a" * 10), "deflate", 4).body
    b'aaaa'
    """
    names = [name.strip() for name in content_encoding.lower().split(",")]
    names = [name for name in names if name not in ("", "identity")]
    if len(names) > MOST_LAYERS:
        raise UnpackError(f"{len(names)} codings, one upon another")
    density = 1.0
    for name in reversed(names):
        if name not in CODINGS:
            raise UnpackError(f"unknown coding '{name[:40]}'")
        try:
            body, used = CODINGS[name](body, cap) if body else (b"", 0)
        except (zlib.error, brotli.error, zstd.ZstdError) as error:
            raise UnpackError(f"not {name}: {error}") from error
        density *= len(body) / max(1, used)
    return Unpacked(body, density)
