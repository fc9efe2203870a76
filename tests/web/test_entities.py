"""The site's entities: tables, counts, downloads, one entity; and the sentences for what is wrong."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pyarrow.parquet as pq
import pytest

from sundog.errors import UsageError
from sundog.results.export import export
from sundog.store.formats.format import Selection
from sundog.web.results import entity_tables
from sundog.web.settings import Settings
from tests.entities.shop import shop
from tests.web.apps import csrf, served

PATH = "/api/crawls/shop/entities"
CHOSEN: dict[str, Any] = {
    "type": "Product",
    "where": ["price < 60 and color != red", "brand.name is not empty"],
    "search": "kettle 0",
    "column": ["name", "a,b", "offers.price", "color", "page"],
    "sort": "offers.price",
    "descending": True,
}


@pytest.fixture(scope="module")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return shop(tmp_path_factory.mktemp("entities") / "root" / "shop")


@pytest.fixture(scope="module")
def client(crawl: Path) -> Iterator[httpx.Client]:
    with served(Settings(root=crawl.parent)) as found:
        until_read(found)
        yield found


def until_read(client: httpx.Client) -> None:
    while client.get("/api/crawls/shop/types").json()["behind"]:
        pass


def test_a_download_is_what_is_seen(client: httpx.Client) -> None:
    seen = client.get(PATH, params={**CHOSEN, "limit": 500}).json()
    assert 10 < seen["total"] == len(seen["rows"]) < seen["all"] == 120
    names = [row["values"]["name"][0] for row in seen["rows"]]
    prices = [row["values"]["offers.price"][0] for row in seen["rows"]]
    assert prices == sorted(prices, reverse=True)
    answers = {form: client.get(f"{PATH}/export/{form}", params=CHOSEN) for form in ("csv", "json", "parquet")}
    assert 'filename="shop-Product.csv"' in answers["csv"].headers["content-disposition"]
    rows = list(csv.DictReader(io.StringIO(answers["csv"].text)))
    # Cells that are no numbers have a column of their own, as in every export.
    assert list(rows[0]) == ["name", "a,b", "offers.price", "offers.price.text", "color", "page"]
    assert [(row["name"], float(row["offers.price"])) for row in rows] == list(zip(names, prices, strict=True))
    records = json.loads(answers["json"].text)
    table = pq.read_table(io.BytesIO(answers["parquet"].content)).to_pylist()
    assert records == table
    assert [record["page"] for record in records] == [row["url"] for row in seen["rows"]]
    assert [record["color"] for record in records] == [row["values"]["color"] for row in seen["rows"]]


def test_everything_and_nothing_can_be_downloaded(client: httpx.Client) -> None:
    assert len(client.get(f"{PATH}/export/json", params={"type": "Product"}).json()) == 120
    assert client.get(f"{PATH}/export/json", params={"type": "Product", "search": "nowhere"}).json() == []
    assert client.get(f"{PATH}/export/xls", params={"type": "Product"}).status_code == 404


@pytest.mark.parametrize(
    ("wrong", "status", "sentence"),
    [
        ({"type": "Produkt"}, 404, "there is no entity of the type 'Produkt'; did you mean 'Product'?"),
        ({"type": "Car"}, 404, "there is no entity of the type 'Car'; there are Product"),
        ({"where": ["prise < 20"]}, 400, "Product has no column 'prise'; did you mean 'price'?"),
        ({"where": ["offers.price < cheap"]}, 400, "and 'cheap' is none: write offers.price < 20"),
        ({"where": ["offers.price in 3, cheap"]}, 400, "offers.price is a column of numbers, and 'cheap' is none"),
        ({"where": ["releaseDate > soon"]}, 400, "write releaseDate >= 2025-01-31, or = 2025"),
        ({"where": ["color like red"]}, 400, "'color like red' is no filter: write COLUMN = VALUE"),
        ({"sort": "colour"}, 400, "Product has no column 'colour'; did you mean 'color'?"),
        ({"column": ["nme"]}, 400, "Product has no column 'nme'; did you mean 'name'?"),
    ],
)
def test_the_site_and_the_command_say_the_same_of_mistakes(
    client: httpx.Client, crawl: Path, tmp_path: Path, wrong: dict[str, Any], status: int, sentence: str
) -> None:
    asked = {"type": "Product", **wrong}
    selection = Selection(
        type=asked["type"],
        where=tuple(asked.get("where", ())),
        columns=tuple(asked.get("column", ())),
        sort=asked.get("sort", ""),
    )
    with pytest.raises(UsageError) as error:
        export(crawl, "csv", tmp_path / "out.csv", selection=selection)
    for path in (PATH, f"{PATH}/export/csv"):
        answer = client.get(path, params=asked)
        assert (answer.status_code, answer.json()["error"]) == (status, str(error.value))
    assert sentence in str(error.value)


def test_entities_that_are_being_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody is told that there are none."""
    monkeypatch.setattr(entity_tables, "SECONDS", 0.0)
    with served(Settings(root=shop(tmp_path / "root" / "shop").parent)) as site:
        answer = site.get(PATH, params={"type": "Product"})
    assert answer.status_code == 404
    assert answer.json()["error"].startswith("the entities are being made: ")


