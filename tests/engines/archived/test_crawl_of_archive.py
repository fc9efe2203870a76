"""The live engine on archived pages: the same crawl, without a network, the same every time."""

from __future__ import annotations

import gzip
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from sundog.demo_web.serving import serving
from sundog.engines.live.run import crawl, resume
from sundog.errors import SundogError
from sundog.spec import CrawlSpec
from sundog.spec.archive import Archive
from sundog.spec.crawl import parse_spec
from tests.archives.files import HOME, PRODUCT, packed, page, record, response, wacz
from tests.engines.live.webs import SmallWeb


def spec_of(path: Path, **more: Any) -> CrawlSpec:
    values: dict[str, Any] = {"seeds": (HOME,), "budget": 50, "workers": 0, **more}
    return CrawlSpec(world="archive", archive=Archive(path=str(path)), **values)


def log_of(directory: Path) -> list[tuple[Any, ...]]:
    """What was chosen and what came of it, without the times."""
    with sqlite3.connect(directory / "crawl.db") as connection:
        rows = connection.execute(
            "SELECT url, status, reward, jsonld, microdata, fault FROM pages ORDER BY fetched_at, id"
        ).fetchall()
    connection.close()
    return rows


def test_a_crawl_of_an_archive_finds_what_the_crawl_found_and_does_so_twice(tmp_path: Path) -> None:
    with serving(seed=4, hosts=12, pages=1_500, log=tmp_path / "log") as web:
        seeds = tuple(web.seeds)
        crawl(
            CrawlSpec(seeds=seeds, budget=150, delay=0.0, connect_to=web.connect_to, warc=True), tmp_path / "web"
        )
    for name in ("one", "two"):
        crawl(spec_of(tmp_path / "web", seeds=seeds, budget=3_000), tmp_path / name)
    assert log_of(tmp_path / "one") == log_of(tmp_path / "two")
    found, kept = ({row[0] for row in log_of(tmp_path / name) if row[2]} for name in ("one", "web"))
    assert found <= kept
    assert len(found) > 0.9 * len(kept)  # some are linked only from pages that were not kept, as duplicates


def test_redirects_copies_missing_pages_and_robots(tmp_path: Path) -> None:
    refers = f"WARC-Refers-To-Target-URI: {HOME}shop"
    data = packed(
        [
            record("response", f"{HOME}robots.txt", response(b"User-agent: *\nDisallow: /no", type_="text/plain")),
            page(HOME, "/old", "/copy", "/missing", "/gone", "/picture", "/no", "http://b.example/"),
            record("response", f"{HOME}old", response(b"", "Location: /shop", status="302 Found")),
            record("revisit", f"{HOME}copy", response(b""), refers),
            record("response", f"{HOME}gone", response(b"", status="410 Gone")),
            record("response", f"{HOME}picture", response(b"GIF", type_="image/gif")),
            page(f"{HOME}no", body=PRODUCT),
            page(f"{HOME}shop", body=PRODUCT),
        ]
    )
    summary = crawl(spec_of(wacz(tmp_path / "a.wacz", {"a.warc.gz": data}), policy="bfs"), tmp_path / "crawl")
    rows = {row[0]: row[1:] for row in log_of(tmp_path / "crawl")}
    assert summary["relevant"] == 1  # the copy is one
    assert rows[f"{HOME}old"][:2] == (200, 1.0)
    assert rows[f"{HOME}missing"][0] == rows["http://b.example/"][0] == 404
    assert "not in the archive" in rows[f"{HOME}missing"][-1]
    assert rows[f"{HOME}gone"][0] == 410
    assert rows[f"{HOME}picture"][-1].startswith("content-type")
    assert f"{HOME}no" not in rows  # robots.txt forbids it, in the archive too


def test_patterns_and_resume_work_on_an_archive(tmp_path: Path) -> None:
    path = tmp_path / "a.warc"
    path.write_bytes(page(HOME, "/1", "/2") + page(f"{HOME}1", body="<h1>One</h1>") + page(f"{HOME}2", "/1"))
    spec = parse_spec(
        f'seeds = ["{HOME}"]\nworld = "archive"\nworkers = 0\nbudget = 1\n[archive]\npath = "{path}"\n'
        '[[patterns.data]]\nname = "heading"\nfind = "//h1"\n'
    )
    assert crawl(spec, tmp_path / "crawl")["fetched"] == 1
    summary = resume(tmp_path / "crawl", budget=9)
    assert (summary["fetched"], summary["patterns"]["heading"]["found"]) == (3, 1)


def test_nothing_is_sent_anywhere(tmp_path: Path) -> None:
    with SmallWeb() as web:
        web.product(HOME)
        path = tmp_path / "a.warc"
        path.write_bytes(page(HOME, "/1"))
        summary = crawl(spec_of(path, connect_to=web.connect_to), tmp_path / "crawl")
        assert (summary["fetched"], summary["relevant"], web.log) == (2, 0, [])


def test_what_cannot_be_looked_up_is_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "a.warc.gz"
    path.write_bytes(gzip.compress(page(HOME, "/1") + page(f"{HOME}1")))
    with pytest.raises(SundogError, match="pack each record by itself"):
        crawl(spec_of(path), tmp_path / "crawl")
    with pytest.raises(SundogError, match=r"missing\.warc is not there"):
        crawl(spec_of(tmp_path / "missing.warc"), tmp_path / "other")
    assert not (tmp_path / "other").exists()
