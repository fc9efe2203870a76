"""Statements as entities: a subject on a page, in one syntax, with all its properties there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import pyoxigraph as ox

from sundog.rdf.namespaces import RDF_TYPE, XSD_STRING, with_http
from sundog.store.database import LATEST, STATEMENTS
from sundog.store.reader import CrawlReader, Item
from sundog.texts import iso_time

LATEST_STATEMENTS = f"""SELECT u.url, {{graph}}, l.at, s.syntax, s.triples
  FROM {STATEMENTS} JOIN log l ON l.step = o.step WHERE {LATEST} ORDER BY s.id"""


class PageText(NamedTuple):
    """What a page says in one syntax, as N-Triples, and the URL that names its graph."""

    url: str
    graph: str
    at: float
    syntax: str
    triples: str


class Entity(NamedTuple):
    page: PageText
    subject: Any
    types: list[str]
    properties: dict[str, list[Any]]  # by predicate, types among them


def page_texts(reader: CrawlReader) -> Iterator[PageText]:
    """In the order in which the pages came."""
    return map(PageText._make, reader.connection.execute(LATEST_STATEMENTS.format(graph=reader.graph_column)))


def entities(page: PageText) -> Iterator[Entity]:
    """In the order of their first statements."""
    found: dict[Any, Entity] = {}
    for triple in triples_of(page.triples):
        entity = found.get(triple.subject)
        if entity is None:
            entity = found[triple.subject] = Entity(page, triple.subject, [], {})
        predicate = triple.predicate.value
        entity.properties.setdefault(predicate, []).append(triple.object)
        if predicate == RDF_TYPE and isinstance(triple.object, ox.NamedNode):
            entity.types.append(with_http(triple.object.value))
    yield from found.values()


def triples_of(text: str) -> list[Any]:
    """Lines that are no statements cost the others nothing."""
    try:
        return list(ox.parse(text, ox.RdfFormat.N_TRIPLES, lenient=True))
    except (SyntaxError, ValueError):
        lines = text.splitlines(keepends=True)
        return [each for line in lines for each in triples_of(line)] if len(lines) > 1 else []


def text_of(term: Any) -> str:
    return f"_:{term.value}" if isinstance(term, ox.BlankNode) else str(term.value)


def as_jsonld(entity: Entity) -> dict[str, Any]:
    """The entity as a node object of expanded JSON-LD."""
    node: dict[str, Any] = {"@id": text_of(entity.subject)}
    if entity.types:
        node["@type"] = entity.types
    for predicate, values in entity.properties.items():
        others = (
            values if predicate != RDF_TYPE else [each for each in values if not isinstance(each, ox.NamedNode)]
        )
        if others:
            node[predicate] = [_value(each) for each in others]
    return node


def _value(term: Any) -> dict[str, str]:
    if not isinstance(term, ox.Literal):
        return {"@id": text_of(term)}
    if term.language:
        return {"@value": term.value, "@language": term.language}
    if term.datatype.value != XSD_STRING:
        return {"@value": term.value, "@type": term.datatype.value}
    return {"@value": term.value}


def about_item(item: Item) -> dict[str, Any]:
    return {"page": item.url, "fetched_at": iso_time(item.at), "pattern": item.pattern, "node_id": item.page}
