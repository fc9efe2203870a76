"""What the site counts and shows is what exports write: whatever the filter, the search and the order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import product as pairs
from pathlib import Path
from typing import Any

import pytest

from sundog.entities import arrays
from sundog.entities.database import EntityDatabase, open_entities
from sundog.entities.filters import parse_filters
from sundog.entities.reading import TableReader
from sundog.entities.view import TableView
from sundog.store import CrawlStore
from tests.entities.crawls import add_pages
from tests.entities.shop import COLORS, shop

FILTERS: list[tuple[str, ...]] = [
    (),
    ("price < 20",),
    ("price >= 20 and price < 60", "brand.name = acme"),
    ("color in red, 'black, white', 'it''s green'",),
    ("color = 'salt and pepper'",),
    ("color != red", "releaseDate is empty"),
    ("color = ärmelGRÜN",),
    ("color contains GRÜN",),
    ("releaseDate >= 2015 and releaseDate <= 2019-06",),
    ("host = SHOP1.example", "sources = 1"),
    ("price > 1000",),
    ("fetched_at < 1971", "page contains /p/1"),
]
ORDERS = ["", "name", "offers.price", "color", "releaseDate", "brand.name", "host", "sources", "fetched_at"]


@pytest.fixture(scope="module")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return shop(tmp_path_factory.mktemp("view") / "shop")


@pytest.fixture(params=["sorted", "by index"])
def database(
    crawl: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Iterator[EntityDatabase]:
    monkeypatch.setattr(arrays, "WITH_INDEX", 0 if request.param == "by index" else 10**9)
    with open_entities(crawl) as (found, _):
        yield found


def read(database: EntityDatabase, where: tuple[str, ...] = (), **options: Any) -> list[str]:
    reader = TableReader(database, "Product", parse_filters(where), **options)
    return [record["page"] for record in reader.records(["page"])]


@pytest.mark.parametrize("where", FILTERS)
def test_rows_are_those_of_exports(database: EntityDatabase, where: tuple[str, ...]) -> None:
    for search, sort, descending in pairs(("", "shop1", "ärmel"), ORDERS, (False, True)):
        view = TableView(database, "Product", parse_filters(where), search=search)
        shown = [about["page"] for about, _ in view.rows([], sort=sort, descending=descending, limit=500)]
        exported = read(database, where, search=search, sort=sort, descending=descending)
        assert shown == exported, (search, sort, descending)
        assert view.total == len(exported)
        some = view.rows([], sort=sort, descending=descending, offset=3, limit=5)
        assert [about["page"] for about, _ in some] == exported[3:8]


def test_a_facet_counts_what_its_filter_keeps(database: EntityDatabase) -> None:
    where = ("price < 60", "color in red, Blue")
    view = TableView(database, "Product", parse_filters(where))
    colors = dict(view.facet("color").values)
    assert set(colors) == set(COLORS)
    for value, number in colors.items():
        quoted = value.replace("'", "''")
        assert number == len(read(database, ("price < 60", f"color = '{quoted}'")))
    brands, different, empty = view.facet("brand.name")
    assert (different, {each.value.lower() for each in brands}) == (2, {"acme", "umbra"})
    assert empty == len(read(database, (*where, "brand.name is empty")))
    assert brands[0].number == len(read(database, (*where, "brand.name = acme")))


def test_facets_of_very_many_values(database: EntityDatabase, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sundog.entities.view.MOST_CHARACTERS", 2)
    view = TableView(database, "Product", parse_filters(["price < 60"]))
    names, different, empty = view.facet("name", 10)
    assert (len(names), different, empty) == (10, view.total, 0)
    assert view.facet("brand.name").empty == len(read(database, ("price < 60", "brand.name is empty")))


@pytest.mark.parametrize("column", ["offers.price", "releaseDate", "geo.latitude"])
def test_a_bar_of_a_histogram_counts_what_its_edges_keep(database: EntityDatabase, column: str) -> None:
    where = ("brand.name = Acme",)
    less = "<=" if column == "releaseDate" else "<"
    bins = TableView(database, "Product", parse_filters(where)).histogram(column)
    assert len(bins) > 5
    for low, high, number in bins:
        edges = [f"{column} >= {low}"] * (low is not None) + [f"{column} {less} {high}"] * (high is not None)
        assert number == len(read(database, (*where, *edges)))


def test_spots_have_all_that_is_within_the_bounds(database: EntityDatabase) -> None:
    view = TableView(database, "Product")
    assert view.coordinates() == [("geo.latitude", "geo.longitude")]
    spots, number = view.spots("geo.latitude", "geo.longitude", (-90, -180, 90, 180))
    assert (number, sum(spot.number for spot in spots)) == (120, 120)
    spots, number = view.spots("geo.latitude", "geo.longitude", (48, 2, 49, 3))
    assert number == sum(spot.number for spot in spots) == 40
    assert all(48 <= spot.latitude <= 49 and spot.name.startswith("Kettle") for spot in spots)
    assert view.spots("geo.latitude", "geo.longitude", (0, 0, 1, 1)) == ([], 0)


def test_what_is_kept_belongs_to_one_state(tmp_path: Path) -> None:
    """A page that was fetched again changes what is shown at once."""
    crawl = shop(tmp_path / "shop", 10)
    for price in ("1", "2"):
        statements = {
            "jsonld": [
                ("_:a", "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>", "<http://schema.org/Product>"),
                ("_:a", "<http://schema.org/name>", '"Kettle"'),
                ("_:a", "<http://schema.org/price>", f'"{price}"'),
            ]
        }
        with CrawlStore.open(crawl) as store:
            add_pages(store, [("http://shop0.example/p/0", statements)])
        with open_entities(crawl) as (database, _):
            facet = TableView(database, "Product").facet("price")
            assert Counter(dict(facet.values)) == {price: 1}
