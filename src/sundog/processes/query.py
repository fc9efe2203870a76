"""Program: SPARQL queries over statements. Answers have their terms as in SPARQL 1.1 Query Results JSON.

Set up with a ``query``, it runs that over one page after the other, and at once over an empty one. Without a
setup, each request names the ``path`` of a crawl's index and a query of its own.
"""

from __future__ import annotations

import time
from typing import Any

import pyoxigraph as ox

from sundog.processes.serve import Answer, CannotReadError, serve
from sundog.rdf.namespaces import PREFIXES, XSD_STRING
from sundog.rdf.sparql import readable_error

MOST_CHARACTERS = 100_000_000  # of one answer
MOST_ATTEMPTS, SECONDS_BETWEEN_ATTEMPTS = 20, 0.05


def prepare(setup: Any) -> tuple[Answer, Any]:
    if setup is None:
        return _over_crawl, None

    def over_page(nquads: Any) -> Any:
        return run_query(_loaded(nquads), setup["query"], setup["most_rows"], setup["most_characters"])

    return over_page, over_page("")


def _over_crawl(request: Any) -> Any:
    """A running crawl may replace files of its index while they are opened here: then there are newer ones."""
    for _ in range(MOST_ATTEMPTS - 1):
        try:
            return _over_index(request)
        except (OSError, RuntimeError) as error:
            if "No such file" not in str(error):
                raise
            time.sleep(SECONDS_BETWEEN_ATTEMPTS)
    return _over_index(request)


def _over_index(request: Any) -> Any:
    return run_query(ox.Store.read_only(request["path"]), request["query"], request["most_rows"])


def _loaded(nquads: str) -> Any:
    """Blank nodes keep their labels; lines that are no statements cost the others nothing."""
    store = ox.Store()
    try:
        store.extend(ox.parse(nquads, ox.RdfFormat.N_QUADS, lenient=True))
    except (SyntaxError, ValueError):
        for line in nquads.splitlines():
            try:
                store.extend(ox.parse(line, ox.RdfFormat.N_QUADS, lenient=True))
            except (SyntaxError, ValueError):
                continue
    return store


def run_query(store: Any, query: str, most_rows: int, most_characters: int = MOST_CHARACTERS) -> dict[str, Any]:
    """``cut``: there are more rows. Common prefixes need not be declared."""
    try:
        found = store.query(query, use_default_graph_as_union=True, prefixes=PREFIXES)
    except SyntaxError as error:
        raise CannotReadError(f"the query cannot be read: {readable_error(str(error), query, PREFIXES)}") from None
    if isinstance(found, ox.QueryBoolean):
        return {"columns": ["answer"], "rows": [], "boolean": bool(found), "cut": False}
    if isinstance(found, ox.QueryTriples):
        columns = ["subject", "predicate", "object"]
    else:
        columns = [variable.value for variable in found.variables]
    rows: list[list[Any]] = []
    characters, cut = 0, False
    for row in found:
        if len(rows) == most_rows or characters > most_characters:
            cut = True
            break
        rows.append([_term_as_json(row[place]) for place in range(len(columns))])
        characters += sum(len(term["value"]) for term in rows[-1] if term)
    return {"columns": columns, "rows": rows, "boolean": None, "cut": cut}


def _term_as_json(term: Any) -> dict[str, str] | None:
    match term:
        case None:
            return None
        case ox.NamedNode():
            return {"type": "uri", "value": term.value}
        case ox.BlankNode():
            return {"type": "bnode", "value": term.value}
        case ox.Literal() if term.language:
            return {"type": "literal", "value": term.value, "xml:lang": term.language}
        case ox.Literal() if term.datatype.value != XSD_STRING:
            return {"type": "literal", "value": term.value, "datatype": term.datatype.value}
        case ox.Literal():
            return {"type": "literal", "value": term.value}
    return {"type": "triple", "value": str(term)}


if __name__ == "__main__":
    serve(prepare)
