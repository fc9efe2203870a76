"""What went wrong on the site with real crawls: addresses without a scheme, small budgets, redirects, names."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import pytest

from sundog.demo_web.themes import THEMES
from sundog.results.explain import page_shape
from tests.engines.live.webs import HOME, SmallWeb
from tests.web.sites import QUICK, Site

ITEMS = """
[[patterns.data]]
name = "kettle"
find = "//li"
fields.name = "b"
fields.weight = "i"

[[patterns.data]]
name = "way"
find = "//p"
fields.to = "@data-to"
"""


@pytest.fixture(scope="module")
def awkward(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with SmallWeb() as web:
        rows = [("Zed", "9 kg"), ("Ada", "12 kg"), ("Mia", "")]
        items = "".join(f"<li><b>{name}</b>{f'<i>{weight}</i>' if weight else ''}</li>" for name, weight in rows)
        ways = "".join(f'<p data-to="{to}">' for to in ("/kettle", "http://b.example/", "and/or"))
        paths = ("old", "gone", "N%C3%BCrnberg", "kettle")
        links = "".join(f'<a href="/{path}">{path}</a> ' for path in paths)
        web.reply(HOME, f"<!doctype html><title>x</title><ul>{items}</ul>{ways}{links}")
        web.reply(f"{HOME}old", "", "Location: /", status="301 Moved Permanently")
        web.product(f"{HOME}kettle", head='<script type="application/ld+json">{12</script>')
        web.reply(f"{HOME}N%C3%BCrnberg", "<!doctype html><title>city</title>city")
        with Site(tmp_path_factory.mktemp("awkward"), f"--connect-to={web.connect_to}") as site:
            name = site.begin(f'seeds = ["{HOME}"]\nbudget = 20\n{QUICK}{ITEMS}', id="it")
            assert site.until_state(name, "finished", "failed")["state"] == "finished"
            yield site


def test_an_address_is_taken_as_it_is_shown(awkward: Site) -> None:
    shown = f"{HOME.partition('://')[2]}gone"
    found = awkward.get("/api/crawls/it/explain", url=shown)
    assert (found["url"], found["state"], found["kind"]) == (f"{HOME}gone", "failed", "failed")
    graph = awkward.get("/api/crawls/it/graph", url=shown)
    assert graph["centre"] == found["number"]


def test_pages_are_found_by_the_letters_that_people_see(awkward: Site) -> None:
    assert awkward.get("/api/crawls/it/pages", search="Nürnberg")["total"] == 1


def test_a_budget_that_is_spent_leaves_a_finished_crawl_finished(awkward: Site) -> None:
    refused = awkward.post("/api/crawls/it/resume", {"budget": 1}, 409)
    assert "give more than that" in refused["error"]
    assert awkward.crawl("it")["state"] == "finished"


def test_a_redirect_to_a_known_page_is_no_failure(awkward: Site) -> None:
    crawl = awkward.crawl("it")
    assert (crawl["failed"], crawl["redirected"]) == (1, 1)
    by_kind = {
        kind: [page["url"] for page in awkward.get("/api/crawls/it/pages", kind=kind)["pages"]]
        for kind in ("failed", "redirect")
    }
    assert by_kind == {"failed": [f"{HOME}gone"], "redirect": [f"{HOME}old"]}
    found = awkward.get("/api/crawls/it/watch")["found"]
    assert [trouble["name"] for trouble in found["troubles"]] == ["http-4xx"]
    assert awkward.get("/api/crawls/it/explain", url=f"{HOME}old")["kind"] == "redirect"


def test_an_explanation_counts_no_redirect_as_a_failure_and_leads_to_pages(awkward: Site) -> None:
    found = awkward.get("/api/crawls/it/explain", url=f"{HOME}kettle")
    assert found["host"] == {**found["host"], "fetched": 5, "failed": 1}
    parent = awkward.get(f"/api/crawls/it/pages/{found['parent']}")
    assert (parent["url"], parent["parent"]) == (HOME, None)
    assert awkward.get("/api/crawls/it/explain", url=HOME)["parent"] is None


@pytest.mark.parametrize(
    ("filters", "paths"),
    [
        ({"type": "http://schema.org/Product"}, ["kettle"]),
        ({"type": "https://schema.org/Product"}, ["kettle"]),
        ({"type": "schema:Product"}, ["kettle"]),
        ({"type": "Product", "kind": "failed"}, []),
        ({"syntax": "jsonld"}, ["kettle"]),
        ({"trouble": "http-4xx"}, ["gone"]),
        ({"kind": "redirect", "trouble": "redirect-known"}, ["old"]),
        ({"host": "a.example", "kind": "failed"}, ["gone"]),
        ({"host": "a.exampl"}, []),
        ({"first": 1, "last": 1}, [""]),
        ({"first": 6}, []),
    ],
)
def test_pages_are_listed_by_what_is_counted_elsewhere(
    awkward: Site, filters: dict[str, object], paths: list[str]
) -> None:
    found = awkward.get("/api/crawls/it/pages", **filters)
    assert [page["url"] for page in found["pages"]] == [f"{HOME}{path}" for path in paths]


def test_every_count_of_a_crawl_is_the_length_of_a_list(awkward: Site) -> None:
    watched = awkward.get("/api/crawls/it/watch")

    def listed(**filters: object) -> int:
        return int(awkward.get("/api/crawls/it/pages", **filters)["total"])

    found = watched["found"]
    (fault,) = found["faults"]
    assert listed(fault=fault["name"]) == fault["count"] == 1
    assert [listed(type=each["name"]) for each in found["types"]] == [each["count"] for each in found["types"]]
    assert [listed(trouble=each["name"], kind="failed") for each in found["troubles"]] == [1]
    (host,) = watched["hosts"]["hosts"]
    assert listed(host=host["host"]) == host["good"] + host["bad"]
    kinds = {"relevant": host["good"], "failed": host["failed"]}
    assert {kind: listed(host=host["host"], kind=kind) for kind in kinds} == kinds
    points = watched["harvest"]["points"]
    for (begin, before), (end, after) in pairwise(points):
        assert listed(first=begin + 1, last=end) == end - begin
        assert listed(first=begin + 1, last=end, kind="relevant") == after - before


@pytest.mark.parametrize(
    ("filters", "words"),
    [
        ({"type": "schema:Produkt"}, "did you mean 'schema:Product'"),
        ({"trouble": "http-5xx"}, "did you mean 'http-4xx'"),
        ({"hosts": "a.example"}, "did you mean 'host'"),
        ({"first": 0}, "first: "),
        ({"syntax": "xml"}, "syntax: "),
    ],
)
def test_a_filter_that_is_not_known_says_what_is(awkward: Site, filters: dict[str, object], words: str) -> None:
    response = awkward.client.get("/api/crawls/it/pages", params=filters)
    assert response.status_code in (400, 404, 422)
    assert words in response.json()["error"]


def test_only_downloads_that_there_can_be_are_offered(awkward: Site) -> None:
    formats = awkward.crawl("it")["formats"]
    assert {"items", "result", "nquads"} <= set(formats)
    assert not {"answers", "warc"} & set(formats)


def test_a_node_counts_items_and_statements_apart(awkward: Site) -> None:
    (home,) = [node for node in awkward.get("/api/crawls/it/graph")["nodes"] if node["url"] == HOME]
    assert (home["items"], home["statements"]) == (6, 0)


@pytest.mark.parametrize(
    ("sort", "descending", "names"),
    [
        ("", False, ["Zed", "Ada", "Mia"]),
        ("name", False, ["Ada", "Mia", "Zed"]),
        ("weight", True, ["Ada", "Zed", "Mia"]),  # by number, and what has none comes last
        ("no' such", False, ["Zed", "Ada", "Mia"]),
    ],
)
def test_items_are_sorted_by_a_field(awkward: Site, sort: str, descending: bool, names: list[str]) -> None:
    found = awkward.get("/api/crawls/it/items", pattern="kettle", sort=sort, descending=descending)
    assert [each["item"]["name"] for each in found["items"]] == names


def test_fields_that_are_addresses_lead_to_pages_or_outside(awkward: Site) -> None:
    kettle = awkward.get("/api/crawls/it/pages", search="kettle")["pages"][0]["page"]
    links = [each["links"] for each in awkward.get("/api/crawls/it/items", pattern="way")["items"]]
    inside, outside = {"url": f"{HOME}kettle", "page": kettle}, {"url": "http://b.example/", "page": None}
    assert links == [{"to": inside}, {"to": outside}, {}]


def test_the_shape_of_an_address_keeps_its_letters_whole() -> None:
    assert page_shape("https://a.example/N%C3%BCrnberg/12?x=%20123") == "a.example/N%C3%BCrnberg/#?x"


def test_no_attribute_of_the_demo_web_has_markup_in_it() -> None:
    for theme in THEMES:
        assert '"{title}"' not in theme.card
