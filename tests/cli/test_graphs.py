"""Scored graphs on the command line: made, loaded, and explored from many sets of seeds."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.commands import Command, one_line


@pytest.fixture
def graph(sundog: Command, tmp_path: Path) -> Path:
    done = sundog("synth", tmp_path / "g", "--profile", "keyword-france", "--pages", 600)
    assert done.code == 0
    assert "600 pages, 6,000 links" in done.err
    return tmp_path / "g"


EXPERIMENT = ("--for", "score", "--policy", "bfs,random", "--start", "random:5", "--repeat", 3)


def test_repeated_runs_from_random_seeds_are_compared_with_the_oracle(sundog: Command, graph: Path) -> None:
    done = sundog("simulate", graph, *EXPERIMENT, "--budget", 200)
    assert done.code == 0
    first, second = done.out.split("\n\n")
    assert first.count("\nbfs ") == first.count("\nrandom ") == 3
    assert "oracle" not in first
    assert second.startswith("sum of scores relative to oracle after N steps: mean of 3 runs")
    header, _, bfs, random = second.splitlines()[1:5]
    assert header.split() == ["policy", "100", "200"]
    assert [line.split()[0] for line in (bfs, random)] == ["bfs", "random"]
    assert 0 < float(bfs.split()[1]) < 1


def test_the_comparison_in_json(sundog: Command, graph: Path) -> None:
    done = sundog("simulate", graph, *EXPERIMENT, "--budget", 200, "--at", "50,10", "--json")
    document = json.loads(done.out)
    assert list(document) == ["world", "runs", "relative"]
    assert len(document["runs"]) == 6
    assert [(one["policy"], one["at"], one["runs"]) for one in document["relative"]] == [
        ("bfs", 10, 3),
        ("bfs", 50, 3),
        ("random", 10, 3),
        ("random", 50, 3),
    ]
    assert all(one["low"] <= one["mean"] <= one["high"] for one in document["relative"])


def test_any_policy_can_be_compared_with_and_none(sundog: Command, graph: Path) -> None:
    options = ("simulate", graph, "--for", "score", "--policy", "bfs", "--budget", 100, "--json")
    assert list(json.loads(sundog(*options).out)) == ["world", "runs"]
    to_itself = json.loads(sundog(*options, "--relative-to", "bfs", "--score", "nonzero").out)["relative"]
    assert to_itself == [{"policy": "bfs", "at": 100, "mean": 1.0, "low": None, "high": None, "runs": 1}]
    forbidden = sundog(*options, "--start", "random:5", "--repeat", 2, "--relative-to", "none")
    assert list(json.loads(forbidden.out)) == ["world", "runs"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--at", "0"), "--at '0': numbers of steps from 1 to the budget (100)"),
        (("--at", "101"), "--at '101'"),
        (("--at", "x"), "--at 'x'"),
        (("--relative-to", "orcale"), "did you mean 'oracle'"),
        (("--score", "nonzeros"), "did you mean 'nonzero'"),
    ],
)
def test_wrong_comparisons_are_named(sundog: Command, graph: Path, options: tuple[str, ...], message: str) -> None:
    done = sundog("simulate", graph, "--for", "score", "--policy", "bfs", "--budget", 100, *options)
    assert done.code == 2
    assert message in one_line(done)


def test_an_edge_list_reports_what_was_dropped_and_merged(sundog: Command, tmp_path: Path) -> None:
    (tmp_path / "g.txt").write_text("1 2\n1 2\n2 2\n2 3\n")
    (tmp_path / "scores.tsv").write_text("2 1\n")
    done = sundog("simulate", tmp_path / "g.txt", "--for", "score", "--policy", "bfs", "--budget", 3)
    assert done.code == 0
    assert "1 links from a page to itself were dropped" in done.err
    assert "1 links were merged with another one between the same pages" in done.err


def test_graphs_have_no_hosts(sundog: Command, tmp_path: Path) -> None:
    done = sundog("synth", tmp_path / "g", "--profile", "mentions", "--hosts", 3)
    assert done.code == 2
    assert "leave out --hosts" in one_line(done)
    done = sundog("synth", tmp_path / "g", "--profile", "mention")
    assert "did you mean 'mentions'" in one_line(done)
