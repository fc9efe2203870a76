"""Items that data patterns found, and which patterns matched on which pages."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

import orjson

from sundog.entities.filters import like
from sundog.entities.values import absolute
from sundog.store import CrawlReader
from sundog.store.database import CHOSEN, as_ids
from sundog.urls.identity import identity

COUNTS = "SELECT pattern, kind, count(*), sum(found) FROM found_matches GROUP BY pattern ORDER BY min(rowid)"
MATCHED = f"""SELECT o.candidate, m.pattern, m.kind, m.found
  FROM found_matches m JOIN outcomes o ON o.step = m.step WHERE o.candidate IN {CHOSEN}"""
ITEMS = "FROM items WHERE pattern = ?"
# Items without the field come last. Texts that begin with a number are compared by it.
FIELD = "(SELECT value FROM json_each(item) WHERE key = ?)"
BY_FIELD = f"{FIELD} IS NULL, CAST({FIELD} AS REAL) {{direction}}, {FIELD} COLLATE NOCASE {{direction}}"
ASKED = f"SELECT url, id FROM urls WHERE url IN {CHOSEN} AND id IN (SELECT candidate FROM outcomes)"
IS_ADDRESS = re.compile(r"(?:https?://|\.{0,2}/)\S*").fullmatch  # absolute, or clearly relative
MOST_ITEMS = 200  # of a page


def pattern_counts(reader: CrawlReader) -> list[dict[str, Any]]:
    if not reader.knows_patterns:
        return []
    return [
        {"name": name, "kind": kind, "pages": pages, "found": found}
        for name, kind, pages, found in reader.connection.execute(COUNTS)
    ]


def added_counts(counts: Iterable[Sequence[Mapping[str, Any]]]) -> list[dict[str, Any]]:
    """Of several logs, each as ``pattern_counts`` gives it."""
    added: dict[tuple[str, str], dict[str, Any]] = {}
    for each in chain.from_iterable(counts):
        so_far = added.setdefault((each["name"], each["kind"]), {**each, "pages": 0, "found": 0})
        so_far["pages"] += each["pages"]
        so_far["found"] += each["found"]
    return list(added.values())


def items(
    reader: CrawlReader, pattern: str, *, search: str, sort: str, descending: bool, offset: int, limit: int
) -> dict[str, Any]:
    """Items of one pattern, by a field or in the order in which they were found."""
    if not reader.knows_patterns:
        return {"total": 0, "columns": [], "items": []}
    where, values = ITEMS, [pattern]
    if search:
        where += " AND item LIKE ? ESCAPE '\\'"
        values.append(like(search))
    ((total,),) = reader.connection.execute(f"SELECT count(*) {where}", values)
    direction = "DESC" if descending else "ASC"
    order = f"{BY_FIELD.format(direction=direction)}, id" if sort else f"id {direction}"
    rows = reader.connection.execute(
        f"SELECT id, page, url, item {where} ORDER BY {order} LIMIT ? OFFSET ?",
        (*values, *[sort] * order.count("?"), limit, offset),
    )
    found = [
        {"id": number, "page": page, "url": url, "item": orjson.loads(item)} for number, page, url, item in rows
    ]
    _add_links(reader, found)
    columns = dict.fromkeys(name for each in found for name in each["item"])
    return {"total": total, "columns": list(columns), "items": found}


def _add_links(reader: CrawlReader, found: list[dict[str, Any]]) -> None:
    """To each item, where its fields that are addresses lead: a URL, and the number of a page that was asked."""
    for each in found:
        addresses = {name: _address(value, each["url"]) for name, value in each["item"].items()}
        each["links"] = {name: {"url": url, "page": None} for name, url in addresses.items() if url}
    links = [link for each in found for link in each["links"].values()]
    names = {url: identity(url) for url in {link["url"] for link in links}}
    if not names:
        return
    asked = dict(reader.connection.execute(ASKED, (orjson.dumps(list(names.values())).decode(),)))
    for link in links:
        link["page"] = asked.get(names[link["url"]])


def _address(value: Any, base: str) -> str | None:
    """
    >>> [_address(value, "http://a.example/x/") for value in ("../y", "/", "http://b.example/", "a/b", "1/2", 3)]
    ['http://a.example/y', 'http://a.example/', 'http://b.example/', None, None, None]
    """
    return absolute(value, base) if isinstance(value, str) and IS_ADDRESS(value) else None


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
