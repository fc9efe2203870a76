"""Before a crawl begins: what is wrong with it and where, and what it would find on a page."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest
from pydantic import ValidationError

from sundog.errors import UsageError
from sundog.patterns.definitions import FIELD_NAME, LinkPattern, Patterns, StopPattern
from sundog.spec import CrawlSpec
from sundog.spec.crawl import BUDGET
from sundog.web.new.bounds import LONGEST_LINE, MOST_BY_KEY, check_bounds
from sundog.web.new.drafts import check
from sundog.web.request_bodies import ChosenValue, Draft
from sundog.web.settings import Settings
from tests.engines.live.webs import HOME
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

    is_name = bool(FIELD_NAME(name)) or not name  # then one is found for it
    assert is_taken(lambda: ChosenValue(element=1, name=name)) == is_name


def number_keys(kind: type[Any], place: str = "") -> Iterator[str]:
    """The keys of a spec that are numbers, also those that are not set."""
    for name, hint in get_type_hints(kind).items():
        if name not in {field.name for field in fields(kind)}:
            continue
        parts = {hint, *get_args(hint)}
        for table in filter(is_dataclass, parts):
            yield from number_keys(table, f"{place}{name}.")  # type: ignore[arg-type]
        if {int, float} & parts:
            yield f"{place}{name}"


def test_every_number_that_a_browser_may_send_has_a_bound() -> None:
    assert set(number_keys(CrawlSpec)) <= MOST_BY_KEY.keys()


@pytest.mark.parametrize("key", sorted(MOST_BY_KEY))
def test_a_number_that_is_too_large_is_named(key: str) -> None:
    with pytest.raises(UsageError, match=rf"^{re.escape(key)} = "):
        check_bounds(_with_number(key, 2 * int(MOST_BY_KEY[key])))


def _with_number(key: str, number: int) -> CrawlSpec:
    """As it would be if nothing else checked it."""
    spec = CrawlSpec(seeds=("https://a.example/",))
    object.__setattr__(spec, "patterns", Patterns(link=(LinkPattern(name="x"),), stop=(StopPattern(name="y"),)))
    part: Any = spec
    *tables, name = key.split(".")
    for table in tables:
        part = getattr(part, table)
        part = part[0] if isinstance(part, tuple) else part
    object.__setattr__(part, name, number)
    return spec


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("limits = {total = 1e15}", "limits.total = 1e+15: a number up to 3,600 is expected here"),
        (f"title = '{'x' * 301}'", "title: 300 characters"),
        (f"[scope]\nexclude = {['x'] * 1_001}", "scope.exclude: 1,000 entries"),
    ],
)
def test_what_is_too_much_is_refused_in_one_sentence(spec: str, message: str) -> None:
    checked = check(Draft(spec=f"seeds = ['https://a.example/']\n{spec}"), Settings(root=Path()))
    assert not checked["ok"]
    assert message in checked["errors"][0]["message"]


# -- from a spec to the guided form --------------------------------------------------------------------


def guided(site: Site, spec: str, **more: object) -> tuple[dict[str, Any], list[str]]:
    answer = site.post("/api/guided", {"spec": spec, **more})
    return answer["fields"], answer["lost"]


def test_what_the_guided_form_can_say_comes_back_whole(site: Site) -> None:
    patterns = '[[patterns.data]]\nname = "kettle"\nfind = "//h1"'
    draft = {"seeds": [HOME], "objective": "patterns", "budget": 7, "seconds": 90, "delay": 0.5, "stay": "host"}
    draft |= {"warc": True, "render": "learned", "items": 3, "patterns": patterns}
    spec = site.post("/api/check", draft)["spec"]
    assert 'name = "enough"\nitems = 3' in spec
    assert "warc = true" in spec
    assert 'render = "learned"' in spec
    fields, lost = guided(site, spec, owner="Ada")
    assert lost == []
    assert fields["render"] is True
    assert {
        name: fields[name] for name in ("seeds", "budget", "minutes", "delay", "stay", "warc", "items", "want")
    } == {
        "seeds": [HOME],
        "budget": 7,
        "minutes": 1.5,
        "delay": 0.5,
        "stay": "host",
        "warc": True,
        "items": 3,
        "want": "patterns",
    }
    again = site.post("/api/check", {**draft, "patterns": fields["patterns"]})["spec"]
    assert again == spec


def test_what_the_guided_form_cannot_say_is_named(site: Site) -> None:
    spec = (
        f'seeds = ["{HOME}"]\npolicy = "bfs"\nobjective = "jsonld>=2"\ndescription = "x"\n[scope]\nmax_depth = 3\n'
    )
    assert guided(site, spec)[1] == ["description", "objective", "policy", "scope.max_depth"]
    fields, lost = guided(site, f'seeds = ["{HOME}"]\nobjective = "type:schema:Recipe"\ntitle = "Tea"\n')
    assert (fields["want"], fields["type"], fields["title"], lost) == ("type", "Recipe", "Tea", [])
    assert "unknown key 'budgt'" in site.post("/api/guided", {"spec": "budgt = 1"}, 400)["error"]


def test_items_need_patterns(site: Site) -> None:
    (error,) = site.post("/api/check", {"seeds": [HOME], "items": 5})["errors"]
    assert error["message"] == "items are counted of what data patterns find: give patterns, or leave out items"
