"""SPARQL over a page's statements and the crawl as RDF; result patterns over all statements.

In RDF, pages have their URLs, and items are blank nodes with their fields.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from math import isfinite
from typing import Any

import pyoxigraph as ox

from sundog.errors import UsageError, nearest
from sundog.patterns.crawl_view import (
    FUNCTIONS,
    NAMESPACE,
    NUMBERS,
    CrawlPage,
    CrawlView,
    WaitingPage,
    crawl_term_iri,
)
from sundog.patterns.document import PageDocument, empty_page
from sundog.patterns.engines import FieldPlan, QueryError, Raw, Reference, error_at
from sundog.rdf.namespaces import PREFIXES, XSD, one_schema_org
from sundog.rdf.sparql import check_query, first_group, readable_error
from sundog.urls.iris import page_iri

MOST_RESULT_ROWS = 1_000_000
MOST_ROWS = 20_000
NAMES = {**PREFIXES, "crawl": crawl_term_iri("")}
_PLACE = re.compile(r"error at (\d+):(\d+),? ?(.*)", re.DOTALL)
_REFUSED = re.compile(r"\b(?:SERVICE|INSERT|DELETE|LOAD|CLEAR|CREATE|DROP|COPY|MOVE|ADD|WITH)\b", re.IGNORECASE)
_CALLED = re.compile(rf"<{re.escape(crawl_term_iri(''))}([\w-]+)>")
GRAPH = ox.NamedNode(NAMESPACE)
NO_URL = "http://nothing.example/"  # of the empty page: graphs need a name


def engine(_: str) -> SparqlEngine:
    return SparqlEngine()


class SparqlEngine:
    def data(self, find: str, fields: Sequence[FieldPlan], where: str) -> Callable[[PageDocument], Sequence[Raw]]:
        query = _compiled(find, "SELECT", f"{where}.find")
        columns = [variable.value for variable in _asked(query, empty_page(NO_URL)).variables]
        for field in fields:
            if field["name"] not in columns:
                near = nearest(field["name"], columns)
                raise QueryError(f"the query gives no ?{field['name']}{near}", where=f"{where}.fields")
        return lambda page: [
            {name: [value] for name, value in row.items() if value is not None} for row in _rows(query, page)
        ]

    def links(self, find: str, where: str) -> Callable[[PageDocument], Sequence[Reference]]:
        query = _compiled(find, "SELECT", f"{where}.find")

        def found(page: PageDocument) -> Sequence[Reference]:
            rows = [list(row.values()) for row in _rows(query, page)]
            return [Reference(str(row[0]), str(row[1] or "") if len(row) > 1 else "") for row in rows if row[0]]

        return found

    def test(self, query: str, where: str) -> Callable[[PageDocument], bool]:
        compiled = _compiled(query, "ASK", f"{where}.when")
        return lambda page: bool(_asked(compiled, page))


def _compiled(query: str, form: str, where: str) -> str:
    """The query, after it was tried on an empty page."""
    query = one_schema_org(query)
    nothing = empty_page(NO_URL)
    try:
        found = check_query(query)
        if found != form:
            raise QueryError(f"a query that begins with {form} is expected, not with {found}", 1, 1, where)
        _store(nothing).query(query, prefixes=NAMES, custom_functions=_functions(nothing))
        _asked(query, nothing)
    except (UsageError, SyntaxError, RuntimeError) as error:
        raise _compile_error(error, query, where) from None
    return query


def _compile_error(error: Exception, query: str, where: str) -> QueryError:
    text = str(error)
    if isinstance(error, SyntaxError):
        text = readable_error(text, query, NAMES)
        if place := _PLACE.match(text):
            return QueryError(place[3], int(place[1]), int(place[2]), where)
    elif name := _CALLED.search(text):
        text = f"unknown function crawl:{name[1]}(){nearest(name[1], FUNCTIONS)}"
        wrong = error_at(query, query.find(f"crawl:{name[1]}"), text)
        return QueryError(text, wrong.line, wrong.column, where)
    elif (refused := _REFUSED.search(query)) and refused[0].upper() in text:
        wrong = error_at(query, refused.start(), text)
        return QueryError(text, wrong.line, wrong.column, where)
    return QueryError(text, where=where)


def _asked(query: str, page: PageDocument) -> Any:
    at = first_group(query)
    bound = f"{query[:at]} VALUES ?page {{ {page_node(page.url)} }} {query[at:]}"
    return _store(page).query(
        bound, use_default_graph_as_union=True, prefixes=NAMES, custom_functions=_functions(page)
    )


def _rows(query: str, page: PageDocument) -> list[dict[str, Any]]:
    return _records(_asked(query, page), MOST_ROWS)


def _records(found: Any, most: int) -> list[dict[str, Any]]:
    """The first rows of an answer, by the names of its columns."""
    names = [variable.value for variable in found.variables]
    return [{name: plain_term(row[place]) for place, name in enumerate(names)} for row in islice(found, most)]


def plain_term(term: Any) -> Any:
    """Numbers as numbers, all else as text."""
    if isinstance(term, ox.Literal) and term.datatype.value.startswith(XSD):
        kind = term.datatype.value.removeprefix(XSD)
        with suppress(ValueError):
            if kind in ("integer", "int", "long"):
                return int(term.value)
            if kind in ("decimal", "double", "float") and isfinite(number := float(term.value)):
                return number
    return None if term is None else term.value if hasattr(term, "value") else str(term)


def _store(page: PageDocument) -> Any:
    """The page's statements are a graph named by its URL; lines that are no statements cost the others nothing."""
    if "sparql" not in page.views:
        store = page.views["sparql"] = ox.Store()
        graph = page_node(page.url)
        for line in one_schema_org(page.statements).splitlines():
            try:
                triples = list(ox.parse(line, ox.RdfFormat.N_TRIPLES, lenient=True))
                store.extend(ox.Quad(each.subject, each.predicate, each.object, graph) for each in triples)
            except (SyntaxError, ValueError):
                continue
        store.extend(crawl_quads(page.crawl_view, page.url))
    return page.views["sparql"]


