"""Which things are one, and that everybody reads the same table."""

from __future__ import annotations

import csv
import json
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import duckdb
import pyarrow.parquet as pq
import pytest

from sundog import Crawl
from sundog.entities.database import EntityDatabase, open_entities
from sundog.entities.filters import parse_filter
from sundog.entities.reading import in_json
from sundog.entities.view import TableView
from sundog.errors import UsageError
from sundog.results.export import export
from sundog.store import CrawlStore, open_readonly
from sundog.store.formats.format import Selection
from sundog.web.settings import Settings
from tests.entities.crawls import add_pages, crawl_of_html, crawl_of_statements, statements_of
from tests.entities.test_things import jsonld
from tests.web.apps import served

SCHEMA = "http://schema.org/"
TYPE = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"


def soup(**more: Any) -> dict[str, Any]:
    return {"@type": "Recipe", "name": "Soup", **more}


FULL = soup(
    url="http://a.example/soup", totalTime="PT30M", recipeYield="4", recipeIngredient=["salt", "leek"],
    author={"@type": "Person", "name": "Ada"}, datePublished="2025-03-01", recipeCategory="main",
)  # fmt: skip


def names(crawl: Path, kind: str = "Recipe") -> list[Any]:
    return Crawl(crawl).entities(kind)["name"].to_pylist()


@pytest.mark.parametrize(
    ("teaser", "same"),
    [
        (soup(url="http://a.example/soup"), True),
        (soup(url="https://www.a.example/soup#x"), True),
        (soup(datePublished="2025-03-01"), True),
        (soup(), True),
        (soup(datePublished="2024-01-01"), False),
        (soup(url="http://a.example/other-soup"), False),
        ({"@type": "Recipe", "name": "Cake", "url": "http://a.example/soup"}, False),
        ({"@type": "Event", "name": "Soup", "url": "http://a.example/soup"}, True),  # an event is no recipe
    ],
)
@pytest.mark.parametrize("first", ["list", "soup"])
def test_a_teaser_is_no_thing_beside_the_full_one(tmp_path: Path, teaser: Any, same: bool, first: str) -> None:
    pages = {"list": jsonld(teaser), "soup": jsonld(FULL)}
    order = {first: pages[first], **pages}
    crawl = crawl_of_html(tmp_path / "crawl", **order)
    assert len(names(crawl)) == (1 if same else 2)


def test_sources_say_why_and_what_differs(tmp_path: Path) -> None:
    teaser = soup(url="http://a.example/soup", recipeYield="5")
    crawl = crawl_of_html(tmp_path / "crawl", list=jsonld(teaser), soup=jsonld(FULL))
    lines = [json.loads(line) for line in export(crawl, "jsonl").read_text().splitlines()]
    (recipe,) = [line for line in lines if line["entity"]["@type"] == [f"{SCHEMA}Recipe"]]
    assert recipe["page"] == "http://a.example/soup"
    assert [(source["page"][-4:], source.get("reason"), source.get("other")) for source in recipe["sources"]] == [
        ("soup", "same URL", None),
        ("list", None, {"recipeYield": "5"}),
    ]
    raw = Crawl(crawl).entities("Recipe", merged=False)
    assert raw.num_rows == 2


def test_things_of_one_list_are_not_one(tmp_path: Path) -> None:
    things = [{"@type": "Product", "name": f"Tea {n}", "url": "http://a.example/list"} for n in range(30)]
    crawl = crawl_of_html(tmp_path / "crawl", list=jsonld(*things))
    assert len(names(crawl, "Product")) == 30


def test_two_syntaxes_of_a_page_describe_one_thing(tmp_path: Path) -> None:
    micro = (
        '<div itemscope itemtype="http://schema.org/Recipe"><b itemprop="name">Soup</b><i itemprop="cookTime">PT5M'
    )
    crawl = crawl_of_html(tmp_path / "crawl", soup=jsonld(FULL) + micro)
    (row,) = Crawl(crawl).entities("Recipe").to_pylist()
    assert (row["syntax"], row["cookTime"].total_seconds()) == ("jsonld, microdata", 300)


