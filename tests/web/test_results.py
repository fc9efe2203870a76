"""What the site shows of a crawl that has ended: pages, graph, entities, queries, files."""

from __future__ import annotations

import html
import io
import json
import re
import zipfile
from pathlib import Path
from typing import get_args

import pytest

from sundog.entities.things import NAMES
from sundog.spec.crawl import parse_spec
from sundog.store import open_readonly
from sundog.syntaxes import MARKUP, TITLES, titles_of
from sundog.web.results.explain_process import ReplayCache
from sundog.web.results.page_filters import Kind
from sundog.web.results.page_list import Sort
from sundog.web.settings import Settings
from tests.store.crawls import small_crawl
from tests.web.apps import csrf, served
from tests.web.sites import Site, spec_of_shop

PRODUCT = "http://schema.org/Product"


def test_pages_are_searched_sorted_and_paged(site: Site, crawl: str) -> None:
    path = f"/api/crawls/{crawl}/pages"
    assert site.get(path)["total"] == 31
    found = site.get(path, kind="relevant", sort="url", descending=False, limit=2, offset=1)
    assert (found["total"], [page["url"][-3:] for page in found["pages"]]) == (30, ["p/1", "/10"])
    assert [page["url"] for page in site.get(path, search="p/29")["pages"]] == ["http://a.example/p/29"]
    assert site.get(path, search="%")["total"] == 0
    assert site.get(path, host="a.example")["total"] == 31
    assert site.get(path, kind="failed")["pages"] == []


def test_every_page_brings_the_tables_of_the_scripts(site: Site) -> None:
    """Scripts read them there."""
    found = re.search('data-syntaxes="([^"]*)"', site.client.get("/new").text)
    assert found
    assert json.loads(html.unescape(found[1])) == TITLES
    names = re.search('data-names="([^"]*)"', site.client.get("/new").text)
    assert names
    assert json.loads(html.unescape(names[1])) == list(NAMES)
    assert titles_of(MARKUP) in site.client.get("/new").text


def test_pages_of_every_kind_can_be_listed_and_watched(site: Site, crawl: str) -> None:
    results, watch = (site.client.get(f"/crawls/{crawl}{rest}").text for rest in ("/results", ""))
    choices = results.partition('id="page-kind"')[2].partition("</select>")[0]
    assert re.findall('<option value="([a-z]+)"', choices) == list(get_args(Kind))
    found = re.search('data-kinds="([^"]*)"', watch)
    assert found
    assert list(json.loads(html.unescape(found[1]))) == list(get_args(Kind))


@pytest.mark.parametrize("kind", get_args(Kind))
def test_pages_are_sorted_by_anything(site: Site, crawl: str, kind: str) -> None:
    """Whatever they are sorted by, they are the same pages."""
    path = f"/api/crawls/{crawl}/pages"
    wanted = {"all": 31, "relevant": 30, "other": 1}.get(kind, 0)
    for sort in get_args(Sort):
        up, down = (
            site.get(path, kind=kind, sort=sort, descending=each, search="example") for each in (False, True)
        )
        assert {page["url"] for page in up["pages"]} == {page["url"] for page in down["pages"]}
        assert (up["total"], len(up["pages"])) == (wanted, wanted)
        if sort in ("url", "depth", "statements", "score"):
            values = [page[sort] for page in up["pages"]]
            assert values == sorted(values)


def test_one_page_with_all_that_it_says(site: Site, crawl: str) -> None:
    (found,) = site.get(f"/api/crawls/{crawl}/pages", search="p/7")["pages"]
    page = site.get(f"/api/crawls/{crawl}/pages/{found['page']}")
    assert (page["kind"], page["reward"], page["types"]) == ("fetched", 1.0, [PRODUCT])
    assert page["parts"].keys() >= {"estimate", "classifier", "host", "group"}
    assert [triple[2] for triple in page["statements"]["jsonld"] if triple[1].endswith("name")] == ["Kettle 007"]
    assert [link["url"] for link in page["links"]] == ["http://a.example/"]
    assert site.client.get(f"/api/crawls/{crawl}/pages/999").status_code == 404
    assert site.client.get(f"/api/crawls/{crawl}/pages/{10**30}").status_code == 404


