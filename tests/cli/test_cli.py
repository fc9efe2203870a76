"""The command as a user meets it: streams, exit codes, and what it leaves on disk."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from sundog.cli.app import app
from sundog.objectives.registry import OBJECTIVES
from sundog.policies.presets import POLICIES
from sundog.worlds.synthetic import GRAPHS, LINKED, PROFILES
from tests.cli.commands import Command, Done, one_line

SUNDOG = Path(sys.executable).with_name("sundog")
RUN_KEYS = [
    "policy",
    "seed",
    "budget",
    "fetched",
    "relevant",
    "reward",
    "harvest_rate",
    "curve",
    "seconds",
    "select_us",
    "us_per_fetch",
    "peak_rss_mb",
    "stopped",
]


# --- what there is


@pytest.mark.parametrize("command", ["", *(str(command.name) for command in app.registered_commands)])
def test_every_command_has_help(sundog: Command, command: str) -> None:
    done = sundog(*command.split(), "--help")
    assert done.code == 0
    assert "Usage:" in done.out
    assert done.err == ""


def test_the_version(sundog: Command) -> None:
    assert sundog("--version") == Done(0, "0.1.0\n", "")


def test_policies_are_listed_one_a_line(sundog: Command) -> None:
    done = sundog("policies")
    assert done.code == 0
    assert [line.split()[0] for line in done.out.splitlines()] == list(POLICIES)
    listed = json.loads(sundog("policies", "--json").out)
    assert set(listed["anthelion"]["parameters"]) >= {"lambda", "decay"}


def test_objectives_are_listed_one_a_line(sundog: Command) -> None:
    done = sundog("objectives")
    assert done.code == 0
    assert all(line.startswith(each.form) for line, each in zip(done.out.splitlines(), OBJECTIVES, strict=True))
    listed = json.loads(sundog("objectives", "--json").out)
    assert listed["type:NAME"]["example"] == "type:schema:Product"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["simulat"], "no such command 'simulat'; did you mean 'simulate'?"),
        (["policies", "--nope"], "no such option: --nope; see sundog policies --help"),
        (["simulate"], "missing argument 'WORLD'; see sundog simulate --help"),
        (["synth", "x", "--pages", "many"], "'--pages'"),
        (["synth", "x", "--seed", "-1"], "'--seed'"),
        (["crawl", "http://a.example/", "--budget", "0", "--json"], "'--budget'"),
        (["pattern", "nope"], "no such command 'nope'; see sundog pattern --help"),
    ],
)
def test_an_unknown_command_or_option_is_wrong_usage(sundog: Command, arguments: list[str], message: str) -> None:
    done = sundog(*arguments)
    assert done.code == 2
    assert message in one_line(done)


def test_the_list_of_commands_is_that_of_the_whole_command(sundog: Command) -> None:
    """It is made without the options of each."""
    listed = sundog("--help").out
    assert listed == sundog("-q", "--help").out
    assert all(f" {command.name} " in listed for command in app.registered_commands)


def test_without_a_command_there_is_help(sundog: Command) -> None:
    done = sundog()
    assert done.code == 2
    assert "Usage: sundog" in done.out + done.err


def test_worlds_has_every_profile_of_synth(sundog: Command) -> None:
    listed = json.loads(sundog("worlds", "--json").out)
    assert {f"synth {name}" for name in [*PROFILES, *LINKED, *GRAPHS]} <= set(listed)


# --- synth and simulate, end to end


def test_the_console_script_from_synth_to_simulate(tmp_path: Path) -> None:
    def run(*arguments: str) -> Any:
        return subprocess.run([SUNDOG, *arguments], cwd=tmp_path, capture_output=True, text=True, timeout=300)

    made = run("synth", "web", "--profile", "web2014", "--pages", "600", "--hosts", "40", "--seed", "3")
    assert (made.returncode, made.stdout) == (0, "")
    assert "600 pages" in made.stderr
    assert sorted(path.name for path in (tmp_path / "web").iterdir()) == ["links.parquet", "pages.parquet"]

    done = run("simulate", "web", "--policy", "bfs,anthelion", "--budget", "120", "--json")
    assert done.returncode == 0
    document = json.loads(done.stdout)
    assert done.stdout.count("\n") == 1
    assert list(document) == ["world", "runs"]
    assert list(document["world"])[:5] == ["pages", "hosts", "links", "relevant", "dropped_links"]
    assert (document["world"]["pages"], document["world"]["hosts"]) == (600, 40)
    assert [one["policy"] for one in document["runs"]] == ["bfs", "anthelion"]
    for one in document["runs"]:
        assert list(one) == RUN_KEYS
        assert set(one["select_us"]) == {"mean", "p50", "p99"}
        assert len(one["curve"]) >= 50
        assert one["curve"][-1] == [one["fetched"], one["relevant"]] == [120, one["relevant"]]
        assert one["harvest_rate"] == one["relevant"] / 120
        assert one["stopped"] == "budget"

    failed = run("simulate", "nowhere", "--budget", "10")
    assert (failed.returncode, failed.stdout) == (1, "")
    assert "nowhere" in failed.stderr
    assert "Traceback" not in failed.stderr


def test_a_table_on_standard_output_and_the_rest_on_standard_error(
    sundog: Command, small_world_directory: Path
) -> None:
    done = sundog("simulate", small_world_directory, "--policy", "bfs,random", "--budget", 50, "--repeat", 2)
    assert done.code == 0
    rows = [line.split() for line in done.out.splitlines() if line.startswith(("bfs", "random"))]
    assert [row[:3] for row in rows] == [
        ["bfs", "0", "50"],
        ["bfs", "1", "50"],
        ["random", "0", "50"],
        ["random", "1", "50"],
    ]
    assert "1,500 pages on 60 hosts" in done.err
    assert "1,500 pages" not in done.out


def test_a_report_is_written_whole(sundog: Command, small_world_directory: Path, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    done = sundog("simulate", small_world_directory, "--policy", "bfs", "--budget", 60, "--report", path, "--json")
    assert done.code == 0
    assert json.loads(done.out)["runs"][0]["fetched"] == 60
    assert path.read_text(encoding="utf-8").rstrip().endswith("</html>")
    assert [one.name for one in tmp_path.iterdir()] == ["report.html"]


def harvested(done: Done) -> list[tuple[int, float]]:
    assert done.code == 0, done.err
    return [(run["relevant"], run["reward"]) for run in json.loads(done.out)["runs"]]


def test_parameters_in_one_set_or_several(sundog: Command, small_world_directory: Path) -> None:
    def run(*settings: str) -> list[Any]:
        return harvested(
            sundog(
                "simulate", small_world_directory, "--policy", "anthelion", "--budget", 300, "--json", *settings
            )
        )

    once = run("--set", "lambda=.2", "decay=100")
    assert once == run("--set", "lambda=.2", "--set", "decay=100") == run("--set", "lambda=.2 decay=100")
    assert once != run("--set", "lambda=1")
    assert run("--set", "delay=1000") != run()


def test_a_parameter_that_only_some_policies_have_is_ignored_by_the_others(
    sundog: Command, small_world_directory: Path
) -> None:
    common = ("simulate", small_world_directory, "--budget", 100, "--json")
    both = harvested(sundog(*common, "--policy", "bfs,anthelion", "--set", "lambda=.1"))
    assert both[:1] == harvested(sundog(*common, "--policy", "bfs"))


def test_the_same_seed_prints_the_same_crawl(sundog: Command, small_world_directory: Path) -> None:
    common = ("simulate", small_world_directory, "--policy", "random", "--budget", 200, "--json", "--seed")
    assert harvested(sundog(*common, 5)) == harvested(sundog(*common, 5))
    assert harvested(sundog(*common, 5)) != harvested(sundog(*common, 6))


# --- what is wrong


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--policy", "antheleon"], "unknown policy 'antheleon'; did you mean 'anthelion'?"),
        (["--policy", "bfs,sundig"], "unknown policy 'sundig'; did you mean 'sundog'?"),
        (["--policy", ","], "names no policy"),
        (["--policy", "anthelion", "--set", "lamda=.2"], "parameter 'lamda'"),
        (["--policy", "anthelion", "--set", "lamda=.2"], "did you mean 'lambda'?"),
        (["--policy", "bfs", "--set", "decay=9"], "parameter 'decay' is not one of the chosen policies'"),
        (["--policy", "bfs", "--set", "lamda=1"], "is not one of the chosen policies'; theirs are none"),
        (["--policy", "sundog", "--set", "lamda=1"], "theirs are ahead, classifier, explore, fresh"),
        (["--policy", "sundog", "--set", "head=0.1"], "chosen policies'; ldcoc and ldspider have it"),
        (["--policy", "ldcoc", "--set", "head="], "'head=' has no value"),
        (["--policy", "anthelion", "--set", "decay=soon"], "parameter decay=soon: is not a number"),
        (["--set", "explore"], "'explore' is not of the form KEY=VALUE"),
        (["--set", "delay=-1"], "delay=-1"),
        (["--set", "delay=²"], "delay=²"),
        (["--set", "explore=maybe"], "explore=maybe: must be true or false"),
        (["--budget", "0"], "at least 1"),
        (["--budget", "1501"], "budget 1501 is larger than the world"),
        (["--for", "microdat"], "unknown word 'microdat'; did you mean 'microdata'?"),
        (["--for", "score"], "no score"),
        (["--start", "77777777"], "neither the id nor the URL"),
        (["--start", "random:0"], "whole number"),
        (["--start", "random:1500"], "pages are relevant"),
        (["--start", ","], "names no page"),
    ],
)
def test_wrong_requests_exit_with_2_and_one_line(
    sundog: Command, small_world_directory: Path, arguments: list[str], message: str
) -> None:
    done = sundog("simulate", small_world_directory, "--budget", 10, *arguments)
    assert message in one_line(done)
    assert done.code == 2


def test_failures_exit_with_1_and_one_line(sundog: Command, small_world_directory: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for arguments in (
        [tmp_path / "nowhere"],
        [tmp_path / "empty"],
        [small_world_directory, "--for", "jsonld>=9999"],
    ):
        done = sundog("simulate", *arguments, "--budget", 10)
        assert str(arguments[0].name) in one_line(done)
        assert done.code == 1


def test_a_report_that_cannot_be_written_leaves_nothing(
    sundog: Command, small_world_directory: Path, tmp_path: Path
) -> None:
    done = sundog(
        "simulate",
        small_world_directory,
        "--policy",
        "bfs",
        "--budget",
        10,
        "--report",
        tmp_path / "no" / "r.html",
    )
    assert done.code == 1
    assert "cannot be written" in one_line(done)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--profile", "advers"], "unknown profile 'advers'; did you mean 'adverse'?"),
        (["--pages", "0"], "pages"),
        (["--pages", "5", "--hosts", "9"], "pages = 5 is less than hosts = 9"),
        (["--pages", "-3"], "pages"),
    ],
)
def test_synth_refuses_what_cannot_be_and_leaves_nothing(
    sundog: Command, tmp_path: Path, arguments: list[str], message: str
) -> None:
    done = sundog("synth", tmp_path / "web", *arguments)
    assert message in one_line(done)
    assert done.code == 2
    assert list(tmp_path.iterdir()) == []


def test_synth_into_a_file_fails(sundog: Command, tmp_path: Path) -> None:
    path = tmp_path / "web"
    path.write_text("mine")
    done = sundog("synth", path, "--pages", 50)
    assert done.code == 1
    assert done.err == f"sundog: {path} cannot be written: {path} is a file, so name another directory\n"
    assert path.read_text() == "mine"


def test_dropped_links_are_reported(sundog: Command, tmp_path: Path) -> None:
    (tmp_path / "index.tsv").write_text("1\thttp://a.example/\n2\thttp://a.example/b\n")
    (tmp_path / "network.tsv").write_text("1\t2\t98\t99\n")
    (tmp_path / "labels.tsv").write_text("2\n")
    done = sundog("simulate", tmp_path, "--policy", "bfs", "--budget", 2)
    assert done.code == 0
    assert "2 links from or to ids that are no pages were dropped" in done.err
