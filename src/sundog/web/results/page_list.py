"""Pages of a crawl as a table, and one of them with all that it says."""

from __future__ import annotations

from typing import Any, Literal

import orjson

from sundog.store import CrawlReader
from sundog.store.database import LATEST
from sundog.store.entities import text_of, triples_of
from sundog.store.events import unpacked_links
from sundog.syntaxes import STORED
from sundog.web.errors import NotFoundError
from sundog.web.results.pattern_items import items_of, matches
from sundog.web.results.reading import OUTCOMES, Outcome, like, outcome_of

Kind = Literal["all", "relevant", "other", "failed", "refused"]
Sort = Literal["at", "url", "status", "reward", "score", "seconds", "depth", "statements"]
# Rows of the log are large; its partial indexes say the same without them.
RELEVANT = "(SELECT step FROM log WHERE event = 'fetched' AND value > 0)"
FAILED, REFUSED = (f"(SELECT step FROM log WHERE event = '{event}')" for event in ("failed", "refused"))
KINDS: dict[Kind, str] = {
    "all": f"o.step NOT IN {REFUSED}",
    "relevant": f"o.step IN {RELEVANT}",
    "other": f"o.step NOT IN {RELEVANT} AND o.step NOT IN {FAILED} AND o.step NOT IN {REFUSED}",
    "failed": f"o.step IN {FAILED}",
    "refused": f"o.step IN {REFUSED}",
}
SORTS: dict[Sort, str] = {
    "at": "o.step",
    "url": "u.url",
    "status": "o.status",
    "reward": "l.value",
    "score": "d.value",
    "seconds": "o.seconds",
    "depth": "u.depth",
    "statements": " + ".join(f"o.{name}" for name in STORED),
}
TABLES = {
    "u.": " JOIN urls u ON u.id = o.candidate",
    "l.": " JOIN log l ON l.step = o.step",
    "d.": " JOIN log d ON d.step = o.decided",
}
CHOSEN_OUTCOMES = f"{OUTCOMES} WHERE o.step IN (SELECT value FROM json_each(?))"
ONE = f"{OUTCOMES} WHERE o.candidate = ? ORDER BY o.step DESC LIMIT 1"
LINKS = "SELECT data FROM log WHERE step = ? AND event = 'fetched'"
NAMES = "SELECT id, url FROM urls WHERE id IN (SELECT value FROM json_each(?))"
TEXTS = "SELECT id, text FROM texts WHERE id IN (SELECT value FROM json_each(?))"
DONE = "SELECT candidate FROM outcomes WHERE candidate IN (SELECT value FROM json_each(?))"
STATEMENTS = "SELECT syntax, triples FROM statements WHERE id BETWEEN ? AND ?"  # ids of a step lie side by side
MOST_LINKS = 200
MOST_STATEMENTS = 2_000  # of a syntax
LONGEST = 5_000  # characters of a term


def pages(
    reader: CrawlReader,
    *,
    kind: Kind,
    search: str,
    host: str,
    sort: Sort,
    descending: bool,
    offset: int,
    limit: int,
) -> dict[str, Any]:
    where, values = [KINDS[kind], LATEST], []
    if search:
        where.append("u.url LIKE ? ESCAPE '\\'")
        values.append(like(search))
    if host:
        where.append("substr(u.url, instr(u.url, '://') + 3) LIKE ? ESCAPE '\\'")
        values.append(like(f"{host}/")[1:])
    condition = " AND ".join(where)
    ((total,),) = reader.connection.execute(f"SELECT count(*) {_tables(condition)} WHERE {condition}", values)
    order = f"{SORTS[sort]} {'DESC' if descending else 'ASC'}" + ("" if sort == "at" else ", o.step")
    query = f"SELECT o.step {_tables(condition + order)} WHERE {condition} ORDER BY {order} LIMIT ? OFFSET ?"
    steps = [step for (step,) in reader.connection.execute(query, (*values, limit, offset))]
    return {"total": total, "pages": [outcome.page() for outcome in _outcomes(reader, steps)]}


def _tables(said: str) -> str:
    """Every outcome has its URL, its event and its decision: they are looked up only if they are spoken of."""
    return "FROM outcomes o" + "".join(table for name, table in TABLES.items() if name in said)


def _outcomes(reader: CrawlReader, steps: list[int]) -> list[Outcome]:
    """Whole rows are read for what is shown only, and not while sorting."""
    rows = reader.connection.execute(CHOSEN_OUTCOMES, (orjson.dumps(steps).decode(),))
    found = {outcome.step: outcome for outcome in map(outcome_of, rows)}
    return [found[step] for step in steps]


def page(reader: CrawlReader, candidate: int) -> dict[str, Any]:
    row = reader.connection.execute(ONE, (candidate,)).fetchone()
    if row is None:
        nothing: dict[str, Any] = {"statements": {}, "links": [], "redirects": [], "patterns": [], "items": []}
        return {**_frontier_page(reader, candidate), **nothing}
    outcome = outcome_of(row)
    said = reader.connection.execute(STATEMENTS, (8 * outcome.step, 8 * outcome.step + 7)).fetchall()
    hops = reader.connection.execute("SELECT url FROM hops WHERE step = ?", (outcome.step,)).fetchall()
    return {
        **outcome.page(),
        "faults": orjson.loads(outcome.faults) if outcome.faults else [],
        "statements": {syntax: texts_of(triples) for syntax, triples in said},
        "links": links_of(reader, outcome.step),
        "redirects": [url for (url,) in hops],
        "patterns": matches(reader, [candidate]).get(candidate, []),
        "items": items_of(reader, outcome.step),
    }


def _frontier_page(reader: CrawlReader, candidate: int) -> dict[str, Any]:
    row = reader.connection.execute("SELECT url, depth, parent FROM urls WHERE id = ?", (candidate,)).fetchone()
    if row is None:
        raise NotFoundError(f"the crawl knows no page {candidate}")
    return {"page": candidate, "url": row[0], "kind": "frontier", "depth": row[1], "parent": row[2], "faults": []}


def texts_of(triples: str) -> list[list[str]]:
    return [
        [text_of(term)[:LONGEST] for term in (each.subject, each.predicate, each.object)]
        for each in triples_of(triples)[:MOST_STATEMENTS]
    ]


def links_of(reader: CrawlReader, step: int) -> list[dict[str, Any]]:
    """The first links of a fetched page."""
    row = reader.connection.execute(LINKS, (step,)).fetchone()
    if row is None:
        return []
    batch = unpacked_links(row[0])
    targets, anchors = batch.targets[:MOST_LINKS].tolist(), batch.anchors[:MOST_LINKS].tolist()
    urls = dict(reader.connection.execute(NAMES, (orjson.dumps(targets).decode(),)).fetchall())
    texts = dict(reader.connection.execute(TEXTS, (orjson.dumps(anchors).decode(),)).fetchall())
    done = {candidate for (candidate,) in reader.connection.execute(DONE, (orjson.dumps(targets).decode(),))}
    return [
        {"page": target, "url": urls.get(target, ""), "text": texts.get(anchor, ""), "fetched": target in done}
        for target, anchor in zip(targets, anchors, strict=True)
    ]
