"""Addresses that are legal on the Web and no IRIs: they may not end a crawl, nor what is done with it later."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory

import pyoxigraph
import pytest
from ada_url import URL
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from sundog import export, query, resume
from sundog.engines.live.commits import STEPS_A_COMMIT
from sundog.engines.live.run import crawl
from sundog.spec.crawl import parse_spec
from tests.engines.live.odd_web import START, OddWeb, check_everything, check_requests, check_site, odd_spec
from tests.engines.live.processes import killed, until_committed
from tests.engines.live.webs import HOME, Crawled, SmallWeb, crawled, urls
from tests.urls.odd_urls import CORPUS, odd_references

PATHS = ("?f[x]=1", "?q=100%", "a%zz", "{a}", "a|b", "a^b", "a`b", "[[x]]/b")
EVERY_NAME = "SELECT ?g { GRAPH ?g { ?s <http://schema.org/name> ?o } }"


@pytest.mark.parametrize("objective", ["any", "wanted.rq"])
def test_a_shop_with_filter_links(web: SmallWeb, tmp_path: Path, objective: str) -> None:
    wanted = tmp_path / "wanted.rq"
    wanted.write_text(EVERY_NAME, encoding="utf-8")
    pages = [HOME + path for path in PATHS]
    web.page(HOME, *pages, "/after")
    for url in (*pages, f"{HOME}after"):
        web.product(URL(url).href)
    directory = tmp_path / "crawl"
    done = crawled(web, directory, objective=objective.replace("wanted.rq", str(wanted)), budget=4)
    assert len(done.fetched) == 4
    resume(directory, budget=30)
    names = {term for row in query(directory, EVERY_NAME).texts() for term in row}
    assert len(names) == len(pages) + 1, "each page is a graph of its own"
    export(directory, "nquads", tmp_path / "all.nq")
    quads = list(pyoxigraph.parse(path=str(tmp_path / "all.nq"), format=pyoxigraph.RdfFormat.N_QUADS))
    assert {quad.graph_name.value for quad in quads if "schema.org/name" in quad.predicate.value} == names


def test_the_corpus_through_a_kill_to_all_that_is_made_of_a_crawl(tmp_path: Path) -> None:
    directory = tmp_path / "root" / "crawl"
    options = ["--warc", "--policy=bfs", "--concurrency=8", "--budget=5000"]
    keys = ["--set", "scope.skip_types=.none", "scope.avoid_traps=false"]
    directory.parent.mkdir()
    with OddWeb(CORPUS) as web:
        with killed(web, directory, *options, *keys, seed=START) as process:
            until_committed(directory, "fetched", 100, process)
        done = Crawled(directory, resume(directory))
        assert done.summary["fetched"] > 300
        check_requests(web, done, asked_again=8 + STEPS_A_COMMIT)  # in flight, or not committed yet
    check_everything(done, tmp_path, CORPUS)
    check_site(done)


@settings(
    max_examples=4,
    deadline=None,
    phases=(Phase.explicit, Phase.reuse, Phase.generate),  # hundreds of URLs take too long to shrink
    suppress_health_check=list(HealthCheck),
)
@given(references=st.lists(odd_references, min_size=150, max_size=400))
def test_the_whole_alphabet_of_urls_through_all_stages(references: list[str]) -> None:
    with TemporaryDirectory() as folder, OddWeb(references) as web:
        directory = Path(folder) / "crawl"
        done = Crawled(directory, crawl(odd_spec(web), directory))
        check_requests(web, done)
        check_everything(done, Path(folder), references)


def test_patterns_and_their_results(tmp_path: Path) -> None:
    text = """
[[patterns.data]]
name = "page"
find = "//h1"
fields.name = "."
fields.path = "crawl:path()[1]/url"
[[patterns.link]]
name = "all"
find = "//a"
revisit = "path"
"""
    patterns = parse_spec(f'seeds = ["{START}"]\n{text}').patterns
    directory = tmp_path / "crawl"
    with OddWeb(CORPUS) as web:
        done = Crawled(directory, crawl(odd_spec(web, patterns=patterns, objective="patterns"), directory))
        check_requests(web, done)
    fetched = {url.partition("://")[2] for url in done.fetched} - {START.partition("://")[2]}
    assert done.summary["patterns"]["page"]["found"] == len(fetched)
    for name in ("items", "result"):
        export(directory, name, tmp_path / name)
    lines = [json.loads(line) for line in (tmp_path / "items").read_text(encoding="utf-8").split("\n") if line]
    results = json.loads((tmp_path / "result").read_text(encoding="utf-8"))
    assert {each["item"]["name"].partition("://")[2] for each in lines} == fetched
    assert {each["name"].partition("://")[2] for each in results} == fetched


def test_a_spelling_is_not_asked_again_as_an_iri(web: SmallWeb, tmp_path: Path) -> None:
    """Pages name themselves by IRIs in their data. A server that refuses the one spelling gets the other."""
    bracket, escaped, bar, escaped_bar = urls("?f[x]=1", "?f%5Bx%5D=1", "a|b", "a%7Cb")
    web.page(HOME, bracket, bar)
    web.product(bracket, escaped)
    web.reply(bar, b"", status="400 Bad Request")
    web.page(f"{HOME}next", escaped_bar)
    web.page(HOME, bracket, bar, f"{HOME}next")
    web.product(escaped_bar)
    done = crawled(web, tmp_path / "crawl")
    assert sorted(web.asked()) == sorted([HOME, bracket, bar, f"{HOME}next", escaped_bar])
    assert done.refusals.keys() == {escaped}
    assert resume(tmp_path / "crawl")["fetched"] == done.summary["fetched"]
