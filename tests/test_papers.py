"""The pages of the papers are complete: each table and figure has its heading, its command, and what differs."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
import typer
from benchmarks import common
from benchmarks.papers import graphs, told
from benchmarks.papers.demands import DEMANDS, HEADING
from benchmarks.papers.graphs import features_of, fit
from benchmarks.papers.page import PaperPage
from benchmarks.papers.plot import line_chart
from benchmarks.papers.pure_bandit import pure_bandit

from sundog import load_world
from sundog.cli.app import app
from sundog.objectives.grammar import parse_objective
from sundog.policies.parameters import PARAMETERS
from sundog.policies.presets import POLICIES

FOLDER = Path(__file__).parent.parent / "docs" / "papers"
CHANGED = "What we changed and why"
CHECKLIST = {  # every table and figure with results that the papers have
    "anthelion": [
        "Table 1",
        "Table 2",
        "Figure 2",
        "Figure 3",
        "Figure 4",
        "Figure 5",
        "Figure 6",
        "Figure 7",
        "Section 5.3 and figure 8",
        "Section 5.4 and figure 9",
        "Causes",
        "Causes of figure 2",
        "Causes of figure 8",
        "Their future work",
    ],
    "graphs": [
        "Table 1",
        "Table 2",
        "Table 3",
        "Figure 1",
        "Figure 2",
        "Figure 3",
        "Figure 4",
        "Figure 5",
        "Section 5",
    ],
    "ldcoc": ["Figure 2a", "Figure 2b"],
    "nc2": ["Use case 1", "Use case 2", "Figure 6"],
}
TERMS = {  # what each paper demands, in the words of its own tables: all of it is somewhere on its page
    "anthelion": [
        *("url", "parents", "siblings", "hashes", "naive-bayes", "hoeffding-tree", "static", "online"),
        *(
            "random",
            "BFS",
            "negative absolute bad",
            "success rate",
            "Thompson sampling",
            "Thompson sampling · best",
        ),
        *("absolute good · best score", "success rate · best score", "λ = .1", "decaying λ = .2"),
        *(
            "decaying λ = .5",
            "any page of the host",
            "microdata>=5",
            "hosts",
            "graded",
            "`or`",
            "hashCode",
            "decay",
        ),
    ],
    "graphs": [
        *("bretagne", "france", "happy", "jazz", "weird", "| in |", "| out |", "R²", "n sum", "ne max"),
        *("steered-oracle", "score above 1.5", "q = 0.9", "zeta = 0.5", "refresh = 2", "refresh = 500"),
        *("random", "bfs", "opic", "navigational-rank", "nh-n", "nh-e", "nh-ne", "lnh-sum", "lnh-max", "lnh-avg"),
        *("hybrid-paper", "hybrid", "ensemble", "| d |", "tf-idf", "MediaWiki", "tweets"),
    ],
    "ldcoc": [
        *("t+r+p+x", "t+p+x", "t+r+x", "t+r+p", "r+p+x", "t+x", "r+p", "p+x", "kNN", "NB", "SVM", "F", "accuracy"),
        *("BFS", "static", "LDCOC, Content-Type known for nothing", "a HEAD request costs", "LDSpider", "ε"),
    ],
    "nc2": [
        *("info-boxes", "XPath", "XQuery", "SPARQL", "XSLT", "several pages", "several paths", "frontier"),
        *("links", "result", "engine"),
    ],
}
COMMANDS = typer.main.get_command(app).commands  # type: ignore[attr-defined]
SHAPES = "@prefix sh: <http://www.w3.org/ns/shacl#> . [] a sh:NodeShape ; sh:targetClass <http://a.example/A> ."
QUERIES = {"FILE.rq": "ASK { ?x ?y ?z }", "FILE.ttl": SHAPES}
WORDS_OF_PATTERNS = ("data", "link", "stop", "result", "engine", "revisit")
WITHOUT_FIGURES = ("Their future work",)  # the paper has none to differ from


@pytest.mark.parametrize("name", CHECKLIST)
def test_every_table_and_figure_is_there(name: str) -> None:
    text = (FOLDER / f"{name}.md").read_text(encoding="utf-8")
    sections = re.split(r"^## ", text, flags=re.MULTILINE)[1:]
    headings = [section.splitlines()[0] for section in sections]
    assert [heading.partition(":")[0] for heading in headings] == [*CHECKLIST[name], HEADING, CHANGED]
    assert f"`python -m benchmarks papers {name}" in text
    for heading, section in zip(headings, sections, strict=True):
        if heading.partition(":")[0] not in (*WITHOUT_FIGURES, HEADING, CHANGED):
            assert "*What differs:*" in section, heading
            assert "\n| " in section or "![" in section, heading
    for file in re.findall(r"!\[[^]]*\]\(([^)]+)\)", text):
        ElementTree.parse(FOLDER / file)


@pytest.mark.parametrize("name", TERMS)
def test_what_the_paper_demands_is_there(name: str) -> None:
    text = (FOLDER / f"{name}.md").read_text(encoding="utf-8")
    assert [term for term in TERMS[name] if term not in text] == []


@pytest.mark.parametrize("name", DEMANDS)
def test_what_the_paper_demands_can_be_run(name: str) -> None:
    """Each demand is on the page as it is in the list; each name in code marks is one that a user can give."""
    text = (FOLDER / f"{name}.md").read_text(encoding="utf-8")
    names = {*POLICIES, *PARAMETERS, *WORDS_OF_PATTERNS, "delay", "or", "CrawlSession"}
    options = {option for command in COMMANDS.values() for param in command.params for option in param.opts}
    for demand, here in DEMANDS[name]:
        assert f"| {demand} | {here} |" in text
        for word in re.findall(r"`([^`]+)`", here):
            if word.startswith("--for "):
                parse_objective(word.removeprefix("--for "), files=QUERIES)
            elif word.startswith("sundog "):
                assert word.removeprefix("sundog ") in COMMANDS
            else:
                assert word in names or word in options, word


def test_a_page_and_its_plot(tmp_path: Path) -> None:
    page = PaperPage("x", "X", "Small.", small=True)
    page.add("Table 1: a", "Text.", ("a", "b"), [("1", "2")], difference="none.", curves={"<a>": [(0, 0), (5, 1)]})
    text = page.write(tmp_path).read_text()
    assert "`python -m benchmarks papers x --small` made this page" in text
    assert "| a | b |\n| --- | --- |\n| 1 | 2 |" in text
    chart = ElementTree.parse(tmp_path / "x-1.svg").getroot()
    assert "<a>" in [each.text for each in chart.iter() if each.tag.endswith("text")]
    ElementTree.fromstring(line_chart({}, ("x", "y")))


def test_the_bandit_alone_orders_hosts_never_visited_as_it_is_told() -> None:
    """The start leads to one page of a poor host, then to three of a rich one."""
    rich = [f"http://rich.example/{number}" for number in (1, 2, 3)]
    urls = ["http://start.example/", "http://poor.example/", *rich]
    pages = {"id": list(range(5)), "url": urls, "jsonld": [0, 0, 1, 1, 1]}
    web = load_world({"source": [0] * 4, "target": [1, 2, 3, 4]}, pages=pages)
    rewards = np.array([0.0, 0.0, 1.0, 1.0, 1.0])
    assert pure_bandit(web, rewards, 2, 0, "known") == 0.5
    assert pure_bandit(web, rewards, 2, 0, "first") == 0.0
    assert {pure_bandit(web, rewards, 2, seed, "chance") for seed in range(20)} == {0.0, 0.5}
    assert pure_bandit(web, rewards, 5, 0, "first") == pytest.approx(0.6), "then all of it"


def test_a_page_names_the_options_of_its_command() -> None:
    page = PaperPage("x", "X", "Small.", small=False, options={"rounds": 2, "nodes": None})
    assert page.command == "python -m benchmarks papers x --rounds 2"


def test_an_axis_may_begin_near_the_lowest_value() -> None:
    """0.9 is then at the bottom third, not at nine tenths of the height."""
    heights = {
        low: float(
            re.findall(r'points="0?[\d.]+,([\d.]+)', line_chart({"a": [(0, 0.9), (1, 1)]}, ("", ""), low=low))[0]
        )
        for low in (False, True)
    }
    assert heights[True] > heights[False] + 100
    ElementTree.fromstring(line_chart({"a": [(0, 1.0), (1, 1.0)]}, ("", ""), low=True))


def test_crawls_of_graphs_are_kept_and_compared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Navigational Rank has fewer steps than the others: what it has not reached is no figure."""
    monkeypatch.setattr(common, "DATA", tmp_path)
    monkeypatch.setattr(told, "KEPT", tmp_path / "kept")
    size = graphs.Size(8_000, 8_000, budget=300, sets=2, strategy_seeds=5, strategy_sets=1, ranked=100)
    graph = graphs.Graph("keyword", size.nodes("keyword"))
    oracle = graphs._crawls(graph, "oracle", size)
    assert [crawl.after(300) == crawl.sums[-1] > 0 for crawl in oracle] == [True, True], "of two sets"
    assert graphs._cells(oracle, oracle, [100, 300]) == ["1.000", "1.000"]
    ranked = graphs._crawls(graph, graphs.RANKED, size)
    assert graphs._cells(ranked, oracle, [100, 300])[1] == "–"
    assert max(step for step, _ in graphs._curve(ranked, oracle, 300)) == 100
    strategies = graphs._strategies(graph, size)
    assert strategies[""][0].after(300) >= strategies["refresh = 500"][0].after(300) > 0  # type: ignore[operator]
    graph.unload()
    monkeypatch.setattr(graphs, "load_world", None)
    assert graphs._crawls(graph, "oracle", size) == oracle, "kept"


