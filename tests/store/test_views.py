"""The views that others rely on, through plain sqlite3."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from sundog.errors import SundogError
from sundog.model import LinkBatch
from sundog.store import CrawlStore, Observed, PageRecord, Seeded, open_readonly
from tests.store.crawls import SCHEMA, decided, ids

PAGES = (
    "id url host status fetched_at depth parent relevant reward score "
    "jsonld microdata rdfa microformats opengraph rdf fault state"
).split()


@pytest.fixture
def database(crawl: Path) -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(f"file:{crawl / 'crawl.db'}?mode=ro", uri=True)
    yield connection
    connection.close()


def test_pages_has_the_promised_columns(database: sqlite3.Connection) -> None:
    assert [column[0] for column in database.execute("SELECT * FROM pages").description] == PAGES


def test_pages_are_what_cost_budget(database: sqlite3.Connection) -> None:
    rows = database.execute("SELECT * FROM pages ORDER BY id").fetchall()
    fault = "rdfa: nested too deeply; jsonld: no JSON"
    assert rows == [
        (0, "http://a.example/", "a.example", 200, 11.0, 0, None, 1, 2.0, 0.75, 6, 2, 0, 0, 0, 0, fault, 0),
        (
            1,
            "http://b.example:8080/x?y=1",
            "b.example:8080",
            503,
            13.0,
            1,
            0,
            0,
            0.0,
            0.5,
            *[0] * 6,
            "no answer",
            0,
        ),
        (3, "http://c.example?q", "c.example", 200, 15.0, 1, 0, 0, 0.0, 0.5, 0, 0, 1, 0, 0, 0, None, 0),
    ]


def test_links_with_their_texts(database: sqlite3.Connection) -> None:
    assert [column[0] for column in database.execute("SELECT * FROM links").description] == [
        "src",
        "dst",
        "anchor",
        "tag_path",
    ]
    assert database.execute("SELECT * FROM links").fetchall() == [
        (0, 1, "one", "html/body/a"),
        (0, 2, "zwei · 二", "html/body/a"),
        (0, 3, None, "html/body/a"),
        (0, 4, "one", None),
        (0, 0, "three", "html/body/a"),
    ]
    assert database.execute("SELECT dst FROM links WHERE src = 0 AND anchor = 'three'").fetchall() == [(0,)]
    assert database.execute("SELECT count(*) FROM links WHERE src = 3").fetchone() == (0,)


def test_the_other_views(database: sqlite3.Connection) -> None:
    assert database.execute("SELECT * FROM refusals").fetchall() == [
        (2, "http://b.example/no", 13.0, "robots.txt")
    ]
    first = database.execute("SELECT * FROM decisions").fetchone()
    assert first == (2, 0, "http://a.example/", 10.0, 0.75, 0.4, 0.3, 0.2, 0.1, 0.05, 1.0)
    assert database.execute("SELECT * FROM types").fetchall() == [
        (0, f"{SCHEMA}Product"),
        (0, f"{SCHEMA}Person"),
        (3, f"{SCHEMA}Person"),
    ]
    assert database.execute("SELECT * FROM faults WHERE syntax = 'jsonld'").fetchall() == [
        (0, "jsonld", "no JSON")
    ]
    found = database.execute("SELECT page, syntax FROM page_statements").fetchall()
    assert found == [(0, "jsonld"), (0, "microdata"), (3, "rdfa")]


def test_large_ids_and_many_links_survive_the_packing(tmp_path: Path) -> None:
    count = 70_000
    targets = np.arange(count, dtype=np.int32)
    with CrawlStore.create(tmp_path / "crawl", "") as store:
        store.append(Seeded(ids(0)), urls=["http://a.example/"])
        store.append(decided(0))
        links = LinkBatch(targets, ids(), ids())
        urls = [f"http://a.example/{i}" for i in range(1, count)]
        store.append(Observed(0, 0.0, "fetched", 0.0, "", links), urls=urls)
        store.commit()
        found = store.connection.execute("SELECT dst, anchor FROM links WHERE src = 0").fetchall()
    assert [target for target, _ in found] == targets.tolist()
    assert {anchor for _, anchor in found} == {None}


def test_of_a_page_that_was_fetched_twice_the_last_visit_counts(tmp_path: Path) -> None:
    with CrawlStore.create(tmp_path / "crawl", "") as store:
        store.append(Seeded(ids(0)), urls=["http://a.example/"])
        for visit in (1, 2):
            store.append(decided(0))
            record = PageRecord(status=200, counts={"rdfa": visit}, types=[f"http://t.example/{visit}"])
            triples = [("_:a", "<http://p.example/>", f'"{visit} {i}"') for i in range(visit)]
            links = LinkBatch(ids(*[0] * visit), ids(), ids())
            store.append(Observed(0, visit, "fetched", 1.0, "", links, record), statements={"rdfa": triples})
            store.index()
        rows = store.connection.execute("SELECT id, fetched_at, rdfa FROM pages").fetchall()
        types = store.connection.execute("SELECT type FROM types").fetchall()
        links_found = store.connection.execute("SELECT count(*) FROM links").fetchone()
    assert rows == [(0, 2.0, 2)]
    assert types == [("http://t.example/2",)]
    assert links_found == (2,)


def test_totals_and_single_urls(crawl: Path) -> None:
    with open_readonly(crawl) as reader:
        assert reader.totals() == {
            "fetched": 3,
            "relevant": 1,
            "reward": 2.0,
            "refused": 1,
            "failed": 1,
            "internal": 0,
            "duplicates": 0,
            "statements": 9,
            "hosts": 3,
        }
        assert reader.candidate("http://c.example?q") == 3
        assert reader.candidate("http://nowhere.example/") is None
        assert reader.url(3) == "http://c.example?q"
        with pytest.raises(SundogError, match="knows no candidate 99"):
            reader.url(99)


def test_every_table_view_and_column_is_documented(database: sqlite3.Connection) -> None:
    text = (Path(__file__).parents[2] / "docs" / "store.md").read_text(encoding="utf-8")
    for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type IN ('table', 'view')").fetchall():
        columns = [column[1] for column in database.execute(f"PRAGMA table_info({name})")]
        assert f"\n`{name}`: " in text
        paragraph = text[text.index(f"\n`{name}`: ") :].split("\n\n")[0]
        assert [column for column in columns if f"`{column}`" not in paragraph] == [], name
