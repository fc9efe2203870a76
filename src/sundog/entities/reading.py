"""A type's table as exports and notebooks read it: filtered, sorted, row by row.

The site looks at it through ``view.py``, with the same filters, orders and cells.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any, Final, NamedTuple

import orjson

from sundog.entities.columns import FIXED, UNPARSED, Column
from sundog.entities.database import EntityDatabase
from sundog.entities.filters import Condition, Where, add_functions, parse_filters, where_of
from sundog.entities.tables import TypeTable, find_column, iterate, order_of, place_of
from sundog.entities.values import Kind
from sundog.store.formats.columns import Columns
from sundog.texts import iso_duration, iso_time


class Field(NamedTuple):
    """A column of what is read: its name, what its values are, and how they are read from cells."""

    name: str
    kind: Kind
    is_list: bool
    place: str  # in SQL
    read: Callable[[Any], Any]
    column: Column | None = None

    @property
    def cells(self) -> str:
        """The kind of its cells, as tables in files have it."""
        return f"{self.kind}[]" if self.is_list else self.kind


def columns_of(fields: Sequence[Field]) -> Columns:
    return [(field.name, field.cells) for field in fields]


class TableReader:
    """One type, with some of its rows left out. Without ``sort``, rows are in the order of discovery."""

    def __init__(
        self,
        database: EntityDatabase,
        kind: str,
        conditions: Sequence[Condition] = (),
        *,
        search: str = "",
        sort: str = "",
        descending: bool = False,
    ) -> None:
        self._connection = database.connection
        add_functions(self._connection)
        self.table: TypeTable = database.tables.find(kind)
        self._where: Where = where_of(self.table, conditions, search=search)
        column = find_column(self.table, sort) if sort else "entity"
        self._order = order_of(column, descending=descending)

    def fields(self, names: Sequence[str] = ()) -> list[Field]:
        """The columns of these names, or all. One with values that are not of its type has another for them."""
        chosen: list[Column | str]
        chosen = [find_column(self.table, name) for name in names] if names else [*self.table.shown(), *FIXED]
        return [field for column in chosen for field in _fields(column)]

    def rows(self, fields: Sequence[Field]) -> Iterator[list[list[Any]]]:
        """Rows in batches, each with a value for every field."""
        reads = [field.read for field in fields]
        for rows in self._batches([field.place for field in fields]):
            yield [[read(cell) for read, cell in zip(reads, row, strict=True)] for row in rows]

    def entities(self) -> Iterator[dict[str, Any]]:
        """Whole entities, as JSON has them."""
        for rows in self._batches([ENTITY]):
            yield from map(as_json, rows)

    def records(self, names: Sequence[str]) -> Iterator[dict[str, Any]]:
        """Rows as JSON has them, with these columns."""
        fields = self.fields(names)
        for rows in self.rows(fields):
            for row in rows:
                yield {field.name: in_json(value) for field, value in zip(fields, row, strict=True)}

    def _batches(self, places: Sequence[str]) -> Iterator[list[tuple[Any, ...]]]:
        sources = "JOIN entities e ON e.id = r.entity" if any(place.startswith("e.") for place in places) else ""
        sql = f"""SELECT {", ".join(places)} FROM {self.table.name} r {sources} WHERE {self._where.sql}
          ORDER BY {self._order}"""
        return iterate(self._connection.execute(sql, self._where.values))


class Selected(NamedTuple):
    """A database of entities, by type."""

    database: EntityDatabase

    def table(self, kind: str, where: Sequence[str] = (), **options: Any) -> TableReader:
        """``where``: filters, all of which must hold. ``options``: those of the reader."""
        return TableReader(self.database, kind, parse_filters(where), **options)

    def types(self, most: int) -> list[str]:
        """The most frequent ones."""
        return [table.iri for table in self.database.tables.listed()[:most]]


def in_json(value: Any) -> Any:
    """A value of a table as JSON has it: times, dates and durations as ISO 8601."""
    if isinstance(value, list):
        return [in_json(each) for each in value]
    if isinstance(value, datetime):
        return iso_time(value.timestamp())
    if isinstance(value, date):
        return value.isoformat()
    return iso_duration(value.total_seconds()) if isinstance(value, timedelta) else value


ENTITY: Final = "e.id, e.types, e.name, e.host, e.page, e.at, e.syntax, e.tree, e.sources, e.things"


def as_json(row: tuple[Any, ...]) -> dict[str, Any]:
    """An entity as a line of JSON: where it was found, and its tree."""
    _, _, _, host, page, at, syntax, tree, sources, things = row
    return {
        "page": page,
        "host": host,
        "fetched_at": iso_time(at),
        "syntax": syntax,
        "entity": orjson.loads(tree),
        "sources": orjson.loads(sources),
        **({"more_sources": more} if (more := things - len(orjson.loads(sources))) > 0 else {}),
    }


def all_entities(database: EntityDatabase) -> Iterator[dict[str, Any]]:
    """Of every type, and of none, in the order of discovery."""
    sql = f"SELECT {ENTITY} FROM entities e WHERE e.tree IS NOT NULL ORDER BY e.id"
    for rows in iterate(database.connection.execute(sql)):
        yield from map(as_json, rows)


def _fields(column: Column | str) -> list[Field]:
    if isinstance(column, str):
        return [FIXED_FIELDS[column]]
    place = place_of(column)
    found = [Field(column.name, column.kind, column.is_list, place, column.reader(), column)]
    if column.unparsed:
        found.append(Field(column.name + UNPARSED, "text", False, place, column.unparsed_reader(), column))
    return found


def _time(at: float) -> datetime:
    return datetime.fromtimestamp(at, UTC)


def _source_pages(sources: str) -> list[str]:
    return list(dict.fromkeys(source["page"] for source in orjson.loads(sources)))


def _as_it_is(value: Any) -> Any:
    return value


FIXED_FIELDS: Final = {
    "page": Field("page", "url", False, "r.page", _as_it_is),
    "fetched_at": Field("fetched_at", "time", False, "r.fetched_at", _time),
    "syntax": Field("syntax", "text", False, "r.syntax", _as_it_is),
    "id": Field("id", "url", False, "r.id", _as_it_is),
    "host": Field("host", "text", False, "r.host", _as_it_is),
    "sources": Field("sources", "url", True, "e.sources", _source_pages),
}
