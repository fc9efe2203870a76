"""Query by example: what is learnt from one page holds on the others of its site."""

from __future__ import annotations

import tomllib
from contextlib import suppress
from urllib.parse import quote

import pytest
from examples.sites.answer import Answer
from examples.sites.music import START, Music, people
from examples.sites.shop import Shop, products, shown_price
from examples.sites.wiki import CITIES, Wiki
from hypothesis import given
from hypothesis import strategies as st

from sundog.errors import UsageError
from sundog.patterns.example import explained, guess, guess_link, guess_links, page_tree, spec_of
from sundog.patterns.example.expressions import literal
from sundog.patterns.example.ranking import shown
from sundog.patterns.example.tree import Node
from sundog.patterns.runner import Subject
from sundog.patterns.trial import try_patterns
from sundog.spec.crawl import parse_spec

WIKI, SHOP, MUSIC = Wiki(), Shop(), Music()
PRODUCT = next(product for product in products() if len(product.prices) > 2)


def tree(answer: Answer | str) -> Node:
    text = answer.body if isinstance(answer, Answer) else answer
    return page_tree(text.encode(), "http://page.example/", "text/html")


def city(name: str) -> Node:
    return tree(WIKI.answer(quote(f"/wiki/{name.replace(' ', '_')}"), ""))


def test_patterns_of_one_city_hold_for_all() -> None:
    """By name, label and value: the oddities are in how the value is written, which its type reads."""
    fields = guess(city("Munich"), ["Munich", "1,356,594", "519", "Bavaria"]).fields
    assert [(field.name, field.type) for field in fields] == [
        ("title", "text"),
        ("population", "number"),
        ("elevation", "number"),
        ("state", "text"),
    ]
    title, population, elevation, state = (field.best.xpath for field in fields)
    for each in CITIES:
        page = city(each.name)
        assert shown(page, title) == (each.name,)
        assert shown(page, state) == ((each.state,) if each.state else ())
        assert len(shown(page, population)) == 1
        assert len(shown(page, elevation)) == (each.elevation is not None)


def test_authors_names_are_trusted_most() -> None:
    page = tree(SHOP.answer(PRODUCT.path, ""))
    fields = guess(page, [PRODUCT.name, shown_price(PRODUCT.prices[0][1]), str(PRODUCT.number)]).fields
    assert [field.best.xpath for field in fields] == [
        f"//*[@itemprop='{name}']" for name in ("name", "price", "sku")
    ]


def test_values_of_one_row_make_records() -> None:
    page = tree(SHOP.answer(PRODUCT.path, ""))
    date, cents = PRODUCT.prices[1]
    guessed = guess(page, [date, f"price={shown_price(cents)}"])
    assert guessed.records is not None
    assert len(guessed.records.nodes) == len(PRODUCT.prices)
    assert [(field.name, field.type) for field in guessed.fields] == [("date", "date"), ("price", "number")]
    assert list(guessed.fields[0].best.matches) == [date for date, _ in PRODUCT.prices]


def test_rows_within_an_item_make_a_list() -> None:
    """The name is the page's, the price of some day is one of many."""
    date, cents = PRODUCT.prices[1]
    guessed = guess(tree(SHOP.answer(PRODUCT.path, "")), [PRODUCT.name, date, shown_price(cents)])
    assert [field.name for field in guessed.fields] == ["name"]
    assert [inner.name for inner in guessed.lists] == ["price_history"]
    spec = parse_spec(spec_of(guessed, "http://shop.example/", "product", "xpath"))
    subject = Subject("http://shop.example/", SHOP.answer(PRODUCT.path, "").body.encode())
    (item,) = try_patterns(spec.patterns, subject)[0].items
    assert item["name"] == PRODUCT.name
    assert [(each["date"], round(100 * each["was"])) for each in item["price_history"]] == list(PRODUCT.prices)


def test_urls_are_found_however_they_are_written() -> None:
    page = "<p>See <a class=source href='../b?c'>it</a>"
    field = guess(tree(page), ["http://page.example/b?c"], url="http://page.example/a/").fields[0]
    assert (field.type, field.best.xpath.rpartition("/")[2]) == ("url", "@href")


def test_heads_of_columns_lead_to_cells() -> None:
    page = city("List of cities in Germany")
    guessed = guess(page, ["Augsburg", "Bavaria"])
    assert guessed.records is not None
    assert len(guessed.records.nodes) == len(CITIES)
    assert [field.name for field in guessed.fields] == ["city", "state"]
    assert list(guessed.fields[0].best.matches) == sorted(each.name for each in CITIES)


