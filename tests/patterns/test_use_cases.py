"""The crawlers of examples/patterns, run by the command: their results are the facts of the example sites."""

from __future__ import annotations

import csv
import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from examples.sites import Served, serving
from examples.sites.music import fans
from examples.sites.shop import products
from examples.sites.wiki import CITIES

from tests.cli.commands import Command

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "patterns"
TUTORIAL = EXAMPLES.parents[1] / "docs" / "patterns-tutorial.md"
Crawl = Callable[..., tuple[Path, dict[str, Any]]]


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    with serving() as sites:
        yield sites


@pytest.fixture
def crawl(
    served: Served, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Crawl:
    """Runs a spec: the directory, and the summary."""

    def run(spec: Path | str, *options: object) -> tuple[Path, dict[str, Any]]:
        if isinstance(spec, str):
            (tmp_path / "spec.toml").write_text(spec, encoding="utf-8")
            spec = tmp_path / "spec.toml"
        out = tmp_path / f"crawl-{len(list(tmp_path.iterdir()))}"
        where = ("--connect-to", served.connect_to, "--delay", 0, "--out", out, "--json")
        done = Command(monkeypatch, capsys)("crawl", spec, *where, *options)
        assert done.code == 0, done.err
        return out, json.loads(done.out)

    return run


def bavarian_cities() -> list[list[str]]:
    """Name, population and elevation, the largest first; one whose population nobody knows comes last."""
    cities = [city for city in CITIES if city.state == "Bavaria"]
    cities.sort(key=lambda city: -(city.population or 0))
    return [[city.name, str(city.population or ""), str(city.elevation or "")] for city in cities]


def test_cities_in_xpath_and_in_xquery(crawl: Crawl) -> None:
    pytest.importorskip("saxonche")
    directory, summary = crawl(EXAMPLES / "cities.toml")
    result = (directory / "result.csv").read_text(encoding="utf-8")
    rows = list(csv.reader(result.splitlines()))
    assert rows[0] == ["name", "population", "elevation", "url", "node_id", "matched_id"]
    assert [row[:3] for row in rows[1:]] == bavarian_cities()
    assert summary["fetched"] == 1 + len(bavarian_cities()), "the list and the cities, and nothing else"
    in_xquery, _ = crawl(EXAMPLES / "cities-xquery.toml")
    assert (in_xquery / "result.csv").read_text(encoding="utf-8") == result


def test_the_tutorial_tells_the_truth(crawl: Crawl) -> None:
    """Its spec is run, and the table below it is what comes out."""
    blocks = re.findall(r"^```(\w+)\n(.*?)^```$", TUTORIAL.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    spec = next(text for kind, text in blocks if kind == "toml" and "[patterns.result]" in text)
    table = next(text for kind, text in blocks if kind == "text" and text.startswith("name,population"))
    directory, _ = crawl(spec)
    assert (directory / "result.csv").read_text(encoding="utf-8") == table


def test_music_taste_of_a_user_and_friends(crawl: Crawl) -> None:
    pytest.importorskip("saxonche")
    directory, _ = crawl(EXAMPLES / "taste.toml")
    artists = ET.parse(directory / "result.xml").getroot().iter("artist")
    found = {artist.findtext("name"): [fan.text for fan in artist.findall("fan")] for artist in artists}
    assert found == fans()


def test_products_with_their_prices(crawl: Crawl) -> None:
    directory, summary = crawl(EXAMPLES / "shop.toml")
    items = json.loads((directory / "result.json").read_text(encoding="utf-8"))
    known = {str(product.number): product for product in products()}
    assert summary["stopped"] == "stop pattern enough"
    assert 60 <= len(items) <= 64 + 60, "what is in flight is finished"
    assert len({item["sku"] for item in items}) == len(items), "no product twice"
    for item in items:
        product = known[item["sku"]]
        prices = [(each["date"], round(each["price"] * 100)) for each in item["history"]]
        assert (item["name"], prices) == (product.name, list(product.prices))
        assert item["stock"] == ("Sold out" if product.sold_out else "In stock")


def test_a_crawl_that_dries_up_stops(crawl: Crawl) -> None:
    spec = (EXAMPLES / "shop.toml").read_text(encoding="utf-8")
    spec = spec.replace("dry = 200", "dry = 20").replace("items = 60", "items = 6000")
    spec = spec.replace(
        'seeds = ["http://shop.example/"]', 'seeds = ["http://wiki.example/", "http://shop.example/"]'
    )
    spec += '\n[[patterns.link]]\nname = "anything"\nfind = "//div[@id = \'content\']//a"\n'
    _, summary = crawl(spec)
    assert summary["stopped"] == "stop pattern nothing-new"
