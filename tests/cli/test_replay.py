"""``sundog replay``: the table, the document, and crawls in shards."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from benchmarks.recording import crawled

from sundog.store.directory import SPEC
from sundog.store.shards import Layout, shard_directory, write_layout
from sundog.worlds.static import StaticWorld
from tests.cli.commands import Command, one_line


def log_of(directory: Path, world: StaticWorld, budget: int = 60, explore_log: float = 0.1) -> Path:
    return crawled(directory, world, "sundog", budget=budget, objective="any", seed=1, explore_log=explore_log)


def test_a_row_for_the_crawl_and_one_for_each_policy(
    sundog: Command, small_world: StaticWorld, tmp_path: Path
) -> None:
    done = sundog("replay", log_of(tmp_path / "crawl", small_world), "--policy", "bfs, random")
    assert done.code == 0
    first = [line.split()[0] for line in done.out.splitlines()]
    assert first[0] == "policy"
    assert first[-3:] == ["sundog", "bfs", "random"]
    assert "explore.log" not in done.err


@pytest.mark.parametrize(
    ("explore_log", "advice"),
    [(0.0, "crawl with --set explore.log=0.02"), (1e-6, "a larger explore.log draws some")],
)
def test_a_log_without_random_pages_says_so(
    sundog: Command, small_world: StaticWorld, tmp_path: Path, explore_log: float, advice: str
) -> None:
    done = sundog("replay", log_of(tmp_path / "crawl", small_world, explore_log=explore_log), "--policy", "bfs")
    assert done.code == 0
    assert "no random pages" in done.err
    assert advice in done.err


def test_a_crawl_in_shards_is_merged_first(sundog: Command, small_world: StaticWorld, tmp_path: Path) -> None:
    one = log_of(tmp_path / "one", small_world)
    many = tmp_path / "many"
    many.mkdir()
    (many / SPEC).write_text((one / SPEC).read_text(encoding="utf-8"), encoding="utf-8")
    write_layout(many, Layout(1))
    log_of(shard_directory(many, 0), small_world)
    documents = [json.loads(sundog("replay", each, "--policy", "bfs", "--json").out) for each in (one, many)]
    assert documents[0]["crawl"] == documents[1]["crawl"]
    assert documents[0]["policies"][0]["fetched_by_crawl"] == documents[1]["policies"][0]["fetched_by_crawl"]


@pytest.mark.parametrize(
    ("policy", "code", "said"),
    [
        ("bsf", 2, "unknown policy 'bsf'; did you mean 'bfs'?"),
        ("oracle", 2, "needs to know every page's reward"),
        (",", 2, "no policy is named"),
        ("bfs", 1, "has too few fetches (5): from 20 on"),
    ],
)
def test_one_sentence_each(
    sundog: Command, small_world: StaticWorld, tmp_path: Path, policy: str, code: int, said: str
) -> None:
    done = sundog("replay", log_of(tmp_path / "crawl", small_world, budget=5), "--policy", policy)
    assert done.code == code
    assert said in one_line(done)


def test_a_report_with_other_policies_beside_the_crawl(
    sundog: Command, small_world: StaticWorld, tmp_path: Path
) -> None:
    crawl = log_of(tmp_path / "crawl", small_world)
    assert sundog("report", crawl, "--beside", "bfs,random").code == 0
    text = (crawl / "report.html").read_text(encoding="utf-8")
    assert "bfs (replayed)" in text
    assert "random (replayed)" in text
    done = sundog("report", crawl, "--beside", "bsf")
    assert (done.code, "unknown policy 'bsf'" in done.err) == (2, True)
