"""A live crawl of the web of Linked Data: every triple of every document, each of them once."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import NamedTuple

import pytest
from examples.linked_data_web import LinkedDataWeb, serving
from examples.linked_data_web.checking import compare

from sundog.engines.live.run import crawl
from sundog.spec import CrawlSpec
from sundog.store.exports import export
from sundog.store.query import query
from tests.engines.live.webs import Crawled


class Done(NamedTuple):
    web: LinkedDataWeb
    crawled: Crawled
    log: Path


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> Done:
    folder = tmp_path_factory.mktemp("linked")
    with serving(things=24, log=folder / "log") as served:
        spec = CrawlSpec(
            seeds=tuple(served.web.seeds),
            objective="rdf",
            policy="bfs",
            budget=2_000,
            delay=0.0,
            concurrency=8,
            connect_to=served.connect_to,
        )
        summary = crawl(spec, folder / "crawl")
    return Done(served.web, Crawled(folder / "crawl", summary), folder / "log")


def test_every_triple_once(done: Done, tmp_path: Path) -> None:
    assert done.crawled.summary["stopped"] == "frontier empty"
    difference = compare(done.web, export(done.crawled.directory, "nquads", tmp_path / "all.nq"))
    assert difference.documents == []
    assert difference.lines_twice == 0
    assert difference.triples > 1_000


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


def test_the_same_by_sparql(done: Done) -> None:
    answer = query(done.crawled.directory, "SELECT (COUNT(*) AS ?n) { GRAPH ?document { ?s ?p ?o } }")
    assert answer.texts() == [[str(sum(map(len, done.web.documents.values())))]]
