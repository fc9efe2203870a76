"""Objectives on one live page at a time."""

from __future__ import annotations

from math import log
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from sundog.errors import UsageError
from sundog.objectives import PageView, parse_objective
from sundog.objectives.checks import NOTHING, check_objective
from sundog.objectives.registry import OBJECTIVES
from sundog.worlds.static import Pages, Strings
from tests.objectives.pages import CAKE, NEWS, RECIPE, html_page, judged, page, rewards

COUNTED = PageView("http://a.example/", {"jsonld": 3, "microdata": 2, "opengraph": 9}, ["h-card"], {})
ASK = "PREFIX s: <https://schema.org/> ASK { ?x a s:Recipe }"
SHAPE = """@prefix sh: <http://www.w3.org/ns/shacl#> . @prefix s: <http://schema.org/> .
[] a sh:NodeShape ; sh:targetClass s:HowTo ; sh:property [ sh:path s:recipeYield ; sh:minCount 1 ] ."""
EXAMPLES = [kind.example for kind in OBJECTIVES if kind.example != "score"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "cars.rq").write_text("SELECT * { ?s <http://schema.org/name> ?name }", encoding="utf-8")
    (tmp_path / "ask.rq").write_text(ASK, encoding="utf-8")
    (tmp_path / "shapes.ttl").write_text(SHAPE, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    "text",
    [
        *EXAMPLES,
        "ask.rq",
        "novel shapes.ttl",
        "novel any and cars.rq",
        "cars.rq and type:schema:Recipe or not ask.rq",
        "not cars.rq and not novel any",
    ],
)
def test_every_objective_passes_the_checks(text: str, folder: Path) -> None:
    pages = [
        page(RECIPE, text="Bretagne, Brittany"),
        NOTHING,
        page(RECIPE, CAKE, url="http://a.example/2"),
        page(NEWS, {"@type": "Product"}, url="http://b.example/"),
        html_page("http://b.example/h", '<p class="h-card"><b class="p-name">Ada</b>', "text"),
        page(CAKE, NEWS, url="http://a.example/3", text="brittany"),
    ]
    check_objective(parse_objective(text, folder), pages)


@pytest.mark.parametrize(
    ("text", "reward"),
    [
        ("any", 1),
        ("rdfa", 0),
        ("microdata>=2", 1),
        ("microdata>2", 0),
        ("jsonld+microdata>=5", 1),
        ("jsonld+microdata+rdfa>=6", 0),
        ("microdata>=0", 1),
        ("not opengraph", 0),
        ("jsonld and microdata>=3", 0),
        ("rdfa or microdata", 1),
        ("type:h-card", 1),
        ("type:h-car", 0),
    ],
)
def test_counts_and_types_are_met_or_not(text: str, reward: float) -> None:
    assert [each.reward for each in judged(text, [COUNTED])] == [reward]


@pytest.mark.parametrize(
    ("text", "near"),
    [
        ("microdata>=8", 0.5),
        ("jsonld+microdata>=20", 0.5),
        ("rdfa>=5", 0),
        ("microdata>=2", 0),  # it is relevant
        ("rdfa", 0),  # one or none: nothing is in between
        ("microdata>=8 and jsonld>=4", 0.5),
        ("microdata>=8 or jsonld>=4", 0.75**0.5),
        ("microdata>=8 and type:h-car", 0.5),
        ("not microdata>=2", 0),
    ],
)
def test_a_page_that_earns_nothing_may_come_near(text: str, near: float) -> None:
    live = judged(text, [COUNTED])[0]
    assert live.near == pytest.approx(near)
    counts = {name: np.array([COUNTED.counts.get(name, 0)]) for name in ("jsonld", "microdata", "rdfa")}
    types = pa.array([list(COUNTED.types)])
    pages = Pages(np.arange(1), Strings(np.zeros(0, np.uint8), np.zeros(2, np.int64)), counts, types=types)
    static = parse_objective(text).near_misses(pages)
    assert live.reward or (0 if static is None else static[0]) == live.near


def test_opengraph_alone_is_not_any() -> None:
    assert rewards("any", PageView("", {"opengraph": 9, "rdf": 3}, [], {}), NOTHING) == [0, 0]


@pytest.mark.parametrize("name", ["schema:Article", "http://schema.org/Article", "https://schema.org/Article"])
def test_a_news_article_is_an_article(name: str) -> None:
    assert rewards(f"type:{name}", page(NEWS), page(RECIPE)) == [1, 0]


