"""Earlier states of a crawl: exports and queries as of a round or a date."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from sundog.engines.live.run import refresh
from sundog.errors import UsageError
from sundog.results.export import export
from sundog.results.moments import find_step
from sundog.store.query import query
from sundog.store.reader import open_as_of
from tests.engines.live.webs import HOME, Crawled, SmallWeb, crawled, urls

NAMES = "SELECT ?name { ?x schema:name ?name } ORDER BY ?name"
ONE, TWO, THREE = urls("1", "2", "3")


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """Round 1: one changes, two goes. Round 2: three is new, one says nothing any more."""
    directory = tmp_path / "crawl"
    with SmallWeb() as web:
        web.page(HOME, ONE, TWO)
        web.product(ONE, name="one")
        web.product(TWO, name="two")
        crawled(web, directory)
        web.product(ONE, name="one, changed")
        web.reply(TWO, status="410 Gone")
        refresh(directory, budget=20)
        web.page(HOME, ONE, TWO, THREE)
        web.product(THREE, name="three")
        web.page(ONE)
        refresh(directory, budget=20)
    return directory


STATES = [("0", ["one", "two"]), ("1", ["one, changed"]), ("2", ["three"])]


@pytest.mark.parametrize(("number", "names"), STATES)
def test_rounds(shop: Path, tmp_path: Path, number: str, names: list[str]) -> None:
    found = query(shop, NAMES, as_of=find_step(shop, number)).texts()
    assert [name for (name,) in found] == names
    text = export(shop, "nquads", tmp_path / "out.nq", as_of=number).read_text()
    assert text.count("schema.org/name") == len(names)
    assert all(f'"{name}"' in text for name in names)
    lines = export(shop, "jsonl", tmp_path / "out.jsonl", as_of=number).read_text().splitlines()
    assert len(lines) == len(names)
    table = export(shop, "csv", tmp_path / "csv", as_of=number) / "pages.csv"
    assert table.read_text().count("a.example/") == {"0": 3, "1": 3, "2": 4}[number]


def test_dates(shop: Path) -> None:
    began = Crawled(shop).column("SELECT began FROM rounds ORDER BY round")
    before = datetime.fromtimestamp(began[0], UTC).isoformat()
    with open_as_of(shop, find_step(shop, before)) as reader:
        assert reader.totals()["statements"] == 4
    today = datetime.now(UTC).date().isoformat()
    (last,) = Crawled(shop).column("SELECT max(step) FROM revisits")
    assert last <= find_step(shop, today) == find_step(shop, "0s") <= find_step(shop, "2")
    assert find_step(shop, "2001-01-01") == 0
    assert query(shop, NAMES, as_of=0).texts() == []


def test_nothing_is_changed_by_looking_back(shop: Path, tmp_path: Path) -> None:
    export(shop, "jsonl", tmp_path / "now.jsonl")
    export(shop, "jsonl", tmp_path / "then.jsonl", as_of="0")
    export(shop, "jsonl", tmp_path / "again.jsonl")
    assert (tmp_path / "now.jsonl").read_bytes() == (tmp_path / "again.jsonl").read_bytes()


@pytest.mark.parametrize("moment", ["3", "soon"])
def test_bad_moments(shop: Path, moment: str) -> None:
    with pytest.raises(UsageError):
        export(shop, "nquads", as_of=moment)
