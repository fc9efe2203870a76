"""Patterns on one page: what they yield, where it stands, and errors that hide nobody else's answer."""

from __future__ import annotations

import pytest
from examples.sites.shop import Shop, products

from sundog.patterns.runner import Subject
from sundog.patterns.trial import Tried, try_patterns
from sundog.spec.crawl import parse_spec

PAGE = b"""<!doctype html>
<h1>Munich</h1>
<ul>
  <li><a href="/a">A</a>
  <li><a href="/b">B</a>
</ul>"""


def tried(patterns: str, body: bytes = PAGE) -> dict[str, Tried]:
    spec = parse_spec(f'seeds = ["http://a.example/"]\n{patterns}')
    return {each.name: each for each in try_patterns(spec.patterns, Subject("http://a.example/x/", body))}


def test_items_and_links_have_their_positions() -> None:
    found = tried("""
        [[patterns.data]]
        name = "entry"
        find = "//li"
        fields.link = { find = "a/@href", type = "url" }
        [[patterns.link]]
        name = "on"
        engine = "css"
        find = "li a"
        [[patterns.stop]]
        name = "there"
        when = "//h1 = 'Munich'"
        [[patterns.stop]]
        name = "later"
        pages = 5
    """)
    assert [item["link"] for item in found["entry"].items] == ["http://a.example/a", "http://a.example/b"]
    assert [(each[""].line, each[""].column) for each in found["entry"].positions] == [(4, 3), (5, 3)]
    assert [link.anchor for link in found["on"].links] == ["A", "B"]
    assert found["on"].positions[1][""].path.endswith("/li[2]/a")
    assert (found["there"].holds, found["later"].holds) == (True, None)


def test_an_error_hides_no_other_pattern() -> None:
    found = tried("""
        [[patterns.data]]
        name = "broken"
        find = "//h1["
        [[patterns.data]]
        name = "sound"
        fields.name = "//h1"
        [[patterns.data]]
        name = "wrong-type"
        fields.name = { find = "//h1", type = "number" }
        [[patterns.link]]
        name = "unknown"
        find = "//a[crawl:dept() = 1]"
        [patterns.result]
        find = "for $x in $crawl/item return $y"
    """)
    assert "line 1, column" in found["broken"].errors[0]
    assert "did you mean 'depth'" in found["unknown"].errors[0]
    assert "$y" in found["result"].errors[0]
    assert "no number in 'Munich'" in found["wrong-type"].errors[0]
    assert found["sound"].items == [{"name": "Munich"}]
    assert found["sound"].positions[0]["name"].line == 2


def test_an_endless_pattern_is_ended() -> None:
    pytest.importorskip("saxonche")
    found = tried("""
        [patterns]
        seconds = 1
        [[patterns.data]]
        name = "endless"
        engine = "xquery"
        find = "if (//h1) then count(for $a in 1 to 1000000, $b in 1 to 1000000 return $a * $b) else ()"
        [[patterns.data]]
        name = "sound"
        fields.name = "//h1"
    """)
    assert "stopped after 1 second" in found["endless"].errors[0]
    assert found["sound"].items == [{"name": "Munich"}]


def test_a_product_of_the_shop() -> None:
    product = products()[0]
    found = tried(
        """
        [[patterns.data]]
        name = "price"
        find = "//table[@class = 'price-history']//tr[td]"
        fields.date = { find = "td[1]", type = "date" }
        fields.price = { find = "td[2]", type = "number" }
        """,
        Shop().answer(product.path, "").body.encode(),
    )
    assert [(item["date"], round(item["price"] * 100)) for item in found["price"].items] == list(product.prices)
