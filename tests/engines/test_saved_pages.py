"""Saved pages become the scored graph that a live crawl would meet."""

from __future__ import annotations

import gzip
import json
from math import log
from pathlib import Path

import pytest

from sundog import load_world
from sundog.engines.saved_pages import SavedPage, read_saved, world_from_pages
from sundog.errors import SundogError, UsageError

HOME = b"""<!doctype html><html lang=fr><p>La Bretagne. <a href="/a#x">la bretagne</a> <a href="/a">encore</a>
<p>%s <a href=/b>b</a> <a href=https://elsewhere.example/>out</a><script type="application/ld+json">
{"@context": "https://schema.org", "@type": "Recipe", "name": "far"}</script>""" % (b"x " * 60)


def test_scores_of_pages_and_links(tmp_path: Path) -> None:
    pages = [
        SavedPage("http://s.example/index.html", HOME),
        SavedPage("http://s.example/a", b"<p>bretagne " * 3),
        SavedPage("http://s.example/b", b"<p>nothing"),
        SavedPage("http://s.example/b#again", b"<p>bretagne"),
        SavedPage("mailto:me@s.example", b"bretagne"),
    ]
    made = world_from_pages(pages, "keyword:bretagne", tmp_path / "world")
    assert (made.pages, made.scored_pages, made.left_out) == (3, 2, 2)
    world = load_world(tmp_path / "world")
    assert world.pages.columns["score"].tolist() == [pytest.approx(1 + log(2)), pytest.approx(1 + log(3)), 0.0]
    assert world.pages.columns["jsonld"].tolist()[0] > 0
    assert world.links.targets.tolist() == [1, 2]  # two links to one page are one, the others lead elsewhere
    assert world.links.scores.tolist() == [pytest.approx(1 + log(2)), 0.0]


def test_files_plain_and_packed(tmp_path: Path) -> None:
    lines = [{"url": "http://a.example/", "html": "é"}, {"url": "x", "body": "y", "content_type": "text/turtle"}]
    text = "\n\n".join(map(json.dumps, lines)).encode()
    (tmp_path / "plain.jsonl").write_bytes(text)
    (tmp_path / "packed.jsonl.gz").write_bytes(gzip.compress(text))
    plain = list(read_saved(tmp_path / "plain.jsonl"))
    assert plain == list(read_saved(tmp_path / "packed.jsonl.gz"))
    assert plain == [SavedPage("http://a.example/", "é".encode()), SavedPage("x", b"y", "text/turtle")]


@pytest.mark.parametrize("line", ["{", "[]", '{"url": "x"}', '{"url": "x", "html": 5}', '{"html": "x"}', "3"])
def test_a_malformed_line_is_named(tmp_path: Path, line: str) -> None:
    (tmp_path / "pages.jsonl").write_text('{"url": "x", "html": ""}\n' + line)
    with pytest.raises(SundogError, match=r"pages\.jsonl, line 2: a JSON object"):
        list(read_saved(tmp_path / "pages.jsonl"))


def test_a_file_that_cannot_be_read_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(SundogError, match="cannot be read"):
        list(read_saved(tmp_path / "none.jsonl"))
    (tmp_path / "cut.gz").write_bytes(gzip.compress(b"{}" * 1_000)[:-9])
    with pytest.raises(SundogError, match=r"cut\.gz"):
        list(read_saved(tmp_path / "cut.gz"))


def test_only_keywords_score_links(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="'jsonld' says nothing of links"):
        world_from_pages([], "jsonld", tmp_path / "world")
    assert not (tmp_path / "world").exists()
