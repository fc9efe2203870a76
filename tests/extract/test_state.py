"""State that frameworks leave for their scripts: products of seven forms of it, hostile ones, and no junk."""

from __future__ import annotations

import html
import json
from typing import Any

import pytest

from sundog.extract import extract
from sundog.objectives import parse_objective
from sundog.objectives.page import PageView

URL = "https://shop.example/p/cup"
SCHEMA = "http://schema.org/"
CUP = {
    "id": 7,
    "name": "Blue cup",
    "sku": "C-7",
    "description": "It holds tea.",
    "slug": "cup",
    "image": {"url": "/img/cup.jpg"},
    "price": {"amount": "12.50", "currencyCode": "EUR"},
    "inStock": True,
}


def next_pages(product: Any) -> str:
    state = {"props": {"pageProps": {"product": product}}, "page": "/p/[slug]", "query": {"slug": "cup"}}
    return f'<script id="__NEXT_DATA__" type="application/json">{json.dumps(state)}</script>'


def next_app(product: Any) -> str:
    inner = json.dumps({"product": product})
    row = f'0:["$","main",null,{{"children":["$","$L3",null,{inner}]}}]\n1:I[7,["x.js"]]\n'
    pieces = [row[:90], row[90:]]
    return "".join(f"<script>self.__next_f.push([1,{json.dumps(piece)}])</script>" for piece in pieces)


def nuxt_2(product: Any) -> str:
    """As Nuxt 2 writes it: a function, whose arguments are the values that occur twice."""
    body = json.dumps(product).replace('"Blue cup"', "a").replace("true", "!0").replace('"name"', "name")
    state = f"{{data:[{{p:{body},x:b}}]}}"
    return f'<script>window.__NUXT__=(function(a,b){{return {state}}}("Blue cup",void 0));</script>'


def nuxt_3(product: Any) -> str:
    values: list[Any] = [["ShallowReactive", 1]]

    def place(value: Any) -> int:
        at = len(values)
        values.append(None)
        if isinstance(value, dict):
            values[at] = {name: place(each) for name, each in value.items()}
        else:
            values[at] = value
        return at

    place({"data": {"product": product}})
    return f'<script type="application/json" id="__NUXT_DATA__">{json.dumps(values)}</script>'


def apollo(product: Any) -> str:
    """Normalised: what an object holds is elsewhere in the cache."""
    cached = {**product, "__typename": "Product", "price": {"__ref": "Money:1"}}
    state = {"ROOT_QUERY": {"product": {"__ref": "Product:7"}}, "Product:7": cached, "Money:1": product["price"]}
    return f"<script>window.__APOLLO_STATE__ = {json.dumps(state)};</script>"


def redux(product: Any) -> str:
    return (
        f"<script>window.__PRELOADED_STATE__ = JSON.parse({json.dumps(json.dumps({'shop': [product]}))})</script>"
    )


def inertia(product: Any) -> str:
    page = html.escape(json.dumps({"component": "Product", "props": {"product": product}}))
    return f'<div id="app" data-page="{page}"></div>'


def astro(product: Any) -> str:
    def tagged(value: Any) -> list[Any]:
        if isinstance(value, dict):
            return [0, {name: tagged(each) for name, each in value.items()}]
        return [0, value]

    props = html.escape(json.dumps({"product": tagged(product)}))
    return f'<astro-island uid="x" component-url="/x.js" props="{props}"></astro-island>'


FRAMEWORKS = (next_pages, next_app, nuxt_2, nuxt_3, apollo, redux, inertia, astro)


@pytest.mark.parametrize("framework", FRAMEWORKS, ids=lambda each: each.__name__)
def test_a_product_is_found_without_a_browser(framework: Any) -> None:
    page = f"<!doctype html><div id=root></div>{framework(CUP)}".encode()
    found = extract(page, URL)
    assert not found.faults
    says = {(statement[1].removeprefix(f"<{SCHEMA}"), statement[2]) for statement in found.by_syntax["state"]}
    assert ("name>", '"Blue cup"') in says
    assert ("price>", '"12.50"') in says
    assert ("priceCurrency>", '"EUR"') in says
    assert ("sku>", '"C-7"') in says
    assert ("image>", "<https://shop.example/img/cup.jpg>") in says
    assert ("availability>", f"<{SCHEMA}InStock>") in says
    assert found.types == [f"{SCHEMA}Product", f"{SCHEMA}Offer"]
    view = PageView(URL, found.counts, found.types, "")
    assert parse_objective("type:schema:Product").judge()(view).reward == 1.0
    assert parse_objective("any").judge()(view).reward == 0.0  # as markup it does not count


