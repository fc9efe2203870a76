"""SPARQL that may run, and SPARQL that may not."""

from __future__ import annotations

import http.server
import subprocess
import sys
import threading
from pathlib import Path
from xml.etree import ElementTree

import pyoxigraph
import pytest
import rdflib

from sundog.errors import SundogError, UsageError
from sundog.rdf.answer_formats import CSV, GRAPHS, TABLES, AnswerFormat
from sundog.rdf.sparql import MOST_CHARACTERS, check_query
from sundog.store import CrawlStore, Observed, Seeded, open_readonly
from sundog.store.query import Graphs, query, query_text
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


def test_the_check_takes_no_longer_than_the_text() -> None:
    """In the square of it, the longest that is read would take a quarter of an hour."""
    for part in ("a-", "a.", '\\"""', "'\"", "<a"):
        query_of_many = "SELECT * { " + part * ((MOST_CHARACTERS - 20) // len(part)) + "\\"
        assert check_query(query_of_many) == "SELECT"
    assert check_query(f"PREFIX {'x' * 90}.y: <urn:a> ASK {{ {'x' * 90}.y:SERVICE ?p ?o }}") == "ASK"


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


TRIPLES = "CONSTRUCT WHERE { ?s schema:name ?name }"


@pytest.mark.filterwarnings("ignore:ConjunctiveGraph:DeprecationWarning")  # rdflib warns of itself
def test_answers_as_text_are_read_by_others(crawl: Path) -> None:
    """By pyoxigraph and rdflib: what they read is what the rows have."""
    names = sorted(row[1] for row in query(crawl, NAMES).texts())
    for form in TABLES:
        text, behind = query_text(crawl, NAMES, form)
        assert behind == 0
        if form == CSV:
            assert text == query(crawl, NAMES).csv()
            continue
        read = pyoxigraph.parse_query_results(text, pyoxigraph.QueryResultsFormat.from_media_type(form.media_type))
        assert sorted(row["name"].value for row in read) == names
    for form in GRAPHS:
        graph = rdflib.Graph().parse(data=query_text(crawl, TRIPLES, form)[0], format=form.media_type)
        assert sorted(map(str, graph.objects())) == names
    assert query_text(crawl, "ASK { ?s ?p ?o }", TABLES[0])[0] == '{"head":{},"boolean":true}'


def test_turtle_has_the_prefixes_that_it_uses(crawl: Path) -> None:
    lines = query_text(crawl, TRIPLES, GRAPHS[0])[0].splitlines()
    assert lines[0] == f"@prefix schema: <{SCHEMA}> ."
    assert not lines[1].startswith("@prefix")


def test_xml_has_no_characters_that_it_cannot_have(crawl: Path) -> None:
    text = query_text(crawl, 'SELECT ("a\\u0001b\\uFFFEc" AS ?x) {}', TABLES[1])[0]
    assert ElementTree.fromstring(text).findtext(".//{*}literal") == "a\ufffdb\ufffdc"


@pytest.mark.parametrize("form", [*TABLES, *GRAPHS], ids=lambda form: form.name)
def test_an_answer_as_text_is_whole_or_refused(crawl: Path, form: AnswerFormat) -> None:
    sparql = TRIPLES if form in GRAPHS else NAMES
    with pytest.raises(UsageError, match="more than 20 bytes: ask for less"):
        query_text(crawl, sparql, form, most_bytes=20)
    with pytest.raises(UsageError, match=f"cannot be {form.name}: ask for "):
        query_text(crawl, NAMES if form in GRAPHS else TRIPLES, form)


def test_graphs_are_those_that_are_named(crawl: Path) -> None:
    """By the query, or beside it, which counts more; as the standard says, all others are not there then."""
    count = "SELECT (count(*) AS ?n) {} {{ ?s ?p ?o }}"
    counted = count.replace("?s ?p ?o", "GRAPH ?g {{ ?s ?p ?o }}")
    one = "http://a.example/"

    def number(sparql: str, graphs: Graphs | None = None) -> str:
        return query(crawl, sparql, graphs=graphs).texts()[0][0]

    assert number(count.format(f"FROM <{one}>")) == "8"
    assert number(counted.format(f"FROM <{one}>")) == "0"
    assert number(count.format(f"FROM NAMED <{one}>")) == "0"
    assert number(counted.format(f"FROM NAMED <{one}>")) == "8"
    assert number(count.format(""), Graphs([one], [])) == "8"
    assert number(count.format(f"FROM <{one}>"), Graphs(["http://no.example/"], [])) == "0"
    assert number(counted.format(""), Graphs([], [one])) == "8"
    with pytest.raises(UsageError, match="'no iri' cannot be the name of a graph"):
        number(count.format(""), Graphs(["no iri"], []))
