"""Packed files (gzip, bzip2, zip) as streams under caps, and the RDF in them read as it is unpacked.

What a few bytes unpack to is the sender's choice, so it never stands in memory as a whole: whoever reads a stream
gets the next piece, until the file, its cap or its time is at an end.
"""

from __future__ import annotations

import bz2
import gzip
import io
import zipfile
import zlib
from collections.abc import Callable, Iterator
from typing import IO, Any, Final, NamedTuple, Protocol

from sundog.extract.guards import Report, TimeBox, TripleTermGuard
from sundog.extract.media import as_utf8, kind_of
from sundog.extract.rdf import MAX_STATEMENTS, WHOLE, read_rdf
from sundog.rdf.terms import Statement

MOST_FILES = 100  # of an archive
MOST_WHOLE: Final = 50_000_000  # bytes of a file of a kind that cannot be read as it comes
_START: Final = 4_096
_BEGINNINGS = (b"\x1f\x8b\x08", b"BZh", b"PK\x03\x04")
_BROKEN = (OSError, EOFError, RuntimeError, NotImplementedError, zlib.error, zipfile.BadZipFile, ValueError)


class Readable(Protocol):
    def read(self, size: int, /) -> bytes: ...


class Member(NamedTuple):
    """A file in a packed one; '' is the name of one that has none. It can be opened again and again."""

    packing: str
    name: str
    open: Callable[[], Readable]


def is_packed(body: bytes) -> bool:
    return body.startswith(_BEGINNINGS)


def unpacked(body: bytes, most: int) -> bytes:
    """The beginning of the first file in a packed one, or of what is not packed."""
    if not is_packed(body):
        return body[:most]
    try:
        return next((member.open().read(most) for member in members(body, lambda _: None)), b"")
    except _BROKEN:
        return b""


def members(body: bytes, report: Callable[[str], None]) -> Iterator[Member]:
    if body.startswith(_BEGINNINGS[0]):
        yield Member("gzip", "", lambda: gzip.GzipFile(fileobj=io.BytesIO(body)))
    elif body.startswith(_BEGINNINGS[1]):
        yield Member("bzip2", "", lambda: bz2.BZ2File(io.BytesIO(body)))
    else:
        yield from _zipped(body, report)


def _zipped(body: bytes, report: Callable[[str], None]) -> Iterator[Member]:
    try:
        archive = zipfile.ZipFile(io.BytesIO(body))
    except _BROKEN as error:
        report(f"broken zip: {error}")
        return
    files = [info for info in archive.infolist() if not info.is_dir()]
    if len(files) > MOST_FILES:
        report(f"only the first {MOST_FILES} of {len(files):,} files were read")
    for info in files[:MOST_FILES]:
        yield Member("zip", info.filename, lambda info=info: archive.open(info))  # type: ignore[misc]


class CappedStream(io.RawIOBase):
    """Ends after ``most`` bytes, where the packed bytes are broken, or where triple terms nest too deeply.

    Why it ended is in ``fault``, if not because the file does.
    """

    def __init__(self, member: Member, most: int, box: TimeBox) -> None:
        super().__init__()
        self._left, self._box, self._most = most, box, most
        self._packing = member.packing
        self._guard = TripleTermGuard()
        self._inner: Readable = io.BytesIO()
        self.fault = ""
        try:
            self._inner = member.open()
        except _BROKEN as error:
            self._broke(error)

    @property
    def used(self) -> int:
        """Bytes that were unpacked."""
        return self._most - self._left

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        self._box.check()
        data = b"" if self.fault else self._piece(min(len(buffer), self._left + 1))
        if len(data) > self._left:
            self.fault = f"cut at {self._most:,} bytes unpacked"
            data = data[: self._left]
        self._left -= len(data)
        danger = self._guard.danger(data)
        if danger:
            self.fault, data = danger, b""
        buffer[: len(data)] = data
        return len(data)

    def _piece(self, size: int) -> bytes:
        try:
            return self._inner.read(size)
        except _BROKEN as error:
            self._broke(error)
            return b""

    def _broke(self, error: Exception) -> None:
        self.fault = f"broken {self._packing}: {error}"[:200]


class UnpackCaps(NamedTuple):
    """What a packed file may cost, all that is in it together."""

    unpacked: int  # bytes
    statements: int = MAX_STATEMENTS


class PackedFile:
    """``read`` it once. ``page`` is what was packed if that is an HTML page; ``faults`` are the package's own."""

    def __init__(self, body: bytes, base: str, content_type: str, caps: UnpackCaps) -> None:
        self._body, self._base, self._content_type, self._caps = body, base, content_type, caps
        self._left = caps.unpacked
        self.page: bytes | None = None
        self.faults: list[str] = []

    def read(self, box: TimeBox, out: list[Statement], report: Report) -> None:
        for member in members(self._body, self.faults.append):
            self._read_member(member, box, out, report)
            if self._left <= 0:
                break

    def _read_member(self, member: Member, box: TimeBox, out: list[Statement], report: Report) -> None:
        capped = CappedStream(member, self._left, box)
        start = io.BufferedReader(capped, _START).peek()
        kind = kind_of("" if member.name else self._content_type, member.name or self._base, start)
        if kind == "html" and not member.name:
            capped = CappedStream(member, self._left, box)
            self.page = capped.readall()
            self._used(capped)
        elif kind in WHOLE:
            capped = CappedStream(member, min(self._left, MOST_WHOLE), box)
            text = as_utf8(kind, capped.readall(), None, report)
            self._read_rdf(kind, text, capped, box, out, report)
        elif kind and kind != "html":
            self._read_stream(kind, member, box, out, report)
        elif capped.fault or not member.name:
            self.faults.append(capped.fault or "what is packed is neither HTML nor RDF")

    def _read_stream(self, kind: str, member: Member, box: TimeBox, out: list[Statement], report: Report) -> None:
        capped = CappedStream(member, self._left, box)

        def source() -> IO[bytes]:
            return io.BufferedReader(capped, 1 << 16)

        self._read_rdf(kind, source, capped, box, out, report)

    def _read_rdf(
        self,
        kind: str,
        source: bytes | Callable[[], IO[bytes]],
        capped: CappedStream,
        box: TimeBox,
        out: list[Statement],
        report: Report,
    ) -> None:
        read_rdf(kind, source, self._base, box, out, report, self._caps.statements - len(out))
        self._used(capped)

    def _used(self, capped: CappedStream) -> None:
        self._left -= capped.used
        if capped.fault:
            self.faults.append(capped.fault)
