"""Patterns from values that somebody sees on a page, tried on another page of the same make: with other values, in
another order, with more and less on it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import pytest

from sundog.patterns.crawl_view import CrawlView
from sundog.patterns.document import PageDocument
from sundog.patterns.evaluate import Evaluator
from sundog.patterns.example.guess import guess
from sundog.patterns.example.spec_writer import spec_of
from sundog.patterns.example.tree import page_tree
from sundog.patterns.runner import plan_of
from sundog.spec.crawl import parse_spec

URL = "http://a.example/page"
Facts = Iterable[tuple[str, str]]
EIGER = [("Height", "3,967 m"), ("Range", "Bernese Alps"), ("First ascent", "11 August 1858"), ("Rock", "Lime")]
OTHER = [("Country", "CH"), ("First ascent", "3 August 1811"), ("Range", "Alps"), ("Height", "4,158 m")]


class Shape(NamedTuple):
    """How a page shows facts."""

    name: str
    around: str
    fact: str


SHAPES = (
    Shape("definition list", "<dl>{}</dl>", "<dt>{}</dt><dd>{}</dd>"),
    Shape("definition list with boxes", "<dl>{}</dl>", "<div><dt>{}</dt><dd>{}</dd></div>"),
    Shape("table", "<table>{}</table>", "<tr><th scope=row>{}</th><td>{}</td></tr>"),
    Shape("table without heads", "<table>{}</table>", "<tr><td>{}</td><td>{}</td></tr>"),
    Shape("label and colon", "{}", "<p><strong>{}:</strong> {}</p>"),
    Shape("one text", "<ul>{}</ul>", "<li>{}: {}</li>"),
    Shape("lines", "<p>{}</p>", "{}: {}<br>"),
    Shape("bold words in a text", "<div>{}</div>", "<b>{}</b> {}<br>"),
    Shape("bold words with a colon behind", "<div>{}</div>", "<b>{}</b>: {}<br>"),
    Shape("two elements", "<div>{}</div>", "<div><span class=label>{}</span> <span class=value>{}</span></div>"),
    Shape(
        "two elements of no name", "<div>{}</div>", "<div><span class=css-1a2b3c>{}</span><span>{}</span></div>"
    ),
    Shape("text and element", "<div>{}</div>", "<p>{} <em>{}</em></p>"),
    Shape("headings", "{}", "<h2>{}</h2><p>{}</p>"),
    Shape("headings in sections", "{}", "<section><h3>{}</h3><p>{}</p></section>"),
)


def page(body: str) -> bytes:
    menu = '<ul class="menu"><li><a href="/">Home</a></li><li><a href="/about">About</a></li></ul>'
    return (
        f"<!doctype html><title>T - Site</title>{menu}<main>{body}</main><footer><p>Mail: a@b.example</p>".encode()
    )


def made(shape: Shape, title: str, facts: Facts) -> bytes:
    return page(f"<h1>{title}</h1>" + shape.around.format("".join(shape.fact.format(*fact) for fact in facts)))


def proposed(body: bytes, *words: str, engine: str = "xpath") -> Callable[[bytes], list[dict[str, Any]]]:
    """The items that the proposed patterns find on a page."""
    text = spec_of(guess(page_tree(body, URL, "text/html"), words, engine, URL), URL, "item", engine)
    evaluator = Evaluator(plan_of(parse_spec(text).patterns).queries)

    def items(other: bytes) -> list[dict[str, Any]]:
        found = evaluator.apply(PageDocument(URL, other, "text/html", "", CrawlView()), None)
        return list(found["items"].get("item", []))

    return items


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.name)
def test_facts_are_found_by_their_labels(shape: Shape) -> None:
    first, second = made(shape, "Eiger", EIGER), made(shape, "Jungfrau", OTHER)
    items = proposed(first, "name=Eiger", "3,967 m", "Bernese Alps", "11 August 1858")
    fields = ("name", "height", "range", "first_ascent")
    assert items(first) == [dict(zip(fields, ("Eiger", 3967, "Bernese Alps", "1858-08-11"), strict=True))]
    assert items(second) == [dict(zip(fields, ("Jungfrau", 4158, "Alps", "1811-08-03"), strict=True))]


def test_one_fact_is_no_list() -> None:
    shape = SHAPES[10]
    items = proposed(made(shape, "Eiger", EIGER), "name=Eiger", "3,967 m")
    assert items(made(shape, "Jungfrau", OTHER)) == [{"name": "Jungfrau", "height": 4158}]


def cards(*goods: tuple[str, str]) -> bytes:
    return page("".join(f"<div class=card><b>{name}</b><p>{price}</p></div>" for name, price in goods))


@pytest.mark.parametrize("words", [("name=Mug", "price=8,50 €"), ("price=8,50 €",)])
def test_the_title_of_a_card_is_no_label(words: tuple[str, ...]) -> None:
    items = proposed(cards(("Mug", "8,50 €"), ("Bowl", "12 €"), ("Jar", "sold out")), *words)
    assert [each["price"] for each in items(cards(("Fork", "1,50 €"), ("Spoon", "2 €")))] == [1.5, 2]


@pytest.mark.parametrize("engine", ["xpath", "css"])
def test_rows_have_the_names_of_their_columns(engine: str) -> None:
    def table(*rows: tuple[str, str, str]) -> bytes:
        cells = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
        return page(f"<table><tr><th>Team</th><th>Won</th><th>Points</th></tr>{cells}</table>")

    items = proposed(
        table(("Reds", "12", "40"), ("Blues", "10", "33"), ("Greens", "3", "11")), "Reds", "40", engine=engine
    )
    assert items(table(("Lions", "1", "5"), ("Bears", "0", "2"))) == [
        {"team": "Lions", "points": 5},
        {"team": "Bears", "points": 2},
    ]


def test_what_the_author_has_named() -> None:
    def article(author: str, price: str) -> bytes:
        return page(
            f'<h1>News</h1><p>By <a rel="author" href="/u">{author}</a></p><b itemprop="price">{price}</b>'
        )

    items = proposed(article("Ann Lee", "19,90 €"), "Ann Lee", "19,90 €")
    assert items(article("Bo", "5,00 €")) == [{"author": "Bo", "price": 5.0}]


def test_a_telephone_number_is_a_text() -> None:
    def hotel(name: str, phone: str) -> bytes:
        return page(f"<h1>{name}</h1><address>Main Street 5<br>Tel.: {phone}<br>80331 Munich</address>")

    items = proposed(hotel("Post", "+49 89 12345"), "name=Post", "phone=+49 89 12345")
    assert items(hotel("Sun", "+49 30 999")) == [{"name": "Sun", "phone": "+49 30 999"}]
