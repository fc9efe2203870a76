"""Before a crawl begins: what is wrong with it and where, and what it would find on a page."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from pydantic import ValidationError

from sundog.patterns.definitions import FIELD_NAME
from sundog.spec import CrawlSpec
from sundog.spec.crawl import BUDGET
from sundog.web.request_bodies import LONGEST_LINE, ChosenField, FieldsBody
from tests.web.sites import Site


def test_what_is_wrong_is_said_with_its_place(site: Site) -> None:
    def wrong(spec: str, **files: str) -> tuple[str, int, int, str]:
        (error,) = site.post("/api/check", {"spec": spec, "files": files})["errors"]
        return error["message"], error["line"], error["column"], error["place"]

    seed = 'seeds = ["https://a.example/"]\n'
    assert wrong(seed + "budgt = 5") == ("unknown key 'budgt'; did you mean 'budget'?", 2, 1, "spec")
    assert wrong(seed + 'budget = "x"')[1:] == (2, 1, "spec")
    assert wrong(seed + "[scope]\nmax_depth = true")[1:] == (3, 1, "spec")
    assert wrong(seed + "a b")[1:] == (2, 3, "spec")
    message, line, column, place = wrong(seed + 'objective = "q.rq"', **{"q.rq": "SELECT ?x {\n ?x }"})
    assert (line, place) == (2, "q.rq"), message
    assert column


def test_a_draft_becomes_a_spec_and_values(site: Site) -> None:
    draft = {"seeds": ["https://a.example/"], "objective": "type:schema:Recipe", "budget": 7, "stay": "host"}
    checked = site.post("/api/check", draft)
    assert checked["ok"]
    assert 'extent = "host"' in checked["spec"]
    assert (checked["values"]["budget"], checked["values"]["policy"]) == (7, "sundog")


def test_a_preview_shows_what_a_page_yields(site: Site) -> None:
    draft = {"objective": "type:schema:Product", "stay": "host"}
    shown = site.post("/api/preview", {"url": "http://a.example/p/4", "draft": draft})
    assert (shown["status"], shown["relevant"], shown["types"]) == (200, True, ["http://schema.org/Product"])
    assert (shown["links"], shown["followed"]) == (1, 1)
    assert [
        shown["statements"]["jsonld"][-1][0][:2],
        shown["statements"]["jsonld"][-1][2],
    ] == ["_:", "Kettle 004"]
    missing = site.post("/api/preview", {"url": "http://a.example/nothing", "draft": draft})
    assert (missing["status"], missing["trouble"][:4]) == (404, "http")


def test_a_preview_with_a_query_of_its_own(site: Site) -> None:
    draft = {
        "spec": 'seeds = ["http://a.example/"]\nobjective = "names.rq"',
        "files": {"names.rq": "SELECT ?n { ?x schema:name ?n }"},
    }
    shown = site.post("/api/preview", {"url": "http://a.example/p/4", "draft": draft})
    assert shown["answers"]


def test_what_there_is_to_choose_from(site: Site) -> None:
    (recipe,) = site.get("/api/schema-types", search="recip")["types"]
    assert recipe == {"name": "Recipe", "path": ["Thing", "CreativeWork", "HowTo"]}
    policies = {each["name"]: each for each in site.get("/api/policies")["policies"]}
    assert not {"oracle", "steered-oracle"} & policies.keys()  # they need to know every page's reward
    assert "pretrain" not in [each["name"] for each in policies["sundog"]["parameters"]]


def test_defaults_come_from_the_spec(site: Site) -> None:
    spec = CrawlSpec(seeds=("https://a.example/",))
    expected = {"budget": BUDGET, "delay": spec.delay, "policy": spec.policy}
    assert site.get("/api/session")["defaults"] == expected
    assert f'id="budget" type="number" min="1" value="{BUDGET}"' in site.client.get("/new").text
    expert = site.client.get("/new/expert").text
    assert f'data-default="{spec.policy}"' in expert
    assert f'id="title" maxlength="{LONGEST_LINE}"' in expert


@pytest.mark.parametrize("name", ["a" * 64, "_a-b", "a" * 65, "1a", "é", "a b", ""])
def test_a_field_that_a_spec_may_have_can_be_chosen(name: str) -> None:
    def is_taken(make: Callable[[], object]) -> bool:
        try:
            make()
        except ValidationError:
            return False
        return True

    assert is_taken(lambda: ChosenField(name=name, value="x")) == bool(FIELD_NAME(name))
    for order in (name, f"-{name}"):
        assert is_taken(lambda order=order: FieldsBody(url="x", order=order)) == (
            bool(FIELD_NAME(name)) or not order
        )
