"""SPARQL that may run, and SPARQL that may not."""

from __future__ import annotations

import http.server
import subprocess
import sys
import threading
from pathlib import Path

import pyoxigraph
import pytest

from sundog.errors import SundogError, UsageError
from sundog.rdf.sparql import check_query
from sundog.store import CrawlStore, Observed, Seeded, open_readonly
from sundog.store.query import query
from tests.store.crawls import SCHEMA, decided, fill, ids

NAMES = f"SELECT ?g ?name {{ GRAPH ?g {{ ?s <{SCHEMA}name> ?name }} }} ORDER BY ?name"


def test_rows_in_every_form(crawl: Path) -> None:
    answer = query(crawl, NAMES)
    assert answer.columns == ["g", "name"]
    assert answer.texts()[0] == ["http://a.example/", "Ada"]
    assert answer.csv().splitlines()[:2] == ["g,name", "http://a.example/,Ada"]
    literal = {"type": "literal", "value": "Wasserkocher", "xml:lang": "de"}
    found = answer.json()
    assert found["head"] == {"vars": ["g", "name"]}
    assert [row["name"] for row in found["results"]["bindings"]][-1] == literal
    assert (answer.cut, answer.behind) == (False, 0)


def test_all_pages_are_one_graph_unless_asked(crawl: Path) -> None:
    assert query(crawl, "SELECT (count(*) AS ?n) { ?s ?p ?o }").texts() == [["9"]]


def test_ask_construct_unbound_and_cut(crawl: Path) -> None:
    assert query(crawl, "ASK { ?s a <http://nothing.example/> }").json() == {"head": {}, "boolean": False}
    triples = query(crawl, "CONSTRUCT { ?s a ?t } WHERE { ?s a ?t }", most_rows=2)
    assert triples.columns == ["subject", "predicate", "object"]
    assert (len(triples.rows), triples.cut) == (2, True)
    assert query(crawl, "SELECT ?x { OPTIONAL { ?x a <http://n.example/> } }").texts() == [[""]]


def test_a_query_is_stopped_in_time(crawl: Path) -> None:
    slow = " ".join(f"?a{i} ?b{i} ?c{i} ." for i in range(12))
    with pytest.raises(SundogError, match="stopped after 1 seconds"):
        query(crawl, f"SELECT (count(*) AS ?n) {{ {slow} }}", seconds=1)


def test_an_engine_that_crashes_costs_one_answer(crawl: Path) -> None:
    with pytest.raises(SundogError, match="too much for the engine"):
        query(crawl, f"SELECT * {{ FILTER({'!' * 150_000}true) }}")


