"""The same patterns in every engine give the same items, links and answers."""

from __future__ import annotations

from typing import Any

import pytest

from sundog.patterns.crawl_view import FUNCTIONS, CrawlPage, CrawlView, WaitingPage
from sundog.patterns.definitions import PAGE_LANGUAGES, DataPattern, Patterns, StopPattern
from sundog.patterns.runner import FoundLink
from tests.patterns.pages import CITY, apply, data, items, links, stop

NODE_ENGINES = ("xpath", "xpath3", "xquery")
AROUND = CrawlView(
    depth=2,
    order=7,
    pages=7,
    seconds=3.5,
    time=1700000000.0,
    counts={"city": 3, "person": 1},
    via=["to-city"],
    parents=[
        CrawlPage(1, "http://a.example/one", 1, 2, ["person", "city"], [("person", {"name": "Ada"})]),
        CrawlPage(2, "http://a.example/two", 1, 3, []),
    ],
    path=[CrawlPage(1, "http://a.example/one", 1, 2, ["person"], [("person", {"name": "Ada"})])],
    items={"person": [{"name": "Ada", "tags": ["x", "y"]}]},
    queued=2,
    waiting=[WaitingPage(8, "http://a.example/8", 2, ["to-city"]), WaitingPage(9, "http://a.example/9", 3)],
)
ANSWERS = {  # what ``crawl:…`` is: a number, whether something holds, or how many elements there are
    "depth()": 2,
    "order()": 7,
    "pages()": 7,
    "seconds()": 3.5,
    "time()": 1700000000.0,
    "count()": 4,
    "count('city')": 3,
    "count('x')": 0,
    "via()": True,
    "via('to-city')": True,
    "via('x')": False,
    "parents()": 2,
    "matched()": 2,
    "matched('person')": 1,
    "matched('x')": 0,
    "path()": 1,
    "path('person')": 1,
    "path('x')": 0,
    "items()": 1,
    "items('person')": 1,
    "items('x')": 0,
    "waiting()": 2,
    "waiting('to-city')": 1,
    "waiting('x')": 0,
}
FIELDS: dict[str, Any] = {
    "name": {"find": "//h1", "required": True},
    "population": {"find": ".//tr[th = 'Population']/td", "type": "number"},
    "elevation": {"find": ".//tr[th = 'Elevation']/td", "type": "number"},
    "founded": {"find": ".//tr[th = 'Founded']/td", "type": "date"},
    "labels": {"find": ".//th", "type": "list of text"},
    "river": {"find": "//a[1]", "fields": {"name": "b", "url": {"find": "@href", "type": "url"}}},
    "nothing": {"find": ".//tr[th = 'Mayor']/td", "type": "number"},
}
MUNICH = {
    "name": "Munich",
    "population": 1356594,
    "elevation": 519,
    "founded": "1158-06-14",
    "labels": ["Population", "Elevation", "Founded"],
    "river": {"name": "Isar", "url": "http://a.example/wiki/Isar"},
    "nothing": None,
}


@pytest.mark.parametrize("engine", NODE_ENGINES)
def test_items_with_fields_of_all_types(engine: str) -> None:
    assert items(data(engine, "//table[contains(@class, 'infobox')]", FIELDS)) == [MUNICH]


def test_items_by_css() -> None:
    fields = {
        "population": {"find": "tr:nth-child(1) td", "type": "number"},
        "labels": {"find": "th::text", "type": "list of text"},
    }
    assert items(data("css", "table.infobox", fields)) == [
        {"population": 1356594, "labels": ["Population", "Elevation", "Founded"]}
    ]
    assert items(data("css", "a::attr(title)")) == [{"text": "river"}]


@pytest.mark.parametrize("engine", NODE_ENGINES)
def test_a_page_is_an_item_if_any_field_has_a_value(engine: str) -> None:
    patterns = data(engine, fields={"name": "//h1", "other": "//h2"})
    assert items(patterns) == [{"name": "Munich", "other": None}]
    assert items(patterns, "<p>no heading") == []


@pytest.mark.parametrize(
    ("engine", "find"),
    [("xpath", "//a"), ("css", "a"), ("xpath3", "//a"), ("xquery", "//a/@href"), ("xpath", "//a/@href")],
)
def test_links(engine: str, find: str) -> None:
    found = apply(links(engine, find)).links["it"]
    assert [link.url for link in found] == ["http://a.example/wiki/Isar", "http://b.example/x"]
    if "@" not in find:
        assert found[0] == FoundLink("http://a.example/wiki/Isar", "the Isar")


def test_links_are_resolved_against_the_base() -> None:
    found = apply(links("xpath", "//a"), '<base href="http://c.example/d/"><a href="e">').links["it"]
    assert [link.url for link in found] == ["http://c.example/d/e"]


SEEN = [
    "crawl:depth() = 2 and crawl:order() = 7 and crawl:pages() = 7",
    "crawl:seconds() > 3 and crawl:time() > 1000000000",
    "crawl:count() = 4 and crawl:count('city') = 3 and crawl:count('x') = 0",
    "crawl:via('to-city') and not(crawl:via('other'))",
    "count(crawl:parents()) = 2 and crawl:parents()[1]/@url = 'http://a.example/one'",
    "crawl:matched('person')/item/name = 'Ada' and not(crawl:matched('x'))",
    "crawl:path('person')[1]/item[@pattern = 'person']/name = 'Ada' and count(crawl:path()) = 1",
    "crawl:items('person')/tags = 'y' and not(crawl:items('city'))",
    "$page = 'http://a.example/wiki/Munich'",
    "$crawl/@pages = 7 and $crawl/page/@id = 2",
    "//h1",
]


