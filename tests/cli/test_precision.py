"""``sundog simulate --precision``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.commands import Command, one_line


@pytest.fixture
def graph(tmp_path: Path, sundog: Command) -> Path:
    sundog("synth", tmp_path / "graph", "--profile", "keyword", "--pages", 2_000)
    return tmp_path / "graph"


def test_estimators_are_compared_on_the_oracles_crawl(sundog: Command, graph: Path) -> None:
    words = ("--for", "score", "--start", "random:20", "--budget", 100, "--precision")
    found = json.loads(sundog("simulate", graph, "--policy", "random,nh-ne,oracle", *words, "--json").out)
    by_name = {one["policy"]: one for one in found["precision"]}
    assert by_name["oracle"]["right"] == 1.0
    assert set(by_name["oracle"]["shortfall"].values()) == {0.0}
    assert by_name["nh-ne"]["right"] > by_name["random"]["right"]
    assert by_name["nh-ne"]["shortfall"]["100"] < by_name["random"]["shortfall"]["100"]
    table = sundog("simulate", graph, "--policy", "nh-ne", *words)
    assert "nh-ne" in table.out
    assert "follows the oracle" in table.err
    refused = sundog("simulate", graph, "--budget", 10, "--precision", "--at", "5")
    assert "--at is for ordinary crawls" in one_line(refused)


def test_a_crawl_that_ends_before_its_budget_tells_its_last_step(sundog: Command, graph: Path) -> None:
    words = ("--for", "score", "--budget", 1_900, "--precision", "--json")
    (one,) = json.loads(sundog("simulate", graph, "--policy", "nh-n", *words).out)["precision"]
    assert one["steps"] < 1_900
    assert list(one["shortfall"]) == ["100", "300", "1000", str(one["steps"])]
