"""Fields of an example page, and patterns for those that were chosen."""

from __future__ import annotations

import tomllib

from sundog.patterns.example import page_tree
from sundog.web.new.fields_process import page_fields
from tests.engines.live.webs import HOME, SmallWeb
from tests.web.sites import Site

CITY = """<!doctype html><title>Munich</title><h1>Munich</h1><table class="infobox">
<tr><th colspan="2">Basic statistics</th></tr>
<tr><th>State</th><td>Bavaria</td></tr><tr><th>Population (2007):</th><td>1,356,594 (2007)</td></tr>
<tr><th>Mayor</th><td><script>alert(1)</script>Ude</td></tr></table>
<dl><dt>Founded</dt><dd>1158</dd></dl>"""


def test_what_stands_beside_labels() -> None:
    fields = page_fields(page_tree(CITY.encode(), HOME, "text/html"))
    found = {field.name: (field.sample, field.type) for field in fields}
    assert found["name"] == ("Munich", "text")
    assert found["state"] == ("Bavaria", "text")
    assert found["population"] == ("1,356,594", "number")
    assert found["founded"] == ("1158", "number")


def test_a_page_with_rows_without_end_gives_some() -> None:
    rows = "".join(f"<tr><th>Row {number}</th><td>{number}</td></tr>" for number in range(20_000))
    assert len(page_fields(page_tree(f"<table>{rows}</table>".encode(), HOME, "text/html"))) <= 80


def test_patterns_for_what_was_chosen(site: Site, web: SmallWeb) -> None:
    web.reply(f"{HOME}munich", CITY)
    web.reply(f"{HOME}list", '<h1>List</h1><ul><li><a href="/munich">Munich</a><li><a href="/ulm">Ulm</a></ul>')
    url = f"{HOME}munich"
    assert {"state", "population"} <= {field["name"] for field in site.post("/api/fields", {"url": url})["fields"]}
    chosen = [
        {"name": "name", "value": "Munich"},
        {"name": "population", "value": "1,356,594"},
        {"name": "state", "value": "Bavaria", "same": True},
    ]
    body = {"url": url, "start": f"{HOME}list", "chosen": chosen, "order": "-population"}
    patterns = tomllib.loads(site.post("/api/fields", body)["patterns"])["patterns"]
    (data,) = patterns["data"]
    assert data["fields"]["population"]["type"] == "number"
    assert "Bavaria" in data["when"]
    assert [each["find"] for each in patterns["link"]] != []
    assert patterns["result"] == {"order": ["-population"], "format": "csv"}


def test_mistakes_are_one_sentence(site: Site) -> None:
    chosen = [{"name": "size", "value": "nowhere"}]
    assert "not on the page" in site.post("/api/fields", {"url": HOME, "chosen": chosen}, 400)["error"]
    assert "404" in site.post("/api/fields", {"url": f"{HOME}missing"}, 400)["error"]
    assert "private" in site.post("/api/fields", {"url": "http://127.0.0.1/"}, 400)["error"]
    assert (
        "name" in site.post("/api/fields", {"url": HOME, "chosen": [{"name": "a b", "value": "x"}]}, 422)["error"]
    )