@pytest.mark.parametrize("engine", NODE_ENGINES)
def test_what_patterns_see_of_the_crawl(engine: str) -> None:
    stops = tuple(StopPattern(name=f"q{place}", when=query) for place, query in enumerate(SEEN))
    found = apply(Patterns(engine=engine, stop=stops), around=AROUND)
    assert found.faults == []
    assert [stop.when for stop in stops if stop.name not in found.stops] == []


def test_all_engines_in_one_spec() -> None:
    queries = {"xpath": "//h1", "css": "h1", "xpath3": "//h1", "xquery": "//h1"}
    patterns = Patterns(
        data=tuple(DataPattern(name=name, engine=name, find=find) for name, find in queries.items())
    )
    found = apply(patterns)
    assert found.faults == []
    assert found.items == {name: [{"text": "Munich"}] for name in queries}


@pytest.mark.parametrize("engine", [*NODE_ENGINES, "css"])
def test_a_condition_that_does_not_hold(engine: str) -> None:
    assert (
        apply(data(engine, "//h1" if engine != "css" else "h1", when="//h2" if engine != "css" else "h2")).items
        == {}
    )


def test_whole_queries_in_xquery() -> None:
    query = """xquery version "3.1";
    (: a comment (: within one :) :)
    declare namespace x = "urn:x;y";
    declare function local:row($row) { map { 'label': string($row/th), 'depth': crawl:depth() } };
    //tr ! local:row(.), <city><name>Munich</name><tag>a</tag><tag>b</tag></city>"""
    assert items(data("xquery", query), around=AROUND) == [
        {"label": "Population", "depth": 2},
        {"label": "Elevation", "depth": 2},
        {"label": "Founded", "depth": 2},
        {"name": "Munich", "tag": ["a", "b"]},
    ]
    fields = {"name": {}, "tag": {"type": "list of text"}}
    assert items(data("xquery", query, fields), around=AROUND)[-1] == {"name": "Munich", "tag": ["a", "b"]}


STATEMENTS = """_:a <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <https://schema.org/Event> .
_:a <http://schema.org/name> "Party" .
no statement at all
_:a <http://schema.org/url> <http://a.example/party> .
_:a <http://schema.org/attendees> "12"^^<http://www.w3.org/2001/XMLSchema#integer> .
"""


def test_sparql_sees_statements_and_the_crawl() -> None:
    query = """SELECT ?name ?number ?page WHERE {
      ?x a schema:Event ; schema:name ?name ; schema:attendees ?number .
      ?page crawl:parent ?p . ?p crawl:matched "person" . FILTER(crawl:depth() = 2 && crawl:count('city') = 3) }"""
    found = items(data("sparql", query), around=AROUND, statements=STATEMENTS)
    assert found == [{"name": "Party", "number": 12, "page": "http://a.example/wiki/Munich"}]
    assert items(data("sparql", query), statements=STATEMENTS) == []
    led = apply(links("sparql", "SELECT ?u { ?x schema:url ?u }"), statements=STATEMENTS).links["it"]
    assert [link.url for link in led] == ["http://a.example/party"]
    assert apply(stop("sparql", "ASK { FILTER(crawl:matched('person') = 1) }"), around=AROUND).stops == ["it"]


def test_feeds_are_read_as_xml() -> None:
    feed = '<?xml version="1.0"?><rss xmlns:dc="urn:dc"><item><link>http://a.example/1</link><dc:x>1</dc:x></item></rss>'
    for engine in NODE_ENGINES:
        found = apply(links(engine, "//item/link"), feed, content_type="application/rss+xml").links["it"]
        assert [link.url for link in found] == ["http://a.example/1"]


@pytest.mark.parametrize("engine", NODE_ENGINES)
def test_values_of_the_wrong_type_are_faults(engine: str) -> None:
    found = apply(data(engine, "//table", {"name": "//h1", "n": {"find": "//h1", "type": "number"}}))
    assert found.items["it"] == [{"name": "Munich", "n": None}]
    assert found.faults == [("it", "n: no number in 'Munich'")]


def test_patterns_that_are_not_asked_for_are_not_applied() -> None:
    from sundog.patterns.runner import PatternRunner, Subject
    from tests.patterns.pages import URL

    with PatternRunner(data("xpath", "//h1")) as runner:
        assert runner.apply(Subject(URL, CITY.encode(), names=[])).items == {}
        assert runner.apply(Subject(URL, CITY.encode(), names=["it"])).items != {}


def test_every_function_is_asked_with_every_number_of_arguments() -> None:
    asked = {(call.partition("(")[0], "'" in call) for call in ANSWERS}
    assert asked == {(name, bool(number)) for name, most in FUNCTIONS.items() for number in range(most + 1)}


@pytest.mark.parametrize("engine", [name for name in PAGE_LANGUAGES if name != "css"])
def test_every_function_is_the_same_in_every_language(engine: str) -> None:
    """In SPARQL, functions give single values: of elements, how many there are. CSS has no functions."""
    wrong = []
    for call, expected in ANSWERS.items():
        query = f"crawl:{call}"
        if engine != "sparql" and call.split("(")[0] in ("parents", "matched", "path", "items", "waiting"):
            query = f"count({query})"
        if isinstance(expected, bool):
            query = query if expected else f"not({query})" if engine != "sparql" else f"!{query}"
        else:
            query = f"{query} = {expected}"
        when = f"ASK {{ FILTER({query}) }}" if engine == "sparql" else query
        if apply(stop(engine, when), around=AROUND).stops != ["it"]:
            wrong.append(query)
    assert wrong == []


@pytest.mark.parametrize("engine", ["xpath", "xquery", "sparql"])
def test_no_pattern_led_to_a_seed(engine: str) -> None:
    when = "ASK { FILTER(crawl:via()) }" if engine == "sparql" else "crawl:via()"
    assert apply(stop(engine, when)).stops == []