def test_in_a_static_world_too() -> None:
    types = pa.array([["http://schema.org/NewsArticle"], ["https://schema.org/Blog", "x"], [], ["h-entry"]])
    pages = Pages(np.arange(4), Strings(np.zeros(0, np.uint8), np.zeros(5, np.int64)), types=types)
    assert parse_objective("type:schema:Article").rewards(pages).tolist() == [1, 0, 0, 0]
    assert parse_objective("type:schema:CreativeWork or type:h-entry").rewards(pages).tolist() == [1, 1, 0, 1]


def test_quotation_marks_keep_an_iri_together() -> None:
    view = PageView("http://a.example/", {}, ["http://x.example/A_(b)+c"], {})
    assert rewards('type:"http://x.example/A_(b)+c" and not rdfa', view) == [1]


def test_an_article_is_no_news_article() -> None:
    assert rewards("type:schema:NewsArticle", page({"@type": "Article"})) == [0]


def test_https_in_microdata_is_the_same_type() -> None:
    marked = html_page("http://a.example/", '<p itemscope itemtype="https://schema.org/Bakery">')
    assert rewards("type:schema:LocalBusiness", marked) == [1]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("type:schema:Recipie", "schema.org has no type 'Recipie'; did you mean 'Recipe'"),
        ("type:schema:Xyzzyplugh", "if you mean it, write type:http://schema.org/Xyzzyplugh"),
        ("type:schema:", "a name is expected after 'schema:'"),
        ("keyword:", "a word is expected after 'keyword:'"),
        ("keyword:a,,b", "every comma"),
        ("keyword:" + ",".join(map(str, range(101))), "at most 100"),
        ('keyword:"a', "closing quotation mark"),
        ("novel keyword:a", "novel is for entities"),
        ("novel novel any", "novel is for entities"),
        ("novel (any or jsonld)", "novel is for entities"),
        ("novel not any", "novel is for entities"),
        ("novel", "an objective such as"),
        ("any " * 3000, "at most 10,000"),
        ("microdata>=" + "9" * 5000, "whole number"),
    ],
)
def test_what_cannot_be_met_is_an_error(text: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        parse_objective(text)


def test_a_type_unknown_to_schema_org_can_be_written_in_full() -> None:
    assert rewards("type:http://schema.org/Xyzzyplugh", page({"@type": "Xyzzyplugh"})) == [1]


def test_score_is_for_simulations() -> None:
    with pytest.raises(UsageError, match="'score' is a column of a simulated world"):
        parse_objective("jsonld or score").judge()


@pytest.mark.parametrize("text", ["keyword:a", "novel any", "not keyword:a"])
def test_what_needs_pages_is_no_objective_for_a_static_world(text: str) -> None:
    pages = Pages(np.arange(2), Strings(np.zeros(0, np.uint8), np.zeros(3, np.int64)))
    with pytest.raises(UsageError, match="needs the pages themselves"):
        parse_objective(text).rewards(pages)


@pytest.mark.parametrize(
    ("words", "text", "count"),
    [
        ("bretagne", "Bretagne, BRETAGNE; la bretagne.", 3),
        ("bretagne", "bretagnes ébretagne sans", 0),
        ("bretagne,brittany", "Bretagne is Brittany", 2),
        ("bretagne,BRETAGNE", "Bretagne", 1),
        ("breton,breton cake", "a breton cake", 1),
        ("breton  cake", "a breton\n cake and a Breton", 1),
        ("c++", "C++, c+", 1),
        ("côte", "CO\u0302TE cote", 1),
        (".*", "anything", 0),
        ("a", "", 0),
    ],
)
def test_keywords_are_whole_words(words: str, text: str, count: int) -> None:
    expected = 1 + log(count) if count else 0
    assert rewards(f'keyword:"{words}"', page(text=text)) == [pytest.approx(expected)]


def test_only_keywords_need_the_text() -> None:
    assert parse_objective("any and not keyword:a").needs_text
    assert not parse_objective("novel type:schema:Recipe or jsonld>=3").needs_text


def test_many_alternatives_do_not_exhaust_the_stack() -> None:
    assert rewards(" or ".join(["rdfa"] * 1000 + ["any"]), COUNTED) == [1]
