"""The crawl graph around a page: pages that led to it, pages that it leads to, and the links among those shown.

A crawl has millions of links, and a person can look at some dozens.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from typing import Any

import orjson

from sundog.store import CrawlReader
from sundog.store.database import CHOSEN, COUNTS_SUM, LATEST, as_ids
from sundog.web.errors import BusyError, NotFoundError
from sundog.web.results.pattern_items import matches
from sundog.web.results.reading import kind_of, timed

NODES = f"""SELECT u.id, u.url, u.depth, u.parent, l.event, o.trouble, l.value, o.types,
    {COUNTS_SUM}
  FROM urls u LEFT JOIN outcomes o ON o.candidate = u.id AND {LATEST} LEFT JOIN log l ON l.step = o.step
  WHERE u.id IN {CHOSEN}"""
LEADING = "SELECT subject FROM log WHERE event = 'fetched' AND instr(data, ?) ORDER BY step DESC LIMIT ?"
SECONDS = 0.15  # to look for pages that link to the centre: all links may have to be read
ANCESTORS = 6
MOST_LEADING = 12


def graph(reader: CrawlReader, centre: int | None, most: int) -> dict[str, Any]:
    centres = [centre] if centre is not None else _seeds(reader)[: max(1, most // 4)]
    if not centres:
        return {"centre": None, "nodes": [], "links": [], "hidden": 0}
    distances = dict.fromkeys(centres, 0)
    if centre is not None:
        for number, above in enumerate(_ancestors(reader, centre), 1):
            distances.setdefault(above, number)
        for page in _leading(reader, centre):
            distances.setdefault(page, 1)
    targets = dict.fromkeys(target for page in centres for target, _ in _links(reader, [page]).get(page, ()))
    room = max(0, most - len(distances))
    shown = _fetched_first(reader, [target for target in targets if target not in distances], room)
    distances |= dict.fromkeys(shown, 1)
    hidden = sum(target not in distances for target in targets)
    nodes = _nodes(reader, distances)
    if centre is not None and centre not in {node["page"] for node in nodes}:
        raise NotFoundError(f"the crawl knows no page {centre}")
    return {"centre": centres[0], "nodes": nodes, "links": _among(reader, distances), "hidden": hidden}


def _seeds(reader: CrawlReader) -> list[int]:
    """Those that the crawl began with; sitemaps come later."""
    return next((ids.tolist() for _, ids in reader.seeds()), [])


def _ancestors(reader: CrawlReader, page: int) -> list[int]:
    """On which page it was found, and that one, up to a seed."""
    found: list[int] = []
    while len(found) < ANCESTORS:
        row = reader.connection.execute("SELECT parent FROM urls WHERE id = ?", (page,)).fetchone()
        if row is None or row[0] is None or row[0] in found:
            break
        page = int(row[0])
        found.append(page)
    return found


def _leading(reader: CrawlReader, page: int) -> list[int]:
    """Some of the other pages that link to it, the latest first; as many as are found in a moment."""
    found: list[int] = []
    with suppress(BusyError), timed(reader.connection, SECONDS):
        for (source,) in reader.connection.execute(LEADING, (f"[{page},", MOST_LEADING)):
            found.append(source)
    return found


def _links(reader: CrawlReader, pages: Iterable[int]) -> dict[int, list[tuple[int, int]]]:
    """Of each page: targets, with the ids of their link texts."""
    return {
        source: list(zip(batch.targets.tolist(), batch.anchors.tolist(), strict=True))
        for source, batch in reader.links_of(pages).items()
    }


def _fetched_first(reader: CrawlReader, pages: list[int], most: int) -> list[int]:
    rows = reader.connection.execute(
        f"SELECT DISTINCT candidate FROM outcomes WHERE candidate IN {CHOSEN}", (as_ids(pages),)
    )
    fetched = {candidate for (candidate,) in rows}
    return sorted(pages, key=lambda page: page not in fetched)[:most]


def _nodes(reader: CrawlReader, distances: dict[int, int]) -> list[dict[str, Any]]:
    rows = reader.connection.execute(NODES, (as_ids(distances),))
    matched = matches(reader, distances)
    nodes = [
        {
            "page": page,
            "url": url,
            "kind": kind_of(event, trouble),
            "reward": reward,
            "depth": depth,
            "parent": parent,
            "types": orjson.loads(types)[:10] if types else [],
            "statements": statements or 0,
            "items": sum(each["found"] for each in matched.get(page, ()) if each["kind"] == "data"),
            "patterns": [each["name"] for each in matched.get(page, ())],
            "distance": distances[page],
        }
        for page, url, depth, parent, event, trouble, reward, types, statements in rows
    ]
    return sorted(nodes, key=lambda node: (node["distance"], node["kind"] == "frontier", node["page"]))


def _among(reader: CrawlReader, shown: dict[int, int]) -> list[dict[str, Any]]:
    found = {
        (source, target): anchor
        for source, links in _links(reader, shown).items()
        for target, anchor in links
        if target in shown and target != source
    }
    texts = reader.texts_of(set(found.values()))
    return [
        {"from": source, "to": target, "text": texts.get(anchor, "")[:200]}
        for (source, target), anchor in found.items()
    ]
