"""What an extraction gives: statements, counts, types, links, faults; also as items and as JSON-LD."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from typing import Any, NamedTuple

import pyoxigraph

from sundog.extract import microformats
from sundog.extract.guards import no_garbage_collection
from sundog.extract.links import find_links
from sundog.extract.page import HtmlPage
from sundog.extract.remote_contexts import RemoteContexts
from sundog.extract.statement_links import Follow, with_rdf_links, with_statement_links
from sundog.model import Link
from sundog.rdf.namespaces import type_name
from sundog.rdf.terms import TYPE, Statement, iri, value_of
from sundog.short_repr import ShortRepr
from sundog.urls.iris import local_name

_LITERAL = re.compile(r'"((?:[^"\\]|\\.)*)"(?:@([\w-]+)|\^\^<([^>]*)>)?', re.DOTALL)
_ESCAPE = re.compile(r"\\(u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|.)", re.DOTALL)
_ESCAPED = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f"}
_NUMBERS = ("integer", "decimal", "double")
Item = dict[str, Any]


class Fault(NamedTuple):
    """What went wrong, and in which syntax. The rest of the extraction is not touched by it."""

    syntax: str
    reason: str


class Extraction(ShortRepr):
    """The result. ``by_syntax`` has tuples of N-Quads terms; three of them, or four in a graph of its own."""

    def __init__(self, base: str, remote: RemoteContexts | None = None) -> None:
        self.base = base
        self.remote = RemoteContexts() if remote is None else remote
        self.by_syntax: dict[str, list[Statement]] = {}
        self.faults: list[Fault] = []
        self.page: HtmlPage | None = None

    def _shown(self) -> dict[str, Any]:
        counts = {name: number for name, number in self.counts.items() if number}
        return {"base": self.base, "counts": counts, "types": self.types, "faults": len(self.faults)}

    def __del__(self) -> None:
        if self.page is not None:
            self.page.release()

    @property
    def counts(self) -> dict[str, int]:
        """Statements by syntax; only syntaxes that were asked for."""
        return {name: len(found) for name, found in self.by_syntax.items()}

    @property
    def missing_contexts(self) -> list[str]:
        """URLs of JSON-LD contexts that were asked for and not given; their terms stand for nothing."""
        return list(self.remote.missing)

    @property
    def statements(self) -> Iterator[Statement]:
        for found in self.by_syntax.values():
            yield from found

    def nquads(self) -> str:
        """All statements, one a line; the page's URL is the graph of those that have none of their own."""
        graph = iri(self.base) or ""
        end = f" {graph} .\n" if graph else " .\n"
        return "".join(
            [" ".join(statement) + (end if len(statement) == 3 else " .\n") for statement in self.statements]
        )

    @cached_property
    def types(self) -> list[str]:
        """The types on the page: IRIs, schema.org's with http; root classes for microformats."""
        found = dict.fromkeys(value_of(statement[2]) for statement in self.statements if statement[1] == TYPE)
        return list(dict.fromkeys(map(type_name, found)))

    @cached_property
    def mf2(self) -> dict[str, Any]:
        """The canonical microformats JSON: items, rels and rel-urls."""
        if self.page is None:
            return {"items": [], "rels": {}, "rel-urls": {}}
        return microformats.parse(self.page.document, self.page.base.url)

    @cached_property
    def links(self) -> list[Link]:
        """Links on the page in document order, then URIs in its statements."""
        return self.find_links()

    def find_links(self, *, with_context: bool = True, follow: Follow | None = None) -> list[Link]:
        """The same; without the text around links it takes less time. ``follow``: which URIs become links."""
        with no_garbage_collection():
            found = find_links(self.page, with_context=with_context) if self.page is not None else []
            if follow is not None:
                return with_rdf_links(found, self.statements, self.base, follow)
            return with_statement_links(found, self.statements, self.base)


def as_items(found: Extraction) -> dict[str, list[Item]]:
    """By syntax: ``{"type": …, "id": …, property: value …}``; an item that is a value stands in its place."""
    return {name: items_of(statements) for name, statements in found.by_syntax.items() if statements}


def items_of(statements: list[Statement]) -> list[Item]:
    """
    >>> items_of([("_:a", "<http://schema.org/name>", '"Ada"'), ("_:a", "<http://schema.org/knows>", "_:b"),
    ...           ("_:b", "<http://schema.org/name>", '"Bob"')])
    [{'name': 'Ada', 'knows': {'name': 'Bob'}}]
    """
    items: dict[str, Item] = {}
    for statement in statements:
        if statement[0] not in items:
            items[statement[0]] = {} if statement[0][0] == "_" else {"id": value_of(statement[0])}
    nested: set[str] = set()
    for subject, predicate, value in (statement[:3] for statement in statements):
        if predicate == TYPE:
            _add(items[subject], "type", _short(value))
        elif (
            value[0] == "_" and value in items and value not in nested and not _holds(items[value], items[subject])
        ):
            nested.add(value)
            _add(items[subject], _short(predicate), items[value])
        else:
            _add(items[subject], _short(predicate), _plain(value))
    return [item for name, item in items.items() if name not in nested]


def _holds(item: Item, other: Item) -> bool:
    """Whether one is inside the other: a cycle cannot be printed."""
    stack: list[Any] = [item]
    seen: set[int] = set()
    while stack:
        node = stack.pop()
        if node is other:
            return True
        if isinstance(node, (dict, list)) and id(node) not in seen:
            seen.add(id(node))
            stack.extend(node.values() if isinstance(node, dict) else node)
    return False


def _add(item: Item, name: str, value: Any) -> None:
    if name not in item:
        item[name] = value
    elif isinstance(item[name], list):
        item[name].append(value)
    else:
        item[name] = [item[name], value]


def _short(term: str) -> str:
    """The local name of an IRI in angle brackets."""
    return local_name(value_of(term))


def _plain(term: str) -> Any:
    match = _LITERAL.fullmatch(term)
    if match is None:
        return value_of(term)
    text = _ESCAPE.sub(_unescaped, match[1])
    kind = (match[3] or "").rpartition("#")[2]
    if kind == "boolean":
        return text in ("true", "1")
    if kind in _NUMBERS:
        try:
            return int(text) if kind == "integer" and len(text) < 19 else float(text)
        except ValueError:
            return text
    return text


def _unescaped(match: re.Match[str]) -> str:
    found = match[1]
    if found[0] in "uU" and len(found) > 1:
        return chr(int(found[1:], 16))
    return _ESCAPED.get(found, found)


def as_jsonld(found: Extraction) -> str:
    """All statements as one JSON-LD document, each in its graph."""
    quads = pyoxigraph.parse(found.nquads().encode(), format=pyoxigraph.RdfFormat.N_QUADS)
    written = pyoxigraph.serialize(quads, format=pyoxigraph.RdfFormat.JSON_LD)
    return written.decode() + "\n" if written else "[]\n"
