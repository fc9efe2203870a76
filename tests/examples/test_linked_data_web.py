"""A live crawl of the web of Linked Data: every triple of every document, each of them once."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from examples.linked_data_web import LinkedDataWeb, Served, serving
from examples.linked_data_web.checking import compare
from pyoxigraph import RdfFormat, Store

from sundog.engines.live.run import crawl, resume
from sundog.results.export import export
from sundog.spec import CrawlSpec
from sundog.store import Observed, open_readonly
from sundog.store.query import query
from tests.engines.live.webs import Crawled


class Done(NamedTuple):
    web: LinkedDataWeb
    crawled: Crawled
    log: Path


def spec_of(served: Served, **changes: Any) -> CrawlSpec:
    values: dict[str, Any] = {"policy": "bfs", "budget": 2_000, "delay": 0.0, "concurrency": 8, **changes}
    return CrawlSpec(seeds=tuple(served.web.seeds), objective="rdf", connect_to=served.connect_to, **values)


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> Done:
    folder = tmp_path_factory.mktemp("linked")
    with serving(things=24, log=folder / "log") as served:
        summary = crawl(spec_of(served), folder / "crawl")
    return Done(served.web, Crawled(folder / "crawl", summary), folder / "log")


def test_every_triple_once(done: Done, tmp_path: Path) -> None:
    assert done.crawled.summary["stopped"] == "frontier empty"
    difference = compare(done.web, export(done.crawled.directory, "nquads", tmp_path / "all.nq"))
    assert difference.documents == []
    assert difference.lines_twice == 0
    assert difference.triples > 1_000


@pytest.mark.parametrize("policy", ["ldcoc", "ldspider", "sundog"])
def test_every_triple_once_after_a_stop(policy: str, tmp_path: Path) -> None:
    with serving(things=8) as served:
        stopped = crawl(spec_of(served, policy=policy, budget=20), tmp_path / "crawl")
        assert stopped["fetched"] + 0.1 * stopped.get("looked_at", 0) == pytest.approx(20, abs=1)
        assert resume(tmp_path / "crawl", budget=2_000)["stopped"] == "frontier empty"
    difference = compare(served.web, export(tmp_path / "crawl", "nquads", tmp_path / "all.nq"))
    assert (difference.documents, difference.lines_twice) == ([], 0)


def test_no_document_is_asked_for_twice(done: Done) -> None:
    lines = [line.split() for line in done.log.read_text().splitlines()]
    times = Counter(f"{host}{target}" for _, _, host, target in lines)
    asked_by_several = "vocabulary.example/terms/"  # two names of one document
    assert {url for url, count in times.items() if count > 1} == set()
    assert sum(url.startswith(asked_by_several) for url in times) == 2


def test_dead_links_are_troubles(done: Done) -> None:
    faults = done.crawled.faults
    assert any(fault.startswith("redirect-loop") for fault in faults.values())
    assert any(fault.startswith("http-4xx") for fault in faults.values())


def test_another_name_of_a_document_is_known_as_such(done: Done) -> None:
    """It is logged with whom it is the same as, so that a crawl that is resumed learns the same from it."""
    with open_readonly(done.crawled.directory) as reader:
        urls = [url for some in reader.urls() for url in some]
        same = {
            urls[event.candidate]: urls[event.same_as]
            for event in reader.replay()
            if isinstance(event, Observed) and event.same_as is not None
        }
    terms = "http://vocabulary.example/terms/"
    assert same == {f"{terms}far": f"{terms}near"}


def test_the_same_by_sparql(done: Done) -> None:
    answer = query(done.crawled.directory, "SELECT (COUNT(*) AS ?n) { GRAPH ?document { ?s ?p ?o } }")
    assert answer.texts() == [[str(sum(map(len, done.web.documents.values())))]]


def test_provenance(done: Done, tmp_path: Path) -> None:
    """Every graph has a document that was generated; a thing that answers 303 leads to its document."""
    path = export(done.crawled.directory, "nquads", tmp_path / "all.nq", with_provenance=True)
    store = Store()
    store.load(path.read_bytes(), RdfFormat.N_QUADS)
    unknown = """PREFIX prov: <http://www.w3.org/ns/prov#> SELECT DISTINCT ?document {
      GRAPH ?document { ?s ?p ?o } FILTER(?document != <urn:sundog:provenance>)
      FILTER NOT EXISTS { GRAPH <urn:sundog:provenance> {
        ?document prov:generatedAtTime ?at ; prov:wasGeneratedBy/prov:used ?document } } }"""
    assert [str(row) for row in store.query(unknown)] == []  # type: ignore[union-attr]
    led = """ASK { GRAPH <urn:sundog:provenance> {
      <http://slashes.example/data/1.ttl> <http://purl.org/dc/terms/source> <http://slashes.example/resource/1> ;
        <http://purl.org/dc/terms/format> "text/turtle" .
      <http://slashes.example/resource/1> <http://www.w3.org/2000/01/rdf-schema#seeAlso>
        <http://slashes.example/data/1.ttl> } }"""
    assert bool(store.query(led))
    companion = export(done.crawled.directory, "provenance", tmp_path / "provenance.nq").read_text()
    assert path.read_text().endswith(companion)


def test_description(done: Done, tmp_path: Path) -> None:
    documents = done.web.documents
    triples = [triple for each in documents.values() for triple in each]
    store = Store()
    store.load(export(done.crawled.directory, "void", tmp_path / "void.ttl").read_bytes(), RdfFormat.TURTLE)
    (row,) = store.query(  # type: ignore[union-attr]
        """PREFIX void: <http://rdfs.org/ns/void#> PREFIX dcat: <http://www.w3.org/ns/dcat#>
        SELECT ?triples ?documents ?subjects ?properties {
          ?d a dcat:Dataset ; void:triples ?triples ; void:documents ?documents ; void:distinctSubjects ?subjects ;
            void:properties ?properties ; void:rootResource ?root ; dcat:distribution ?form }"""
    )
    blank = sum(triple[2].startswith("_:") for triple in triples)
    named = {triple[0] for triple in triples if not triple[0].startswith("_:")}
    properties = {triple[1] for triple in triples}
    assert [int(value.value) for value in row] == [
        len(triples), len(documents), len(named) + blank, len(properties)
    ]  # fmt: skip
    host = '[ <http://rdfs.org/ns/void#uriSpace> "http://dumps.example/" ; <http://rdfs.org/ns/void#documents> 5 ]'
    assert bool(store.query(f"ASK {{ {host} }}"))
