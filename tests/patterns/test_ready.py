"""The ready specs: each can be read, and takes from an example page what it says."""

from __future__ import annotations

from typing import Any

import pytest
from examples.sites.music import START, Music, people
from examples.sites.shop import Shop, products
from examples.sites.wiki import Wiki

from sundog.errors import UsageError
from sundog.extract import extract
from sundog.patterns.ready import ready_spec, ready_specs
from sundog.patterns.runner import Subject
from sundog.patterns.trial import try_patterns
from sundog.spec.crawl import parse_spec

ARTICLE = """<!doctype html><html><head><meta property="og:type" content="article">
<meta name="author" content="Ida Field"><meta property="article:published_time" content="2026-03-04T10:00:00Z">
</head><body><main><article><h1>On lamps</h1><p>They shine.</p><p>Some do not.</p>
<aside><p>Buy lamps!</p></aside></article></main><footer><p>Imprint</p></footer></body></html>"""
EVENT = """<!doctype html><h1>Agenda</h1><script type="application/ld+json">{"@context": "https://schema.org",
"@type": "MusicEvent", "name": "Amber Owls", "startDate": "2026-05-06T20:00:00Z",
"location": {"@type": "Place", "name": "Town hall"}}</script>"""
LISTING = """<!doctype html><main><ul><li><a href="/1">One</a></li><li><a href="/2">Two</a></li></ul>
<a rel=next href="?page=2">Next</a></main>"""
PRODUCT = next(product for product in products() if not product.sold_out)

CASES: dict[str, tuple[str, str, list[dict[str, Any]]]] = {
    "article": (
        ARTICLE,
        "article",
        [
            {
                "headline": "On lamps",
                "date": "2026-03-04T10:00:00Z",
                "author": "Ida Field",
                "text": ["They shine.", "Some do not."],
            }
        ],
    ),
    "event": (
        EVENT,
        "event",
        [{"name": "Amber Owls", "begin": "2026-05-06T20:00:00Z", "end": None, "place": "Town hall"}],
    ),
    "infobox": (
        Wiki().answer("/wiki/Munich", "").body,
        "thing",
        [{"name": "Munich", "population": 1356594, "elevation": 519}],
    ),
    "list": (
        LISTING,
        "entry",
        [
            {"title": "One", "link": "http://page.example/1"},
            {"title": "Two", "link": "http://page.example/2"},
        ],
    ),
    "product": (
        Shop().answer(PRODUCT.path, "").body,
        "product",
        [
            {
                "name": PRODUCT.name,
                "sku": str(PRODUCT.number),
                "price": PRODUCT.prices[0][1] / 100,
                "currency": "EUR",
                "availability": "http://schema.org/InStock",
            }
        ],
    ),
    "profile": (Music().answer(f"/user/{START}", "").body, "person", [{"name": START}]),
}
LINKS = {
    "list": {"next-page": ["http://page.example/?page=2"]},
    "profile": {
        "friend": [f"http://page.example/user/{friend}" for friend in people()[START].friends[:6]],
        "all-friends": [f"http://page.example/user/{START}/friends"],
    },
}


def test_each_has_a_case() -> None:
    assert [spec.name for spec in ready_specs()] == sorted(CASES)


@pytest.mark.parametrize("name", CASES)
def test_it_takes_what_it_says(name: str) -> None:
    body, pattern, expected = CASES[name]
    statements = extract(body.encode(), base="http://page.example/").statements
    triples = "".join(f"{' '.join(statement[:3])} .\n" for statement in statements)
    spec = parse_spec(ready_spec(name).text)
    subject = Subject("http://page.example/", body.encode(), statements=triples)
    found = {each.name: each for each in try_patterns(spec.patterns, subject)}
    assert not [each for each in found.values() if each.errors]
    assert found[pattern].items == expected
    for link, urls in LINKS.get(name, {}).items():
        assert [each.url for each in found[link].links] == urls


def test_a_misspelt_name_gets_the_nearest() -> None:
    with pytest.raises(UsageError, match="did you mean 'infobox'"):
        ready_spec("infobx")
