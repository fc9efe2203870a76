"""Tables of entities: a type, its columns, and rows that are searched, sorted and paged."""

from __future__ import annotations

import re
import sqlite3
from typing import Any

import orjson

from sundog.sandbox.prefixes import shortened
from sundog.web.errors import NotFoundError
from sundog.web.reading import like

TYPES = """SELECT t.name, count(*) FROM typed JOIN types t ON t.id = typed.type GROUP BY typed.type
  ORDER BY 2 DESC, 1 LIMIT 500"""
COLUMNS = "SELECT name FROM properties WHERE type = ? ORDER BY number DESC, name LIMIT ?"
ROWS = "FROM typed JOIN entities e ON e.id = typed.entity WHERE typed.type = ?"
MOST_COLUMNS = 30


def types(connection: sqlite3.Connection) -> list[dict[str, Any]]:
    return [
        {"type": name, "short": shortened(name), "entities": count} for name, count in connection.execute(TYPES)
    ]


def table(
    connection: sqlite3.Connection,
    kind: str,
    *,
    search: str,
    sort: str,
    descending: bool,
    offset: int,
    limit: int,
    column: str = "",
    contains: str = "",
) -> dict[str, Any]:
    """``sort`` is the name of a column, or empty for the order in which entities came.

    ``search`` looks at all values, ``contains`` at those of one column.
    """
    found = connection.execute("SELECT id FROM types WHERE name = ?", (kind,)).fetchone()
    if found is None:
        raise NotFoundError(f"there is no entity of the type '{kind[:200]}'")
    columns = _columns(connection, found[0])
    where, values = ROWS, [found[0]]
    if search:
        where += " AND e.words LIKE ? ESCAPE '\\'"
        values.append(like(search.lower()))
    if column and contains:
        where += " AND lower(json_extract(e.content, ?)) LIKE ? ESCAPE '\\'"
        values += [_path(columns, column), like(contains.lower())]
    ((total,),) = connection.execute(f"SELECT count(*) {where}", values)
    order, path = _order(columns, sort, descending)
    rows = connection.execute(
        f"SELECT e.page, e.url, e.syntax, e.subject, e.content {where} {order} LIMIT ? OFFSET ?",
        (*values, *path, limit, offset),
    )
    return {
        "type": kind,
        "short": shortened(kind),
        "total": total,
        "columns": [{"property": iri, "name": name} for iri, name in columns.items()],
        "rows": [_row(row, columns) for row in rows],
    }


def _columns(connection: sqlite3.Connection, kind: int) -> dict[str, str]:
    """By property, names that are short and distinct."""
    taken: dict[str, str] = {}
    for (iri,) in connection.execute(COLUMNS, (kind, MOST_COLUMNS)):
        brief = name = re.split(r"[/#:]", iri.rstrip("/#:"))[-1] or iri
        number = 1
        while name in taken.values():
            number += 1
            name = f"{brief} {number}"
        taken[iri] = name
    return taken


def _order(columns: dict[str, str], sort: str, descending: bool) -> tuple[str, list[str]]:
    """Numbers by their size, then texts; what has no value comes last."""
    way = "DESC" if descending else "ASC"
    if sort in ("", "page"):
        return f"ORDER BY {'e.url' if sort else 'e.id'} {way}", []
    value = "json_extract(e.content, ?)"
    number = f"CASE WHEN {value} GLOB '[0-9]*' OR {value} GLOB '-[0-9]*' THEN CAST({value} AS REAL) END"
    order = f"ORDER BY {value} IS NULL, {number} IS NULL, {number} {way}, {value} {way}, e.id"
    return order, [f"{_path(columns, sort)}[0]"] * order.count("?")


def _path(columns: dict[str, str], column: str) -> str:
    """Where a column's values stand in an entity's content."""
    iri = next((iri for iri, name in columns.items() if name == column and not set(iri) & set('"\\')), None)
    if iri is None:
        raise NotFoundError(f"there is no column '{column[:100]}'")
    return f'$."{iri}"'


def _row(row: tuple[Any, ...], columns: dict[str, str]) -> dict[str, Any]:
    page, url, syntax, subject, content = row
    values = orjson.loads(content)
    return {
        "page": page,
        "url": url,
        "syntax": syntax,
        "id": subject,
        "values": {name: values[iri] for iri, name in columns.items() if iri in values},
    }
