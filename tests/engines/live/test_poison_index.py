"""A page whose statements the index refuses costs its own place in the index, and nothing else."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from sundog.engines.live.run import resume
from sundog.spec import spec_text
from sundog.store.index import StatementIndex
from sundog.store.query import query
from tests.engines.live.processes import PATIENCE
from tests.engines.live.webs import HOME, SmallWeb, crawled, spec_for, stop_after, urls

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


KILLED_BY_ITS_INDEX = """
import os, signal, sys
from sundog.engines.live.run import crawl, resume
from sundog.spec.crawl import parse_spec
from sundog.store.index import StatementIndex

StatementIndex._load = lambda *words: os.kill(os.getpid(), signal.SIGKILL)
directory, spec = sys.argv[1:]
crawl(parse_spec(spec), directory) if spec else resume(directory)
"""


def test_an_index_that_kills_the_process_does_not_stop_a_crawl_for_good(web: SmallWeb, tmp_path: Path) -> None:
    web.product(HOME, *urls("1"), name="home")
    web.product(*urls("1"), name="one")

    def run(spec: str = "") -> int:
        command = [sys.executable, "-c", KILLED_BY_ITS_INDEX, str(tmp_path / "crawl"), spec]
        return subprocess.run(command, timeout=PATIENCE).returncode

    assert run(spec_text(spec_for(web))) == -signal.SIGKILL
    assert run() == -signal.SIGKILL, "it may have been chance"
    assert run() == 0
    summary = json.loads((tmp_path / "crawl" / "summary.json").read_bytes())
    assert "two processes died of it" in summary["index_fault"]
    assert (summary["fetched"], summary["stopped"]) == (2, "frontier empty")
    assert "index_fault" not in resume(tmp_path / "crawl"), "where it does not kill, it is completed"
    assert query(tmp_path / "crawl", NAMES).texts() == [["home"], ["one"]]
