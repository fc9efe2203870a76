"""Entities that were seen before earn nothing; and what makes two entities one."""

from __future__ import annotations

from time import thread_time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sundog.objectives import PageView
from sundog.objectives.entities import TYPE, Entities, subjects_of
from tests.objectives.pages import CAKE, NEWS, RECIPE, html_page, judged, page, rewards

OFFER = {"@type": "Offer", "price": "5", "priceCurrency": "EUR"}


def test_the_reward_is_the_number_of_new_entities() -> None:
    pages = [page(RECIPE, CAKE, NEWS), page(RECIPE), page({**CAKE, "name": "Crêpe"}, RECIPE, NEWS)]
    assert rewards("novel type:schema:Recipe", *pages) == [2, 0, 1]
    assert rewards("novel any", *pages) == [3, 0, 1]
    assert rewards("novel jsonld>=8", *pages) == [0, 0, 0]
    assert rewards("novel microdata", *pages) == [0, 0, 0]


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ({**RECIPE, "@id": "http://x.example/1"}, {**RECIPE, "@id": "http://x.example/2"}, False),
        ({**RECIPE, "@id": "http://x.example/1"}, {**CAKE, "@id": "http://x.example/1"}, True),
        ({**RECIPE, "@id": "#r"}, {**RECIPE, "@id": "#r"}, False),  # relative to different pages
        (RECIPE, {**RECIPE, "recipeYield": "9"}, True),
        (RECIPE, {**RECIPE, "name": "Kouign"}, False),
        (RECIPE, {**RECIPE, "name": " Kouign-amann "}, True),
        (RECIPE, {**RECIPE, "@type": "HowTo"}, False),
        (
            {"http://v.example/name/": "x", "p": "1", "@type": "T"},
            {"http://v.example/name/": "x", "@type": "T"},
            True,
        ),
        (OFFER, OFFER, True),
        (OFFER, {**OFFER, "price": "6"}, False),
        ({"@type": "Thing"}, {"@type": "Thing"}, False),  # they say nothing: each is its page's own
    ],
)
def test_when_entities_are_the_same(first: dict[str, Any], second: dict[str, Any], same: bool) -> None:
    found = rewards("novel any", page(first, url="http://a.example/"), page(second, url="http://b.example/"))
    assert found == [1, 0 if same else 1]


def test_a_part_without_a_name_belongs_to_its_owner() -> None:
    def product(name: str) -> PageView:
        return page({"@type": "Product", "name": name, "offers": OFFER}, url=f"http://a.example/{name}")

    assert rewards("novel type:schema:Offer", product("cup"), product("cup"), product("pot")) == [1, 0, 1]


def test_syntaxes_agree() -> None:
    html = '<p itemscope itemtype="https://schema.org/Recipe"><b itemprop="name">Kouign-amann</b></p>'
    assert rewards("novel type:schema:Recipe", page(RECIPE), html_page("http://b.example/", html)) == [1, 0]


def test_what_was_not_paid_for_is_not_remembered() -> None:
    without = page(RECIPE)
    both = html_page("http://b.example/", '<meta property="og:title" content="x">')
    both = both._replace(
        statements={**both.statements, **{"jsonld": without.statements["jsonld"]}}, types=without.types
    )
    for text in ("novel type:schema:Recipe and opengraph", "opengraph and novel type:schema:Recipe"):
        assert rewards(text, without, both, both) == [0, 1, 0]
    assert rewards("not novel type:schema:Recipe", without, without) == [0, 0]


def test_two_conditions_do_not_share_what_they_have_seen() -> None:
    text = "(novel type:schema:Recipe and rdfa) or novel type:schema:HowTo"
    assert rewards(text, page(RECIPE), page(RECIPE)) == [1, 0]


def test_nothing_more_is_kept_when_memory_is_full(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sundog.objectives.memory.MOST_SEEN", 1)
    found = judged("novel any", [page(RECIPE), page(CAKE)])
    assert [each.reward for each in found] == [1, 0]
    assert found[1].faults == (("novel any", "1 were found: nothing counts as new any more"),)


TERMS = st.sampled_from(["_:a", "_:b", "_:c", "<http://x.example/>", '"v"', "_:", '"', '""@', "<>"])


@given(st.lists(st.tuples(TERMS, st.sampled_from([TYPE, "<http://p.example/name>", "<>", "<p>"]), TERMS)))
def test_identities_end_and_repeat_whatever_the_statements(statements: list[tuple[str, ...]]) -> None:
    view = PageView("http://a.example/", {"rdf": 1}, [], {"rdf": statements})
    subjects = subjects_of(view, ["rdf"])
    assert [Entities(view).identity(each) for each in subjects] == [Entities(view).identity(e) for e in subjects]


def test_a_hostile_page_takes_linear_time() -> None:
    owner = [("_:o", f"<http://p.example/{i}>", f"_:c{i}") for i in range(20_000)]
    values = [("_:o", "<http://p.example/v>", f'"{i}"') for i in range(20_000)]
    types = [(f"_:c{i}", TYPE, "<http://schema.org/Offer>") for i in range(20_000)]
    view = PageView(
        "http://a.example/", {"rdf": 60_000}, ["http://schema.org/Offer"], {"rdf": owner + values + types}
    )
    start = thread_time()
    assert rewards("novel type:schema:Offer", view)[0] >= 1
    assert thread_time() - start < 3