def test_identifiers_make_one_of_many_hosts(tmp_path: Path) -> None:
    def said(host: str, **more: str) -> tuple[str, Any]:
        values = {"name": "Kettle", "gtin13": "4006381333931", **more}
        triples = [("_:k", TYPE, f"<{SCHEMA}Product>")]
        triples += [("_:k", f"<{SCHEMA}{name}>", f'"{value}"') for name, value in values.items()]
        return f"http://{host}.example/k", {"jsonld": triples}

    pages = [said("a"), said("b", material="steel"), said("c", gtin13="4006381333900"), said("d", name="Pot")]
    assert len(names(crawl_of_statements(tmp_path / "crawl", pages), "Product")) == 3


def test_iris_tell_things_apart(tmp_path: Path) -> None:
    """Also those that have nothing else to tell them apart: classes of an ontology, on its page and elsewhere."""
    document, owl = "http://a.example/ns", "http://www.w3.org/2002/07/owl#"
    named = [(f"<{document}#{name}>", TYPE, f"<{owl}Class>") for name in ("Site", "Storey", "Zone")]
    label = "<http://www.w3.org/2000/01/rdf-schema#label>"
    labels = [(f"<{document}#Zone>", label, text) for text in ('"Zone"@en', '"Område"@da')]
    pages = [(document, {"rdf": named}), ("http://a.example/0.2.ttl", {"rdf": [*named, *labels]})]
    crawl = crawl_of_statements(tmp_path / "crawl", pages)
    rows = Crawl(crawl).entities("owl:Class").to_pylist()
    assert sorted(row["id"] for row in rows) == [f"{document}#{name}" for name in ("Site", "Storey", "Zone")]
    assert [len(row["sources"]) for row in rows] == [2, 2, 2]
    with open_entities(crawl) as (database, _):
        assert [name for (name,) in database.connection.execute("SELECT name FROM entities ORDER BY name")][
            2
        ] == "Zone"


def test_the_author_that_every_page_calls_its_own_is_one(tmp_path: Path) -> None:
    author = {"@type": "Person", "name": "Ada", "jobTitle": "cook", "email": "ada@a.example", "@id": "#author"}
    crawl = crawl_of_html(tmp_path / "crawl", soup=jsonld(author), cake=jsonld(author))
    assert names(crawl, "Person") == ["Ada"]


def test_feeds_that_list_the_same_addresses_are_two(tmp_path: Path) -> None:
    urls = ["http://b.example/1", "http://b.example/2"]
    feeds = [{"@type": "DataFeed", "url": urls, "about": text} for text in ("tea", "coffee")]
    crawl = crawl_of_html(tmp_path / "crawl", tea=jsonld(feeds[0]), coffee=jsonld(feeds[1]))
    assert Crawl(crawl).entities("DataFeed").num_rows == 2


def test_types_have_prefixes_and_things_without_an_address_have_no_id(tmp_path: Path) -> None:
    card = '<p class="h-card">Ada</p>'
    crawl = Crawl(crawl_of_html(tmp_path / "crawl", ada=card, soup=jsonld(FULL)))
    assert crawl.entities("mf:h-card")["name"].to_pylist() == ["Ada"]
    assert crawl.entities("schema:Recipe").equals(crawl.entities("https://schema.org/Recipe"))
    assert crawl.entities("h-card", where="id is empty")["id"].to_pylist() == [None]


def test_the_first_column_is_the_name_that_most_rows_have(tmp_path: Path) -> None:
    works = [{"@type": "Article", "headline": f"News {number}"} for number in range(3)]
    crawl = crawl_of_html(tmp_path / "crawl", list=jsonld(*works, {"@type": "Article", "name": "About"}))
    assert Crawl(crawl).entities("Article").column_names[:2] == ["headline", "name"]


