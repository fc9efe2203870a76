"""The crawl as RDF, for SPARQL patterns: pages by their URLs, items as blank nodes with their fields."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pyoxigraph as ox

from sundog.patterns.values import CrawlPage, Surroundings
from sundog.urls.iris import NOT_IN_IRI, page_iri

CRAWL = "urn:sundog:crawl#"
GRAPH = ox.NamedNode("urn:sundog:crawl")


def node(url: str) -> ox.NamedNode:
    return ox.NamedNode(page_iri(url))


def name(word: str) -> ox.NamedNode:
    return ox.NamedNode(CRAWL + word)


def crawl_quads(around: Surroundings, url: str) -> Iterator[ox.Quad]:
    """What a pattern sees besides the page: the page's own place in the crawl, and the pages about it."""
    page = node(url)
    for word in ("depth", "order"):
        yield _quad(page, word, ox.Literal(getattr(around, word)))
    for pattern in around.via:
        yield _quad(page, "via", ox.Literal(pattern))
    for word, pages in (("parent", around.parents), ("ancestor", around.path)):
        for each in pages:
            yield _quad(page, word, node(each.url))
            yield from page_quads(each)
    for pattern, items in around.items.items():
        for item in items:
            yield from item_quads(item, pattern)


def page_quads(page: CrawlPage) -> Iterator[ox.Quad]:
    about = node(page.url)
    for word in ("id", "depth", "order"):
        yield _quad(about, word, ox.Literal(getattr(page, word)))
    for pattern in page.matched:
        yield _quad(about, "matched", ox.Literal(pattern))
    for pattern, item in page.items:
        yield from item_quads(item, pattern, page.url)


def item_quads(item: Mapping[str, Any], pattern: str, url: str = "") -> Iterator[ox.Quad]:
    about = ox.BlankNode()
    yield _quad(about, "pattern", ox.Literal(pattern))
    if url:
        yield _quad(about, "page", node(url))
    yield from _fields(about, item)


def _fields(about: ox.BlankNode, item: Mapping[str, Any]) -> Iterator[ox.Quad]:
    for word, value in item.items():
        for each in value if isinstance(value, list) else [value]:
            if isinstance(each, Mapping):
                inner = ox.BlankNode()
                yield _quad(about, word, inner)
                yield from _fields(inner, each)
            elif each is not None:
                yield _quad(about, word, ox.Literal(each))


def _quad(subject: Any, word: str, value: Any) -> ox.Quad:
    return ox.Quad(subject, name(NOT_IN_IRI.sub("_", word)), value, GRAPH)
