"""Example pages: their labelled values, patterns of what was chosen, and what these find elsewhere."""

from __future__ import annotations

import tomllib
from typing import Any

from sundog.patterns.example import page_tree
from sundog.patterns.example.tree import elements, text_of
from sundog.web.new.page_fields import page_fields
from tests.engines.live.webs import HOME, SmallWeb
from tests.web.sites import Site

CITY = """<!doctype html><title>Munich</title><h1>Munich</h1><table class="infobox">
<tr><th colspan="2">Basic statistics</th></tr>
<tr><th>State</th><td>Bavaria</td></tr><tr><th>Population (2007):</th><td>1,356,594 (2007)</td></tr>
<tr><th>Mayor</th><td><script>alert(1)</script>Ude</td></tr></table>
<dl><dt>Founded</dt><dd>1158</dd></dl>"""
CARD = (
    '<article class="card"><h3><a href="/p/{0}">Lamp {0}</a></h3>'
    '<b class="price">€ {0}.50</b><i>in {1}</i></article>'
)


def shop(first: int, following: str = "") -> str:
    cards = "".join(CARD.format(number, "red" if number % 2 else "blue") for number in range(first, first + 5))
    more = f'<p class="pager"><a href="{following}">Weiter</a></p>' if following else ""
    return f"<title>Shop</title><nav><a href=/>Home</a> <a href=/about>About</a></nav><main>{cards}</main>{more}"


def number_of(page: str, text: str) -> int:
    """The number of the smallest element with this text."""
    nodes = elements(page_tree(page.encode(), HOME, "text/html"))
    return max(number for number, node in enumerate(nodes) if text_of(node) == text)


def chosen(page: str, *texts: str, **more: Any) -> list[dict[str, Any]]:
    return [{"element": number_of(page, text), **more} for text in texts]


def test_what_stands_beside_labels() -> None:
    fields = page_fields(page_tree(CITY.encode(), HOME, "text/html"))
    found = {field.name: (field.sample, field.type) for field in fields}
    assert found["name"] == ("Munich", "text")
    assert found["state"] == ("Bavaria", "text")
    assert found["population"] == ("1,356,594", "number")
    assert found["founded"] == ("1158", "number")


def test_a_page_with_rows_without_end_gives_some() -> None:
    rows = "".join(f"<tr><th>Row {number}</th><td>{number}</td></tr>" for number in range(20_000))
    assert len(page_fields(page_tree(f"<table>{rows}</table>".encode(), HOME, "text/html"))) <= 80


def test_patterns_of_labelled_values(site: Site, web: SmallWeb) -> None:
    url, start = f"{HOME}munich", f"{HOME}list"
    web.reply(url, CITY)
    web.reply(start, '<h1>List</h1><ul><li><a href="/munich">Munich</a><li><a href="/ulm">Ulm</a></ul>')
    shown = site.post("/api/picture", {"url": url})
    values = {field["name"]: {"element": field["element"], "name": field["name"]} for field in shown["fields"]}
    values["state"]["same"] = True
    body = {
        "url": url,
        "structure": shown["structure"],
        "start": start,
        "values": [values["name"], values["population"], values["state"]],
        "order": "-population",
    }
    made = site.post("/api/patterns", body)
    patterns = tomllib.loads(made["patterns"])["patterns"]
    (data,) = patterns["data"]
    assert data["fields"]["population"]["type"] == "number"
    assert "Bavaria" in data["when"]
    assert [link["count"] for link in made["links"]] == [2]
    assert len(patterns["link"]) == 1
    assert patterns["result"] == {"order": ["-population"], "format": "csv"}
    assert not made["open"]


