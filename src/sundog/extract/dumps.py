"""Files of RDF that come packed: one, or several in an archive. They are read as they are unpacked, under caps."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import IO, Final, NamedTuple

from sundog.extract.encodings import as_utf8
from sundog.extract.media import kind_of
from sundog.extract.packed import Capped, Member, members
from sundog.extract.rdf import MAX_STATEMENTS, WHOLE, read_rdf
from sundog.extract.timebox import TimeBox

MOST_WHOLE: Final = 50_000_000  # bytes of a file of a kind that cannot be read as it comes
_START: Final = 4_096
Statements = list[tuple[str, ...]]
Report = Callable[[str], None]


class Caps(NamedTuple):
    """What a packed file may cost, all that is in it together."""

    unpacked: int  # bytes
    statements: int = MAX_STATEMENTS


class PackedFile:
    """``read`` it once. ``page`` is what was packed if that is an HTML page; ``faults`` are the package's own."""

    def __init__(self, body: bytes, base: str, content_type: str, caps: Caps) -> None:
        self._body, self._base, self._content_type, self._caps = body, base, content_type, caps
        self._left = caps.unpacked
        self.page: bytes | None = None
        self.faults: list[str] = []

    def read(self, box: TimeBox, out: Statements, report: Report) -> None:
        for member in members(self._body, self.faults.append):
            self._read_member(member, box, out, report)
            if self._left <= 0:
                break

    def _read_member(self, member: Member, box: TimeBox, out: Statements, report: Report) -> None:
        capped = Capped(member, self._left, box)
        start = io.BufferedReader(capped, _START).peek()
        kind = kind_of("" if member.name else self._content_type, member.name or self._base, start)
        if kind == "html" and not member.name:
            capped = Capped(member, self._left, box)
            self.page = capped.readall()
            self._used(capped)
        elif kind in WHOLE:
            capped = Capped(member, min(self._left, MOST_WHOLE), box)
            text = as_utf8(kind, capped.readall(), None, report)
            self._read_rdf(kind, text, capped, box, out, report)
        elif kind and kind != "html":
            self._read_stream(kind, member, box, out, report)
        elif capped.fault or not member.name:
            self.faults.append(capped.fault or "what is packed is neither HTML nor RDF")

    def _read_stream(self, kind: str, member: Member, box: TimeBox, out: Statements, report: Report) -> None:
        capped = Capped(member, self._left, box)

        def source() -> IO[bytes]:
            return io.BufferedReader(capped, 1 << 16)

        self._read_rdf(kind, source, capped, box, out, report)

    def _read_rdf(
        self,
        kind: str,
        source: bytes | Callable[[], IO[bytes]],
        capped: Capped,
        box: TimeBox,
        out: Statements,
        report: Report,
    ) -> None:
        read_rdf(kind, source, self._base, box, out, report, self._caps.statements - len(out))
        self._used(capped)

    def _used(self, capped: Capped) -> None:
        self._left -= capped.used
        if capped.fault:
            self.faults.append(capped.fault)
