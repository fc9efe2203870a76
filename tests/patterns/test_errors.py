"""What is wrong with a pattern is an error before the crawl, with the place."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import replace
from typing import Any

import pytest

from sundog.errors import UsageError
from sundog.patterns.definitions import DataPattern, Patterns, ResultPattern, StopPattern
from sundog.patterns.runner import ResultRunner
from sundog.spec.crawl import parse_spec
from tests.patterns.pages import apply, data, links, spec_of, stop


@pytest.mark.parametrize(
    ("engine", "find", "message"),
    [
        ("xpath", "//p[", "line 1, column 5: expected a node test"),
        ("xpath", "//p[\n  $nope = 1]", "line 2, column 3: unknown variable $nope"),
        (
            "xpath",
            "//p[\ncrawl:dept() = 1]",
            "line 2, column 1: unknown function crawl:dept(); did you mean 'depth'?",
        ),
        ("xpath", "//p[doc('x')]", "line 1, column 5: unknown function 'doc'"),
        ("css", "p[", "line 1, column 3: expected an identifier"),
        ("xpath", "//p | //html:h1", "column 9: unknown prefix 'html': pages are read without namespaces"),
        ("xpath", "table.box > tr", "it gives true or false, and elements are expected"),
        ("css", "h1::text, h2::text", "column 3: ::text or ::attr(name) may stand at the end, once"),
        ("css", "p,\n q:nope(x)", "line 2, column"),
        ("xquery", "//a[", "line 1, column 5: Unexpected token"),
        ("xquery", "for $x in //a\nreturn $y", "line 2, column 8: unknown variable $y"),
        ("xquery", "\n\n  crawl:nope()", "line 3, column 3: unknown function crawl:nope() with 0 arguments"),
        ("xquery", "crawl:depth(), $y", "line 1, column 16: unknown variable $y"),
        ("xquery", "for $x in //a\n retrun $x", "line 2, column 2: expected 'return', found `retrun`"),
        (
            "xquery",
            "//a,\n  crawl:dept()",
            "line 2, column 3: unknown function crawl:dept() with 0 arguments; did you mean",
        ),
        ("xpath3", "//a[\n  @href = 'x'", 'line 2, column 14: After "x" expected ], found <eof>'),
        ("xpath3", "//a[containss(., $page)]", "line 1, column 5: unknown function containss() with 2 arguments"),
        ("xpath3", "//a[@href = $pagee]", "line 1, column 13: unknown variable $pagee; did you mean 'page'?"),
        ("css", "a:hovver", "line 1, column 2: unknown pseudo-class ':hovver'"),
        ("css", " ::attr(href)", "line 1, column 1: a selector is expected before ::attr(href)"),
        (
            "sparql",
            "SELECT ?x {\n SERVICE <http://a.example/> {} }",
            "line 2, column 2: SERVICE would reach the network",
        ),
        ("xpath3", "foo:bar()", "column 8: Namespace prefix 'foo' has not been declared"),
        ("xquery", "doc('file:///x')", "has been prohibited"),
        ("sparql", "SELECT ?x {\n ?x foo:y 1 }", "line 2, column"),
        (
            "sparql",
            "SELECT (crawl:dept() AS ?d) {}",
            "column 9: unknown function crawl:dept(); did you mean 'depth'?",
        ),
        (
            "sparql",
            "SELECT ?x {\n FILTR(?x = 1) }",
            "line 2, column 2: in 'FILTR(?x = 1) }': 'FILTR' is not expected",
        ),
        ("sparql", "SELECT ?x { FILTER('ü😀' = )\n}\n", "line 1, column 27: in"),
        ("sparql", "SELECT ?x { ?x a", "line 1, column 17: in 'SELECT ?x { ?x a': the query ends too early"),
        ("sparql", "ASK {}", "a query that begins with SELECT is expected, not with ASK"),
    ],
)
def test_queries_that_cannot_be_compiled(engine: str, find: str, message: str) -> None:
    with pytest.raises(UsageError, match=rf"^patterns.data 'it'.find.*{re.escape(message)}"):
        apply(data(engine, find))


def test_the_place_of_a_query_is_named() -> None:
    with pytest.raises(UsageError, match=r"^patterns.data 'it'.fields.a.b, line 1"):
        apply(data("xpath", "//p", {"a": {"find": "q", "fields": {"b": "//["}}}))
    with pytest.raises(UsageError, match=r"^patterns.link 'it'.find, line 1"):
        apply(links("xpath", "//["))
    with pytest.raises(UsageError, match=r"^patterns.stop 'it'.when, line 1"):
        apply(stop("xquery", "//["))


@pytest.mark.parametrize(
    ("engine", "find", "given"),
    [
        ("xpath", "count(//a)", "a number"),
        ("xpath3", "count(//a)", "a number"),
        ("xquery", "exists(//a)", "true or false"),
    ],
)
def test_links_that_are_none(engine: str, find: str, given: str) -> None:
    with pytest.raises(UsageError, match=rf"^patterns.link 'it'.find, line 1, column 1: it gives {given}"):
        apply(links(engine, find))


def test_errors_of_some_pages_only_are_faults() -> None:
    found = apply(data("xquery", "xs:integer(//h1)"))
    assert found.items == {}
    assert len(found.faults) == 1
    assert found.faults[0][1].startswith("line 1, column 1")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[[patterns.data]]\nname = "a"', "takes nothing: give it find or fields"),
        ('[[patterns.data]]\nfind = "//p"', "'patterns.data[1].name' is missing"),
        ('[[patterns.data]]\nname = "a b"\nfind = "//p"', "letters, digits"),
        ('[[patterns.data]]\nname = "a"\nfnd = "//p"', "unknown key 'patterns.data[1].fnd'; did you mean 'find'?"),
        (
            '[[patterns.data]]\nname = "a"\nfind = "p"\nengine = "jq"',
            "xpath, css, xpath3, xquery or sparql is expected",
        ),
        ('[[patterns.data]]\nname = "a"\nfind = "p"\nfields.x = { typ = "text" }', "unknown key"),
        ('[[patterns.data]]\nname = "a"\nfind = "p"\nfields.x = { type = "colour" }', "or list of one of them"),
        ('[[patterns.data]]\nname = "a"\nfind = "p"\nlinked_from = "b"', "which is no pattern"),
        (
            '[[patterns.data]]\nname = "a"\nfields.n = "count(crawl:waiting(\'aa\'))"',
            "patterns.data 'a'.fields.n names 'aa', which is no pattern; did you mean 'a'?",
        ),
        ('[[patterns.link]]\nname = "a"', "find' is missing"),
        (
            '[[patterns.link]]\nname = "a"\nfind = "//a"\nrevisit = "often"',
            '"once", "path" or "every N" is expected',
        ),
        ('[[patterns.link]]\nname = "a"\nfind = "//a"\nnext = ["citty"]', "names 'citty', which is no pattern"),
        ('[[patterns.link]]\nname = "a"\nfind = "//a"\ndepth = -1', "from 0 on is expected"),
        ('[[patterns.stop]]\nname = "a"', "never holds"),
        ('[[patterns.data]]\nname = "a"\nfind = " "', "patterns.data 'a'.find is blank"),
        ('[patterns]\nengine = "css"', "has no pattern: give it"),
        ('[[patterns.stop]]\nname = "a"\nitems = 3\nof = ["x"]', "names 'x', which is no pattern"),
        ('[patterns.result]\nformat = "csv"', "has no items to write"),
        ('[patterns.result]\nfind = "//x"\nlimit = 3', "of, order and limit say nothing"),
        ("[patterns.result]\nlimit = 0", "from 1 on is expected"),
        ('[patterns.result]\nfind = "//x"\nformat = "pdf"', "xml, json, csv or parquet is expected"),
        (
            '[[patterns.data]]\nname = "a"\nfind = "p"\n[[patterns.stop]]\nname = "a"\npages = 1',
            "two patterns are called",
        ),
        ('patterns.data = ["x"]', "tables are expected"),
    ],
)
def test_specs_that_are_wrong(text: str, message: str) -> None:
    with pytest.raises(UsageError, match=re.escape(message)):
        spec_of(text)


def test_without_saxon_the_error_names_the_package() -> None:
    program = (
        "import sys; sys.modules['saxonche'] = None\n"
        "from sundog.patterns.engines import make_engine\n"
        "try: make_engine('xquery')\n"
        "except Exception as error: print(error)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert "pip install 'sundog[xquery]'" in done.stdout


def test_the_process_of_patterns_loads_no_kernels() -> None:
    program = (
        "import sys; import sundog.patterns.page_child; print(*{'numba', 'numpy', 'pyarrow'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


ENDLESS = "sum(for $a in 1 to 2000000000 return $a mod (count(//p) + 3))"


def test_what_does_not_end_on_an_empty_page_is_named_before_the_crawl() -> None:
    patterns = replace(data("xquery", ENDLESS), seconds=0.5)
    also = DataPattern(name="sound", find="//h1")
    with pytest.raises(UsageError, match=r"^patterns.data 'it': was stopped after 0.5 seconds, on an empty page$"):
        apply(replace(patterns, data=(also, *patterns.data)))


def test_a_result_that_takes_all_memory_is_named_before_the_crawl() -> None:
    find = "let $s := string-join((1 to 100000) ! 'xxxxxxxxxx') return string-join((1 to 100000) ! concat($s, .))"
    runner = ResultRunner(Patterns(memory=100, result=ResultPattern(find=find)))
    with pytest.raises(UsageError, match=r"^patterns.result.find: was too much for the engine"):
        runner.start()


@pytest.mark.parametrize(
    ("result", "message"),
    [
        ({"find": "1", "of": ["it"]}, "has find, so of, order and limit say nothing"),
        ({"find": "1", "order": ["name"]}, "has find, so of, order and limit say nothing"),
        ({"engine": "sparql"}, 'engine = "sparql" without find'),
        ({"order": ["-nane"]}, "order names '-nane', which is no field; did you mean 'name'?"),
    ],
)
def test_results_with_keys_that_would_say_nothing(result: dict[str, Any], message: str) -> None:
    patterns = data("xpath", "//p", {"name": "b"})
    with pytest.raises(UsageError, match=re.escape(message)):
        replace(patterns, result=ResultPattern(**result)).check()


def test_a_result_is_ordered_by_what_it_has() -> None:
    for order in (("name", "-url"), ("matched_id",)):
        replace(data("xpath", "//p", {"name": "b"}), result=ResultPattern(order=order)).check()
    replace(data("xpath", "//p"), result=ResultPattern(order=("anything",))).check()


def test_single_values_where_elements_are_wanted() -> None:
    for find in ("string(//h1)", "count(//h1)"):
        with pytest.raises(UsageError, match="elements are expected"):
            apply(data("xpath", find, {"a": "."}))
        assert apply(data("xpath", find)).items, "without fields, an item may be a text or a number"
    with pytest.raises(UsageError, match="it gives a number"):
        apply(links("xpath", "count(//a)"))
    found = apply(data("xquery", "//h1 = 'x'"))
    assert found.items == {}
    assert found.faults == [("it", "find gives true or false, and elements, rows or maps are expected")]


def test_the_attribute_and_the_text_of_the_element_itself() -> None:
    fields = {"url": {"find": "::attr(href)", "type": "url"}, "text": " ::text", "none": "::attr(nope)"}
    found = apply(data("css", "a", fields), "<a href=/b>c</a>")
    assert found.items == {"it": [{"url": "http://a.example/b", "text": "c", "none": None}]}
    assert apply(data("css", "::text"), "<p>d</p>").items == {"it": [{"text": "d"}]}


def test_one_bracket_where_two_are_needed() -> None:
    for kind in ("data", "link", "stop"):
        text = f'seeds = ["http://a.example/"]\n[patterns.{kind}]\nname = "a"\nfind = "//a"'
        with pytest.raises(UsageError, match=re.escape(f"each beginning with [[patterns.{kind}]]")):
            parse_spec(text)


def test_of_is_for_items() -> None:
    stop = StopPattern(name="enough", pages=5, of=("it",))
    with pytest.raises(UsageError, match="give it items, too"):
        replace(data("xpath", "//p"), stop=(stop,)).check()


def test_a_field_that_the_query_does_not_give() -> None:
    with pytest.raises(
        UsageError, match=r"^patterns.data 'it'.fields: the query gives no \?nam; did you mean 'name'"
    ):
        apply(data("sparql", "SELECT ?name { ?x schema:name ?name }", {"nam": {}}))
    apply(data("sparql", "SELECT * { ?x schema:name ?name }", {"name": {"type": "text"}}))
