"""What result patterns are given: RDF with the graphs that ``sundog query`` has, and facts that join them."""

from __future__ import annotations

from pathlib import Path

import pyoxigraph
import pytest

from sundog.patterns.crawl_view import CrawlPage, CrawlView
from sundog.patterns.engines import sparql
from sundog.results.result_document import _fields, crawl_quads
from sundog.store import CrawlStore, Observed, PageRecord, Seeded
from tests.store.crawls import decided, ids

CRAWL = "urn:sundog:crawl"
FIELDS = ["price", "net price", "100%", "a|b#c", "Größe", "\ufdd0", "half \ud800", "a/b?c", ""]


def quads_of(store: CrawlStore) -> pyoxigraph.Store:
    found = pyoxigraph.Store()
    found.load(crawl_quads(store), pyoxigraph.RdfFormat.N_QUADS)
    return found


def fetched(store: CrawlStore, candidate: int, now: float, thing: str, **record: object) -> None:
    store.append(decided(candidate, now))
    made = PageRecord(status=200, counts={"rdf": 1}, **record)  # type: ignore[arg-type]
    event = Observed(candidate, now + 1, "fetched", 1.0, record=made)
    store.append(event, statements={"rdf": [("<urn:it>", "<urn:is>", f'"{thing}"')]})


def statements(quads: pyoxigraph.Store) -> dict[str, set[str]]:
    """By graph, without the crawl's own."""
    found: dict[str, set[str]] = {}
    for quad in quads:
        if quad.graph_name.value != CRAWL:
            found.setdefault(quad.graph_name.value, set()).add(quad.object.value)
    return found


def subjects(quads: pyoxigraph.Store) -> set[str]:
    order = pyoxigraph.NamedNode(f"{CRAWL}#order")
    return {quad.subject.value for quad in quads.quads_for_pattern(None, order, None)}


@pytest.fixture
def store(tmp_path: Path) -> CrawlStore:
    store = CrawlStore.create(tmp_path / "crawl", "")
    urls = ["http://a.example/", "http://a.example/#~0"]
    store.append(Seeded(ids(0, 1)), urls=urls)
    return store


def test_of_a_page_that_was_fetched_again_the_last_time_counts(store: CrawlStore) -> None:
    with store:
        fetched(store, 0, 10.0, "old")
        fetched(store, 0, 20.0, "new")
        store.commit()
        assert statements(quads_of(store)) == {"http://a.example/": {"new"}}


def test_graphs_of_a_crawl_for_rdf_are_documents_and_the_facts_are_about_them(store: CrawlStore) -> None:
    with store:
        store.name_graphs_by_documents()
        fetched(store, 0, 10.0, "it", final_url="http://a.example/doc.ttl")
        store.commit()
        quads = quads_of(store)
    assert statements(quads) == {"http://a.example/doc.ttl": {"it"}}
    assert subjects(quads) == {"http://a.example/doc.ttl"}


def test_visits_of_one_page_are_in_the_graph_of_that_page(store: CrawlStore) -> None:
    with store:
        fetched(store, 0, 10.0, "first")
        fetched(store, 1, 20.0, "second")
        store.commit()
        quads = quads_of(store)
    assert statements(quads) == {"http://a.example/": {"first", "second"}}
    assert subjects(quads) == {"http://a.example/"}


@pytest.mark.parametrize("field", FIELDS)
def test_a_field_has_one_name_in_page_patterns_and_in_results(field: str) -> None:
    page = CrawlPage(1, "http://a.example/", 0, 1, ["car"], [("car", {field: "x"})])
    of_page = {
        quad.predicate.value
        for quad in sparql.crawl_quads(CrawlView(parents=[page]), "http://b.example/")
        if quad.object == pyoxigraph.Literal("x")
    }
    text = "".join(_fields("_:item1", {field: "x"}))
    of_result = {quad.predicate.value for quad in pyoxigraph.parse(text, pyoxigraph.RdfFormat.N_QUADS)}
    assert of_page == of_result != set()
