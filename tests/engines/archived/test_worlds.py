"""Worlds of archives: what a crawl has read is what its archive says, page by page."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from sundog.archives.files import archive_files
from sundog.demo_web.serving import serving
from sundog.engines.archived.from_archives import world_from_archives
from sundog.engines.archived.from_crawl import world_from_crawl
from sundog.engines.archived.world_builder import WorldMade
from sundog.engines.live.run import crawl
from sundog.engines.simulate import simulate
from sundog.spec import CrawlSpec
from sundog.syntaxes import STORED
from tests.archives.files import HOME, PRODUCT, by_warcio, html, packed, page, record, response, wacz
from tests.engines.live.webs import SmallWeb


def made_of(path: Path, out: Path) -> WorldMade:
    return world_from_archives(archive_files([path]), out, workers=1)


def pages_of(world: Path) -> dict[str, dict[str, Any]]:
    return {row["url"]: row for row in pq.read_table(world / "pages.parquet").to_pylist()}


def links_of(world: Path) -> dict[str, list[tuple[str, str | None, str | None]]]:
    names = [row["url"] for row in pq.read_table(world / "pages.parquet").to_pylist()]
    found: dict[str, list[tuple[str, str | None, str | None]]] = {name: [] for name in names}
    for row in pq.read_table(world / "links.parquet").to_pylist():
        found[names[row["src"]]].append((names[row["dst"]], row["anchor"], row["tag_path"]))
    return found


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A crawl of the demo web, with all its oddities, that kept its pages."""
    folder = tmp_path_factory.mktemp("archived")
    with serving(seed=4, hosts=12, pages=1_500, log=folder / "log") as web:
        spec = CrawlSpec(
            seeds=tuple(web.seeds), budget=300, delay=0.0, connect_to=web.connect_to, warc=True, workers=1
        )
        crawl(spec, folder / "crawl")
    return folder / "crawl"


def test_an_archive_says_what_the_crawl_has_read(crawled: Path, tmp_path: Path) -> None:
    of_log = world_from_crawl(crawled, tmp_path / "log")
    of_pages = made_of(crawled / "pages.warc.gz", tmp_path / "warc")
    log, archive = pages_of(tmp_path / "log"), pages_of(tmp_path / "warc")
    assert archive.keys() <= log.keys()  # duplicates and pages that failed are not in the archive
    assert sum(not archive.keys() >= {url} for url, row in log.items() if row["types"] or row["jsonld"]) == 0
    assert of_pages.pages > 200
    assert of_log.pages >= of_pages.pages
    for url, row in archive.items():
        for column in ("types", "status", "content_type", "bytes", *STORED):
            assert row[column] == log[url][column], (url, column)
        assert abs(row["seconds"] - log[url]["seconds"]) < 0.001
    both = archive.keys()
    log_links, archive_links = links_of(tmp_path / "log"), links_of(tmp_path / "warc")
    for url in both:
        assert archive_links[url] == [link for link in log_links[url] if link[0] in both], url
    assert sum(map(len, archive_links.values())) > 1_000


