"""Result patterns in SPARQL: all statements of the crawl, and the crawl itself as a graph."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pyoxigraph as ox

from sundog.errors import UsageError
from sundog.patterns.engines.base import QueryError
from sundog.patterns.engines.sparql import NAMES, SparqlEngine, compile_error, plain_term
from sundog.sandbox.guard import check_query
from sundog.sandbox.prefixes import one_schema_org

MOST_ROWS = 1_000_000


def compiled(engine: SparqlEngine, query: str, form: str, where: str) -> Callable[[str], Any]:
    """From the crawl as N-Quads to ``{"records": …}``."""
    query = one_schema_org(query)
    try:
        if check_query(query) != "SELECT":
            raise QueryError("a query that begins with SELECT is expected", 1, 1, where)
        ox.Store().query(query, prefixes=NAMES)
    except (UsageError, QueryError, SyntaxError, RuntimeError) as error:
        raise compile_error(error, query, where) from None

    def result(crawl: str) -> Any:
        store = ox.Store()
        store.bulk_extend(ox.parse(crawl, ox.RdfFormat.N_QUADS, lenient=True))
        found: Any = store.query(query, prefixes=NAMES, use_default_graph_as_union=True)
        names = [variable.value for variable in found.variables]
        records = []
        for row in found:
            records.append({name: plain_term(row[place]) for place, name in enumerate(names)})
            if len(records) == MOST_ROWS:
                break
        return {"records": records}

    return result
