"""Queries of Saxon's that are compiled once, as functions: they find, and fail, as they would as queries."""

from typing import Any

import pytest

from sundog.patterns.crawl_view import CrawlPage, CrawlView
from sundog.patterns.document import PageDocument
from sundog.patterns.engines import QueryError
from sundog.patterns.engines import saxon as saxon_engine
from sundog.patterns.engines.saxon_query import as_function
from tests.patterns.pages import CITY, URL, apply, data

QUERIES = [
    "//tr",
    "//nothing",
    "//tr/th, 'a text', 12",
    "/html/body/h1",
    "string(//h1) (: a comment :)",
    "(position(), last())",
    "for $row in //tr order by $row/th return map { 'label': string($row/th) }",
    "<city>{ //h1/text() }</city>",
    "declare namespace x = 'urn:x'; <x:city>{ count(//tr) }</x:city>",
    "declare boundary-space preserve; <a> <b/> </a>",
    "xquery version '3.1'; //a/@href",
    "root()//th[1]",
    "let $f := function($x) { $x * 2 } return $f(count(//tr))",
]
OF_THE_CRAWL = [
    "crawl:depth()",
    "//tr[$page]/th/concat(., $page)",
    "$crawl/page/@url",
    "crawl:count('city') + crawl:pages( )",
    "('crawl:depth()', \"it's crawl:count(1)\", crawl:count())",
    "let $crawl := 1 return crawl:depth() + $crawl",
    "declare boundary-space preserve; crawl:parents()/@url",
    "crawl:items('city')/name, crawl:via('a'), crawl:via()",
]
WRONG = ["xs:integer(//h1)", "//h1 + 1", "(\n  //tr,\n  error(xs:QName('a'), 'no')\n)", "//tr ! xs:date(td)"]


def page() -> PageDocument:
    return PageDocument(URL, CITY.encode(), "text/html", "", CrawlView())


def as_query(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(saxon_engine, "as_function", lambda *_, **__: "")


@pytest.mark.parametrize("query", QUERIES)
def test_they_find_the_same(query: str, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = saxon_engine.engine("xquery")
    assert as_function(query)
    found = engine.data(query, [], "it")(page())
    as_query(monkeypatch)
    assert found == engine.data(query, [], "it")(page())


@pytest.mark.parametrize("query", OF_THE_CRAWL)
def test_what_asks_for_the_crawl_finds_the_same(query: str, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = saxon_engine.engine("xquery")

    def found() -> list[Any]:
        fields: list[Any] = [{"name": "there", "find": ".", "fields": []}]
        fields.append({"name": "page", "find": "concat($page, crawl:depth())", "fields": []})
        return [engine.data(query, own, "it")(crawled()) for own in ([], fields)]

    def crawled() -> PageDocument:
        parent = CrawlPage(1, "http://parent/", 1, 1, ["city"], [("city", {"name": "Ulm"})])
        view = CrawlView(depth=2, pages=7, counts={"city": 3}, via=["a"], parents=[parent])
        return PageDocument(URL, CITY.encode(), "text/html", "", view)

    assert as_function(query)
    at_once = found()
    as_query(monkeypatch)
    assert at_once == found()


@pytest.mark.parametrize("query", WRONG)
def test_they_fail_at_the_same_place(query: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def error() -> tuple[Any, ...]:
        with pytest.raises(QueryError) as caught:
            saxon_engine.engine("xquery").data(query, [], "it")(page())
        return caught.value.message, caught.value.line, caught.value.column

    assert as_function(query)
    said = error()
    as_query(monkeypatch)
    assert said == error()


@pytest.mark.parametrize(
    "query",
    [
        "crawl:depth() (: of this page :)",
        "<page>{crawl:depth()}</page>",
        "'city' => crawl:count()",
        "crawl:count#1('city')",
        "declare variable $x := //h1; $x",
        "(: why :) declare function local:f() { 1 }; local:f()",
        "declare namespace x = 'urn:x'; declare variable $x := 1; $x",
    ],
)
def test_own_declarations_and_what_could_be_misread_stay_queries(query: str) -> None:
    assert as_function(query) == ""


def test_pages_are_not_mixed_up() -> None:
    engine = saxon_engine.engine("xquery")
    fields: list[Any] = [{"name": "name", "find": "string(//h1)", "fields": []}]
    found = engine.data("//p", fields, "it")
    for name in ("Munich", "Bremen"):
        body = f"<h1>{name}</h1><p>a".encode()
        assert found(PageDocument(URL, body, "text/html", "", CrawlView())) == [{"name": [[name]]}]


def test_a_query_that_closes_what_it_has_not_opened_is_no_function() -> None:
    with pytest.raises(Exception, match="line 1"):
        apply(data("xquery", "1), (2"))
