"""Every item that the demo web's generator knows is one row, with its values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from sundog import Crawl
from sundog.demo_web.entities import entity_of
from sundog.demo_web.kinds import THINGS
from sundog.demo_web.site import Item, Site
from sundog.demo_web.web import Web
from tests.entities.crawls import crawl_of_pages

MICROFORMATS = ("mf2", "classic")
WEB = {"seed": 3, "hosts": 40, "pages": 2_400}
SCHEMA_TYPES = {name for thing in THINGS.values() for name in thing.types}


@pytest.fixture(scope="module")
def web() -> Web:
    return Web(**WEB, corners=False)


@pytest.fixture(scope="module")
def crawl(web: Web, tmp_path_factory: pytest.TempPathFactory) -> Crawl:
    return Crawl(crawl_of_pages(tmp_path_factory.mktemp("demo") / "crawl", _pages(web)))


def _pages(web: Web) -> Iterator[tuple[str, bytes, str]]:
    for url, site, _ in web.pages():
        answer = web.answer(site.plan.host, url.removeprefix(site.root))
        yield url, answer.body, "text/html"


def type_of(site: Site, item: Item) -> str:
    thing = THINGS[item.thing]
    return thing.microformat if site.plan.habit.syntax in MICROFORMATS else site.types[item.thing]


def items_of(web: Web) -> list[tuple[Site, Item]]:
    """Those whose pages, or lists, say what they are."""
    return [
        (site, item)
        for site in web.sites
        for item in site.items
        if site.is_marked(item) and (not site.is_broken(item) or site.plan.habit.lists)
    ]


def rows_of(crawl: Crawl, kind: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = crawl.entities(kind).to_pylist()
    return rows


def first(value: Any) -> Any:
    """Microformats have no word for places: an event has the name of its own first."""
    return value[0] if isinstance(value, list) else value


def test_every_item_is_one_row(web: Web, crawl: Crawl) -> None:
    known = Counter((type_of(site, item), site.plan.host, item.title) for site, item in items_of(web))
    types = {kind for kind, _, _ in known} - {"h-card"}  # also that of authors and owners
    found = Counter((kind, row["host"], first(row["name"])) for kind in types for row in rows_of(crawl, kind))
    for kind in types:
        mine = {key: number for key, number in known.items() if key[0] == kind}
        its = {key: number for key, number in found.items() if key[0] == kind}
        both = sum(min(number, its.get(key, 0)) for key, number in mine.items())
        recall, precision = both / sum(mine.values()), both / sum(its.values())
        assert recall >= 0.99, (kind, [key for key in mine if its.get(key, 0) < mine[key]][:5])
        assert precision >= 0.99, (kind, [key for key in its if its[key] > mine.get(key, 0)][:5])


def test_every_row_has_what_the_generator_wrote(web: Web, crawl: Crawl) -> None:
    """The values of its own page: price and author, dates and durations."""
    kinds = SCHEMA_TYPES.intersection(crawl.types())
    rows = {(kind, row["page"]): row for kind in kinds for row in rows_of(crawl, kind)}
    checked: Counter[str] = Counter()
    for site, item in items_of(web):
        row = rows.get((type_of(site, item), site.root + item.path))
        if site.plan.habit.syntax in MICROFORMATS or site.is_broken(item) or row is None:
            continue
        subject = site.subject(item)
        entity = entity_of(item.thing, subject, site.plan.language, site.stock, site.item_dice(item.number))
        for prop, _, value, _ in entity.fields:
            checked[prop] += 1
            if prop == "author":
                url = (row.get("author.url") or "").removeprefix(site.root)
                assert value == (url, row.get("author.name") or value[1])
            elif prop == "offers":
                offer = {field.prop: field.value for field in value.fields}
                assert row["offers.price"] == float(offer["price"])
                assert row["offers.priceCurrency"] == "EUR"
            elif prop == "recipeIngredient":
                assert sorted(row[prop]) == sorted(set(value))
            elif prop == "datePublished":
                assert row[prop].isoformat()[:10] == value[0]
            elif prop == "totalTime":
                assert row[prop].total_seconds() == 60 * int(value[0][2:-1])
            elif prop == "brand":
                assert row["brand.name"] == value
            elif prop in ("name", "sku", "recipeYield"):
                assert str(row[prop]) == value
    assert min(checked[prop] for prop in ("offers", "author", "totalTime", "recipeIngredient")) > 50


def test_no_value_is_a_blank_node(crawl: Crawl) -> None:
    for kind in crawl.types():
        for row in rows_of(crawl, kind):
            texts = [text for value in row.values() for text in (value if isinstance(value, list) else [value])]
            assert not [text for text in texts if isinstance(text, str) and text.startswith("_:")]