def test_a_world_of_a_crawl_can_be_simulated(crawled: Path, tmp_path: Path) -> None:
    made = made_of(crawled / "pages.warc.gz", tmp_path / "world")
    run = simulate(tmp_path / "world", "bfs", budget=made.pages // 2)
    assert run.fetched == made.pages // 2
    assert 0 < run.relevant < run.fetched


def test_links_outside_are_counted(tmp_path: Path) -> None:
    path = by_warcio(
        tmp_path / "a.warc.gz", {HOME: html("/1", "/2", "http://b.example/"), f"{HOME}1": html("/2", body=PRODUCT)}
    )
    made = made_of(path, tmp_path / "world")
    assert (made.pages, made.hosts, made.links, made.outside, made.outside_pages) == (2, 1, 1, 3, 2)
    assert made.outside_share == 0.75
    rows = pages_of(tmp_path / "world")
    assert rows[f"{HOME}1"]["types"] == ["http://schema.org/Product"]
    assert rows[f"{HOME}1"]["jsonld"] == 2
    assert links_of(tmp_path / "world")[HOME] == [(f"{HOME}1", "to /1", "html body p a")]


def test_redirects_copies_and_later_captures(tmp_path: Path) -> None:
    refers = f"WARC-Refers-To-Target-URI: {HOME}shop"
    data = packed(
        [
            page(HOME, "/old", "/copy", "/gone", "/circle"),
            record("response", f"{HOME}old", response(b"", "Location: /older", status="302 Found")),
            record("response", f"{HOME}older", response(b"", "Location: /shop", status="302 Found")),
            record("response", f"{HOME}circle", response(b"", "Location: /round", status="302 Found")),
            record("response", f"{HOME}round", response(b"", "Location: /circle", status="302 Found")),
            page(f"{HOME}shop", "/", body=PRODUCT),
            page(f"{HOME}shop", body="later"),
            record("revisit", f"{HOME}copy", response(b""), refers),
            record("revisit", f"{HOME}lost", response(b""), "WARC-Refers-To-Target-URI: http://c.example/"),
            record("response", f"{HOME}gone", response(b"", status="410 Gone")),
        ]
    )
    made = made_of(wacz(tmp_path / "a.wacz", {"data.warc.gz": data}), tmp_path / "world")
    rows, links = pages_of(tmp_path / "world"), links_of(tmp_path / "world")
    assert list(rows) == [HOME, f"{HOME}shop", f"{HOME}gone", f"{HOME}copy"]
    assert [target for target, *_ in links[HOME]] == [f"{HOME}shop", f"{HOME}copy", f"{HOME}gone"]
    assert rows[f"{HOME}copy"]["jsonld"] == rows[f"{HOME}shop"]["jsonld"] == 2
    assert links[f"{HOME}copy"] == links[f"{HOME}shop"] == [(HOME, "to /", "html body p a")]
    assert (rows[f"{HOME}gone"]["status"], made.copies, made.outside) == (410, 1, 1)
    assert made.left_out == {"later captures": 1, "copies of pages that are not there": 1}


def test_pages_may_ask_not_to_be_kept_or_followed(tmp_path: Path) -> None:
    robots = '<meta name="robots" content="{}">'
    (tmp_path / "a.warc").write_bytes(
        page(HOME, "/1", "/2", "/3")
        + page(f"{HOME}1", "/2", body=PRODUCT + robots.format("noindex"))
        + page(f"{HOME}2", "/3", body=PRODUCT + robots.format("nofollow"))
        + record("response", f"{HOME}3", response(html("/1", body=PRODUCT), "X-Robots-Tag: none"))
    )
    made_of(tmp_path / "a.warc", tmp_path / "world")
    rows, links = pages_of(tmp_path / "world"), links_of(tmp_path / "world")
    assert [rows[f"{HOME}{number}"]["jsonld"] for number in (1, 2, 3)] == [0, 2, 0]
    assert [len(links[f"{HOME}{number}"]) for number in (1, 2, 3)] == [1, 0, 0]


def test_redirects_of_a_crawl_lead_to_their_pages(tmp_path: Path) -> None:
    with SmallWeb() as web:
        web.page(HOME, "/old", "/gone")
        web.moves(f"{HOME}old", "/new")
        web.product(f"{HOME}new", "/")
        spec = CrawlSpec(seeds=(HOME,), budget=5, delay=0.0, connect_to=web.connect_to, warc=True, workers=0)
        crawl(spec, tmp_path / "crawl")
    world_from_crawl(tmp_path / "crawl", tmp_path / "log")
    made_of(tmp_path / "crawl" / "pages.warc.gz", tmp_path / "warc")
    expected = [(f"{HOME}new", "/old", "html body p a")]
    assert links_of(tmp_path / "warc")[HOME] == expected
    assert [link for link in links_of(tmp_path / "log")[HOME] if link[0] != f"{HOME}gone"] == expected
    assert pages_of(tmp_path / "log")[f"{HOME}gone"]["status"] == 404


def test_times_that_nobody_measured_are_missing(tmp_path: Path) -> None:
    (tmp_path / "a.warc").write_bytes(page(HOME))
    made_of(tmp_path / "a.warc", tmp_path / "world")
    row = pages_of(tmp_path / "world")[HOME]
    assert row["seconds"] is None
    assert math.isclose(row["fetched_at"], 1_706_702_400)
    assert row["bytes"] == len(html())
