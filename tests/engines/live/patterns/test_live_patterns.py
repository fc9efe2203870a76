"""Patterns steer a crawl: what is followed, what is kept, when it ends, and what comes of it."""

from __future__ import annotations

import csv
import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pyarrow.parquet as pq
import pytest

from sundog.engines.live.run import crawl, resume
from sundog.errors import UsageError
from sundog.report.crawl import write_crawl_report
from sundog.results.export import export
from sundog.spec.crawl import parse_spec
from tests.engines.live.webs import HOME, SmallWeb, spec_for, stop_after

CITIES = """
[[patterns.data]]
name = "city"
find = "//table[@class = 'box']"
fields.name = { find = "//h1", required = true }
fields.population = { find = ".//td", type = "number" }

[[patterns.link]]
name = "to-city"
find = "//ul//a"
"""


def fill(web: SmallWeb, cities: int = 6) -> None:
    """A list of cities, each of which links to a page that nobody wants."""
    entries = "".join(f"<li><a href=/c{number}>c{number}</a>" for number in range(cities))
    web.page(HOME, "/other", body=f"<ul>{entries}</ul>")
    web.page(f"{HOME}other")
    for number in range(cities):
        box = f"<h1>City {number}</h1><table class=box><tr><td>{(number * 7) % 10},000 people</table>"
        web.page(f"{HOME}c{number}", "/other", body=box)


def run(web: SmallWeb, directory: Path, text: str, **changes: Any) -> dict[str, Any]:
    patterns = parse_spec(f'seeds = ["{HOME}"]\n{text}').patterns
    values = {"objective": "patterns"} if patterns.data else {}
    return crawl(spec_for(web, patterns=patterns, **{**values, **changes}), directory)


def rows(directory: Path, query: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(directory / "crawl.db")) as database:
        return database.execute(query).fetchall()


def items(directory: Path, pattern: str) -> list[dict[str, Any]]:
    return [json.loads(item) for (item,) in rows(directory, f"SELECT item FROM items WHERE pattern = '{pattern}'")]


@pytest.mark.parametrize("workers", [0, 1])
def test_a_crawl_by_patterns(web: SmallWeb, tmp_path: Path, workers: int) -> None:
    fill(web)
    summary = run(web, tmp_path / "c", CITIES, workers=workers)
    assert web.asked() == [HOME, *[f"{HOME}c{number}" for number in range(6)]]
    assert summary["patterns"] == {
        "city": {"pages": 6, "found": 6, "faults": 0},
        "to-city": {"pages": 1, "found": 6, "faults": 0},
    }
    assert (summary["relevant"], summary["result"]) == (6, "result.json")
    assert items(tmp_path / "c", "city")[1] == {"name": "City 1", "population": 7000}
    assert rows(tmp_path / "c", "SELECT page, url, pattern FROM items LIMIT 1") == [(1, f"{HOME}c0", "city")]
    result = json.loads((tmp_path / "c" / "result.json").read_text())
    assert [each["name"] for each in result] == [f"City {number}" for number in range(6)]
    assert {each["matched_id"] for each in result} == {"city"}


def test_a_spec_with_data_patterns_wants_pages_where_they_match(web: SmallWeb, tmp_path: Path) -> None:
    text = f'seeds = ["{HOME}"]\n{CITIES}'
    assert parse_spec(text).objective == "patterns"
    assert parse_spec(f'objective = "any"\n{text}').objective == "any"
    fill(web)
    assert run(web, tmp_path / "c", CITIES, objective="pattern:city and not any")["relevant"] == 6
    with pytest.raises(UsageError, match="there is no data pattern 'citty'; did you mean 'city'"):
        run(web, tmp_path / "d", CITIES, objective="pattern:citty")
    with pytest.raises(UsageError, match="the spec has none"):
        run(web, tmp_path / "e", "", objective="patterns")


def test_a_query_that_cannot_be_compiled_ends_it_before_it_begins(web: SmallWeb, tmp_path: Path) -> None:
    for text in ('[[patterns.data]]\nname = "x"\nfind = "//["', '[patterns.result]\nfind = "//["\n' + CITIES):
        with pytest.raises(UsageError, match="line 1, column"):
            run(web, tmp_path / "c", text)
    assert web.asked(robots=True) == []
    assert not (tmp_path / "c").exists()


