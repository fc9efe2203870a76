"""The readable records of a damaged WARC file.

Each record is a gzip member with a checksum, so one that is torn or overwritten is known, and the next one begins
where a member that unpacks to a record does.
"""

from __future__ import annotations

import mmap
import os
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from sundog.store.warc import CHUNK

MEMBER = b"\x1f\x8b\x08"  # how one begins
RECORD = b"WARC/1."
MOST_HEAD = 1 << 16  # bytes of a record's header that are looked at


class Part(NamedTuple):
    """Bytes of the file: a record, or what is none."""

    start: int
    end: int
    head: bytes  # of a record; empty if it cannot be read

    @property
    def size(self) -> int:
        return self.end - self.start


def parts(path: Path, length: int) -> Iterator[Part]:
    """All of the first ``length`` bytes."""
    with path.open("rb") as file:
        length = min(length, os.fstat(file.fileno()).st_size)
        if not length:
            return
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            at = 0
            while at < length:
                part = _record(data, at, length) or Part(at, _next_record(data, at + 1, length), b"")
                yield part
                at = part.end


def copy(path: Path, kept: list[Part], out: Path) -> None:
    with path.open("rb") as source, out.open("wb") as target:
        for part in kept:
            source.seek(part.start)
            left = part.size
            while left:
                data = source.read(min(CHUNK, left))
                target.write(data)
                left -= len(data)
        target.flush()
        os.fsync(target.fileno())


def response_url(part: Part) -> str | None:
    """Of a record that is a response."""
    lines = part.head.partition(b"\r\n\r\n")[0].split(b"\r\n")
    if b"WARC-Type: response" not in lines:
        return None
    return next(
        (line[17:].decode("utf-8", "replace") for line in lines if line.startswith(b"WARC-Target-URI: ")), ""
    )


def _record(data: mmap.mmap, start: int, end: int) -> Part | None:
    """The member that begins here, if it is whole and a record."""
    unpacker, at, head = zlib.decompressobj(wbits=31), start, b""
    try:
        while not unpacker.eof:
            chunk = data[at : min(at + CHUNK, end)]
            if not chunk:
                return None
            found = unpacker.decompress(chunk)
            head = head or found[:MOST_HEAD]
            at += len(chunk) - len(unpacker.unused_data)
    except zlib.error:
        return None
    return Part(start, at, head) if head.startswith(RECORD) else None


def _next_record(data: mmap.mmap, start: int, end: int) -> int:
    """Where the next member begins that unpacks to a record; the end if there is none."""
    at = data.find(MEMBER, start, end)
    while at >= 0:
        try:
            if zlib.decompressobj(wbits=31).decompress(data[at : at + 512], len(RECORD)) == RECORD:
                return at
        except zlib.error:
            pass
        at = data.find(MEMBER, at + 1, end)
    return end