def test_a_page_that_was_fetched_again_replaces_what_it_said(tmp_path: Path) -> None:
    def page(name: str) -> tuple[str, Any]:
        return "http://a.example/", {
            "jsonld": [("_:k", TYPE, f"<{SCHEMA}Product>"), ("_:k", f"<{SCHEMA}name>", f'"{name}"')]
        }

    crawl = crawl_of_statements(tmp_path / "crawl", [page("Old")])
    assert names(crawl, "Product") == ["Old"]
    with CrawlStore.open(crawl) as store:
        add_pages(store, [page("New")])
    assert names(crawl, "Product") == ["New"]


def test_the_database_is_made_anew_if_it_is_damaged_or_gone(tmp_path: Path) -> None:
    crawl = crawl_of_html(tmp_path / "crawl", soup=jsonld(FULL))
    assert names(crawl) == ["Soup"]
    (crawl / "entities.db").write_bytes(b"no database")
    assert names(crawl) == ["Soup"]
    other = crawl_of_html(tmp_path / "other", cake=jsonld({"@type": "Recipe", "name": "Cake"}))
    assert names(other) == ["Cake"]
    (crawl / "entities.db").write_bytes((other / "entities.db").read_bytes())
    assert names(crawl) == ["Soup"]


def test_types_of_columns_are_those_of_most_values(tmp_path: Path) -> None:
    offers = [{"@type": "Product", "name": f"n{i}", "offers": {"price": "3.50"}} for i in range(9)]
    pages = jsonld(*offers, {"@type": "Product", "name": "last", "offers": {"price": "on request"}})
    table = Crawl(crawl_of_html(tmp_path / "crawl", list=pages)).entities("Product")
    assert str(table.schema.field("offers.price").type) == "double"
    assert table["offers.price"].to_pylist()[-2:] == [3.5, None]
    assert table["offers.price.text"].to_pylist()[-2:] == [None, "on request"]


# -- one table, whoever reads it ---------------------------------------------------------------------


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    things = [
        {
            "@type": "Product",
            "name": f"Tea {n}",
            "offers": {"price": f"{n}.5", "priceCurrency": "EUR"},
            "releaseDate": f"2025-01-0{1 + n}",
            "color": ["red", "blue"] if n % 2 else "green",
            **({"brand": "Acme"} if n else {}),
        }
        for n in range(5)
    ]
    return crawl_of_html(tmp_path / "shops" / "shop", list=jsonld(*things), toString=jsonld(*things[:2]))


def test_site_csv_parquet_jsonl_databases_and_library_have_the_same_table(shop: Path, tmp_path: Path) -> None:
    table = Crawl(shop).entities("Product")
    library = [{name: in_json(value) for name, value in row.items()} for row in table.to_pylist()]
    assert (len(library), library[1]["color"], library[1]["offers.price"]) == (5, ["red", "blue"], 1.5)
    chosen = Selection(type="Product")
    parquet = pq.read_table(export(shop, "parquet", tmp_path / "out.parquet", selection=chosen))
    assert parquet.equals(table)
    with export(shop, "csv", tmp_path / "out.csv", selection=chosen).open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert rows == [{name: _as_csv(value) for name, value in row.items()} for row in library]
    with_columns = Selection(type="Product", columns=tuple(table.column_names))
    lines = export(shop, "jsonl", tmp_path / "out.jsonl", selection=with_columns).read_text().splitlines()
    assert [json.loads(line) for line in lines] == library
    with served(Settings(root=shop.parent)) as client:
        found = client.get("/api/crawls/shop/entities", params={"type": f"{SCHEMA}Product"}).json()
    assert [column["name"] for column in found["columns"]] == table.column_names
    columns = [column["name"] for column in found["columns"] if column["property"]]
    for row, mine in zip(found["rows"], library, strict=True):
        assert {name: _as_list(mine[name]) for name in columns if mine[name]} == row["values"]
    with closing(sqlite3.connect(export(shop, "sqlite", tmp_path / "out.sqlite"))) as made:
        prices = [row[0] for row in made.execute('SELECT "offers.price" FROM Product')]
        assert prices == [n + 0.5 for n in range(5)]
        assert made.execute("SELECT count(*) FROM sources").fetchone() == (7,)
    with duckdb.connect(str(export(shop, "duckdb", tmp_path / "out.duckdb"))) as connection:
        assert connection.execute("SELECT name, color FROM Product").fetchall() == [
            (row["name"], row["color"]) for row in library
        ]