def test_what_is_no_json_or_no_format_is_said(client: httpx.Client) -> None:
    headers = {"content-type": "application/json", **csrf(client)}
    answer = client.post("/api/crawls/shop/query", content="x", headers=headers)
    assert (answer.status_code, answer.json()["error"]) == (422, "the request is no JSON: Expecting value")
    answer = client.get(f"{PATH}/export/cvs", params={"type": "Product"})
    assert (answer.status_code, answer.json()["error"]) == (404, "there is no format 'cvs'; did you mean 'csv'?")


def test_a_misspelt_parameter_is_no_filter(client: httpx.Client) -> None:
    answer = client.get(PATH, params={"type": "Product", "wher": "price < 60"})
    assert answer.status_code == 400
    assert answer.json()["error"] == "unknown query parameter 'wher'; did you mean 'where'?"
    assert "it takes none" in client.get("/api/crawls/shop/types?type=Product").json()["error"]
    assert "did you mean 'trouble'" in client.get("/api/crawls/shop/pages?truble=robots").json()["error"]


def test_counts_of_columns(client: httpx.Client) -> None:
    asked = {"type": "Product", "where": "host = shop1.example", "column": ["host", "offers.price", "releaseDate"]}
    hosts, prices, dates = client.get(f"{PATH}/counts", params=asked).json()["counts"]
    assert [each["number"] for each in hosts["values"]] == [40, 40, 40]  # its own filter does not count
    texts = client.get(
        PATH, params={"type": "Product", "where": ["host = shop1.example", "price contains on"]}
    ).json()
    assert sum(each["number"] for each in prices["bins"]) == 40 - texts["total"]
    assert (dates["bins"][0]["low"], dates["bins"][-1]["high"]) == ("2011", "2023")
    (found,) = client.get(f"{PATH}/counts", params={**asked, "column": "host", "like": "P2"}).json()["counts"]
    assert [each["value"] for each in found["values"]] == ["shop2.example"]


def test_conditions_are_told_as_they_were_read(client: httpx.Client) -> None:
    asked = {"type": "Product", "where": ["price < 20 and COLOR in red, 'black, white'", "sources > 1"]}
    first, second = client.get(PATH, params=asked).json()["conditions"]
    assert first["parts"] == [
        {"column": "offers.price", "sign": "<", "values": ["20"]},
        {"column": "color", "sign": "in", "values": ["red", "black, white"]},
    ]
    assert second == {"text": "sources > 1", "parts": [{"column": "sources", "sign": ">", "values": ["1"]}]}


def test_what_was_merged_and_why(client: httpx.Client) -> None:
    merged = client.get(f"{PATH}/merged", params={"type": "Product"}).json()
    assert (merged["total"], merged["all"], len(merged["merged"])) == (12, 120, 12)
    first = merged["merged"][0]
    assert (first["descriptions"], first["reasons"]) == (2, {"same URL": 1})
    entity = client.get(f"{PATH}/{first['entity']}").json()
    assert (entity["name"], entity["types"][0]["short"]) == (first["name"], "schema:Product")
    assert entity["tree"]["offers"]["price"] is not None
    assert [source["page"] for source in entity["sources"]] == first["pages"]
    assert [source.get("reason") for source in entity["sources"]] == [None, "same URL"]
    page = client.get(f"/api/crawls/shop/pages/{entity['sources'][1]['number']}").json()
    assert page["url"] == first["pages"][1]
    for number in (10**9, 10**30):
        answer = client.get(f"{PATH}/{number}")
        assert (answer.status_code, "there is no entity" in answer.json()["error"]) == (404, True)


def test_the_map(client: httpx.Client) -> None:
    found = client.get(f"{PATH}/map", params={"type": "Product", "south": 48, "north": 49}).json()
    assert (found["latitude"], found["inside"], found["total"]) == ("geo.latitude", 40, 120)
    assert client.get(f"{PATH}/map", params={"type": "Product", "south": "nan"}).status_code == 422


def test_images_of_other_sites_are_allowed_only_to_those_who_chose_them(client: httpx.Client) -> None:
    page, cookie = "/crawls/shop/results", {"cookie": "sundog-images=shown"}
    without, chosen, elsewhere = (
        client.get(path, headers=headers).headers["content-security-policy"]
        for path, headers in ((page, {}), (page, cookie), ("/crawls/shop", cookie))
    )
    assert "img-src 'self' data:;" in without
    assert elsewhere == without
    assert chosen == without.replace("img-src 'self'", "img-src https: 'self'")
