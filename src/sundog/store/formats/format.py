"""What an export format is, and how a crawl is written in one: as of one commit, complete or not at all."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

import orjson

from sundog.errors import SundogError, UsageError
from sundog.files import complete_or_absent
from sundog.store.database import check_intact, plain_errors
from sundog.store.directory import DATABASE, check_target
from sundog.store.reader import CrawlReader, open_as_of, open_readonly

Write = Callable[[CrawlReader, Path], None]
PIPE = Path("-")  # stands for standard output
STANDARD_OUTPUT = Path("/dev/stdout")
# What reading rows that no crawl has written ends in:
UNREADABLE = (ValueError, TypeError, LookupError, ArithmeticError, AttributeError)
JSON_LINES = "application/x-ndjson"


@dataclass(frozen=True, kw_only=True)
class Selection:
    """Which entities are written, and what of them.

    ``where``: filters, all of which must hold. ``search``: a text that a value has. ``columns``: all if there are
    none. ``sort``: a column; without it, the order of discovery. ``raw``: every description by itself, without
    merging those of one thing. ``progress`` is told how far the making of entities is.
    """

    type: str = ""
    columns: tuple[str, ...] = ()
    where: tuple[str, ...] = ()
    search: str = ""
    sort: str = ""
    descending: bool = False
    raw: bool = False
    progress: Callable[[int, int], None] | None = None

    @property
    def is_everything(self) -> bool:
        return not (self.type or self.raw or self.is_of_a_type)

    @property
    def is_of_a_type(self) -> bool:
        """Whether it says what only the table of one type has."""
        return bool(self.columns or self.where or self.search or self.sort or self.descending)

    def check(self) -> None:
        """UsageError if it needs a type and has none."""
        if self.is_of_a_type and not self.type:
            raise UsageError("a filter, an order and columns are those of a type: choose one with --type")


EVERYTHING = Selection()
WriteSelected = Callable[[CrawlReader, "Path | BinaryIO", Selection], None]


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
    write: Write | None = None
    select: WriteSelected | None = None  # instead of ``write``: it can write some of the entities, or to a pipe
    parts: frozenset[str] = frozenset()  # what its folder holds: an earlier one may be replaced
    table_file: str = ""  # what it is instead of a folder if one type is selected
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

    def is_folder_of(self, selection: Selection) -> bool:
        return self.is_folder and not (self.table_file and selection.type)

    def file_of(self, reader: CrawlReader, selection: Selection = EVERYTHING) -> str:
        if selection.type and self.table_file:
            return self.table_file
        return self.choose(reader) if self.choose else self.file


def write_export(
    format: Format,
    directory: Path,
    out: Path | None = None,
    *,
    selection: Selection = EVERYTHING,
    with_provenance: bool = False,
    replaceable: frozenset[str] = frozenset(),
    as_of: int | None = None,
    home: Path | None = None,
) -> Path:
    """Write a crawl, finished or running; returns where. ``out`` may be ``PIPE``. ``as_of``: as after this step.

    ``home``: where it is written if nobody says, instead of the crawl's directory. ``replaceable``: what else a
    folder may hold that is replaced, such as the tables of another format.
    """
    write = _writer(format, selection, with_provenance)
    is_folder = format.is_folder_of(selection)
    if out == PIPE and is_folder:
        raise UsageError(f"{format.name} is a folder of tables, which no pipe takes: choose one with --type")
    opened = open_readonly(directory) if as_of is None else open_as_of(directory, as_of)
    with opened as reader, plain_errors(directory / DATABASE):
        file = format.file_of(reader, selection)
        target = out or (home or directory) / file
        if target != PIPE:
            check_target(target, directory, folder_of=format.parts | replaceable if is_folder else None)
        check_intact(reader.connection, directory / DATABASE)
        with _destination(target) as place:
            reader.connection.execute("BEGIN")  # all of it as of one commit
            try:
                write(reader, place)
            except UNREADABLE as error:
                what = f"{directory / DATABASE} is damaged: it holds what cannot be exported as {format.name}"
                raise SundogError(f"{what} ({' '.join(str(error).split())})") from error
    return target


def _writer(format: Format, selection: Selection, with_provenance: bool) -> Write:
    if with_provenance:
        if format.with_provenance is None:
            raise UsageError(
                f"provenance is added to nquads only, not to {format.name}: there is a format of that name"
            )
        return format.with_provenance
    if select := format.select:
        return lambda reader, out: select(reader, sys.stdout.buffer if out == PIPE else out, selection)
    if not selection.is_everything:
        raise UsageError(
            f"{format.name} has no entities to choose from: leave out --type, --columns, --where and --sort"
        )
    write = format.write
    assert write is not None  # a format has one or the other
    return lambda reader, out: write(reader, STANDARD_OUTPUT if out == PIPE else out)


@contextmanager
def _destination(target: Path) -> Iterator[Path]:
    if target != PIPE:
        with complete_or_absent(target) as temporary:
            yield temporary
        return
    try:
        yield target
        sys.stdout.flush()
    except BrokenPipeError:  # whoever reads has enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def write_json_lines(out: Path | BinaryIO, items: Iterable[Any]) -> None:
    with opened(out) as file:
        for item in items:
            file.write(orjson.dumps(item, option=orjson.OPT_APPEND_NEWLINE))


@contextmanager
def opened(out: Path | BinaryIO) -> Iterator[BinaryIO]:
    """A file to write to; one that is open already stays so."""
    if isinstance(out, Path):
        with out.open("wb") as file:
            yield file
    else:
        yield out
        out.flush()
