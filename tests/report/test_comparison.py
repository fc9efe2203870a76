"""Policies compared, and how objects show themselves in a notebook."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree

import pytest

from sundog import (
    Candidate,
    Crawl,
    CrawlSession,
    PageOutcome,
    UsageError,
    compare,
    explore,
    extract,
    load_world,
    simulate,
)
from sundog.store.query import ROWS_SHOWN, Answer, Term

LINKS = {
    "source": [0, 0, 0, 1, 1, 2, 3, 4, 5, 6],
    "target": [1, 2, 3, 4, 5, 6, 7, 8, 9, 3],
    "label": [0, 1, 0, 1, 0, 1, 0, 0, 1, 0],
}


class Counting:
    """Breadth first, by what it has learned of: an object that is used twice would choose otherwise."""

    def __init__(self) -> None:
        self.learned = 0

    def scores(self, candidates: Sequence[Candidate]) -> list[float]:
        assert self.learned <= 8, "it knows another run's pages"
        return [1.0 for _ in candidates]

    def learn(self, outcome: PageOutcome) -> None:
        self.learned += 1


def test_every_policy_runs_with_every_seed() -> None:
    world = load_world(LINKS)
    compared = compare(world, ["bfs", "random"], seeds=[3, 4], budget=8)
    assert [(run.policy, run.seed) for run in compared.runs] == [
        ("bfs", 3),
        ("bfs", 4),
        ("random", 3),
        ("random", 4),
    ]
    for run in compared.runs:
        alone = simulate(world, run.policy, seed=run.seed, budget=8)
        assert run.trace.pages.tolist() == alone.trace.pages.tolist()
    table = compared.to_arrow()
    assert table["relevant"].to_pylist() == [run.relevant for run in compared.runs]
    assert compared.sizes["relevant"] == 4


def test_an_object_learns_in_one_run_only() -> None:
    policy = Counting()
    compared = compare(LINKS, [policy], seeds=[0, 1, 2], budget=8)
    assert policy.learned == 0
    assert {run.fetched for run in compared.runs} == {8}


def test_a_parameter_goes_to_the_policies_that_know_it() -> None:
    compared = compare(LINKS, ["bfs", "success-rate"], seeds=[0], budget=8, decay=10.0)
    assert len(compared.runs) == 2


def test_plots_stand_on_their_own(tmp_path: Path) -> None:
    compared = compare(LINKS, ["bfs", "oracle"], seeds=[0, 1], budget=8)
    for name in compared.plots:
        plot = compared.plot(name)
        assert "var(" not in plot.svg
        svg = ElementTree.fromstring(plot.svg)
        assert svg.tag == "{http://www.w3.org/2000/svg}svg"
        assert svg.findall(".//{*}polyline")
        assert "oracle" in plot._repr_html_()
    shown = compared._repr_html_()
    assert "var(" not in shown
    assert "Harvest curve" in shown
    assert "<table" in shown
    compared.write_report(tmp_path / "report.html")
    assert "Simulated crawls of graph" in (tmp_path / "report.html").read_text(encoding="utf-8")
    assert repr(compared).startswith("Comparison(world='graph', objective='any', harvest_rates={'bfs': ")
    assert repr(compared.plot()) == "Plot(title='Harvest curve', policies=['bfs', 'oracle'])"


def test_what_is_wrong_is_told() -> None:
    with pytest.raises(UsageError, match="names in a list are expected, such as \\['bfs'\\]"):
        compare(LINKS, "bfs", budget=8)
    with pytest.raises(UsageError, match="policies= is empty"):
        compare(LINKS, [], budget=8)
    with pytest.raises(UsageError, match="two policies are called 'bfs'"):
        compare(LINKS, ["bfs", "bfs"], budget=8)
    with pytest.raises(UsageError, match="seeds= is empty"):
        compare(LINKS, ["bfs"], [], budget=8)
    with pytest.raises(UsageError, match="seeds=2: several are expected, such as range"):
        compare(LINKS, ["bfs"], 2, budget=8)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match=r"unknown plot 'host'.*hosts"):
        compare(LINKS, ["bfs"], [0], budget=8).plot("host")
    with pytest.raises(UsageError, match="did you mean 'seeds'"):
        compare(LINKS, ["bfs"], sedes=[1], budget=8)  # type: ignore[call-arg]


def test_a_run_as_a_table() -> None:
    run = simulate(LINKS, "bfs", budget=8)
    table = run.to_arrow()
    assert table["page"].to_pylist() == run.trace.pages.tolist()
    assert sum(reward > 0 for reward in table["reward"].to_pylist()) == run.relevant
    assert table["fetch"].to_pylist() == list(range(1, 9))


def test_reprs_are_short(tmp_path: Path) -> None:
    run = simulate(LINKS, "bfs", budget=8)
    assert repr(run) == "Run(policy='bfs', seed=0, fetched=8, relevant=3, harvest_rate=0.375, stopped='budget')"
    assert repr(run.trace) == "Trace(fetches=8)"
    assert repr(load_world(LINKS)) == "StaticWorld(name='graph', pages=10, links=10)"
    assert repr(Crawl("recipes")) == "Crawl(directory='recipes')"
    session = CrawlSession(policy="bfs", budget=2)
    session.add(["http://a.example/"])
    said = "CrawlSession(policy='bfs', budget=2, fetched=0, relevant=0, queued=1, in_flight=0)"
    assert repr(session) == said
    explored = explore(lambda node: (1.0, []), ["a"], budget=1, policy="bfs")
    assert repr(explored) == "Exploration(visits=1, relevant=1, reward=1.0, stopped='budget')"


def test_what_strangers_wrote_is_cut_and_escaped() -> None:
    page = b'<p itemscope itemtype="http://schema.org/Person"><b itemprop="name">Ada</b>'
    found = extract(page, base="http://a.example/<script>" + 1000 * "x")
    assert len(repr(found)) < 400
    assert "'microdata': 2" in repr(found)
    assert "<script>" not in found._repr_html_()
    assert "Person" in found._repr_html_()


def test_an_answer_is_a_table() -> None:
    term: Term = {"type": "literal", "value": "<b>Ada</b>"}
    shown = Answer(["name"], [[term]] * (ROWS_SHOWN + 1), None, False, 0)._repr_html_()
    assert shown.count("&lt;b&gt;Ada") == ROWS_SHOWN
    assert "There are more rows" in shown
    assert "true" in Answer([], [], True, False, 0)._repr_html_()
