"""Addresses that are legal on the Web and no IRIs: they may not end a crawl, nor what is done with it later."""

from __future__ import annotations

from pathlib import Path

import pyoxigraph
import pytest
from ada_url import URL

from sundog import export, query, resume
from tests.engines.live.webs import HOME, SmallWeb, crawled

PATHS = ("?f[x]=1", "?q=100%", "a%zz", "{a}", "a|b", "a^b", "a`b", "[[x]]/b")
EVERY_NAME = "SELECT ?g { GRAPH ?g { ?s <http://schema.org/name> ?o } }"


@pytest.mark.parametrize("objective", ["any", "wanted.rq"])
def test_a_shop_with_filter_links(web: SmallWeb, tmp_path: Path, objective: str) -> None:
    wanted = tmp_path / "wanted.rq"
    wanted.write_text(EVERY_NAME, encoding="utf-8")
    urls = [HOME + path for path in PATHS]
    web.page(HOME, *urls, "/after")
    for url in (*urls, f"{HOME}after"):
        web.product(URL(url).href)
    directory = tmp_path / "crawl"
    done = crawled(web, directory, objective=objective.replace("wanted.rq", str(wanted)), budget=4)
    assert len(done.fetched) == 4
    resume(directory, budget=30)
    names = {term for row in query(directory, EVERY_NAME).texts() for term in row}
    assert len(names) == len(urls) + 1, "each page is a graph of its own"
    export(directory, "nquads", tmp_path / "all.nq")
    quads = list(pyoxigraph.parse(path=str(tmp_path / "all.nq"), format=pyoxigraph.RdfFormat.N_QUADS))
    assert {quad.graph_name.value for quad in quads if "schema.org/name" in quad.predicate.value} == names
