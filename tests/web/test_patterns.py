"""Crawls that patterns steer: checked, tried on a page, crawled, and read."""

from __future__ import annotations

from typing import Any

import pytest

from tests.engines.live.webs import HOME
from tests.web.sites import QUICK, Site

PATTERNS = """
[[patterns.data]]
name = "kettle"
find = "//script"
fields.title = { find = "//title", required = true }

[[patterns.link]]
name = "to-kettle"
find = "//a[contains(@href, '/p/1')]"

[patterns.result]
of = ["kettle"]
order = ["-title"]
format = "json"
"""
SPEC = f'seeds = ["{HOME}"]\nbudget = 50\n{QUICK}{PATTERNS}'


@pytest.fixture(scope="module")
def steered(site: Site) -> str:
    name = site.begin(SPEC, id="patterns")
    assert site.until_state(name, "finished", "failed")["state"] == "finished"
    return name


def test_a_pattern_that_cannot_be_compiled_is_named_with_its_place(site: Site) -> None:
    broken = SPEC.replace("//title", "//title[")
    (error,) = site.post("/api/check", {"spec": broken})["errors"]
    number = broken[: broken.index("//title[")].count("\n") + 1
    line = broken.splitlines()[number - 1]
    assert (error["line"], error["place"]) == (number, "spec")
    assert error["column"] > line.index("//title[")
    assert "patterns.data 'kettle'" in error["message"]
    assert site.post("/api/crawls", {"spec": broken}, 400)["error"] == error["message"]


def test_patterns_are_tried_on_a_page_and_one_in_error_hides_no_other(site: Site) -> None:
    def tried(spec: str, path: str) -> dict[str, Any]:
        shown = site.post("/api/preview", {"url": HOME + path, "draft": {"spec": spec}})
        return {"relevant": shown["relevant"], **{each["name"]: each for each in shown["patterns"]}}

    page = tried(SPEC, "p/7")
    assert page["relevant"]
    assert page["kettle"]["items"] == [{"title": "http://a.example/p/7"}]
    assert page["kettle"]["places"][0]["title"]["line"] == 1
    home = tried(SPEC.replace("//title", "//title["), "")
    assert home["kettle"]["errors"]
    assert (home["to-kettle"]["found"], home["relevant"]) == (11, False)


def test_guided_patterns_come_beside_the_fields(site: Site) -> None:
    draft = {"seeds": [HOME], "patterns": PATTERNS, "objective": "patterns"}
    checked = site.post("/api/check", draft)
    assert checked["ok"], checked
    assert "[[patterns.data]]" in checked["spec"]


def test_items_matches_and_the_result(site: Site, steered: str) -> None:
    shown = site.crawl(steered)
    assert (shown["fetched"], shown["relevant"], shown["patterns"]) == (12, 11, True)
    counts = site.get(f"/api/crawls/{steered}/patterns")["patterns"]
    assert {each["name"]: (each["pages"], each["found"]) for each in counts} == {
        "kettle": (11, 11),
        "to-kettle": (1, 11),
    }
    assert site.get(f"/api/crawls/{steered}/watch")["found"]["patterns"] == counts
    table = site.get(f"/api/crawls/{steered}/items", pattern="kettle", search="p/19")
    assert (table["total"], table["columns"]) == (1, ["title"])
    page = site.get(f"/api/crawls/{steered}/pages/{table['items'][0]['page']}")
    assert page["items"] == [{"pattern": "kettle", "item": {"title": "http://a.example/p/19"}}]
    graph = site.get(f"/api/crawls/{steered}/graph", page=page["page"])
    assert {node["page"]: node["patterns"] for node in graph["nodes"]} == {
        0: ["to-kettle"],
        page["page"]: ["kettle"],
    }
    result = site.client.get(f"/api/crawls/{steered}/result")
    assert result.headers["content-type"] == "application/json"
    assert [each["title"][-4:] for each in result.json()[:2]] == ["p/19", "p/18"]


def test_ready_specs_are_sound(site: Site) -> None:
    ready = site.get("/api/patterns")["patterns"]
    assert {"product", "article"} <= {each["name"] for each in ready}
    assert site.post("/api/check", {"spec": ready[0]["text"]})["ok"]


@pytest.mark.parametrize("key", ["seconds = 1000", "memory = 100000"])
def test_patterns_may_not_ask_for_much(site: Site, key: str) -> None:
    (error,) = site.post("/api/check", {"spec": f"{SPEC}\n[patterns]\n{key}\n"})["errors"]
    assert "up to" in error["message"]


def test_a_crawl_without_patterns_has_no_result(site: Site, crawl: str) -> None:
    assert site.get(f"/api/crawls/{crawl}/items", pattern="x")["total"] == 0
    assert site.client.get(f"/api/crawls/{crawl}/result").status_code == 400