@pytest.mark.parametrize(
    ("stop", "fetched"),
    [
        ("items = 3", 4),
        ('items = 3\nof = ["city"]\npages = 5', 5),
        ("pages = 2", 2),
        ("seconds = 0", 0),
        (f'page = "{HOME}c3"', 5),
        (f'page = "{HOME}*2"', 4),
        ("dry = 1", 1),
        ('when = "contains(//h1, 4)"', 6),
        ("when = \"crawl:count('city') >= 2\"", 4),
        ('when = "ASK { FILTER(crawl:pages() = 3) }"\nengine = "sparql"', 3),
    ],
)
def test_stop_patterns(web: SmallWeb, tmp_path: Path, stop: str, fetched: int) -> None:
    fill(web)
    summary = run(web, tmp_path / "c", f'{CITIES}\n[[patterns.stop]]\nname = "enough"\n{stop}')
    assert (summary["stopped"], summary["fetched"]) == ("stop pattern enough", fetched)
    assert resume(tmp_path / "c")["fetched"] == summary["fetched"]  # it has all that it wanted


XSLT = """
[patterns.result]
engine = "xslt"
find = '''<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
<xsl:template match="/crawl"><cities><xsl:for-each select="item">
  <xsl:sort select="population" data-type="number" order="descending"/>
  <city><name><xsl:value-of select="name"/></name><from><xsl:value-of select="@page"/></from></city>
</xsl:for-each></cities></xsl:template></xsl:stylesheet>'''
"""


def test_a_stylesheet_makes_the_result(web: SmallWeb, tmp_path: Path) -> None:
    fill(web)
    run(web, tmp_path / "c", CITIES + XSLT)
    made = ElementTree.parse(tmp_path / "c" / "result.xml").getroot()
    assert [each.findtext("name") for each in made] == [f"City {number}" for number in (4, 1, 5, 2, 3, 0)]
    run(web, tmp_path / "d", f'{CITIES}{XSLT}format = "csv"')
    with (tmp_path / "d" / "result.csv").open() as file:
        assert next(csv.DictReader(file)) == {"name": "City 4", "from": "5"}
    for table in ("", '[[patterns.data]]\nname = "x"\nfind = "//a"\n'):
        with pytest.raises(UsageError, match="xpath, css, xpath3, xquery or sparql is expected"):
            run(web, tmp_path / "e", f'{table or "[patterns]"}\nengine = "xslt"\n{CITIES}')


FRONTIER = """
[[patterns.data]]
name = "seen"
fields.waiting = { find = "crawl:waiting()/@url", type = "list of text" }
fields.cities = { find = "count(crawl:waiting('to-city'))", type = "number" }
fields.all = { find = "$crawl/waiting/@pages", type = "number" }
[[patterns.stop]]
name = "enough"
pages = 3
"""


@pytest.mark.parametrize("stopped_after", [0, 2])
def test_patterns_see_what_waits(
    web: SmallWeb, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stopped_after: int
) -> None:
    fill(web, 4)
    result = """[patterns.result]
find = "<waiting>{ $crawl/waiting/page }</waiting>"
"""
    if stopped_after:
        with monkeypatch.context() as patch:
            stop_after(patch, stopped_after)
            run(web, tmp_path / "c", CITIES + FRONTIER + result, concurrency=1)
        resume(tmp_path / "c")
    else:
        run(web, tmp_path / "c", CITIES + FRONTIER + result, concurrency=1)
    cities = [f"{HOME}c{number}" for number in range(4)]
    assert items(tmp_path / "c", "seen") == [
        {"waiting": [], "cities": 0, "all": 0},
        {"waiting": cities[1:], "cities": 3, "all": 3},
        {"waiting": cities[2:], "cities": 2, "all": 2},
    ]
    made = ElementTree.parse(tmp_path / "c" / "result.xml").getroot()
    assert [page.attrib for page in made] == [
        {"id": str(number + 1), "url": cities[number], "depth": "1", "via": "to-city"} for number in (2, 3)
    ]


def test_sparql_sees_what_waits(web: SmallWeb, tmp_path: Path) -> None:
    fill(web, 4)
    rest = """[[patterns.stop]]
name = "few"
engine = "sparql"
when = "ASK { FILTER(crawl:waiting() = 2 && crawl:waiting('to-city') = 2) ?p crawl:waiting true ; crawl:depth 1 }"
[patterns.result]
engine = "sparql"
find = "SELECT ?p { ?p crawl:waiting true ; crawl:via 'to-city' } ORDER BY ?p"
format = "json"
"""
    assert run(web, tmp_path / "c", CITIES + rest, concurrency=1)["fetched"] == 3
    assert json.loads((tmp_path / "c" / "result.json").read_text()) == [{"p": f"{HOME}c2"}, {"p": f"{HOME}c3"}]


