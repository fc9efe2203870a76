"""A table for every type, in SQLite: written as entities come and change, read with filters, in any order.

Tables and columns have numbers for names: what pages call their types and properties is never part of an SQL
statement. Columns are added when a property first appears, and count what their cells are.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

import orjson

from sundog.entities.columns import FIXED, TEXTUAL, Cell, Column, cell_of, column_name, flattened, in_order
from sundog.entities.things import Tree
from sundog.entities.vocabulary import canonical, short_type
from sundog.errors import UsageError, nearest
from sundog.rdf.namespaces import PREFIXES

SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS types(id INTEGER PRIMARY KEY, iri TEXT NOT NULL UNIQUE, number INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS columns(type INTEGER, number INTEGER, path TEXT NOT NULL, name TEXT NOT NULL,
  several INTEGER NOT NULL, counts TEXT NOT NULL, PRIMARY KEY(type, number)) WITHOUT ROWID;
"""
MOST_COLUMNS: Final = 400  # of a type; the most frequent are shown
SHOWN_COLUMNS: Final = 100
MOST_TYPES: Final = 5_000  # with tables; a page can invent any number
ABOUT: Final = ("entity", "page", "fetched_at", "syntax", "id", "host", "sources")  # columns of every table


class About(NamedTuple):
    """What every row has besides its values. ``sources``: how many there are."""

    entity: int
    page: str
    fetched_at: float
    syntax: str
    id: str | None
    host: str
    sources: int


@dataclass(slots=True)
class TypeTable:
    id: int
    iri: str
    number: int  # of rows
    columns: dict[str, Column] = field(default_factory=dict)  # by path
    changed: bool = False

    @property
    def short(self) -> str:
        return short_type(self.iri)

    @property
    def name(self) -> str:
        return f"rows_{self.id}"

    def shown(self) -> list[Column]:
        """The columns that a table has, in their order."""
        filled = [column for column in self.columns.values() if column.filled > 0]
        return in_order(sorted(filled, key=lambda column: -column.filled)[:SHOWN_COLUMNS])


