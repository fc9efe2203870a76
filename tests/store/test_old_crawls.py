"""Crawls of a version that did not know one of the syntaxes: read as they are, and resumed with it."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from sundog.store import CrawlStore, Observed, PageRecord, open_readonly
from sundog.store.database import PAGES

COUNTS = "SELECT id, jsonld, rdfa, rdf FROM pages ORDER BY id"


@pytest.fixture
def old_crawl(crawl: Path, tmp_path: Path) -> Path:
    directory = tmp_path / "old"
    shutil.copytree(crawl, directory)
    with closing(sqlite3.connect(directory / "crawl.db")) as connection:
        connection.execute("DROP VIEW pages")
        connection.execute("ALTER TABLE outcomes DROP COLUMN rdf")
        connection.execute(PAGES.replace(", rdf, fault", ", fault").replace(", o.rdf,", ","))
        connection.commit()
    return directory


def test_one_who_only_reads_sees_a_syntax_that_never_occurs(old_crawl: Path, crawl: Path) -> None:
    with open_readonly(old_crawl) as reader, open_readonly(crawl) as same:
        assert reader.connection.execute(COUNTS).fetchall() == [(0, 6, 0, 0), (1, 0, 0, 0), (3, 0, 1, 0)]
        assert reader.totals() == same.totals()
        assert list(reader.rewarded_pages()) == list(same.rewarded_pages())


def test_nothing_is_written_by_reading(old_crawl: Path) -> None:
    before = (old_crawl / "crawl.db").read_bytes()
    with open_readonly(old_crawl) as reader:
        reader.totals()
    assert (old_crawl / "crawl.db").read_bytes() == before


def test_a_resumed_crawl_counts_the_new_syntax_from_then_on(old_crawl: Path) -> None:
    for _ in range(2):  # the second time there is nothing left to add
        with CrawlStore.open(old_crawl) as store:
            assert store.connection.execute(COUNTS).fetchall()[:2] == [(0, 6, 0, 0), (1, 0, 0, 0)]
    with CrawlStore.open(old_crawl) as store:
        record = PageRecord(status=200, counts={"jsonld": 3, "rdf": 7}, types=["http://t.example/T"])
        triples = [("_:a", "<http://p.example/>", '"1"')]
        store.append(Observed(4, 21.0, "fetched", 1.0, record=record), statements={"rdf": triples})
        store.commit()
    with closing(sqlite3.connect(old_crawl / "crawl.db")) as connection:
        assert connection.execute(COUNTS).fetchall()[-1] == (4, 3, 0, 7)
        assert connection.execute("SELECT type FROM types WHERE page = 4").fetchall() == [("http://t.example/T",)]
