"""Pages of a crawl as a table, and one page with its statements, links and items."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import orjson
import pyoxigraph as ox
from pydantic import Field

from sundog.entities.values import plain_number
from sundog.rdf.namespaces import XSD
from sundog.store import CrawlReader
from sundog.store.database import CHOSEN, COUNTS_SUM, LATEST, as_ids
from sundog.store.page_texts import text_of, triples_of
from sundog.web.errors import NotFoundError
from sundog.web.results.page_filters import PageFilters
from sundog.web.results.pattern_items import items_of, matches
from sundog.web.results.reading import OUTCOMES, Outcome, outcome_of
from sundog.web.results.renders import render_of

Sort = Literal["at", "url", "status", "reward", "score", "seconds", "depth", "statements"]
SORTS: dict[Sort, str] = {
    "at": "o.step",
    "url": "u.url",
    "status": "o.status",
    "reward": "l.value",
    "score": "d.value",
    "seconds": "o.seconds",
    "depth": "u.depth",
    "statements": COUNTS_SUM,
}
TABLES = {
    "u.": " JOIN urls u ON u.id = o.candidate",
    "l.": " JOIN log l ON l.step = o.step",
    "d.": " JOIN log d ON d.step = o.decided",
}
CHOSEN_OUTCOMES = f"{OUTCOMES} WHERE o.step IN {CHOSEN}"
ONE = f"{OUTCOMES} WHERE o.candidate = ? ORDER BY o.step DESC LIMIT 1"
DONE = f"SELECT candidate FROM outcomes WHERE candidate IN {CHOSEN}"
DOUBLE = ox.NamedNode(f"{XSD}double")
MOST_LINKS = 200
MOST_STATEMENTS = 2_000  # of a syntax
LONGEST = 5_000  # characters of a term


class PageQuery(PageFilters):
    """What a list of pages shows: which pages, in which order, and which part of them."""

    sort: Sort = "at"
    descending: bool = True
    offset: Annotated[int, Field(ge=0, le=10**9)] = 0
    limit: Annotated[int, Field(ge=1, le=500)] = 50


def pages(reader: CrawlReader, wanted: PageQuery) -> dict[str, Any]:
    clauses = [(LATEST, []), *wanted.clauses(reader)]
    condition = " AND ".join(clause for clause, _ in clauses)
    values = [value for _, given in clauses for value in given]
    ((total,),) = reader.connection.execute(f"SELECT count(*) {_tables(condition)} WHERE {condition}", values)
    if not total:
        wanted.check_names(reader)
    order = f"{SORTS[wanted.sort]} {'DESC' if wanted.descending else 'ASC'}"
    order += "" if wanted.sort == "at" else ", o.step"
    query = f"SELECT o.step {_tables(condition + order)} WHERE {condition} ORDER BY {order} LIMIT ? OFFSET ?"
    steps = [step for (step,) in reader.connection.execute(query, (*values, wanted.limit, wanted.offset))]
    return {"total": total, "pages": [outcome.as_json() for outcome in _outcomes(reader, steps)]}


def _tables(sql: str) -> str:
    """Every outcome has its URL, its event and its decision: they are joined only if they are named."""
    return "FROM outcomes o" + "".join(table for name, table in TABLES.items() if name in sql)


def _outcomes(reader: CrawlReader, steps: list[int]) -> list[Outcome]:
    """Whole rows are read for what is shown only, and not while sorting."""
    rows = reader.connection.execute(CHOSEN_OUTCOMES, (as_ids(steps),))
    found = {outcome.step: outcome for outcome in map(outcome_of, rows)}
    return [found[step] for step in steps]


def page(reader: CrawlReader, candidate: int) -> dict[str, Any]:
    row = reader.connection.execute(ONE, (candidate,)).fetchone()
    if row is None:
        nothing: dict[str, Any] = {"statements": {}, "links": [], "redirects": [], "patterns": [], "items": []}
        return {**_frontier_page(reader, candidate), **nothing, "render": None}
    outcome = outcome_of(row)
    statements = reader.statements_of(outcome.step, outcome.step)
    hops = reader.connection.execute("SELECT url FROM hops WHERE step = ?", (outcome.step,)).fetchall()
    return {
        **outcome.as_json(),
        "faults": orjson.loads(outcome.faults) if outcome.faults else [],
        "statements": {syntax: texts_of(triples) for syntax, triples in statements},
        "links": links_of(reader, candidate),
        "redirects": [url for (url,) in hops],
        "patterns": matches(reader, [candidate]).get(candidate, []),
        "items": items_of(reader, outcome.step),
        "render": render_of(reader, candidate),
    }


def _frontier_page(reader: CrawlReader, candidate: int) -> dict[str, Any]:
    row = reader.connection.execute("SELECT url, depth, parent FROM urls WHERE id = ?", (candidate,)).fetchone()
    if row is None:
        raise NotFoundError(f"the crawl knows no page {candidate}")
    return {"page": candidate, "url": row[0], "kind": "frontier", "depth": row[1], "parent": row[2], "faults": []}


def texts_of(triples: str) -> list[list[str]]:
    return [
        [_shown(term)[:LONGEST] for term in (each.subject, each.predicate, each.object)]
        for each in triples_of(triples)[:MOST_STATEMENTS]
    ]


def _shown(term: Any) -> str:
    """
    >>> _shown(ox.Literal("4.81E1", datatype=DOUBLE)), _shown(ox.Literal("4.81E1")), _shown(ox.BlankNode("a"))
    ('48.1', '4.81E1', '_:a')
    """
    text = text_of(term)
    value = plain_number(text) if isinstance(term, ox.Literal) and term.datatype == DOUBLE else None
    return text if value is None else str(value)


def links_of(reader: CrawlReader, candidate: int) -> list[dict[str, Any]]:
    """The first links of a fetched page."""
    batch = reader.links_of([candidate]).get(candidate)
    if batch is None:
        return []
    targets, anchors = batch.targets[:MOST_LINKS].tolist(), batch.anchors[:MOST_LINKS].tolist()
    urls, texts = reader.urls_of(targets), reader.texts_of(anchors)
    done = {page for (page,) in reader.connection.execute(DONE, (as_ids(targets),))}
    return [
        {"page": target, "url": urls.get(target, ""), "text": texts.get(anchor, ""), "fetched": target in done}
        for target, anchor in zip(targets, anchors, strict=True)
    ]