def test_a_list_by_clicks(site: Site, web: SmallWeb) -> None:
    """Fields of several cards, the link to the next page, and what is found there."""
    first, second, third = f"{HOME}shop", f"{HOME}shop?page=2", f"{HOME}shop?page=3"
    web.reply(first, page := shop(1, second))
    web.reply(second, shop(6, third))
    web.reply(third, shop(11))
    shown = site.post("/api/picture", {"url": first})
    body = {
        "url": first,
        "structure": shown["structure"],
        "values": chosen(page, "Lamp 1", "Lamp 3", "€ 2.50", "in red"),
        "links": chosen(page, "Lamp 2"),
    }
    made = site.post("/api/patterns", body)
    assert [(field["values"], field["type"], field["count"]) for field in made["fields"]] == [
        ([0, 1], "text", 5),
        ([2], "number", 5),
        ([3], "text", 5),
    ]
    assert len(made["parts"]) == 5
    assert [link["count"] for link in made["links"]] == [5]
    assert "Weiter" in made["next_page"]
    pages = site.post("/api/patterns/trial", body)["pages"]
    assert [each["url"] for each in pages] == [first, second, third]
    assert [[item["price"] for item in each["patterns"][0]["items"]] for each in pages] == [
        [number + 0.5 for number in range(at, at + 5)] for at in (1, 6, 11)
    ]
    assert web.asked().count(first) == 1


def test_what_to_follow_is_asked_if_nothing_says_so(site: Site, web: SmallWeb) -> None:
    """The example has moved, and the first page has no link to it."""
    old, url, start = f"{HOME}old", f"{HOME}munich", f"{HOME}list"
    web.moves(old, url)
    web.reply(url, CITY)
    web.reply(start, '<ul><li><a href="/bonn">Bonn</a><li><a href="/ulm">Ulm</a></ul>')
    body = {"url": old, "start": start, "values": chosen(CITY, "Bavaria", name="state")}
    assert f"has no link to {url}, which {old} leads to" in site.post("/api/patterns", body)["open"]
    every = site.post("/api/patterns", {**body, "follow": "every"})
    assert not every["open"]
    assert "link" not in tomllib.loads(every["patterns"])["patterns"]
    none = site.post("/api/patterns", {**body, "follow": "none"})
    assert tomllib.loads(none["patterns"])["patterns"]["link"][0]["depth"] == 0
    by_click = {**body, "links": [{"element": 4, "on": "start"}]}
    assert [link["count"] for link in site.post("/api/patterns", by_click)["links"]] == [2]


def test_a_link_with_the_examples_heading_leads_to_it(site: Site, web: SmallWeb) -> None:
    """The link is an old name of the page."""
    web.reply(f"{HOME}munich", CITY)
    web.reply(f"{HOME}list", '<ul><li><a href="/monaco">Munich</a><li><a href="/ulm">Ulm</a></ul>')
    body = {"url": f"{HOME}munich", "start": f"{HOME}list", "values": chosen(CITY, "Bavaria")}
    assert [link["count"] for link in site.post("/api/patterns", body)["links"]] == [2]


def test_mistakes_are_one_sentence(site: Site, web: SmallWeb) -> None:
    web.reply(f"{HOME}munich", CITY)
    body = {"url": f"{HOME}munich"}
    assert "click a value" in site.post("/api/patterns", body, 400)["error"]
    assert "no such element" in site.post("/api/patterns", {**body, "values": [{"element": 99}]}, 400)["error"]
    changed = {**body, "structure": "other", "values": [{"element": 4}]}
    assert "has changed" in site.post("/api/patterns", changed, 400)["error"]
    no_link = {**body, "values": chosen(CITY, "Bavaria"), "links": chosen(CITY, "1158")}
    assert "no link" in site.post("/api/patterns", no_link, 400)["error"]
    assert "404" in site.post("/api/picture", {"url": f"{HOME}missing"}, 400)["error"]
    assert "private" in site.post("/api/picture", {"url": "http://127.0.0.1/"}, 400)["error"]
    named = {**body, "values": [{"element": 1, "name": "a b"}]}
    assert "name" in site.post("/api/patterns", named, 422)["error"]
