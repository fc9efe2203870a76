"""One entity for browsers: its tree, the pages that describe it, and why their descriptions are one thing."""

from __future__ import annotations

from collections import Counter
from typing import Any

import orjson

from sundog.entities.database import EntityDatabase
from sundog.entities.filters import Condition, parse_filters
from sundog.entities.reading import ENTITY, as_json
from sundog.entities.view import TableView
from sundog.rdf.namespaces import shortened
from sundog.web.errors import NotFoundError
from sundog.web.results.entity_tables import Asked, view_of

MOST_PAGES = 5  # of a merged entity, in the list
SEVERAL = Condition("sources", ">", "1")


def entity(database: EntityDatabase, number: int) -> dict[str, Any]:
    sql = f"SELECT {ENTITY} FROM entities e WHERE e.id = ? AND e.tree IS NOT NULL"
    row = database.connection.execute(sql, (number,)).fetchone()
    if row is None:
        raise NotFoundError(
            f"there is no entity {number}: it has changed since pages were fetched again; look for it in its table"
        )
    found = as_json(row)
    pages = _pages(database, number)
    return {
        "entity": number,
        "name": row[2],
        "types": [{"type": iri, "short": shortened(iri)} for iri in found["entity"].get("@type", [])],
        "page": database.page_of(number),
        "url": found["page"],
        "host": found["host"],
        "fetched_at": row[5],
        "syntax": found["syntax"],
        "tree": found["entity"],
        "sources": [{**source, "number": pages.get(source["page"])} for source in found["sources"]],
        "more_sources": found.get("more_sources", 0),
    }


def _pages(database: EntityDatabase, number: int) -> dict[str, int]:
    sql = "SELECT p.url, p.id FROM things t JOIN pages p ON p.id = t.page WHERE t.entity = ?"
    return dict(database.connection.execute(sql, (number,)).fetchall())


def merged(database: EntityDatabase, asked: Asked, *, offset: int = 0, limit: int = 50) -> dict[str, Any]:
    """Entities that were made of several descriptions, those of most first; and why."""
    table = view_of(database, asked).table
    view = TableView(database, table.iri, [*parse_filters(asked.where), SEVERAL], search=asked.search)
    rows = view.rows([], sort="sources", descending=True, offset=offset, limit=limit)
    return {
        "total": view.total,
        "all": table.number,
        "merged": [_merged(database, about["entity"], about["sources"]) for about, _ in rows],
    }


def _merged(database: EntityDatabase, number: int, descriptions: int) -> dict[str, Any]:
    sql = "SELECT name, page, sources FROM entities WHERE id = ?"
    name, url, text = database.connection.execute(sql, (number,)).fetchone()
    sources = orjson.loads(text)
    return {
        "entity": number,
        "name": name,
        "url": url,
        "descriptions": descriptions,
        "reasons": Counter(source["reason"] for source in sources if source.get("reason")),
        "pages": list(dict.fromkeys(source["page"] for source in sources))[:MOST_PAGES],
        "differences": sum("other" in source for source in sources),
    }