class TypeTables:
    """All of them, over one connection. The caller begins and ends transactions."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self.by_iri: dict[str, TypeTable] = {}
        self.reload()

    def reload(self) -> None:
        """Read anew what types and columns there are."""
        rows = self._connection.execute("SELECT id, iri, number FROM types")
        self.by_iri = {iri: TypeTable(number, iri, count) for number, iri, count in rows}
        by_id = {table.id: table for table in self.by_iri.values()}
        columns = "SELECT type, number, path, name, several, counts FROM columns ORDER BY type, number"
        for kind, number, path, name, several, counts in self._connection.execute(columns):
            by_id[kind].columns[path] = Column(path, number, name, several, orjson.loads(counts))

    def put(self, types: Iterable[str], tree: Tree, about: About) -> None:
        """A row in the table of each type."""
        cells = {path: cell_of(path, values) for path, values in flattened(tree).items()}
        for iri in types:
            table = self._table(iri)
            if table:
                self._insert(table, cells, about)

    def _insert(self, table: TypeTable, cells: dict[str, Cell], about: About) -> None:
        names, values = list(ABOUT), list(about)
        for path, cell in cells.items():
            column = table.columns.get(path) or self._add_column(table, path)
            if column:
                column.count(cell, 1)
                names.append(f"c{column.number}")
                values.append(cell)
        marks = ", ".join("?" * len(values))
        self._connection.execute(f"INSERT INTO {table.name} ({', '.join(names)}) VALUES ({marks})", values)
        table.number += 1
        table.changed = True

    def remove(self, types: Iterable[str], entity: int) -> None:
        """Its rows, wherever it has some."""
        for iri in types:
            table = self.by_iri.get(iri)
            if not table:
                continue
            columns = list(table.columns.values())
            names = ", ".join(["entity", *(f"c{column.number}" for column in columns)])
            row = self._connection.execute(
                f"SELECT {names} FROM {table.name} WHERE entity = ?", (entity,)
            ).fetchone()
            if row is None:
                continue
            for column, cell in zip(columns, row[1:], strict=True):
                if cell is not None:
                    column.count(cell, -1)
            self._connection.execute(f"DELETE FROM {table.name} WHERE entity = ?", (entity,))
            table.number -= 1
            table.changed = True

    def _table(self, iri: str) -> TypeTable | None:
        table = self.by_iri.get(iri)
        if table is None and len(self.by_iri) < MOST_TYPES:
            number = self._connection.execute("INSERT INTO types(iri, number) VALUES (?, 0)", (iri,)).lastrowid
            table = self.by_iri[iri] = TypeTable(int(number or 0), iri, 0)
            self._connection.execute(
                f"CREATE TABLE {table.name}(entity INTEGER PRIMARY KEY, page TEXT, fetched_at REAL, syntax TEXT, "
                "id TEXT, host TEXT, sources INTEGER)"
            )
        return table

    def _add_column(self, table: TypeTable, path: str) -> Column | None:
        if len(table.columns) >= MOST_COLUMNS:
            return None
        name = column_name(path, table.iri)
        if any(each.name == name for each in table.columns.values()):
            name = path
        column = Column(path, len(table.columns) + 1, name)
        table.columns[path] = column
        self._connection.execute(f"ALTER TABLE {table.name} ADD COLUMN c{column.number}")
        return column

    def save(self) -> None:
        """Keep the counts, before a transaction ends."""
        for table in self.by_iri.values():
            if table.changed:
                self._connection.execute("UPDATE types SET number = ? WHERE id = ?", (table.number, table.id))
                self._connection.executemany(
                    "REPLACE INTO columns VALUES (?, ?, ?, ?, ?, ?)",
                    [
                        (table.id, each.number, each.path, each.name, each.several, orjson.dumps(each.counts))
                        for each in table.columns.values()
                    ],
                )
                table.changed = False

    def listed(self) -> list[TypeTable]:
        """Those with rows, the largest first."""
        found = [table for table in self.by_iri.values() if table.number > 0]
        return sorted(found, key=lambda table: (-table.number, table.iri))

    def find(self, name: str) -> TypeTable:
        """By IRI, by prefixed name, or by local name; UsageError that names the nearest."""
        prefix, _, local = name.partition(":")
        iri = PREFIXES[prefix] + local if prefix in PREFIXES else name
        found = self.by_iri.get(canonical(iri)) if "://" in iri else None
        tables = self.listed()
        wanted = name.lower()
        for each in tables:
            if found is None and each.short.lower() == wanted:
                found = each
        for each in tables:
            if found is None and each.short.rpartition(":")[2].lower() == wanted:
                found = each
        if found is None or found.number == 0:
            raise UsageError(f"there is no entity of the type '{name[:200]}'{_types_there(name, tables)}")
        return found


def _types_there(name: str, tables: Sequence[TypeTable]) -> str:
    if not tables:
        return ": nothing that was found has a type"
    names = [each.short for each in tables]
    there = ", ".join(names[:8]) + (f" and {len(names) - 8} more" if len(names) > 8 else "")
    return nearest(name, names) or f"; there are {there}"


def find_column(table: TypeTable, name: str) -> Column | str:
    """A column, or the name of one that every table has. The end of a path is enough where only one has it."""
    if name in FIXED:
        return name
    columns = table.shown()
    for matches in (
        [each for each in columns if each.name == name],
        [each for each in columns if each.name.lower() == name.lower()],
        [each for each in columns if each.name.lower().endswith(f".{name.lower()}")],
    ):
        if len(matches) == 1:
            return matches[0]
        if len(matches) > 1:
            names = ", ".join(each.name for each in matches[:6])
            raise UsageError(f"'{name}' may be several columns of {table.short}: say which ({names})")
    known = [*(each.name for each in columns), *FIXED]
    ends = [each.name.rpartition(".")[2] for each in columns]
    hint = (
        nearest(name, [*known, *ends]) or f"; there are {', '.join(known[:12])}{' …' if len(known) > 12 else ''}"
    )
    raise UsageError(f"{table.short} has no column '{name[:100]}'{hint}")


def place_of(column: Column | str) -> str:
    """In SQL, where ``r`` are the rows."""
    return f"r.{column}" if isinstance(column, str) else f"r.c{column.number}"


def order_of(column: Column | str, *, descending: bool) -> str:
    """For ORDER BY: what is empty comes last, and texts among numbers come behind them."""
    place, way = place_of(column), "DESC" if descending else "ASC"
    if not isinstance(column, str) and column.kind not in TEXTUAL and (column.unparsed or column.several):
        return f"{place} IS NULL, typeof({place}) = 'text', {place} {way}, r.entity"
    return f"{place} {way} NULLS LAST, r.entity {way}"  # as an index has it


def iterate(cursor: sqlite3.Cursor, at_once: int = 2_000) -> Iterator[list[tuple[Any, ...]]]:
    while rows := cursor.fetchmany(at_once):
        yield rows