def test_what_is_no_sparql_is_said_with_its_place(crawl: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read: error at 1:"):
        query(crawl, "SELECT * { ?s ?p")


@pytest.mark.parametrize(
    "hidden",
    [
        "SELECT * { SERVICE <http://a.example/> { ?s ?p ?o } }",
        "SELECT * { service silent ?x { ?s ?p ?o } }",
        "SELECT * { ?s ?p '''it's''' . SERVICE<http://a.example/>{} }",
        "PREFIX x: <http://x/> SELECT * { x:a\\' ?p ?o . SERVICE <http://a.example/> {} . x:b\\' ?p ?o }",
        "SELECT * { ?s ?p ?o # '\n SERVICE <http://a.example/> {} # '\n }",
        "SELECT * { \\u0053ERVICE <http://a.example/> {} }",
        "SELECT * { ?s ?p 'a\\u0027 SERVICE <http://a.example/> {} # ' }",
        "SELECT * { FILTER(?a<?b)SERVICE<http://a.example/>{?c ?d ?e FILTER(?a>?b)} }",
        "PREFIX SERVICE: <http://x/> SELECT * { { SERVICE SERVICE:a {} } }",
        'SELECT * { ?s ?p "\\\\" . SERVICE <http://a.example/> {} . ?s ?p "" }',
    ],
)
def test_service_is_found_wherever_it_hides(hidden: str) -> None:
    with pytest.raises(UsageError, match="SERVICE would reach the network"):
        check_query(hidden)


@pytest.mark.parametrize(
    "harmless",
    [
        "PREFIX service: <http://x/service#> SELECT ?service { ?service service:name 'SERVICE <x> {' }",
        'SELECT * { ?s <http://x/SERVICE> """a " SERVICE <b> """ } # SERVICE <c>',
        "BASE <http://x/> PREFIX a: <b#> DESCRIBE <c>",
        "SELECT * { ?s ?p ?o FILTER(?o < 3 && ?o > 1) }",
    ],
)
def test_harmless_words_are_let_through(harmless: str) -> None:
    check_query(harmless)
    list(pyoxigraph.Store().query(harmless))


@pytest.mark.parametrize(
    "update", ["LOAD <http://x/>", "INSERT DATA { <a:a> <a:b> <a:c> }", "CLEAR ALL", "", "# x"]
)
def test_nothing_can_be_changed(update: str) -> None:
    with pytest.raises(UsageError, match="a query begins with"):
        check_query(update)


def test_nesting_and_length_are_capped() -> None:
    with pytest.raises(UsageError, match="nested more than"):
        check_query("SELECT * " + "{" * 5000 + "}" * 5000)
    with pytest.raises(UsageError, match="at most 200,000"):
        check_query("SELECT * {}" + " " * 200_000)


def test_no_query_of_these_reaches_a_server(crawl: Path) -> None:
    asked: list[str] = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_error(404)

        do_POST = do_GET  # noqa: N815

    with http.server.HTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        place = f"<http://127.0.0.1:{server.server_port}/>"
        query(crawl, f"SELECT * FROM {place} {{ ?s ?p ?o }}")
        query(crawl, f"SELECT * FROM NAMED {place} {{ GRAPH {place} {{ ?s ?p ?o }} }}")
        for text in (f"SELECT * {{ SERVICE {place} {{ ?s ?p ?o }} }}", f"LOAD {place}"):
            with pytest.raises(UsageError):
                query(crawl, text)
        server.shutdown()
    assert asked == []


def test_a_running_crawl_says_what_is_not_seen_yet(tmp_path: Path) -> None:
    with CrawlStore.create(tmp_path / "crawl", "") as store:
        fill(store)
        store.commit()
        assert query(tmp_path / "crawl", NAMES).behind == 2
        store.index()
        answer = query(tmp_path / "crawl", NAMES)
        assert (len(answer.rows), answer.behind) == (3, 0)


WRITER = """
import sys
from pathlib import Path
from benchmarks.kill_store import child
child(Path(sys.argv[1]), 4)
"""


def test_readers_and_queries_while_another_process_writes(tmp_path: Path) -> None:
    crawl = tmp_path / "crawl"
    with subprocess.Popen([sys.executable, "-c", WRITER, crawl], stdout=subprocess.PIPE) as writer:
        assert writer.stdout is not None
        assert writer.stdout.readline() == b"ready\n"
        try:
            seen = []
            for _ in range(6):
                count = int(query(crawl, "SELECT (count(*) AS ?n) { ?s ?p ?o }").texts()[0][0])
                with open_readonly(crawl) as reader:
                    assert sum(1 for _ in reader.replay()) <= reader.steps
                    decisions = reader.connection.execute("SELECT count(*) FROM pages").fetchone()[0]
                seen.append((count, decisions))
        finally:
            writer.kill()  # it writes for ever, and leaving the block waits for it
    assert seen == sorted(seen)
    assert seen[-1] > seen[0]
    query(crawl, "ASK {}")
    with open_readonly(crawl) as reader:
        assert reader.pages_to_index == 0  # a crawl that was killed is completed by whoever asks next


def test_an_index_that_was_lost_or_damaged_is_made_anew(tmp_path: Path) -> None:
    with CrawlStore.create(tmp_path / "crawl", "") as store:
        fill(store)
    for path in (tmp_path / "crawl" / "statements").iterdir():
        path.write_bytes(b"damaged")
    with CrawlStore.open(tmp_path / "crawl") as store:
        store.append(Observed(4, 17.0, "fetched", 1.0), statements={"rdf": [("<a:a>", "<a:b>", "<a:c>")]})
        store.append(decided(4))
    assert query(tmp_path / "crawl", "SELECT (count(*) AS ?n) { ?s ?p ?o }").texts() == [["10"]]


def test_lines_that_are_no_statements_cost_nobody_else(tmp_path: Path) -> None:
    with CrawlStore.create(tmp_path / "crawl", "") as store:
        fill(store)
        bad = [
            ("<a:a>", "<a:b>", '"x" <http://a.example/> .\n<a:x> <a:y> <a:z>'),
            ("<a:a>", "<a:b>", '"un"closed'),
        ]
        store.append(Observed(4, 17.0, "fetched", 1.0), statements={"rdf": [*bad, ("<a:a>", "<a:b>", "<a:c>")]})
    rows = query(tmp_path / "crawl", "SELECT ?s ?p ?o { GRAPH <http://ä.example/%7B%7D> { ?s ?p ?o } }").texts()
    assert rows == [["a:a", "a:b", "a:c"]]
    assert query(tmp_path / "crawl", "SELECT (count(*) AS ?n) { ?s ?p ?o }").texts() == [["10"]]


@pytest.mark.parametrize("iri", ["http://schema.org/", "https://schema.org/"])
def test_schema_org_is_one_vocabulary_with_http_and_https(tmp_path: Path, iri: str) -> None:
    is_a = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
    kinds = [("_:a", is_a, f"<{http}://schema.org/Recipe>") for http in ("http", "https")]
    with CrawlStore.create(tmp_path / "crawl", "") as store:
        store.append(Seeded(ids(0, 1)), urls=["https://schema.org/0", "http://a.example/1"])
        for number, kind in enumerate(kinds):
            store.append(decided(number))
            store.append(Observed(number, 2.0, "fetched", 1.0), statements={"rdf": [kind]})
    answer = query(tmp_path / "crawl", f"SELECT ?page {{ GRAPH ?page {{ ?x a <{iri}Recipe> }} }} ORDER BY ?page")
    assert answer.texts() == [["http://a.example/1"], ["https://schema.org/0"]]
