"""Items that data patterns found, and which patterns matched on which pages."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import orjson

from sundog.store import CrawlReader
from sundog.store.database import CHOSEN, as_ids
from sundog.web.results.reading import like

COUNTS = "SELECT pattern, kind, count(*), sum(found) FROM found_matches GROUP BY pattern ORDER BY min(rowid)"
MATCHED = f"""SELECT o.candidate, m.pattern, m.kind, m.found
  FROM found_matches m JOIN outcomes o ON o.step = m.step WHERE o.candidate IN {CHOSEN}"""
ITEMS = "FROM items WHERE pattern = ?"
MOST_ITEMS = 200  # of a page


def pattern_counts(reader: CrawlReader) -> list[dict[str, Any]]:
    if not reader.knows_patterns:
        return []
    return [
        {"name": name, "kind": kind, "pages": pages, "found": found}
        for name, kind, pages, found in reader.connection.execute(COUNTS)
    ]


def items(reader: CrawlReader, pattern: str, *, search: str, offset: int, limit: int) -> dict[str, Any]:
    """Items of one pattern in the order in which they were found."""
    if not reader.knows_patterns:
        return {"total": 0, "columns": [], "items": []}
    where, values = ITEMS, [pattern]
    if search:
        where += " AND item LIKE ? ESCAPE '\\'"
        values.append(like(search))
    ((total,),) = reader.connection.execute(f"SELECT count(*) {where}", values)
    rows = reader.connection.execute(
        f"SELECT id, page, url, item {where} ORDER BY id LIMIT ? OFFSET ?", (*values, limit, offset)
    )
    found = [
        {"id": number, "page": page, "url": url, "item": orjson.loads(item)} for number, page, url, item in rows
    ]
    columns = dict.fromkeys(name for each in found for name in each["item"])
    return {"total": total, "columns": list(columns), "items": found}


def matches(reader: CrawlReader, pages: Iterable[int]) -> dict[int, list[dict[str, Any]]]:
    """By page: which patterns matched there, and how much they found."""
    found: dict[int, list[dict[str, Any]]] = {}
    if reader.knows_patterns:
        for page, name, kind, count in reader.connection.execute(MATCHED, (as_ids(pages),)):
            found.setdefault(page, []).append({"name": name, "kind": kind, "found": count})
    return found


def items_of(reader: CrawlReader, step: int) -> list[dict[str, Any]]:
    """Of one outcome."""
    if not reader.knows_patterns:
        return []
    rows = reader.connection.execute(
        "SELECT pattern, item FROM found_items WHERE step = ? ORDER BY id LIMIT ?", (step, MOST_ITEMS)
    )
    return [{"pattern": pattern, "item": orjson.loads(item)} for pattern, item in rows]
