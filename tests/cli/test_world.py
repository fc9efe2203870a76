"""``sundog world`` from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.archives.files import HOME, PRODUCT, by_warcio, html
from tests.cli.commands import Command, one_line


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    by_warcio(Path("a.warc.gz"), {HOME: html("/1", "/2"), f"{HOME}1": html("/", body=PRODUCT)})


def test_a_world_of_an_archive(sundog: Command) -> None:
    done = sundog("world", "a.warc.gz", "--out", "web", "--workers", 1)
    assert done.out.splitlines() == [
        "2 pages of 1 hosts, 2 links between them",
        "33.3% of all links lead outside, to 1 pages that are not there",
    ]
    run = json.loads(sundog("simulate", "web", "--policy", "bfs", "--budget", 2, "--json").out)["runs"][0]
    assert (run["fetched"], run["relevant"]) == (2, 1)
    again = sundog("world", "a.warc.gz", "--out", "web")
    assert again.code == 1
    assert "--force" in one_line(again)
    made = json.loads(sundog("world", "a.warc.gz", "--out", "web", "--force", "--workers", 1, "--json").out)
    assert (made["pages"], made["outside_share"], made["left_out"]) == (2, 0.3333, {})


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["missing.warc"], 1, "missing.warc is not there"),
        (["a.txt"], 2, "*.warc, *.warc.gz or *.wacz is expected"),
        (["empty.warc"], 1, "no page to make a world of"),
        (["a.warc.gz", "crawl"], 2, "a world is made of one crawl, or of archive files"),
    ],
)
def test_what_is_no_archive(sundog: Command, words: list[str], code: int, message: str) -> None:
    Path("a.txt").write_text("x")
    Path("empty.warc").write_bytes(b"")
    Path("crawl").mkdir()
    Path("crawl/crawl.db").write_bytes(b"")
    done = sundog("world", *words, "--out", "web")
    assert done.code == code
    assert message in one_line(done)
    assert not Path("web/pages.parquet").exists()


def test_a_crawl_of_an_archive(sundog: Command) -> None:
    words = ("--world", "archive:a.warc.gz", "--no-report", "--workers", 0, "--json")
    begun = json.loads(sundog("crawl", *words, "--out", "one").out)
    assert (begun["fetched"], begun["relevant"], begun["failed"]) == (3, 1, 1)
    named = json.loads(sundog("crawl", f"{HOME}1", *words, "--out", "two", "--budget", 1).out)
    assert (named["fetched"], named["relevant"]) == (1, 1)
    Path("titles.toml").write_text('budget = 2\n[[patterns.data]]\nname = "title"\nfind = "//title"\n')
    of_spec = json.loads(sundog("crawl", "titles.toml", *words, "--out", "spec").out)
    assert of_spec["fetched"] == 2, "from the first page of the archive: the spec has no seeds"
    wrong = sundog("crawl", "--world", "archives", "--out", "three")
    assert wrong.code == 2
    assert "archive:PATH is expected" in one_line(wrong)
    assert "missing argument" in one_line(sundog("crawl"))
