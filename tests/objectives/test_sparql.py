"""SPARQL as an objective: what it pays, and what hostile queries and pages cannot do."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from time import perf_counter

import pytest

from sundog.errors import UsageError
from sundog.objectives import PageView, parse_objective
from sundog.objectives.checks import NOTHING
from tests.objectives.pages import CAKE, RECIPE, html_page, judged, page, rewards

NAMES = "PREFIX s: <http://schema.org/> SELECT ?name { ?x a s:Recipe ; s:name ?name }"
CROSS = " ".join(f"?a{i} ?b{i} ?c{i} ." for i in range(12))
Write = Callable[..., None]


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    monkeypatch.chdir(tmp_path)

    def written(text: str, name: str = "q.rq") -> None:
        (tmp_path / name).write_text(text, encoding="utf-8")

    return written


def test_select_pays_for_new_rows_and_keeps_them(write: Write) -> None:
    write(NAMES)
    found = judged("q.rq", [page(RECIPE, CAKE), page(RECIPE), NOTHING, page(CAKE, {**CAKE, "name": "Crêpe"})])
    assert [each.reward for each in found] == [2, 0, 0, 1]
    assert sorted(each["name"]["value"] for each in found[0].answers) == ["Far breton", "Kouign-amann"]
    assert found[3].answers == ({"name": {"type": "literal", "value": "Crêpe"}},)


def test_ask_is_met_or_not(write: Write) -> None:
    write("ASK { ?x a <https://schema.org/Recipe> }")  # https here, http there: the same
    assert rewards("q.rq", page(RECIPE), page(RECIPE), page(), NOTHING) == [1, 1, 0, 0]
    assert rewards("not q.rq", page(RECIPE), NOTHING) == [0, 1]


def test_a_file_may_be_called_sparql_too(write: Write) -> None:
    write("ASK { ?x a schema:Recipe }", "q.sparql")
    assert rewards("q.sparql", page(RECIPE), NOTHING) == [1, 0]


def test_an_empty_page_is_a_page(write: Write) -> None:
    write("ASK { FILTER NOT EXISTS { ?s ?p ?o } }")
    assert rewards("q.rq", NOTHING, page(RECIPE)) == [1, 0]


def test_the_page_is_the_graph(write: Write) -> None:
    write("SELECT ?g ?n { GRAPH ?g { ?x <http://schema.org/name> ?n } }")
    here = page(RECIPE, url="http://a.example/?q={x}")
    there = here.statements["jsonld"]
    claims = here._replace(statements={"jsonld": [(*each[:3], "<http://other.example/>") for each in there]})
    for view in (here, claims):
        assert judged("q.rq", [view])[0].answers[0]["g"]["value"] == "http://a.example/?q=%7Bx%7D"


def test_blank_nodes_are_rows_by_what_they_are(write: Write) -> None:
    write("SELECT ?x { ?x a <http://schema.org/Recipe> }")
    pages = [
        page(RECIPE),
        page(CAKE, url="http://a.example/2"),
        page({"@type": "Thing"}, RECIPE),
    ]
    assert rewards("q.rq", *pages) == [1, 1, 0]


def test_rows_of_pages_that_are_not_relevant_are_not_kept(write: Write) -> None:
    write(NAMES)
    marked = html_page("http://b.example/", '<meta property="og:title" content="x">')
    marked = marked._replace(statements=marked.statements | page(RECIPE).statements)
    found = judged("q.rq and opengraph", [page(RECIPE), marked])
    assert [(each.reward, len(each.answers)) for each in found] == [(0, 0), (1, 1)]
    assert judged("not q.rq", [page(RECIPE)])[0].answers == ()


def test_a_page_on_which_a_query_runs_away_costs_two_seconds_and_no_more(write: Write) -> None:
    write(f"SELECT (count(*) AS ?n) {{ {CROSS} }}")
    large = page(*[{**RECIPE, "name": str(number)} for number in range(30)])
    start = perf_counter()
    slow, quick = judged("q.rq", [large, page()])
    assert perf_counter() - start < 30
    assert (slow.reward, slow.faults) == (0, (("q.rq", "was stopped after 2 seconds"),))
    assert (quick.reward, quick.faults) == (1, ())


def test_rows_are_capped(write: Write) -> None:
    write("SELECT * { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }")
    found = judged("q.rq", [page(*[{**RECIPE, "name": str(number)} for number in range(30)])])[0]
    assert found.reward == len(found.answers) == 10_000
    assert "more rows on this page" in found.faults[0][1]


def test_large_rows_are_capped_too(write: Write) -> None:
    write("SELECT * { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }")
    heavy = [("_:a", "<http://p.example/>", f'"{number}{"x" * 100_000}"') for number in range(30)]
    found = judged("q.rq", [PageView("http://a.example/", {}, [], {"rdf": heavy})])[0]
    assert 1 <= found.reward < 100
    assert found.faults


def test_statements_are_capped(write: Write) -> None:
    write("SELECT (count(*) AS ?n) { ?s ?p ?o }")
    many = [("_:a", "<http://p.example/>", f'"{number}"') for number in range(50_001)]
    found = judged("q.rq", [PageView("http://a.example/", {}, [], {"rdf": many})])[0]
    assert found.answers[0]["n"]["value"] == "50000"
    assert found.faults == (("q.rq", "saw 50,000 of the page's 50,001 statements"),)


@pytest.mark.parametrize(
    "line",
    [
        ("_:a", "<http://p.example/>", '"x'),
        ("_:a", "<http://p.example/>", '"\ud800"'),
        ("a", "b", 'c\n_:x <http://p.example/> "smuggled" <http://other.example/> .\n'),
        ("<<" * 3000, "<http://p.example/>", ">>" * 3000),
    ],
)
def test_what_is_no_statement_harms_no_other(write: Write, line: tuple[str, ...]) -> None:
    write("SELECT ?o { GRAPH <http://a.example/> { ?s ?p ?o } }")
    good = ("_:g", "<http://p.example/>", '"good"')
    found = judged("q.rq", [PageView("http://a.example/", {}, [], {"rdf": [good, line, good]}), page(RECIPE)])
    assert found[0].reward == 1 or found[0].faults
    assert found[1].reward == 3


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("SELECT * { ?s ?p", "q.rq: the query cannot be read: error at 1:"),
        ("SELECT * { SERVICE <http://a.example/> { ?s ?p ?o } }", "SERVICE would reach the network"),
        ("CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }", "begin the query with ASK or SELECT"),
        ("DROP ALL", "a query begins with"),
        ("SELECT * " + "{" * 5000 + "}" * 5000, "nested more than"),
        (f"SELECT * {{ FILTER({'!' * 150_000}true) }}", "too much for the engine"),
        ("", "a query begins with"),
    ],
)
def test_queries_that_may_not_be_are_refused_before_the_crawl(write: Write, query: str, message: str) -> None:
    write(query)
    with pytest.raises(UsageError, match=message):
        parse_objective("q.rq")


def test_files_that_cannot_be_read(write: Write, tmp_path: Path) -> None:
    write(NAMES, "cars.rq")
    (tmp_path / "latin.rq").write_bytes(b"# \xe9")
    (tmp_path / "large.rq").write_bytes(b" " * 1_000_001)
    (tmp_path / "folder.rq").mkdir()
    for name, message in [
        ("car.rq", "there is no file car.rq in .*; did you mean 'cars.rq'"),
        ("latin.rq", "latin.rq is not UTF-8"),
        ("large.rq", "larger than 1,000,000 bytes"),
        ("folder.rq", "folder.rq cannot be read"),
        ("no/such.rq", "there is no file"),
        ("\0.rq", "cannot be read"),
    ]:
        with pytest.raises(UsageError, match=message):
            parse_objective(name)


def test_files_are_looked_for_in_the_folder_and_their_text_is_kept(write: Write, tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "my cars.rq").write_text(NAMES, encoding="utf-8")
    objective = parse_objective('"my cars.rq" or rdfa', folder=tmp_path / "sub")
    assert objective.files == {"my cars.rq": NAMES}


def test_a_closed_judge_starts_again(write: Write) -> None:
    write(NAMES)
    judge = parse_objective("q.rq").judge()
    assert judge(page(RECIPE)).reward == 1
    judge.close()
    judge.close()
    assert judge(page(RECIPE, CAKE)).reward == 1
    judge.close()


def test_rows_come_in_the_same_order_in_every_process(write: Write) -> None:
    write("SELECT * { ?s ?p ?o }")
    view = page(*[{**RECIPE, "name": f"number {number}", "keywords": "a, b"} for number in range(200)])
    assert judged("q.rq", [view]) == judged("q.rq", [view])