def test_a_strategy_begins_where_rich_nodes_are_crawled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the only rich node the links are known, and its own score does not count."""
    monkeypatch.setattr(told, "KEPT", tmp_path)
    pages = {
        "id": [1, 2, 3],
        "url": [f"http://a.example/{number}" for number in range(3)],
        "score": [2.0, 1.0, 1.5],
    }
    graph = graphs.Graph("three", 3)
    vars(graph)["world"] = load_world({"source": [1, 2], "target": [2, 3], "score": [1.0, 1.0]}, pages=pages)
    crawl = graphs._steered(graph, budget=2, seeds=5, seed=0, settings={})
    assert crawl.sums == [1.0, 2.5]
    assert crawl.found == 2


def test_features_and_fit() -> None:
    """Scores that are a linear function of the features are fitted wholly; others are not."""
    pages = {
        "id": [1, 2, 3, 4],
        "url": [f"http://a.example/{number}" for number in range(4)],
        "score": [1.0, 0.0, 2.0, 5.0],
    }
    links = {"source": [1, 1, 2, 3], "target": [2, 3, 4, 4], "score": [1.0, 0.5, 0.0, 2.0]}
    graph = load_world(links, pages=pages)
    into, out = features_of(graph, "in"), features_of(graph, "out")
    assert into["n sum"].tolist() == [0.0, 1.0, 1.0, 2.0]
    assert out["ne max"].tolist() == [1.0, 0.0, 10.0, 0.0]
    rng = np.random.default_rng(1)
    features = {f"{name} sum": rng.random(50) for name in ("n", "e", "ne")}
    exact = 2 * features["n sum"] - features["e sum"] + 3
    assert fit(features, exact, "sum") == pytest.approx(1.0)
    assert fit(features, rng.random(50), "sum") < 0.5
