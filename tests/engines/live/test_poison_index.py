"""A page whose statements the index refuses costs its own place in the index, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from sundog.engines.live.run import resume
from sundog.store.index import StatementIndex
from sundog.store.query import query
from tests.engines.live.webs import HOME, SmallWeb, crawled, stop_after, urls

NAMES = "SELECT ?name { ?s schema:name ?name } ORDER BY ?name"


def test_a_crawl_and_its_resume_get_past_a_poison_page(
    web: SmallWeb, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    load = StatementIndex._load

    def load_or_raise(index: StatementIndex, quads: str) -> None:
        if "poison" in quads:
            raise RuntimeError("refused")
        load(index, quads)

    monkeypatch.setattr(StatementIndex, "_load", load_or_raise)
    web.product(HOME, *urls("1", "2", "3"), name="home")
    for path, name in (("1", "one"), ("2", "poison"), ("3", "three")):
        web.product(*urls(path), name=name)
    stop_after(monkeypatch, 3)
    done = crawled(web, tmp_path / "crawl")
    assert (done.summary["stopped"], done.summary["not_indexed"]) == ("interrupted", 1)
    stop_after(monkeypatch, 0)
    summary = resume(tmp_path / "crawl")
    assert (summary["stopped"], summary["fetched"], summary["not_indexed"]) == ("frontier empty", 4, 1)
    assert done.rewards == dict.fromkeys([HOME, *urls("1", "2", "3")], 1.0)
    assert done.faults == {urls("2")[0]: "index: refused"}
    assert query(tmp_path / "crawl", NAMES).texts() == [["home"], ["one"], ["three"]]


def test_an_index_that_cannot_be_written_ends_no_crawl(
    web: SmallWeb, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(index: StatementIndex, quads: str) -> None:
        raise OSError("no space left")

    web.product(HOME, *urls("1"), name="home")
    web.product(*urls("1"), name="one")
    with monkeypatch.context() as patch:
        patch.setattr(StatementIndex, "_load", full)
        summary = crawled(web, tmp_path / "crawl").summary
    assert (summary["stopped"], summary["fetched"]) == ("frontier empty", 2)
    assert summary["index_fault"] == "no space left"
    assert "not_indexed" not in summary
    assert query(tmp_path / "crawl", NAMES).texts() == [["home"], ["one"]]