def _as_csv(value: Any) -> str:
    return "\n".join(value) if isinstance(value, list) else "" if value is None else str(value)


def _as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


@pytest.mark.parametrize(
    ("where", "number"),
    [
        ("price < 2", 2),
        ("offers.price >= 1,5 and offers.price <= 3.5", 3),
        ("name contains TEA", 5),
        ("name = 'tea 3'", 1),
        ("color = Red", 2),
        ("color != red", 3),
        ("color in RED, 'green'", 5),
        ("price in 0.5, 1.5, 7", 2),
        ("releaseDate > 2025-01-03", 2),
        ("releaseDate = 2025-01", 5),
        ("releaseDate > 2025", 0),
        ("brand.name is empty", 1),
        ("brand is not empty and host = a.example", 4),
        ("name contains '%'", 0),
    ],
)
def test_filters(shop: Path, where: str, number: int) -> None:
    if where.startswith("brand is"):
        where = where.replace("brand is", "brand.name is")
    assert Crawl(shop).entities("Product", where=where).num_rows == number


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"type": "Produkt"}, "no entity of the type 'Produkt'; did you mean 'Product'"),
        ({"type": "Car"}, "there are Product"),
        ({"columns": ["nam"]}, "Product has no column 'nam'; did you mean 'name'"),
        (
            {"where": "price < cheap"},
            "offers.price is a column of numbers, and 'cheap' is none: write offers.price < 20",
        ),
        ({"where": "releaseDate > soon"}, "releaseDate is a column of dates, and 'soon' is none"),
        ({"where": "name contains salt and pepper"}, "'pepper' is no filter.*quotation marks"),
        ({"where": "nme = x"}, "did you mean 'name'"),
    ],
)
def test_mistakes_are_named(shop: Path, options: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        Crawl(shop).entities(**{"type": "Product", **options})


def test_facets_and_histograms(shop: Path) -> None:
    with open_entities(shop) as (database, _):
        view = TableView(database, "Product", parse_filter("color = Red and price < 2"))
        assert view.facet("color") == ([("red", 1), ("blue", 1), ("green", 1)], 3, 0)
        assert view.facet("color", like="RE").values == [("red", 1), ("green", 1)]
        assert view.facet("brand.name") == ([("Acme", 1)], 1, 0)
        assert [tuple(each) for each in view.histogram("offers.price")][:2] == [(1.5, 1.6, 1), (1.6, 1.7, 0)]
        assert [(each.low, each.number) for each in view.histogram("releaseDate")] == [("2025-01-02", 1)]
        assert view.choosable() == {"host", "color", "offers.priceCurrency", "brand.name"}


def test_an_export_goes_to_a_pipe(shop: Path) -> None:
    command = [sys.executable, "-m", "sundog", "export", str(shop), "--format", "csv", "--out", "-"]
    made = subprocess.run([*command, "--type", "Product", "--columns", "name"], capture_output=True, text=True)
    assert made.stdout.splitlines() == ["name", *(f"Tea {n}" for n in range(5))]
    wrong = subprocess.run(command, capture_output=True, text=True)
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert "choose one with --type" in wrong.stderr


def test_a_directory_that_cannot_be_written_to_is_read(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if os.geteuid() == 0:  # to whom nothing is forbidden
        (shop / "entities.db").mkdir()
    else:
        shop.chmod(0o500)
    assert Crawl(shop).types()["Product"] == 5
    if os.geteuid() != 0:
        shop.chmod(0o700)


def test_a_running_crawl_is_read_a_little_at_a_time(shop: Path) -> None:
    with open_entities(shop, seconds=0.0) as (_, behind):
        assert behind == 2
    with open_readonly(shop) as reader, open_entities(shop) as (database, behind):
        assert (behind, database.tables.find("Product").number, reader.steps > 0) == (0, 5, True)


def test_pages_that_are_read_and_not_merged_are_left(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(EntityDatabase, "_merge", lambda *_: None)  # no time was left for it
        with open_entities(shop) as (database, behind):
            assert (behind, database.tables.listed()) == (1, [])
    with open_entities(shop) as (_, behind):
        assert behind == 0


def contents(crawl: Path) -> dict[str, list[Any]]:
    """Of all tables of a crawl's entities."""
    with closing(sqlite3.connect(crawl / "entities.db")) as connection:
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {name: sorted(connection.execute(f"SELECT * FROM {name}"), key=repr) for name in tables}


def test_entities_are_counted_by_type_before_they_are_merged(tmp_path: Path) -> None:
    crawl = crawl_of_html(
        tmp_path / "crawl", soup=jsonld(FULL), list=jsonld(soup(), {"@type": "Event", "name": "E"})
    )
    with open_entities(crawl, merge=False) as (database, behind):
        assert (behind, database.tables.listed()) == (0, [])
        before = database.numbers_by_type()
    with open_entities(crawl) as (database, behind):
        merged = [(each.iri, each.number) for each in database.tables.listed()]
        assert before == merged == database.numbers_by_type()
    assert (behind, dict(before)[f"{SCHEMA}Recipe"]) == (0, 1)


@pytest.mark.parametrize("at_once", [1, 4])
def test_how_much_is_read_at_once_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at_once: int
) -> None:
    """Also where a thing shows that two entities are one, and where a page is fetched again."""
    by_number = {"@type": "Recipe", "gtin": "4006381333931"}
    by_url = {"@type": "Recipe", "url": "http://a.example/broth"}
    pages = {"soup": FULL, "list": soup(), "x": by_number, "y": by_url, "both": {**by_number, **by_url}}
    body = jsonld(soup(sku="9")).encode()
    again = [("http://a.example/both", statements_of(body, "http://a.example/both", "text/html"))]
    crawls = []
    for name, most in (("one", 1_000), ("other", at_once)):
        monkeypatch.setattr("sundog.entities.database.THINGS_AT_ONCE", most)
        monkeypatch.setattr("sundog.entities.database.ROWS_AT_ONCE", most)
        crawl = crawl_of_html(tmp_path / name, **{page: jsonld(tree) for page, tree in pages.items()})
        with open_entities(crawl) as (database, _):
            assert database.tables.find("Recipe").number == 2
        with CrawlStore.open(crawl) as store:
            add_pages(store, again, first=list(pages).index("both"))
        with open_entities(crawl) as (database, _):
            assert database.tables.find("Recipe").number == 3
        crawls.append(contents(crawl))
    assert crawls[0] == crawls[1]


def test_queries_can_compare_dates(tmp_path: Path) -> None:
    dates = {"Old": "2019-05-01", "New": "2025-05-01T18:00", "None": "soon"}
    items = [{"@type": "Event", "name": name, "startDate": day} for name, day in dates.items()]
    crawl = crawl_of_html(tmp_path / "crawl", list=jsonld(*items))
    answer = Crawl(crawl).query("SELECT ?n { ?e schema:name ?n ; schema:startDate ?d FILTER(year(?d) > 2020) }")
    assert answer.texts() == [["New"]]
