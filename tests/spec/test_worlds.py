"""Specs of graphs behind APIs and forms: errors name the place."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sundog.errors import UsageError
from sundog.fetch.pace import Manners
from sundog.patterns.definitions import Patterns
from sundog.spec import CrawlSpec, spec_text, with_settings
from sundog.spec.api import Api
from sundog.spec.archive import Archive
from sundog.spec.crawl import parse_spec, world_kinds
from sundog.spec.form import Form
from sundog.spec.rdf import Rdf

API = """world = "api"
seeds = ["alice"]
objective = "keyword:bretagne"
[api]
"""
FULL = (
    API
    + """items = "https://api.example/users/{id}/posts?page={page}"
neighbours = "https://api.example/users/{id}/friends?after={cursor}"
texts = "posts[].text"
links = "friends[].{id: id, score: weight}"
next = "paging.next"
requests = 15
window = 900
[api.headers]
Authorization = "Bearer ${API_TOKEN}"
"""
)
FORM = """world = "form"
seeds = ["music"]
[form]
action = "https://library.example/search"
field = "q"
records = "li.hit"
"""
DOCS = Path(__file__).parents[2] / "docs" / "graph-worlds.md"
BLOCKS = re.findall(r"^```toml\n(.*?)^```$", DOCS.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
ITEMS = 'items = "https://api.example/{id}"\n'


def test_an_api_makes_the_round_trip() -> None:
    spec = parse_spec(FULL)
    assert spec.api.headers == {"Authorization": "Bearer ${API_TOKEN}"}
    assert parse_spec(spec_text(spec)) == spec
    assert spec.seed_urls == ["https://api.example/users/alice/posts?page=1"]


def test_a_form_makes_the_round_trip() -> None:
    spec = parse_spec(FORM + '[form.fields]\nsort = "new"\n')
    assert parse_spec(spec_text(spec)) == spec
    assert spec.seed_urls == ["https://library.example/search?q=music&sort=new"]


def test_the_budget_is_what_the_windows_allow_in_the_time() -> None:
    spec = parse_spec(FULL)
    assert spec.fetches == 1_000
    a_day = with_settings(spec, {"seconds": "86400"})
    assert a_day.fetches == 15 * 86_400 / 900 == 1_440
    assert with_settings(a_day, {"budget": "100"}).fetches == 100
    assert with_settings(a_day, {"budget": "5000"}).fetches == 1_440
    assert with_settings(spec, {"seconds": "1"}).fetches == 15


@pytest.mark.parametrize("node", ["alice", "a/b?c=d&e#f", "42", "é ü", "100%", "{id}", "a.b", "..."])
def test_nodes_have_names_and_names_have_nodes(node: str) -> None:
    api = Api(items="https://api.example/users/{id}/posts?of={id}&page={page}&x=1", links="x")
    url = api.node_url(node)
    assert url is not None
    assert api.node_of(url) == node
    form = Form(action="https://a.example/s?lang=en", field="q", fields={"b": "c d"})
    query = form.node_url(node)
    assert query is not None
    assert form.node_of(query) == node


def test_an_id_may_stand_in_a_query_without_a_path() -> None:
    api = Api(items="https://api.example?user={id}", links="x")
    api.check()
    assert api.node_url("alice") == "https://api.example?user=alice"


@pytest.mark.parametrize("node", ["", ".", "..", "x" * 3_000])
def test_what_cannot_be_part_of_a_url_is_no_node(node: str) -> None:
    assert Api(items="https://api.example/users/{id}/posts", links="x").node_url(node) is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (API, "'api.items' is missing"),
        (API + ITEMS, "'api.links' is missing"),
        (API + 'items = "https://api.example/users"\nlinks = "x"', "api.items: '{id}' is missing"),
        (API + 'items = "https://api.example/{id}/{pge}"\nlinks = "x"', "'{pge}' means nothing; did you mean"),
        (API + 'items = "https://{id}.example/"\nlinks = "x"', "'{id}' must stand after the host"),
        (API + 'items = "api.example/{id}"\nlinks = "x"', "an http or https URL is expected"),
        (API + 'items = "https://api.example/{id}?{page}{cursor}"\nlinks = "x"\nnext = "y"', "not both"),
        (API + 'items = "https://api.example/{id}?{cursor}"\nlinks = "x"', "'api.next' is missing"),
        (API + ITEMS + 'links = "friends[.id"', "no JMESPath expression, see character 9: '.id'"),
        (API + ITEMS + 'links = "friends[?"', "no JMESPath expression, something is missing"),
        (API + ITEMS + 'links = "lenght(friends)"', "JMESPath has no function 'lenght'; did you mean 'length'"),
        (API + ITEMS + 'links = "x"\nrequests = 5', "api.requests and api.window belong together"),
        (API + ITEMS + 'links = "x"\nmax_pages = 0', "api.max_pages = 0: a number from 1 on"),
        (API + ITEMS + 'links = "x"\nlinsk = "y"', "unknown key 'api.linsk'; did you mean 'links'"),
        (API + ITEMS + 'links = "x"\n[api.headers]\n"A B" = "c"', "'A B' is no name of a header"),
        (API + ITEMS + 'links = "x"\n[api.headers]\nA = "b\\nc"', "api.headers.A: a text of printable ASCII"),
        (API + ITEMS + 'links = "x"\n[api.headers]\nA = 5', "api.headers.A: a text of printable ASCII"),
        (FULL.replace('"alice"', '".."'), "the seed '..' is no id of a node"),
        (FULL.replace('"alice"', ""), "give at least one id of a node"),
        (FULL.replace('"api"', '"web"'), "which is for world = \"api\""),
        (FULL.replace('"api"', '"apis"'), 'world = "apis": "web" or "api" or "form" or "archive" is expected'),
        ("warc = true\n" + FULL, 'not for world = "api"'),
        (FORM.replace('field = "q"', ""), "'form.field' is missing"),
        (FORM.replace("https://library.example/search", "/search"), "form.action = \"/search\": an http"),
        (FORM.replace('"li.hit"', '"li..hit"'), 'form.records = "li..hit": no CSS selector'),
        (FORM + 'format = "json"\nid = "a["', "form.id = \"a[\": no JMESPath"),
        (FORM + 'method = "put"', '"get" or "post" is expected'),
        (FORM + 'next = "a"\npage_field = "p"', "two ways to further pages"),
        (FORM + "max_share = 2", "form.max_share = 2: a share"),
        (FORM + '[form.fields]\nq = "x"', "the form has that field already"),
        (FORM + "[form.fields]\nx = 1", "form.fields.x: a text in quotes"),
    ],
)  # fmt: skip
def test_errors_name_the_key(text: str, message: str) -> None:
    with pytest.raises(UsageError) as error:
        parse_spec(text)
    assert message in str(error.value)


def test_variables_of_the_environment_are_filled_in_late() -> None:
    api = parse_spec(FULL).api
    found = api.credentials({"API_TOKEN": "long enough"})
    assert {origin: each.headers for origin, each in found.items()} == {
        "https://api.example": {"Authorization": "Bearer long enough"}
    }
    for environment in ({}, {"API_TOKEN": ""}, {"API_TOKEN": "a\nb"}):
        with pytest.raises(UsageError, match=r"api\.headers\.Authorization: the environment variable API_TOKEN"):
            api.credentials(environment)


def test_only_one_world_has_its_table() -> None:
    web: dict[str, Any] = {"seeds": ("https://a.example/",)}
    with pytest.raises(UsageError, match=r"there is a table \[form\]"):
        CrawlSpec(**web, form=Form(action="https://a.example/"))


@pytest.mark.parametrize("text", BLOCKS)
def test_the_examples_of_the_docs_are_specs(text: str) -> None:
    spec = parse_spec(text)
    assert parse_spec(spec_text(spec)) == spec


WORLDS = {
    "web": CrawlSpec(seeds=("http://a.example/",)),
    "api": parse_spec(FULL),
    "form": parse_spec(FORM),
    "archive": CrawlSpec(seeds=("http://a.example/",), world="archive", archive=Archive(path="a.warc")),
}


@pytest.mark.parametrize("name", world_kinds())
def test_every_world_answers_for_itself(name: str) -> None:
    spec, kind = WORLDS[name], world_kinds()[name]
    assert type(spec.world_kind) is type(kind)
    assert kind.summary.endswith("sundog crawl")
    assert kind.seed_word
    assert kind.unit in ("pages", "requests", "queries")
    assert all(kind.spent(3, 7) == (7 if kind.unit == "requests" else 3) for kind in (kind, spec.world_kind))
    with pytest.raises(UsageError, match=f"there is no seed: give at least one {kind.seed_word} to begin with"):
        replace(spec, seeds=())


@pytest.mark.parametrize(("name", "text"), [("api", API), ("form", FORM)])
def test_what_a_world_answers_is_no_key_of_its_table(name: str, text: str) -> None:
    with pytest.raises(UsageError, match=f"unknown key '{name}.unit'"):
        parse_spec(f'{text}unit = "pages"')


@pytest.mark.parametrize("name", ["api", "form"])
def test_pages_are_of_the_web_alone(name: str) -> None:
    spec = WORLDS[name]
    for change in ({"warc": True}, {"rdf": Rdf(prefer="rdf")}, {"patterns": Patterns(start=())}):
        with pytest.raises(UsageError, match=r"world = "):
            replace(spec, **change)


def test_robots_manners_and_patience_are_the_worlds_own() -> None:
    web, api, form = (WORLDS[name].world_kind for name in ("web", "api", "form"))
    assert [kind.obeys_robots(True) for kind in (web, api, form, Api(robots=True))] == [True, False, True, True]
    assert not any(kind.obeys_robots(False) for kind in (web, api, form, Api(robots=True)))
    assert web.manners(Manners()) == form.manners(Manners()) == Manners()
    assert api.manners(Manners()) == Manners(requests=15, window=900.0, longest_retry_after=86_400.0)
    assert WORLDS["api"].patience == 1_800
    assert WORLDS["form"].patience == 600
