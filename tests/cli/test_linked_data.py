"""The Web of Data on the command line: made, crawled by its policies, and what is wrong is named in a line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.commands import Command, one_line


@pytest.fixture
def data(sundog: Command, tmp_path: Path) -> Path:
    done = sundog("synth", tmp_path / "data", "--profile", "linked-data", "--pages", 3000)
    assert done.code == 0
    assert "3,000 pages" in done.err
    return tmp_path / "data"


def test_its_policies_are_compared_and_a_parameter_of_one_is_ignored_by_others(
    sundog: Command, data: Path
) -> None:
    policies = "bfs,ldspider,ldcoc,sundog"
    done = sundog(
        "simulate", data, "--for", "rdf", "--policy", policies, "--budget", 600, "--set", "tau=0.4", "--json"
    )
    assert done.code == 0
    found = {run["policy"]: run["relevant"] for run in json.loads(done.out)["runs"]}
    assert list(found) == policies.split(",")
    assert found["ldcoc"] > found["bfs"]


@pytest.mark.parametrize(
    ("setting", "message"),
    [("features=t+z", "'z' is no feature set"), ("tau=2", "between 0 and 1"), ("epsilon=0", "must be between")],
)
def test_a_wrong_parameter_is_named(sundog: Command, data: Path, setting: str, message: str) -> None:
    done = sundog("simulate", data, "--for", "rdf", "--policy", "ldcoc", "--budget", 10, "--set", setting)
    assert message in one_line(done)
    assert done.code == 2