def test_next_depth_and_linked_from(web: SmallWeb, tmp_path: Path) -> None:
    """Events count only where a person links to them."""
    web.page(HOME, "/p1", "/p2", "/e1")
    web.page(f"{HOME}p1", "/e1", "/far", body="<h1 class=person>Ada</h1>")
    web.page(f"{HOME}p2", "/e2", body="<h1>nobody</h1>")
    web.page(f"{HOME}e1", "/deep", body="<h2>Party</h2>")
    web.page(f"{HOME}e2", body="<h2>Fair</h2>")
    web.page(f"{HOME}far", body="<h2>Far</h2>")
    text = """
[patterns]
start = ["people"]
[[patterns.data]]
name = "person"
find = "//h1[@class]"
[[patterns.data]]
name = "event"
find = "//h2"
linked_from = "person"
[[patterns.link]]
name = "people"
find = "//a[contains(@href, 'p')]"
next = ["person", "events"]
[[patterns.link]]
name = "events"
find = "//a"
depth = 2
next = ["event"]
"""
    run(web, tmp_path / "c", text)
    assert web.asked() == [f"{HOME}{path}" for path in ("", "p1", "p2", "e1", "far", "e2")]
    assert items(tmp_path / "c", "event") == [{"text": "Party"}, {"text": "Far"}]
    assert items(tmp_path / "c", "person") == [{"text": "Ada"}]


FANS = """
[[patterns.data]]
name = "user"
when = "//h1[@class = 'user']"
fields.name = "//h1"
[[patterns.data]]
name = "artist"
when = "//h1[@class = 'artist']"
fields.name = "//h1"
fields.fan = "crawl:path('user')[1]/item/name"
[[patterns.link]]
name = "friends"
find = "//p[contains(., 'friend')]//a"
[[patterns.link]]
name = "likes"
find = "//p[contains(., 'like') or contains(., 'more')]//a"
revisit = "path"
"""


def social(web: SmallWeb) -> None:
    """Ann and Bob like the same artist; Bob's likes are on a second page, which they share with his profile."""

    def page(path: str, kind: str, *lines: tuple[str, str]) -> None:
        links = "".join(f'<p>{word} <a href="{target}">{target}</a></p>' for word, target in lines)
        web.reply(f"{HOME}{path}", f"<title>{path}</title><h1 class={kind}>{path or 'start'}</h1>{links}")

    page("", "list", ("friend", "/ann"), ("friend", "/bob"))
    page("ann", "user", ("friend", "/bob"), ("like", "/abba"), ("like", "/queen"))
    page("bob", "user", ("friend", "/ann"), ("more", "/bob-likes"))
    page("bob-likes", "list", ("like", "/abba"), ("more", "/bob"))
    page("abba", "artist", ("like", "/queen"))
    page("queen", "artist")


def test_a_page_is_counted_for_each_path(web: SmallWeb, tmp_path: Path) -> None:
    social(web)
    run(web, tmp_path / "c", FANS)
    fans = {(each["name"], each["fan"]) for each in items(tmp_path / "c", "artist")}
    assert fans == {("abba", "ann"), ("abba", "bob"), ("queen", "ann"), ("queen", "bob")}
    assert web.asked_twice() == {}
    visits = [url for (url,) in rows(tmp_path / "c", "SELECT url FROM pages WHERE url LIKE '%abba%'")]
    assert len(visits) == 2
    assert visits[0] == f"{HOME}abba"
    assert visits[1].startswith(f"{HOME}abba#~")


def test_a_page_is_visited_again_every_so_many_links(web: SmallWeb, tmp_path: Path) -> None:
    paths = [f"p{number}" for number in range(5)]
    web.page(HOME, *[f"/{path}" for path in paths], "/news")
    for path in paths:
        web.page(f"{HOME}{path}", "/news")
    web.page(f"{HOME}news", body="<h1>News</h1>")
    text = """
[[patterns.link]]
name = "pages"
find = "//a[contains(@href, 'p')]"
[[patterns.link]]
name = "news"
find = "//a[contains(@href, 'news')]"
revisit = "every 2"
"""
    run(web, tmp_path / "c", text)
    assert web.asked().count(f"{HOME}news") == 3  # 6 links: the first, the third and the fifth


def test_priorities_come_before_the_policy(web: SmallWeb, tmp_path: Path) -> None:
    web.page(HOME, "/a1", "/b1", "/a2", "/b2")
    for path in ("a1", "a2", "b1", "b2"):
        web.page(f"{HOME}{path}", f"/{path}x")
        web.page(f"{HOME}{path}x")
    text = """
[[patterns.link]]
name = "all"
find = "//a"
[[patterns.link]]
name = "first"
find = "//a[contains(@href, 'b')]"
priority = 5
"""
    run(web, tmp_path / "c", text)
    order = [url.removeprefix(HOME) for url in web.asked()]
    assert set(order[1:5]) == {"b1", "b2", "b1x", "b2x"}
    assert len(order) == 9


