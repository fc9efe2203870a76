"""What an export format is, and how a crawl is written in one: as of one commit, complete or not at all."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson

from sundog.errors import SundogError, UsageError
from sundog.files import complete_or_absent
from sundog.store.database import check_intact, plain_errors
from sundog.store.directory import DATABASE, check_target
from sundog.store.reader import CrawlReader, open_readonly

Write = Callable[[CrawlReader, Path], None]
# What reading rows that no crawl has written ends in:
UNREADABLE = (ValueError, TypeError, LookupError, ArithmeticError, AttributeError)
JSON_LINES = "application/x-ndjson"


@dataclass(frozen=True, kw_only=True)
class Format:
    """A format in which a crawl's data can be written.

    ``write`` gets a reader that sees one commit, and a path at which nothing is yet: it makes a file there, or a
    folder if the format has ``parts``. It should stream, for a crawl may be larger than memory.
    """

    name: str  # of ``sundog export --format``
    file: str  # in the crawl's directory, unless somebody names another place
    media_type: str  # of a download; that of a folder is the ZIP's
    title: str
    summary: str  # what it has, for the help and the site; no capital, no full stop
    write: Write
    parts: frozenset[str] = frozenset()  # what its folder holds: an earlier one may be replaced
    of_patterns: bool = False  # of no use to a crawl without patterns
    with_provenance: Write | None = None  # the same, and where each statement comes from
    variants: Mapping[str, str] = field(default_factory=dict)  # other files that it may be, with their media types
    choose: Callable[[CrawlReader], str] | None = None  # which of its files a crawl has

    @property
    def is_folder(self) -> bool:
        return bool(self.parts)

    @property
    def files(self) -> dict[str, str]:
        """All names that it may have in a crawl's directory, with their media types."""
        return {self.file: self.media_type, **self.variants}

    def file_of(self, reader: CrawlReader) -> str:
        return self.choose(reader) if self.choose else self.file


def write_export(
    format: Format,
    directory: Path,
    out: Path | None = None,
    *,
    with_provenance: bool = False,
    replaceable: frozenset[str] = frozenset(),
) -> Path:
    """Write a crawl, finished or running; returns where.

    ``replaceable``: what else a folder may hold that is replaced, such as the tables of another format.
    """
    write = format.with_provenance if with_provenance else format.write
    if write is None:
        raise UsageError(
            f"provenance is added to nquads only, not to {format.name}: there is a format of that name"
        )
    with open_readonly(directory) as reader, plain_errors(directory / DATABASE):
        file = format.file_of(reader)
        target = out or directory / file
        check_target(target, directory, folder_of=format.parts | replaceable if format.is_folder else None)
        check_intact(reader.connection, directory / DATABASE)
        with complete_or_absent(target) as temporary:
            reader.connection.execute("BEGIN")  # all of it as of one commit
            try:
                write(reader, temporary)
            except UNREADABLE as error:
                what = f"{directory / DATABASE} is damaged: it holds what cannot be exported as {format.name}"
                raise SundogError(f"{what} ({' '.join(str(error).split())})") from error
    return target


def write_json_lines(out: Path, items: Iterable[Any]) -> None:
    with out.open("wb") as file:
        for item in items:
            file.write(orjson.dumps(item, option=orjson.OPT_APPEND_NEWLINE))
