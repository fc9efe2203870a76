"""The key under which statements stand, and the words that queries share with the log: each written once."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as some

import sundog
from sundog.store import CrawlStore, Observed, open_readonly
from sundog.store.events import DECISION_PARTS, READERS
from sundog.store.statements import HAS_STATEMENTS, ROOM, STEP, ids_of_steps, statement_id, step_of
from sundog.store.tables import LINK_COLUMNS, PAGE_COLUMNS
from sundog.syntaxes import STORED
from tests.store.crawls import TYPE, decided, fill

STEPS = some.integers(1, 1 << 40)
SOURCES = sorted(Path(sundog.__file__).parent.rglob("*.py"))


@given(STEPS, some.sampled_from(STORED))
def test_the_step_of_a_statement_is_found_again_in_python_and_in_sql(step: int, syntax: str) -> None:
    number = statement_id(step, syntax)
    first, last = ids_of_steps(step, step)
    assert (first <= number <= last, step_of(number)) == (True, step)
    assert step_of(first) == step_of(last) == step != step_of(last + 1)
    with closing(sqlite3.connect(":memory:")) as database:
        assert database.execute(f"SELECT {STEP} FROM (SELECT ? AS id) s", (number,)).fetchone() == (step,)


def test_a_step_has_room_for_all_syntaxes() -> None:
    assert len(STORED) <= ROOM


def test_steps_with_statements_are_told_from_their_neighbours(crawl: Path) -> None:
    with open_readonly(crawl) as reader:
        with_some = reader.connection.execute(f"SELECT o.candidate FROM outcomes o WHERE {HAS_STATEMENTS}")
        assert [candidate for (candidate,) in with_some] == [0, 3]


def test_statements_are_read_by_step_and_as_they_grow(crawl: Path) -> None:
    with open_readonly(crawl) as reader:
        rows = reader.statements_after(0, 100)
        steps = [step_of(row.id) for row in rows]
        assert [(row.candidate, row.syntax) for row in rows] == [(0, "jsonld"), (0, "microdata"), (3, "rdfa")]
        assert [syntax for syntax, _ in reader.statements_of(steps[0], steps[0])] == ["jsonld", "microdata"]
        assert [syntax for syntax, _ in reader.statements_of(steps[0] + 1, steps[2])] == ["rdfa"]
        assert reader.statements_after(rows[0].id, 1) == rows[1:2]
        assert reader.pages_with_statements_since(rows[1].id) == 2
        assert reader.pages_with_statements_since(rows[2].id + 1) == 0


def test_strings_links_and_seeds_are_read_by_their_ids(crawl: Path) -> None:
    with open_readonly(crawl) as reader:
        assert reader.urls_of([0, 2, 99]) == {0: "http://a.example/", 2: "http://b.example/no"}
        assert reader.texts_of([2, -1]) == {2: "three"}
        assert reader.links_of([0, 1, 99])[0].targets.tolist() == [1, 2, 3, 4, 0]
        assert [(step, ids.tolist()) for step, ids in reader.seeds()] == [(1, [0])]


def test_links_are_those_of_the_last_time(tmp_path: Path) -> None:
    with CrawlStore.create(tmp_path / "crawl", "") as store:
        fill(store)
        store.append(decided(0, 20.0))
        store.append(Observed(0, 21.0, "fetched", 1.0), statements={"rdfa": [("<urn:x>", TYPE, "<urn:T>")]})
        store.commit()
        assert store.links_of([0])[0].targets.tolist() == []


WORDS = re.compile(r"\bevent (?:=|<>|IN|WHEN) ?\(?('[a-z' ,]+')")


@pytest.mark.parametrize(
    "path", [path for path in SOURCES if WORDS.search(path.read_text())], ids=lambda p: p.name
)
def test_queries_name_events_that_there_are(path: Path) -> None:
    named = {word for found in WORDS.findall(path.read_text()) for word in re.findall(r"'([^']+)'", found)}
    assert named <= set(READERS)


def test_the_parts_of_a_decision_are_the_columns_of_its_view(tmp_path: Path) -> None:
    names = ("estimate", "classifier", "host", "group", "exploration", "propensity")
    assert names == DECISION_PARTS  # browsers and scripts know them
    with CrawlStore.create(tmp_path / "crawl", "") as store:
        rows = store.connection.execute("SELECT * FROM decisions")
        assert [column[0] for column in rows.description] == ["step", "id", "url", "at", "score", *names]


def test_exported_tables_have_the_columns_of_their_views(tmp_path: Path) -> None:
    with CrawlStore.create(tmp_path / "crawl", "") as store:
        pages = [column[0] for column in store.connection.execute("SELECT * FROM pages").description]
        links = [column[0] for column in store.connection.execute("SELECT * FROM links").description]
    assert [*pages, "types", "content_type"] == [name for name, _ in PAGE_COLUMNS]
    assert [*links, "score"] == [name for name, _ in LINK_COLUMNS]
