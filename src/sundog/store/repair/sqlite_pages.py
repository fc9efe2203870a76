"""The rows of a damaged SQLite database, read from its pages without SQLite.

SQLite finds a row by going down from the root of a tree, so one bad page hides all that is below it. Here every
page is looked at by itself: whatever is the leaf of a tree gives its rows, whether the pages above it are there or
not.
https://www.sqlite.org/fileformat2.html has the format.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

MAGIC = b"SQLite format 3\0"
USUAL_PAGE = 4096
TABLE_LEAF, INDEX_LEAF, INDEX_INTERIOR = 0x0D, 0x0A, 0x02
WAL_HEADER, FRAME_HEADER = 32, 24
WAL_MAGICS = {0x377F0682: "<", 0x377F0683: ">"}  # with the order of bytes in which checksums are made
LONGEST = 1_000_000_000  # bytes of a row
INTEGERS = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}  # bytes of a value by its kind
CONSTANTS = {0: None, 8: 0, 9: 1}


class Row(NamedTuple):
    """``id`` is None in a table that has no ids."""

    id: int | None
    values: tuple[Any, ...]


class BadRowError(Exception):
    """What stands here is no row."""


class Pages:
    """The pages of a database, as its write-ahead log leaves them. Numbers count from 1."""

    def __init__(self, path: Path) -> None:
        self._data = path.read_bytes() if path.exists() else b""
        wal = path.with_name(f"{path.name}-wal")
        self._wal = wal.read_bytes() if wal.exists() else b""
        self.size = self._page_size()
        reserved = self._data[20] if self._data.startswith(MAGIC) and self._data[20] < 64 else 0
        self.usable = self.size - reserved
        self._newer = _frames(self._wal, self.size)
        self.count = max([-(-len(self._data) // self.size), *self._newer])

    def _page_size(self) -> int:
        """As the database says it, else as its log does."""
        for data, known, form, place in (
            (self._data, self._data.startswith(MAGIC), ">H", 16),
            (self._wal, self._wal[:4] in (b"\x37\x7f\x06\x82", b"\x37\x7f\x06\x83"), ">I", 8),
        ):
            if known and len(data) >= WAL_HEADER:
                size: int = struct.unpack_from(form, data, place)[0]
                size = 65_536 if size == 1 else size
                if 512 <= size <= 65_536 and not size & (size - 1):
                    return size
        return USUAL_PAGE

    @property
    def version(self) -> int:
        """As its user numbers it (``user_version``); 0 if that is not known any more."""
        first = self.page(1)
        return int.from_bytes(first[60:64]) if first.startswith(MAGIC) else 0

    def page(self, number: int) -> bytes:
        """What is behind the end of the file is nothing."""
        if number in self._newer:
            start = self._newer[number]
            return self._wal[start : start + self.size]
        return self._data[(number - 1) * self.size : number * self.size]

    def rows(self) -> Iterator[Row]:
        """Of all tables and of all indexes, in the order of pages."""
        for number in range(1, self.count + 1):
            yield from self._rows_of(number)

    def _rows_of(self, number: int) -> Iterator[Row]:
        page, start = self.page(number), 100 if number == 1 else 0
        kind = page[start] if len(page) > start else 0
        if kind not in (TABLE_LEAF, INDEX_LEAF, INDEX_INTERIOR):
            return
        first = start + (12 if kind == INDEX_INTERIOR else 8)
        cells = int.from_bytes(page[start + 3 : start + 5])
        for place in range(first, min(first + 2 * cells, len(page) - 1), 2):
            try:
                yield self._row(page, int.from_bytes(page[place : place + 2]), kind)
            except (BadRowError, IndexError, struct.error, UnicodeDecodeError):
                continue

    def _row(self, page: bytes, at: int, kind: int) -> Row:
        if kind == INDEX_INTERIOR:
            at += 4  # the page below it
        length, at = _varint(page, at)
        number = None
        if kind == TABLE_LEAF:
            number, at = _varint(page, at)
        if not 0 < length < LONGEST:
            raise BadRowError
        return Row(number, _values(self._payload(page, at, length, kind)))

    def _payload(self, page: bytes, at: int, length: int, kind: int) -> bytes:
        """A long row goes on in a chain of other pages."""
        usable = self.usable
        most = usable - 35 if kind == TABLE_LEAF else (usable - 12) * 64 // 255 - 23
        if length <= most:
            return _slice(page, at, length)
        least = (usable - 12) * 32 // 255 - 23
        here = least + (length - least) % (usable - 4)
        here = here if here <= most else least
        parts, left = [_slice(page, at, here)], length - here
        following = int.from_bytes(_slice(page, at + here, 4))
        while left:
            if not 1 < following <= self.count:
                raise BadRowError
            more = self.page(following)
            parts.append(_slice(more, 4, min(left, usable - 4)))
            left -= len(parts[-1])
            following = int.from_bytes(more[:4])
        return b"".join(parts)


def _frames(wal: bytes, size: int) -> dict[int, int]:
    """Where the log has the newest committed state of pages, by their numbers.

    Each checksum continues the one before it, and stands in its frame. So what follows a bad frame can still be
    checked, and it is taken: rows that do not fit together are sorted out later.
    """
    if len(wal) < WAL_HEADER + FRAME_HEADER + size:
        return {}
    order = WAL_MAGICS.get(int.from_bytes(wal[:4]), "<")
    salts = wal[16:24]
    if _checksum(wal[:24], (0, 0), order) != struct.unpack_from(">II", wal, 24):
        salts = wal[WAL_HEADER + 8 : WAL_HEADER + 16]  # the header is damaged: as the first frame says
    seed: tuple[int, int] = struct.unpack_from(">II", wal, 24)
    found: dict[int, int] = {}
    pending: dict[int, int] = {}
    for at in range(WAL_HEADER, len(wal) - FRAME_HEADER - size + 1, FRAME_HEADER + size):
        if wal[at + 8 : at + 16] != salts:
            break  # left from before the log was begun anew
        number, committed = struct.unpack_from(">II", wal, at)
        page = wal[at + FRAME_HEADER : at + FRAME_HEADER + size]
        expected: tuple[int, int] = struct.unpack_from(">II", wal, at + 16)
        if _checksum(page, _checksum(wal[at : at + 8], seed, order), order) == expected:
            pending[number] = at + FRAME_HEADER
            if committed:
                found |= pending
                pending = {}
        seed = expected
    return found


def _checksum(data: bytes, seed: tuple[int, int], order: str) -> tuple[int, int]:
    first, second = seed
    words = struct.unpack(f"{order}{len(data) // 4}I", data)
    for place in range(0, len(words), 2):
        first = (first + words[place] + second) & 0xFFFFFFFF
        second = (second + words[place + 1] + first) & 0xFFFFFFFF
    return first, second


def _slice(data: bytes, at: int, length: int) -> bytes:
    part = data[at : at + length]
    if len(part) != length:
        raise BadRowError
    return part


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """A number of up to nine bytes, and where it ends."""
    value = 0
    for place in range(at, at + 8):
        value = value << 7 | data[place] & 0x7F
        if data[place] < 0x80:
            return value, place + 1
    value = value << 8 | data[at + 8]
    return value - (1 << 64) if value >> 63 else value, at + 9


def _values(record: bytes) -> tuple[Any, ...]:
    """The kinds of all values stand before them; what is not exactly as long as they say is no row."""
    end, at = _varint(record, 0)
    kinds = []
    while at < end:
        kind, at = _varint(record, at)
        kinds.append(kind)
    if at != end or not kinds:
        raise BadRowError
    values: list[Any] = []
    for kind in kinds:
        if kind in CONSTANTS:
            values.append(CONSTANTS[kind])
            continue
        length = INTEGERS.get(kind) or (8 if kind == 7 else (kind - 12) // 2)
        if kind in (10, 11) or length < 0:
            raise BadRowError
        part = _slice(record, at, length)
        at += length
        values.append(_value(kind, part))
    if at != len(record):
        raise BadRowError
    return tuple(values)


def _value(kind: int, part: bytes) -> Any:
    if kind in INTEGERS:
        return int.from_bytes(part, signed=True)
    if kind == 7:
        return struct.unpack(">d", part)[0]
    return part.decode() if kind % 2 else part
