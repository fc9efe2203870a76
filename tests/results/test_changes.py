"""What is new, changed and gone since a round, a date or some time."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from sundog.engines.live.run import refresh
from sundog.errors import UsageError
from sundog.results.changes import Change, as_csv, as_html, as_jsonl, changes
from tests.engines.live.webs import HOME, SmallWeb, crawled, urls

PRODUCT = "http://schema.org/Product"


@pytest.fixture
def web() -> Iterator[SmallWeb]:
    with SmallWeb() as running:
        yield running


@pytest.fixture
def shop(web: SmallWeb, tmp_path: Path) -> Path:
    """Round 1: one changes, two goes, four is new. Round 2: one changes back, three says nothing any more."""
    one, two, three, four = urls("1", "2", "3", "4")
    web.page(HOME, one, two, three)
    for url in (one, two, three):
        web.product(url, name=f"first <b>{url}</b>")
    directory = tmp_path / "crawl"
    crawled(web, directory)
    web.product(one, name="=second")
    web.reply(two, status="410 Gone")
    web.page(HOME, one, two, three, four)
    web.product(four)
    refresh(directory, budget=20)
    web.product(one, name=f"first <b>{one}</b>")
    web.page(three)
    refresh(directory, budget=20)
    return directory


def names(things: list[dict[str, object]] | None) -> list[object] | None:
    return None if things is None else [each["name"] for each in things]


def lines(directory: Path, since: str | None = None, kind: str = "") -> list[tuple[object, ...]]:
    return [
        (each.change, each.url, each.round, each.type, names(each.before), names(each.after))
        for each in changes(directory, since, kind)
    ]


def test_since_the_last_round(shop: Path) -> None:
    one, _, three, _ = urls("1", "2", "3", "4")
    assert sorted(lines(shop)) == [
        ("changed", one, 2, PRODUCT, ["=second"], [f"first <b>{one}</b>"]),
        ("changed", three, 2, PRODUCT, [f"first <b>{three}</b>"], None),
    ]


def test_what_changed_back_is_no_change(shop: Path) -> None:
    _, two, three, four = urls("1", "2", "3", "4")
    expected = [
        ("changed", three, 2, PRODUCT, [f"first <b>{three}</b>"], None),
        ("gone", two, 1, PRODUCT, [f"first <b>{two}</b>"], None),
        ("new", four, 1, PRODUCT, None, [four]),
    ]
    assert sorted(lines(shop, "1")) == expected
    assert sorted(lines(shop, "1", "Product")) == sorted(lines(shop, "1", "schema:Product")) == expected


def test_since_the_beginning(shop: Path) -> None:
    found = {(change, url) for change, url, *_ in lines(shop, "0")}
    assert found == {("new", url) for url in [HOME, *urls("1", "3", "4")]}  # what came and went is not there
    assert {url for _, url, *_ in lines(shop, "1h")} == {url for _, url in found}
    assert lines(shop, "2100-01-01") == []
    assert {url for _, url, *_ in lines(shop, "2001-01-01")} == {url for _, url in found}


def test_formats(shop: Path) -> None:
    found = list(changes(shop, "1"))
    texts = "".join(as_jsonl(iter(found))).splitlines()
    assert [Change(**json.loads(text)) for text in texts] == found
    assert list(json.loads(texts[0])) == ["change", "url", "round", "type", "before", "after"]
    rows = list(csv.DictReader(io.StringIO("".join(as_csv(iter(found))))))
    assert [row["url"] for row in rows] == [each.url for each in found]
    page = "".join(as_html(iter(found)))
    assert "<b>" not in page
    assert page.count("<tr class") == len(found)


@pytest.mark.parametrize("since", ["9", "tomorrow", "2026-13-01", "-1", "99999-01-01", "7 parsecs", ""])
def test_bad_moments(shop: Path, since: str) -> None:
    with pytest.raises(UsageError, match=r"has no round 9: the last one is 2|is no round, date or length of time"):
        list(changes(shop, since))


def test_a_type_that_nothing_is_of(shop: Path) -> None:
    assert list(changes(shop, "0", "schema:Product"))  # as before
    with pytest.raises(UsageError, match="'Produkt'; did you mean 'Product'"):
        list(changes(shop, kind="Produkt"))
    with pytest.raises(UsageError, match="'Nope'; there are Product"):
        list(changes(shop, kind="Nope"))
