"""A crawl for keywords, exported, is a world: pages and links have their own scores there."""

from __future__ import annotations

from math import log
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from sundog.engines.live.run import crawl
from sundog.engines.simulate import simulate
from sundog.results.export import export
from sundog.worlds.load import load_world
from tests.engines.live.webs import HOME, SmallWeb, spec_for


@pytest.mark.parametrize("policy", ["sundog", "nh-n"])
def test_an_exported_keyword_crawl_is_a_scored_world(tmp_path: Path, policy: str) -> None:
    with SmallWeb() as web:
        links = '<p>all about <a href="/b">bretagne</a></p><p><a href="/c">other</a></p>'
        web.reply(HOME, f"<title>home</title>{links}")
        web.reply(f"{HOME}b", "<title>b</title>bretagne bretagne <p><a href='/c'>on</a>")
        web.reply(f"{HOME}c", "<title>c</title>nothing")
        crawl(spec_for(web, objective="keyword:bretagne", policy=policy), tmp_path / "crawl")
    out = export(tmp_path / "crawl", "parquet", tmp_path / "world")
    pages = {page["url"]: page["score"] for page in pq.read_table(out / "pages.parquet").to_pylist()}
    assert pages == {HOME: 1.0, f"{HOME}b": pytest.approx(1 + log(2)), f"{HOME}c": 0.0}
    links_out = pq.read_table(out / "links.parquet").to_pylist()
    assert [link["score"] > 0 for link in links_out if link["anchor"] == "bretagne"] == [True]
    run = simulate(load_world(out), "nh-n", budget=3, objective="score")
    assert run.reward == pytest.approx(1.0 + 1 + log(2))
