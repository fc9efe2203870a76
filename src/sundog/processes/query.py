"""Program: SPARQL queries over statements. Answers have their terms as in SPARQL 1.1 Query Results JSON.

Set up with a ``query``, it runs that over one page after the other, and at once over an empty one. Without a
setup, each request names the ``path`` of a crawl's index and a query of its own; with a ``media_type``, the answer
is a text of it.
"""

from __future__ import annotations

import io
import re
import time
from typing import Any

import pyoxigraph as ox

from sundog.processes.serve import Answer, CannotReadError, serve
from sundog.rdf.namespaces import PREFIXES, XSD_STRING
from sundog.rdf.sparql import names_graphs, readable_error

MOST_CHARACTERS = 100_000_000  # of one answer
MOST_ATTEMPTS, SECONDS_BETWEEN_ATTEMPTS = 20, 0.05
_NOT_IN_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_PREFIX_LINE = re.compile(r"@prefix (\S*): <[^>]*> \.\n")


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
    store, query, graphs = ox.Store.read_only(request["path"]), request["query"], request.get("graphs")
    if "media_type" in request:
        return _text(_found(store, query, graphs), request["media_type"], request["most_bytes"])
    return run_query(store, query, request["most_rows"], graphs=graphs)


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


def run_query(
    store: Any, query: str, most_rows: int, most_characters: int = MOST_CHARACTERS, graphs: Any = None
) -> dict[str, Any]:
    """``cut``: there are more rows. Common prefixes need not be declared."""
    found = _found(store, query, graphs)
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


def _found(store: Any, query: str, graphs: Any) -> Any:
    """``graphs`` count more than those that the query names. With neither, it sees all graphs as one."""
    if graphs:
        about: dict[str, Any] = {
            "default_graph": [_graph(iri) for iri in graphs["default"]],
            "named_graphs": [_graph(iri) for iri in graphs["named"]],
        }
    else:
        about = {"use_default_graph_as_union": not names_graphs(query)}
    try:
        return store.query(query, prefixes=PREFIXES, **about)
    except SyntaxError as error:
        raise CannotReadError(f"the query cannot be read: {readable_error(str(error), query, PREFIXES)}") from None


def _graph(iri: str) -> Any:
    try:
        return ox.NamedNode(iri)
    except ValueError:
        raise CannotReadError(f"'{iri[:200]}' cannot be the name of a graph: it is no absolute IRI") from None


def too_large(most: str) -> str:
    return f"the answer has more than {most}: ask for less, or for parts with LIMIT and OFFSET"


class _Bounded(io.BytesIO):
    def __init__(self, most_bytes: int) -> None:
        super().__init__()
        self._most_bytes = most_bytes

    def write(self, data: Any) -> int:
        if self.tell() + len(data) > self._most_bytes:
            raise CannotReadError(too_large(f"{self._most_bytes:,} bytes"))
        return super().write(data)


def _text(found: Any, media_type: str, most_bytes: int) -> str:
    """All of the answer: programs would not notice that a part is missing."""
    out = _Bounded(most_bytes)
    is_turtle = media_type == ox.RdfFormat.TURTLE.media_type
    if isinstance(found, ox.QueryTriples):
        form = ox.RdfFormat.from_media_type(media_type)
        ox.serialize(found, out, form, prefixes=PREFIXES if is_turtle else None)
    else:
        found.serialize(out, ox.QueryResultsFormat.from_media_type(media_type))
    text = out.getvalue().decode()
    if is_turtle:
        return _with_used_prefixes(text)
    return _NOT_IN_XML.sub("\ufffd", text) if media_type.endswith("+xml") else text


def _with_used_prefixes(turtle: str) -> str:
    """
    >>> _with_used_prefixes('@prefix a: <http://a/> .\\n@prefix b: <http://b/> .\\nb:s b:p "o" .\\n')
    '@prefix b: <http://b/> .\\nb:s b:p "o" .\\n'
    """
    end = 0
    while line := _PREFIX_LINE.match(turtle, end):
        end = line.end()
    body = turtle[end:]
    head = [line[0] for line in _PREFIX_LINE.finditer(turtle, 0, end) if f"{line[1]}:" in body]
    return "".join([*head, body])


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