def _functions(page: PageDocument) -> dict[Any, Callable[..., Any]]:
    return {ox.NamedNode(crawl_term_iri(name)): _function(name, page.crawl_view) for name in FUNCTIONS}


def _function(name: str, view: CrawlView) -> Callable[..., Any]:
    def called(*arguments: Any) -> Any:
        of = arguments[0].value if arguments else ""
        if name in NUMBERS:
            return ox.Literal(getattr(view, name))
        if name == "count":
            return ox.Literal(view.count_of(of))
        if name == "via":
            return ox.Literal(view.came_via(of))
        if name == "items":
            return ox.Literal(sum(len(items) for pattern, items in view.items.items() if not of or pattern == of))
        if name == "waiting":
            return ox.Literal(sum(of in page.via for page in view.waiting) if of else view.queued or 0)
        pages = view.path if name == "path" else view.parents
        return ox.Literal(sum(not of or of in page.matched for page in pages))

    return called


def compile_result(_: SparqlEngine, query: str, written_as: str, where: str) -> Callable[[str], Any]:
    """From the crawl as N-Quads to ``{"records": …}``."""
    query = one_schema_org(query)
    try:
        if check_query(query) != "SELECT":
            raise QueryError("a query that begins with SELECT is expected", 1, 1, where)
        ox.Store().query(query, prefixes=NAMES)
    except (UsageError, SyntaxError, RuntimeError) as error:
        raise _compile_error(error, query, where) from None

    def result(crawl: str) -> Any:
        store = ox.Store()
        store.bulk_extend(ox.parse(crawl, ox.RdfFormat.N_QUADS, lenient=True))
        found = store.query(query, prefixes=NAMES, use_default_graph_as_union=True)
        return {"records": _records(found, MOST_RESULT_ROWS)}

    return result


def page_node(url: str) -> ox.NamedNode:
    return ox.NamedNode(page_iri(url))


def crawl_quads(view: CrawlView, url: str) -> Iterator[ox.Quad]:
    """What a pattern sees besides the page: its own place in the crawl, and the pages that led to it."""
    page = page_node(url)
    for word in ("depth", "order"):
        yield _quad(page, word, ox.Literal(getattr(view, word)))
    for pattern in view.via:
        yield _quad(page, "via", ox.Literal(pattern))
    for word, pages in (("parent", view.parents), ("ancestor", view.path)):
        for each in pages:
            yield _quad(page, word, page_node(each.url))
            yield from page_quads(each)
    for pattern, items in view.items.items():
        for item in items:
            yield from item_quads(item, pattern)
    for waiting in view.waiting:
        yield from waiting_quads(waiting)


def page_quads(page: CrawlPage) -> Iterator[ox.Quad]:
    about = page_node(page.url)
    for word in ("id", "depth", "order"):
        yield _quad(about, word, ox.Literal(getattr(page, word)))
    for pattern in page.matched:
        yield _quad(about, "matched", ox.Literal(pattern))
    for pattern, item in page.items:
        yield from item_quads(item, pattern, page.url)


def waiting_quads(page: WaitingPage) -> Iterator[ox.Quad]:
    about = page_node(page.url)
    yield _quad(about, "waiting", ox.Literal(True))
    yield _quad(about, "depth", ox.Literal(page.depth))
    for pattern in page.via:
        yield _quad(about, "via", ox.Literal(pattern))


def item_quads(item: Mapping[str, Any], pattern: str, url: str = "") -> Iterator[ox.Quad]:
    about = ox.BlankNode()
    yield _quad(about, "pattern", ox.Literal(pattern))
    if url:
        yield _quad(about, "page", page_node(url))
    yield from _field_quads(about, item)


def _field_quads(about: ox.BlankNode, item: Mapping[str, Any]) -> Iterator[ox.Quad]:
    for word, value in item.items():
        for each in value if isinstance(value, list) else [value]:
            if isinstance(each, Mapping):
                inner = ox.BlankNode()
                yield _quad(about, word, inner)
                yield from _field_quads(inner, each)
            elif each is not None:
                yield _quad(about, word, ox.Literal(each))


def _quad(subject: Any, word: str, value: Any) -> ox.Quad:
    return ox.Quad(subject, ox.NamedNode(crawl_term_iri(word)), value, GRAPH)