def test_jsonld_in_a_state_is_read_as_such() -> None:
    """Apps keep it as an object, or as the text that they are about to write into the page."""
    inner = {"@context": "https://schema.org", "@type": "Recipe", "name": "Soup"}
    as_text = {**inner, "name": "Stew"}
    state = {"props": {"seo": inner, "html": {"__html": json.dumps(as_text)}}}
    block = '<script type="application/ld+json">{"@context":"https://schema.org","@type":"Thing"}</script>'
    found = extract((block + next_pages(state)).encode(), URL)
    assert {s[2] for s in found.by_syntax["state"]} == {f"<{SCHEMA}Recipe>", '"Soup"', '"Stew"'}
    assert not {s[0] for s in found.by_syntax["state"]} & {s[0] for s in found.by_syntax["jsonld"]}


@pytest.mark.parametrize(
    "junk",
    [
        {"name": "DHL Express", "price": 4.9, "id": 1},  # a way to ship
        {"name": "price", "type": "number", "description": "A field of a form", "url": "/x"},
        {"title": "Home", "url": "/", "description": "Welcome", "image": "/a.png"},  # no price
        {"name": "purchase", "type": "event", "value": 3},  # of an analytics script
        {"title": "Hello", "type": "article"},  # without a date
        {"name": "Gold", "price": {"amount": 0}, "sku": "g", "url": "/g"},
    ],
)
def test_what_only_looks_like_a_thing_is_none(junk: Any) -> None:
    assert extract(next_pages(junk).encode(), URL).counts["state"] == 0


def test_the_same_thing_is_read_once_and_lists_are_read_whole() -> None:
    products = [{**CUP, "name": f"Cup {n}", "url": f"/p/{n}"} for n in range(3)]
    found = extract((next_pages([*products, *products]) + redux(products[0])).encode(), URL)
    names = [s[2] for s in found.by_syntax["state"] if s[1] == f"<{SCHEMA}name>"]
    assert names == ['"Cup 0"', '"Cup 1"', '"Cup 2"']
    assert "https://shop.example/p/2" in {link.url for link in found.links}  # a link of the router


@pytest.mark.parametrize(
    ("page", "reason"),
    [
        ('<script id="__NEXT_DATA__" type="application/json">{"a": [1, 2, 3, 4, 5, 6, </script>', "script: "),
        ("<script>window.__INITIAL_STATE__ = {a: fetch('x')}</script>", "__INITIAL_STATE__: no literal"),
        ("<script>window.__INITIAL_STATE__ = " + "[" * 100_000 + "</script>", "__INITIAL_STATE__: "),
        (
            '<script type="application/json" id="__NUXT_DATA__">{"not": "a payload of Nuxt"}</script>',
            "not a payload",
        ),
    ],
)
def test_what_is_broken_costs_itself_only(page: str, reason: str) -> None:
    found = extract((page + next_pages(CUP)).encode(), URL)
    assert any(reason in fault.reason for fault in found.faults)
    assert {fault.syntax for fault in found.faults} == {"state"}
    assert found.counts["state"] > 5


def test_a_payload_that_holds_itself_or_multiplies_has_an_end() -> None:
    """Each entry refers twice to the next: written out, there would be 2 ** 60 of them."""
    doubling = [{"a": n + 1, "b": n + 1, "self": n} for n in range(60)]
    payload = [["Ref", 1], *[{k: v + 1 for k, v in each.items()} for each in doubling], "end"]
    page = f'<script type="application/json" id="__NUXT_DATA__">{json.dumps(payload)}</script>'
    assert not extract((page + next_pages(CUP)).encode(), URL).faults


def test_a_state_of_very_many_things_is_cut() -> None:
    many = [{**CUP, "name": f"Cup {n}"} for n in range(2_000)]
    found = extract(next_pages(many).encode(), URL)
    assert [fault.reason for fault in found.faults] == ["only 500 things were read"]
    huge = [{"n": n} for n in range(300_000)]
    assert extract(next_pages(huge).encode(), URL).faults[0].reason == "only 200,000 objects were looked at"