def test_pages_that_patterns_choose_are_themselves(web: SmallWeb, tmp_path: Path) -> None:
    """Pages of a list that name the first one as the canonical one have items of their own."""
    canonical = f'<link rel=canonical href="{HOME}list">'
    web.page(HOME, "/list", "/list?page=2")
    for query in ("", "?page=2"):
        web.page(f"{HOME}list{query}", head=canonical, body=f"<h1>Items {query}</h1>")
    run(web, tmp_path / "c", CITIES.replace("//ul//a", "//a").replace("//table[@class = 'box']", "//h1"))
    assert [each["name"] for each in items(tmp_path / "c", "city")] == ["Items", "Items ?page=2"]


def test_results_of_all_kinds(web: SmallWeb, tmp_path: Path) -> None:
    fill(web, 3)
    run(web, tmp_path / "a", CITIES + '\n[patterns.result]\norder = ["-population"]\nformat = "csv"')
    with (tmp_path / "a" / "result.csv").open() as file:
        assert [row["name"] for row in csv.DictReader(file)] == ["City 1", "City 2", "City 0"]
    run(web, tmp_path / "two", CITIES + '\n[patterns.result]\norder = ["-population"]\nlimit = 2')
    best = json.loads((tmp_path / "two" / "result.json").read_text())
    assert [each["name"] for each in best] == ["City 1", "City 2"]
    run(web, tmp_path / "b", CITIES + '\n[patterns.result]\nformat = "parquet"')
    assert pq.read_table(tmp_path / "b" / "result.parquet").column("population").to_pylist() == [0, 7000, 4000]
    query = """<cities of="{ count($crawl/page) }">{
      for $city in crawl:items('city') order by number($city/population)
      return <city depth="{ //page[@id = $city/@page]/@depth }">{ $city/name }</city> }</cities>"""
    run(web, tmp_path / "c", CITIES + f"\n[patterns.result]\nfind = '''{query}'''")
    text = (tmp_path / "c" / "result.xml").read_text()
    assert '<cities of="4">' in text
    assert text.index("City 0") < text.index("City 2") < text.index("City 1")
    sparql = """SELECT ?name (COUNT(?p) AS ?parents)
      { ?i crawl:name ?name ; crawl:page ?u . ?u crawl:parent ?p } GROUP BY ?name"""
    run(
        web,
        tmp_path / "d",
        CITIES + f"\n[patterns.result]\nengine = \"sparql\"\nformat = \"json\"\nfind = '''{sparql}'''",
    )
    found = json.loads((tmp_path / "d" / "result.json").read_text())
    assert sorted(found, key=str)[0] == {"name": "City 0", "parents": 1}


def test_exports_of_items(web: SmallWeb, tmp_path: Path) -> None:
    fill(web, 2)
    run(web, tmp_path / "c", CITIES)
    line = export(tmp_path / "c", "items").read_text().splitlines()[1]
    assert json.loads(line)["item"] == {"name": "City 1", "population": 7000}
    table = pq.read_table(export(tmp_path / "c", "parquet") / "items" / "city.parquet")
    assert table.column("name").to_pylist() == ["City 0", "City 1"]
    assert (
        export(tmp_path / "c", "result", tmp_path / "r.json").read_text()
        == (tmp_path / "c" / "result.json").read_text()
    )


def test_a_result_that_cannot_be_made_does_not_fail_the_crawl(web: SmallWeb, tmp_path: Path) -> None:
    fill(web, 2)
    summary = run(web, tmp_path / "c", CITIES + '\n[patterns.result]\nfind = "xs:integer(//item[1]/name)"')
    assert "result" not in summary
    assert "Cannot convert" in summary["result_fault"]


def test_faults_of_patterns_are_counted(web: SmallWeb, tmp_path: Path) -> None:
    fill(web, 2)
    text = (
        CITIES
        + '\n[[patterns.data]]\nname = "never"\nfind = "//nowhere"\n'
        + ('[[patterns.data]]\nname = "wrong"\nfields.x = { find = "//h1", type = "date" }')
    )
    summary = run(web, tmp_path / "c", text)
    assert summary["patterns"]["never"] == {"pages": 0, "found": 0, "faults": 0}
    assert summary["patterns"]["wrong"]["faults"] == 2
    assert "no date in" in summary["patterns"]["wrong"]["fault"]
    report = write_crawl_report(tmp_path / "c").read_text()
    assert "never matched" in report
    assert "no date in" in report
