"""Entities for browsers: types with counts, a page of a type's table, and counts of its columns' values."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from sundog.entities.columns import FIXED, TEXTUAL, Column
from sundog.entities.database import EntityDatabase, open_entities
from sundog.entities.filters import FIXED_KINDS, parse_filters, values_of
from sundog.entities.tables import find_column
from sundog.entities.view import TableView
from sundog.errors import UsageError
from sundog.rdf.namespaces import shortened
from sundog.texts import counted
from sundog.web.errors import NotFoundError
from sundog.web.results.reading import read_limit, timed
from sundog.web.runs.directories import CrawlDirectory

SECONDS = 0.7  # that a request spends on what is new
MOST_TYPES = 500
MOST_VALUES, LONGEST = 10, 500  # of a cell, characters of a value


class Asked(NamedTuple):
    """Which rows: of a type, those for which all filters hold, and that have a text."""

    type: str
    where: tuple[str, ...] = ()
    search: str = ""


@contextmanager
def reading(crawl: CrawlDirectory) -> Iterator[tuple[EntityDatabase, int]]:
    """The entities as of one moment, and how many pages they are behind after a little work."""
    if not crawl.has_database:  # nothing is there yet
        nothing = sqlite3.connect(":memory:", isolation_level=None)
        yield EntityDatabase.create(nothing), 0
        nothing.close()
        return
    with (
        read_limit.slot(),
        open_entities(crawl.path, seconds=SECONDS) as (database, behind),
        timed(database.connection),
    ):
        database.connection.execute("BEGIN")
        database.tables.reload()
        try:
            yield database, behind
        except NotFoundError as error:
            if behind and not database.tables.listed():
                left = counted(behind, "page")
                raise NotFoundError(f"the entities are being made: {left} to go; ask again in a moment") from None
            if behind:
                raise NotFoundError(f"{error}; {counted(behind, 'page')} not read yet") from None
            raise
        database.connection.execute("COMMIT")  # an index may have been made


def types(database: EntityDatabase) -> list[dict[str, Any]]:
    return [
        {"type": table.iri, "short": shortened(table.iri), "entities": table.number}
        for table in database.tables.listed()[:MOST_TYPES]
    ]


def view_of(database: EntityDatabase, asked: Asked) -> TableView:
    """NotFoundError if there is no such type, UsageError for what is wrong with a filter."""
    try:
        database.tables.find(asked.type)
    except UsageError as error:
        raise NotFoundError(str(error)) from None
    return TableView(database, asked.type, parse_filters(asked.where), search=asked.search)


def table(
    database: EntityDatabase,
    asked: Asked,
    *,
    columns: tuple[str, ...] = (),
    sort: str = "",
    descending: bool = False,
    offset: int = 0,
    limit: int = 50,
) -> dict[str, Any]:
    """``sort`` is the name of a column, or empty for the order in which entities came. ``columns``: those of which
    rows have values; all, if there are none."""
    view = view_of(database, asked)
    found = [find_column(view.table, name) for name in columns] or [*view.table.shown()]
    own = [each for each in found if isinstance(each, Column)]
    rows = view.rows(own, sort=sort, descending=descending, offset=offset, limit=limit)
    return {
        "type": view.table.iri,
        "short": shortened(view.table.iri),
        "total": view.total,
        "all": view.table.number,
        "columns": _columns(view),
        "coordinates": view.coordinates(),
        "conditions": _conditions(view, asked),
        "rows": [_row(database, about, values) for about, values in rows],
    }


def _columns(view: TableView) -> list[dict[str, Any]]:
    """All that can be shown. ``counted``: how the site counts their values."""
    few = view.choosable()
    own = [
        {
            "name": each.name,
            "property": each.path,
            "kind": each.kind,
            "filled": each.filled,
            "unparsed": each.unparsed,
            "counted": _counted(each, few),
        }
        for each in view.table.shown()
    ]
    fixed = [
        {
            "name": name,
            "property": None,
            "kind": "url" if name in ("page", "id") else FIXED_KINDS.get(name, "text"),
            "filled": view.table.number,
            "unparsed": 0,
            "counted": "values" if name in ("host", "syntax") else None,
        }
        for name in FIXED
    ]
    return [*own, *fixed]


def _counted(column: Column, few: set[str]) -> str | None:
    if column.kind not in (*TEXTUAL, "boolean"):
        return "range"
    return "values" if column.name in few else None


def _conditions(view: TableView, asked: Asked) -> list[dict[str, Any]]:
    """Every filter as it was given, and what its conditions are."""
    found = []
    for text in asked.where:
        parts = []
        for each in parse_filters([text]):
            column = find_column(view.table, each.column)
            name = column if isinstance(column, str) else column.name
            parts.append({"column": name, "sign": each.sign, "values": values_of(each)})
        found.append({"text": text, "parts": parts})
    return found


def counts(
    database: EntityDatabase, asked: Asked, columns: tuple[str, ...], *, most: int = 10, like: str = ""
) -> list[dict[str, Any]]:
    """Of each column its most frequent values, or how its numbers or dates are spread."""
    view = view_of(database, asked)
    found: list[dict[str, Any]] = []
    for name in columns:
        column = find_column(view.table, name)
        if not isinstance(column, str) and _counted(column, set()) == "range":
            bins = [each._asdict() for each in view.histogram(name)]
            found.append({"column": name, "kind": column.kind, "bins": bins})
            continue
        facets = view.facet(name, most, like=like)
        values = [{"value": each.value[:LONGEST], "number": each.number} for each in facets.values]
        found.append({"column": name, "values": values, "different": facets.different, "empty": facets.empty})
    return found


def spots(
    database: EntityDatabase, asked: Asked, latitude: str, bounds: tuple[float, float, float, float]
) -> dict[str, Any]:
    """Where the rows are on a map. ``latitude``: the column, if there are several; ``bounds``: south, west, north,
    east."""
    view = view_of(database, asked)
    pairs = dict(view.coordinates())
    if not pairs:
        raise NotFoundError(f"{view.table.short} has no coordinates: columns of latitude and longitude are needed")
    latitude = latitude if latitude in pairs else next(iter(pairs))
    found, number = view.spots(latitude, pairs[latitude], bounds)
    return {
        "latitude": latitude,
        "longitude": pairs[latitude],
        "total": view.total,
        "inside": number,
        "spots": [each._asdict() for each in found],
    }


def _row(database: EntityDatabase, about: dict[str, Any], values: dict[str, list[Any]]) -> dict[str, Any]:
    return {
        **about,
        "page": database.page_of(about["entity"]),
        "url": about["page"],
        "values": {name: [_cut(value) for value in cell[:MOST_VALUES]] for name, cell in values.items()},
    }


def _cut(value: Any) -> Any:
    return value[:LONGEST] if isinstance(value, str) else value
