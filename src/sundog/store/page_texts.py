"""What pages say, as the text of their statements, and the terms in it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import pyoxigraph as ox

from sundog.store.database import LATEST, STATEMENTS
from sundog.store.reader import CrawlReader

LATEST_STATEMENTS = f"""SELECT u.url, {{graph}}, l.at, s.syntax, s.triples
  FROM {STATEMENTS} JOIN log l ON l.step = o.step WHERE {LATEST} ORDER BY s.id"""


class PageText(NamedTuple):
    """What a page says in one syntax, as N-Triples, and the URL that names its graph."""

    url: str
    graph: str
    at: float
    syntax: str
    triples: str


def page_texts(reader: CrawlReader) -> Iterator[PageText]:
    """In the order in which the pages came."""
    return map(PageText._make, reader.connection.execute(LATEST_STATEMENTS.format(graph=reader.graph_column)))


def triples_of(text: str) -> list[Any]:
    """Lines that are no statements cost the others nothing."""
    try:
        return list(ox.parse(text, ox.RdfFormat.N_TRIPLES, lenient=True))
    except (SyntaxError, ValueError):
        lines = text.splitlines(keepends=True)
        return [each for line in lines for each in triples_of(line)] if len(lines) > 1 else []


def text_of(term: Any) -> str:
    return f"_:{term.value}" if isinstance(term, ox.BlankNode) else str(term.value)
