"""sqlite and duckdb: one file with a table for every type of entity, and tables of pages and sources."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any, BinaryIO, Protocol

import orjson

from sundog.arrow import pa
from sundog.entities.reading import Field, Selected
from sundog.entities.tables import iterate
from sundog.errors import SundogError, UsageError
from sundog.results.formats.selected import selected_entities, selected_table
from sundog.results.formats.tables import MOST_TYPES, file_name
from sundog.store.formats.format import Format, Selection
from sundog.store.formats.parquet import arrow_schema
from sundog.store.reader import CrawlReader
from sundog.texts import iso_duration, iso_time

PAGES = ("id", "url", "host", "status", "fetched_at", "depth", "parent", "relevant", "reward", "fault")
SOURCES = ("entity", "page", "syntax", "reason")
SOURCE_ROWS = "SELECT id, sources FROM entities WHERE sources IS NOT NULL ORDER BY id"


class Writer(Protocol):
    """A database file that is being made."""

    def table(
        self, name: str, columns: Sequence[tuple[str, str]], batches: Iterable[Sequence[Sequence[Any]]]
    ) -> None:
        """``columns``: names and kinds of values, as those of ``Field``, ``[]`` behind those of lists."""
        ...

    def close(self) -> None: ...


def _write(
    open_writer: Callable[[Path], Writer], reader: CrawlReader, out: Path | BinaryIO, selection: Selection
) -> None:
    if not isinstance(out, Path):
        raise UsageError("a database is a file of its own, which no pipe takes: name one with --out")
    selection.check()
    with selected_entities(reader, selection) as selected, closing(open_writer(out)) as writer:
        names = [selection.type] if selection.type else selected.types(MOST_TYPES)
        taken = {"pages", "sources"}
        for name in names:
            table = selected_table(selected, replace(selection, type=name))
            fields = [ENTITY, *table.fields(selection.columns)]
            writer.table(
                _table_name(table.table.short, table.table.iri, taken), _columns(fields), table.rows(fields)
            )
        columns = ", ".join(PAGES)
        pages = iterate(reader.connection.execute(f"SELECT {columns} FROM pages"))
        writer.table("pages", [(name, PAGE_KINDS.get(name, "text")) for name in PAGES], pages)
        writer.table(
            "sources", [("entity", "integer"), *((name, "text") for name in SOURCES[1:])], _sources(selected)
        )


ENTITY = Field("entity", "integer", False, "r.entity", lambda value: value)
PAGE_KINDS = {
    **dict.fromkeys(("id", "status", "depth", "parent", "relevant"), "integer"),
    **dict.fromkeys(("fetched_at", "reward"), "number"),
}


def _columns(fields: Sequence[Field]) -> list[tuple[str, str]]:
    """Names that differ in more than their case, which databases do not see."""
    taken: set[str] = set()
    found = []
    for field in fields:
        name = field.name
        while name.lower() in taken:
            name += "'"
        taken.add(name.lower())
        found.append((name, field.cells))
    return found


def _table_name(short: str, iri: str, taken: set[str]) -> str:
    """What people call the type, or its whole name if that is taken."""
    name = short if "://" not in short else file_name(iri)
    while name.lower() in taken:
        name = file_name(iri) if name == short else f"{name}'"
    taken.add(name.lower())
    return name


def _sources(selected: Selected) -> Iterator[list[tuple[Any, ...]]]:
    for rows in iterate(selected.database.connection.execute(SOURCE_ROWS)):
        yield [
            (entity, source["page"], source["syntax"], source.get("reason"))
            for entity, sources in rows
            for source in orjson.loads(sources)
        ]


def quoted(name: str) -> str:
    """
    >>> quoted('a"b')
    '"a""b"'
    """
    return '"' + name.replace('"', '""').replace("\0", "") + '"'


class SqliteWriter:
    """Several values are a JSON array; dates and durations are ISO 8601."""

    def __init__(self, path: Path) -> None:
        self._connection = sqlite3.connect(path, isolation_level=None)
        self._connection.execute("PRAGMA journal_mode = OFF")
        self._connection.execute("BEGIN")

    def table(
        self, name: str, columns: Sequence[tuple[str, str]], batches: Iterable[Sequence[Sequence[Any]]]
    ) -> None:
        kinds = {"integer": "INTEGER", "number": "REAL"}
        head = ", ".join(f"{quoted(each)} {kinds.get(kind, 'TEXT')}" for each, kind in columns)
        self._connection.execute(f"CREATE TABLE {quoted(name)} ({head})")
        insert = f"INSERT INTO {quoted(name)} VALUES ({', '.join('?' * len(columns))})"
        for rows in batches:
            self._connection.executemany(insert, [[_plain(value) for value in row] for row in rows])

    def close(self) -> None:
        self._connection.execute("COMMIT")
        self._connection.close()


def _plain(value: Any) -> Any:
    if isinstance(value, list):
        return orjson.dumps([_plain(each) for each in value]).decode() if value else None
    if isinstance(value, datetime):
        return iso_time(value.timestamp())
    if isinstance(value, date):
        return value.isoformat()
    return iso_duration(value.total_seconds()) if isinstance(value, timedelta) else value


class DuckdbWriter:
    def __init__(self, path: Path) -> None:
        try:
            import duckdb
        except ImportError:
            raise SundogError(
                "the format duckdb needs the package of that name: pip install 'sundog[duckdb]'; "
                "or take sqlite, which needs none"
            ) from None
        self._connection = duckdb.connect(str(path))

    def table(
        self, name: str, columns: Sequence[tuple[str, str]], batches: Iterable[Sequence[Sequence[Any]]]
    ) -> None:
        schema = arrow_schema(columns)
        empty = schema.empty_table()
        self._connection.register("batch", empty)
        self._connection.execute(f"CREATE TABLE {quoted(name)} AS SELECT * FROM batch")
        self._connection.unregister("batch")
        for rows in batches:
            arrays = [
                pa.array(values, field.type) for values, field in zip(zip(*rows, strict=True), schema, strict=True)
            ]
            self._connection.register("batch", pa.Table.from_arrays(arrays, schema=schema))
            self._connection.execute(f"INSERT INTO {quoted(name)} SELECT * FROM batch")
            self._connection.unregister("batch")

    def close(self) -> None:
        self._connection.close()


def _to_sqlite(reader: CrawlReader, out: Path | BinaryIO, selection: Selection) -> None:
    _write(SqliteWriter, reader, out, selection)


def _to_duckdb(reader: CrawlReader, out: Path | BinaryIO, selection: Selection) -> None:
    _write(DuckdbWriter, reader, out, selection)


SQLITE = Format(
    name="sqlite",
    file="export.sqlite",
    media_type="application/vnd.sqlite3",
    title="SQLite",
    summary="one database file with a table for every type, and tables of pages and sources",
    select=_to_sqlite,
)
DUCKDB = Format(
    name="duckdb",
    file="entities.duckdb",
    media_type="application/octet-stream",
    title="DuckDB",
    summary="the same as a DuckDB file, which needs the package duckdb",
    select=_to_duckdb,
)