def test_one_entry_of_a_list_stands_for_all() -> None:
    artists = people()[START].artists
    guessed = guess(tree(MUSIC.answer(f"/user/{START}/artists", "")), [artists[2]], "css")
    assert guessed.records is not None
    assert guessed.fields[0].best.matches == artists[:8]
    assert guessed.fields[0].best.css
    assert guessed.next_page


def test_links_by_example() -> None:
    found = guess_link(city("List of cities in Germany"), "Augsburg", "xpath")
    assert found.name == "to-city"
    assert list(found.matches) == sorted(each.name for each in CITIES)
    lamps = tree(SHOP.answer("/c/lamps", ""))
    assert guess_link(lamps, "Next", "css").find == "li.next > a"
    several = guess_links(lamps, ["Chairs", "Clocks", products()[3].name, "Delivery"], "xpath")
    assert [each.name for each in several] == ["to-link", "to-link-2", "to-link-3"], (
        "chairs and clocks are of one kind"
    )


@pytest.mark.parametrize("engine", ["xpath", "css"])
def test_the_spec_can_be_read(engine: str) -> None:
    page = tree(SHOP.answer("/c/lamps", ""))
    product = products()[3]
    guessed = guess(page, [product.name, shown_price(product.prices[0][1])], engine)
    links = [guess_link(page, product.name, engine)]
    text = spec_of(guessed, "http://shop.example/c/lamps", "card", engine, links)
    spec = parse_spec(text)
    assert spec.patterns.engine == engine
    assert [each.name for each in spec.patterns.link] == ["to-link", "next-page"]
    assert any("class" in line for line in explained(guessed, links))


def test_a_value_that_is_not_there_gets_a_hint() -> None:
    with pytest.raises(UsageError, match="did you mean 'Christian Ude'"):
        guess(city("Munich"), ["Christian Uden"])
    with pytest.raises(UsageError, match="no link with the text"):
        guess_link(city("Munich"), "Atlantis", "xpath")


@pytest.mark.parametrize(
    "body",
    [
        "",
        "<p>x",
        '<p>it\'s "x" <b>it\'s "x"</b>',
        "<div>" * 5_000 + "x",
        "<table>" + "<tr><td>x<td>y" * 3_000,
        '<p class=\'a"b\' id="c\'d" itemprop="e\'f">x',
        "<a href='?a=1&amp;b=2'>x</a>" * 500,
    ],
)
def test_odd_pages(body: str) -> None:
    """An answer or one sentence, never anything else."""
    with suppress(UsageError):
        text = spec_of(guess(tree(body), ["x"]), "http://page.example/", "item", "xpath")
        assert tomllib.loads(text)["patterns"]["data"][0]["fields"]


@given(st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Cn"]), max_size=20))
def test_any_text_can_be_a_literal(text: str) -> None:
    assert tree("").xpath(f"string({literal(text)})") == text


def test_quotes_in_labels() -> None:
    page = tree("""<table><tr><th>It's 5" long<td>yes<tr><th>b<td>no</table>""")
    assert guess(page, ["yes"]).fields[0].best.matches == ("yes",)


@pytest.mark.parametrize(
    ("body", "value", "xpath"),
    [
        ("<dl><dt>Area<dd>310 km²<dt>Founded<dd>1158</dl>", "1158", "//dt[normalize-space() = 'Founded']"),
        ("<div><b>Founded:</b> <i>1158</i></div>", "1158", "//b[starts-with(normalize-space(), 'Founded')]"),
        ("<p>Area: 310 km²</p><p>Founded: 1158</p>", "1158", "//p[starts-with(normalize-space(), 'Founded:')]"),
        ("<p>Mayor: Ann Lee</p><p>Area: 310</p>", "Ann Lee", "normalize-space(substring-after(//p["),
        (
            "<meta property='og:title' content='Munich'><p>Munich is old",
            "Munich",
            "//*[@property='og:title']/@content",
        ),
        ("<time datetime='2026-01-02'>yesterday</time>", "2026-01-02", "//time/@datetime"),
    ],
)
def test_labels_of_every_kind(body: str, value: str, xpath: str) -> None:
    """The pattern begins as expected, and gives the value first."""
    best = guess(tree(body), [value]).fields[0].best
    assert best.xpath.startswith(xpath)
    assert value in best.matches[0]


def test_what_cannot_be_encoded_does_not_spoil_the_spec() -> None:
    """Half of a surrogate pair, as a command line may hand it over."""
    page = page_tree(b"<h1>Munich</h1>", "http://a.example/", "text/html")
    text = spec_of(guess(page, ["Munich"]), "http://a.example/\udcff", "city", "xpath")
    assert "http://a.example/?" in text.encode().decode()