def test_the_graph_around_a_page(site: Site, crawl: str) -> None:
    graph = site.get(f"/api/crawls/{crawl}/graph", most=10)
    assert len(graph["nodes"]) == 10
    assert graph["hidden"] == 21
    around = site.get(f"/api/crawls/{crawl}/graph", url="http://a.example/p/3")
    assert {node["url"]: node["distance"] for node in around["nodes"]} == {
        "http://a.example/p/3": 0,
        "http://a.example/": 1,
    }
    there, back = sorted(around["links"], key=lambda link: link["from"])
    assert (there["to"], back["to"]) == (back["from"], there["from"])
    assert there["text"] == "/p/3"
    assert site.client.get(f"/api/crawls/{crawl}/graph", params={"url": "http://b.example/"}).status_code == 404


def test_entities_are_searched_sorted_and_paged(site: Site, crawl: str) -> None:
    assert site.get(f"/api/crawls/{crawl}/types") == {
        "types": [{"type": PRODUCT, "short": "schema:Product", "entities": 30}],
        "behind": 0,
    }
    path = f"/api/crawls/{crawl}/entities"
    table = site.get(path, type=PRODUCT, sort="name", descending=True, limit=2)
    assert (table["total"], [each["name"] for each in table["columns"] if each["property"]]) == (30, ["name"])
    assert [row["values"]["name"] for row in table["rows"]] == [["Kettle 029"], ["Kettle 028"]]
    assert site.get(path, type=PRODUCT, search="kettle 01")["total"] == 10
    assert site.client.get(path, params={"type": "http://schema.org/Car"}).status_code == 404
    assert site.client.get(path, params={"type": PRODUCT, "sort": "'; --"}).status_code == 400


def test_a_damaged_index_is_made_anew(site: Site, crawl: str) -> None:
    site.get(f"/api/crawls/{crawl}/types")
    for path in (site.root / crawl / ".web").glob("entities.db*"):
        path.write_bytes(b"no database")
    assert site.get(f"/api/crawls/{crawl}/types")["types"][0]["entities"] == 30


def test_sparql(site: Site, crawl: str) -> None:
    path = f"/api/crawls/{crawl}/query"
    answer = site.post(path, {"query": "SELECT ?n { ?x schema:name ?n } ORDER BY ?n LIMIT 1"})
    assert (answer["columns"], answer["rows"]) == (["n"], [[{"type": "literal", "value": "Kettle 000"}]])
    assert site.post(path, {"query": "ASK { ?x a schema:Product }"})["boolean"] is True
    assert "SERVICE" in site.post(path, {"query": "SELECT * { SERVICE <http://x/> { ?a ?b ?c } }"}, 400)["error"]
    assert site.post(path, {"query": "SELECT"}, 400)["error"]


def test_a_query_has_its_time(tmp_path: Path) -> None:
    """A second, unless the site was started with another; whoever wrote the query is told what to do."""
    small_crawl(tmp_path / "kettles")
    sets = " ".join(f"VALUES ?v{number} {{ {' '.join(map(str, range(300)))} }}" for number in range(5))
    with served(Settings(root=tmp_path)) as client:
        body = {"query": f"SELECT (COUNT(*) AS ?n) {{ {sets} }}"}
        answer = client.post("/api/crawls/kettles/query", json=body, headers=csrf(client))
    assert answer.status_code == 400
    assert "stopped after 1 s" in answer.json()["error"]
    assert "--query-seconds" in answer.json()["error"]


