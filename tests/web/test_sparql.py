"""The SPARQL 1.1 endpoint of a crawl, as programs use it that were not made for Sundog."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import httpx
import pytest
from rdflib import Graph, URIRef
from rdflib.plugins.stores.sparqlstore import SPARQLStore

from sundog.web.settings import Settings
from tests.store.crawls import SCHEMA, small_crawl
from tests.web.apps import csrf, served

PATH = "/api/crawls/kettles/sparql"
NAMES = "SELECT ?name { ?x schema:name ?name } ORDER BY ?name"
FOUND = ["Ada", 'Kettle "one"', "Wasserkocher"]
FORM, QUERY = "application/x-www-form-urlencoded", "application/sparql-query"
TOKEN = "0123456789abcdef-of-tests"


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    root: Path = tmp_path_factory.mktemp("sparql")
    small_crawl(root / "kettles")
    with served(Settings(root=root, query_seconds=60)) as client:
        yield client


def names_in(document: Any) -> list[str]:
    return [row["name"]["value"] for row in document["results"]["bindings"]]


def test_the_three_ways_to_ask(client: httpx.Client) -> None:
    """None needs a CSRF token: whatever is asked, nothing is changed."""
    answers = [
        client.get(PATH, params={"query": NAMES}),
        client.post(PATH, data={"query": NAMES}),
        client.post(PATH, content=NAMES, headers={"content-type": f"{QUERY}; charset=utf-8"}),
    ]
    for answer in answers:
        assert answer.status_code == 200
        assert answer.headers["content-type"] == "application/sparql-results+json"
        assert answer.headers["sundog-pages-behind"] == "0"
        assert names_in(answer.json()) == FOUND


def test_formats_of_tables(client: httpx.Client) -> None:
    def asked(accept: str, query: str = NAMES) -> httpx.Response:
        return client.get(PATH, params={"query": query}, headers={"accept": accept})

    xml = asked("application/sparql-results+xml")
    assert [each.text for each in ElementTree.fromstring(xml.content).iterfind(".//{*}literal")] == FOUND
    table = asked("text/csv")
    assert table.headers["content-type"] == "text/csv; charset=utf-8; header=present"
    assert list(csv.reader(io.StringIO(table.text))) == [["name"], *([name] for name in FOUND)]
    assert asked("text/tab-separated-values").text.splitlines()[:2] == ["?name", '"Ada"']
    assert names_in(asked("application/json").json()) == FOUND
    assert names_in(asked("text/html,application/xhtml+xml,*/*;q=0.8").json()) == FOUND
    assert asked("*/*", "ASK { ?x a schema:Person }").json()["boolean"] is True
    refused = asked("text/turtle")
    assert refused.status_code == 406
    assert "application/sparql-results+json" in refused.json()["error"]


@pytest.mark.parametrize(
    ("accept", "given"),
    [
        ("*/*", "text/turtle; charset=utf-8"),
        ("application/n-triples", "application/n-triples"),
        ("application/rdf+xml", "application/rdf+xml"),
    ],
)
def test_formats_of_graphs(client: httpx.Client, accept: str, given: str) -> None:
    construct = "CONSTRUCT { ?x schema:name ?name } WHERE { ?x schema:name ?name }"
    answer = client.get(PATH, params={"query": construct}, headers={"accept": accept})
    assert answer.headers["content-type"] == given
    graph = Graph().parse(data=answer.text, format=given.partition(";")[0])
    assert sorted(map(str, graph.objects(None, URIRef(f"{SCHEMA}name")))) == FOUND


def test_graphs_that_are_named_beside_the_query(client: httpx.Client) -> None:
    def number(**graphs: Any) -> str:
        where = "{ ?s ?p ?o } UNION { GRAPH ?g { ?s ?p ?o } }"
        answer = client.post(PATH, data={"query": f"SELECT (count(*) AS ?name) {{ {where} }}", **graphs})
        return names_in(answer.json())[0]

    page = "http://a.example/"
    assert (number(), number(**{"default-graph-uri": page})) == ("18", "8")
    assert number(**{"named-graph-uri": [page, "http://no.example/"]}) == "8"
    assert number(**{"default-graph-uri": page, "named-graph-uri": page}) == "16"
    wrong = client.get(PATH, params={"query": NAMES, "default-graph-uri": "no iri"})
    assert (wrong.status_code, "no iri" in wrong.json()["error"]) == (400, True)


@pytest.mark.parametrize(
    ("request_", "status", "reason"),
    [
        ({"params": {}}, 400, "needs one parameter 'query'"),
        ({"params": [("query", NAMES), ("query", NAMES)]}, 400, "needs one parameter 'query'"),
        ({"params": {"query": "SELECT * {\n ?s shema:name ?o }"}}, 400, "error at 2:15"),
        ({"params": {"query": "SELECT * { SERVICE <http://a.example/> {} }"}}, 400, "SERVICE would reach"),
        ({"params": {"query": "DELETE WHERE { ?s ?p ?o }"}}, 400, "nothing can be changed"),
        ({"params": {"update": "DELETE WHERE { ?s ?p ?o }"}}, 403, "nothing can be changed"),
        ({"content": b"query=%ff", "headers": {"content-type": FORM}}, 400, "not UTF-8"),
        ({"params": "&".join(["default-graph-uri=urn:a"] * 1_001)}, 400, "1,000 parameters at most"),
        ({"content": "CLEAR ALL", "headers": {"content-type": "application/sparql-update"}}, 403, "nothing can"),
        ({"content": b"\xff", "headers": {"content-type": QUERY}}, 400, "not UTF-8"),
        ({"json": {"query": NAMES}}, 415, "application/sparql-query, not as 'application/json'"),
        ({"content": NAMES}, 415, "not as ''"),
        ({"data": {"query": NAMES}, "headers": {"origin": "http://evil.example"}}, 403, "other sites"),
        ({"params": {"query": NAMES}, "headers": {"sec-fetch-site": "cross-site"}}, 403, "other sites"),
    ],
)
def test_what_is_refused(client: httpx.Client, request_: dict[str, Any], status: int, reason: str) -> None:
    answer = client.request("GET" if "params" in request_ else "POST", PATH, **request_)
    assert (answer.status_code, answer.headers.get("access-control-allow-origin")) == (status, None)
    assert reason in answer.json()["error"]


def test_other_methods_and_crawls_are_not_there(client: httpx.Client) -> None:
    token = {"X-CSRF-Token": client.get("/api/session").json()["csrf"]}
    assert client.put(PATH, headers=token).status_code == 405
    assert client.get("/api/crawls/nowhere/sparql", params={"query": NAMES}).status_code == 404


def test_a_query_has_its_time(tmp_path: Path) -> None:
    small_crawl(tmp_path / "kettles")
    sets = " ".join(f"VALUES ?v{number} {{ {' '.join(map(str, range(300)))} }}" for number in range(5))
    with served(Settings(root=tmp_path, query_seconds=0.5)) as client:
        answer = client.get(PATH, params={"query": f"SELECT (COUNT(*) AS ?n) {{ {sets} }}"})
    assert answer.status_code == 503
    assert "stopped after 0.5 s" in answer.json()["error"]


def test_a_large_answer_is_refused_and_not_cut(client: httpx.Client) -> None:
    values = " ".join(map(str, range(100)))
    sets = " ".join(f"VALUES ?{name} {{ {values} }}" for name in "abc")
    cube = f"SELECT ('{'x' * 100}' AS ?x) {{ {sets} }}"
    for accept, most in (("application/json", "20,000,000 bytes"), ("text/csv", "100,000 rows")):
        answer = client.post(PATH, data={"query": cube}, headers={"accept": accept})
        assert answer.status_code == 400
        assert f"more than {most}: ask for less" in answer.json()["error"]


def test_the_token_is_asked_for(tmp_path: Path) -> None:
    small_crawl(tmp_path / "kettles")
    with served(Settings(root=tmp_path, token=TOKEN, query_seconds=60)) as client:
        for headers, status in (({}, 401), ({"authorization": f"Bearer {TOKEN}"}, 200)):
            assert client.get(PATH, params={"query": NAMES}, headers=headers).status_code == status
            assert client.post(PATH, data={"query": NAMES}, headers=headers).status_code == status


@pytest.mark.parametrize("method", ["GET", "POST", "POST_FORM"])
@pytest.mark.parametrize("form", ["xml", "json", "csv", "tsv"])
def test_rdflib_is_answered(client: httpx.Client, method: str, form: str) -> None:
    """A client that others have written, by its own ways to ask and to read."""
    store = SPARQLStore(str(client.base_url.join(PATH)), method=method, returnFormat=form)
    graph = Graph(store)
    query = f"SELECT ?name {{ ?x <{SCHEMA}name> ?name }} ORDER BY ?name"
    assert [str(row["name"]) for row in graph.query(query)] == FOUND
    if form in ("xml", "json"):
        assert graph.query(f"ASK {{ ?x a <{SCHEMA}Person> }}").askAnswer is True
    if form == "xml":
        made = graph.query(f"CONSTRUCT WHERE {{ ?x <{SCHEMA}name> ?name }}").graph
        assert made is not None
        assert sorted(map(str, made.objects())) == FOUND
        ada = URIRef("http://a.example/#ada")
        assert [str(name) for name in graph.objects(ada, URIRef(f"{SCHEMA}name"))] == ["Ada"]


def test_what_a_query_can_name(client: httpx.Client) -> None:
    found = client.get("/api/crawls/kettles/vocabulary").json()
    assert found["prefixes"]["schema"] == SCHEMA
    assert {"name": f"{SCHEMA}Product", "count": 1} in found["types"]
    assert found["properties"][0]["count"] >= found["properties"][-1]["count"]
    assert f"{SCHEMA}name" in [each["name"] for each in found["properties"]]


def test_queries_are_saved_with_the_crawl(tmp_path: Path) -> None:
    small_crawl(tmp_path / "kettles")
    path = "/api/crawls/kettles/queries"

    def names(answer: httpx.Response) -> list[str]:
        assert answer.status_code == 200, answer.text
        return [each["name"] for each in answer.json()["queries"]]

    with served(Settings(root=tmp_path)) as client:
        client.headers.update(csrf(client))
        assert names(client.get(path)) == []
        client.post(path, json={"name": "Names", "query": NAMES})
        assert names(client.post(path, json={"name": "all", "query": "ASK {}"})) == ["all", "Names"]
        client.post(path, json={"name": "all", "query": "SELECT * {}"})
    with served(Settings(root=tmp_path)) as client:
        client.headers.update(csrf(client))
        assert client.get(path).json()["queries"][0] == {"name": "all", "query": "SELECT * {}"}
        assert names(client.delete(path, params={"name": "all"})) == ["Names"]
        assert client.delete(path, params={"name": "all"}).status_code == 404
        for body in (
            {"name": " ", "query": "x"},
            {"name": "x", "query": "x" * 20_001},
            {"name": "\ud800", "query": "x"},
        ):
            assert client.post(path, content=json.dumps(body)).status_code == 422
        (tmp_path / "kettles" / ".web" / "queries.json").write_text('{"queries": [1, {"name": 2}], "more": 3}')
        assert names(client.get(path)) == []
        many = [{"name": str(number), "query": "ASK {}"} for number in range(100)]
        (tmp_path / "kettles" / ".web" / "queries.json").write_text(json.dumps({"queries": many}))
        refused = client.post(path, json={"name": "one more", "query": "ASK {}"})
        assert (refused.status_code, "delete one" in refused.json()["error"]) == (409, True)