def test_files_to_download(site: Site, crawl: str) -> None:
    lines = site.client.get(f"/api/crawls/{crawl}/export/jsonl")
    assert len(lines.text.splitlines()) == 30
    assert "attachment" in lines.headers["content-disposition"]
    tables = site.client.get(f"/api/crawls/{crawl}/export/csv")
    assert "pages.csv" in zipfile.ZipFile(io.BytesIO(tables.content)).namelist()
    missing = site.client.get(f"/api/crawls/{crawl}/export/warc")
    assert (missing.status_code, str(site.root) in missing.text) == (400, False)
    assert not list((site.root / ".web").glob("tmp-*"))


def test_the_report_is_apart_from_the_site(site: Site, crawl: str) -> None:
    report = site.client.get(f"/api/crawls/{crawl}/report")
    assert "Harvest curve" in report.text
    assert "sandbox allow-scripts" in report.headers["content-security-policy"]


def test_why_a_url_was_fetched(site: Site, crawl: str) -> None:
    found = site.get(f"/api/crawls/{crawl}/explain", url="http://a.example/p/3")
    assert (found["state"], found["page"]["reward"]) == ("fetched", 1.0)
    assert found["host"] == {"name": "a.example", "fetched": 31, "relevant": 30, "failed": 0} | found["host"]
    assert site.client.get(f"/api/crawls/{crawl}/explain", params={"url": "--help"}).status_code == 400


def test_why_a_url_was_not_fetched(site: Site) -> None:
    """The choices are made again, once: what was replayed is kept until the crawl goes on."""
    name = site.begin(spec_of_shop(3), id="few")
    site.until_state(name, "finished")
    for number in (28, 29):
        found = site.get(f"/api/crawls/{name}/explain", url=f"http://a.example/p/{number}")
        assert (found["state"], found["next_choice"]["url"][:19]) == ("waiting", "http://a.example/p/")
    kept = ReplayCache()
    with open_readonly(site.root / name) as reader:
        spec = parse_spec(reader.spec_text)
        first = kept.replayed(reader, spec)
        assert kept.replayed(reader, spec) is first
    site.post(f"/api/crawls/{name}/resume", {"budget": 4})
    site.until(name, lambda crawl: crawl["fetched"] == 4)
    with open_readonly(site.root / name) as reader:
        assert kept.replayed(reader, spec) is not first


@pytest.mark.parametrize("page", ["", "/graph", "/results", "/pages/0"])
def test_every_page_is_served(site: Site, crawl: str, page: str) -> None:
    shown = site.client.get(f"/crawls/{crawl}{page}")
    assert shown.status_code == 200
    assert 'name="csrf"' in shown.text


def test_watching_once_and_by_events(site: Site, crawl: str) -> None:
    found = site.get(f"/api/crawls/{crawl}/watch")
    assert found["harvest"]["tried"][:3] == [[1, 1], [2, 1], [3, 0]]  # until the host has given something
    assert found["crawl"]["looked_at"] == 0
    assert found["crawl"]["fetched"] == 31
    assert found["pages"]["pages"][-1]["reward"] == 1.0
    (host,) = found["hosts"]["hosts"]
    assert (host["host"], host["good"], host["bad"], host["posterior"][0]) == ("a.example", 30, 1, 0.939)
    assert found["found"]["types"] == [{"name": PRODUCT, "short": "schema:Product", "count": 30}]
    assert {each["short"] for each in found["found"]["properties"]} == {"rdf:type", "schema:name"}
    assert found["harvest"]["points"][-1] == [31, 30]
    seen: dict[str, dict[str, object]] = {}
    with site.client.stream("GET", f"/api/crawls/{crawl}/events") as stream:
        assert stream.headers["content-type"].startswith("text/event-stream")
        name = ""
        for line in stream.iter_lines():
            if line.startswith("event: "):
                name = line.removeprefix("event: ")
            elif line.startswith("data: "):
                seen[name] = json.loads(line.removeprefix("data: "))
            if seen.keys() >= {"crawl", "pages", "hosts", "found"} and seen.get("harvest", {}).get("bfs"):
                break
    assert seen["crawl"]["id"] == crawl
