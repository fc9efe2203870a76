"""Replays of what live crawls leave: with redirects and failures, stopped, in rounds, with HEAD requests."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

import pytest

from sundog.engines.live.run import refresh
from sundog.errors import UsageError
from sundog.replay.comparison import CANNOT_TELL, Comparison, compare
from sundog.report.crawl import write_crawl_report
from sundog.spec.explore import Explore
from tests.engines.live.test_resume import fill
from tests.engines.live.webs import SmallWeb, crawled, stop_after

WORDS = ("better", "likely better", CANNOT_TELL, "likely worse", "worse")


@pytest.fixture
def web() -> Iterator[SmallWeb]:
    with SmallWeb() as served:
        fill(served)
        yield served


def check(found: Comparison) -> None:
    for answer in found.answers:
        end, step = answer.curve.end, answer.one_step
        assert answer.verdict in WORDS
        assert 0 <= end.low <= end.likely <= end.high <= found.fetched
        assert 0 <= step.low <= step.high <= 1
        assert all(math.isfinite(value) for point in answer.curve.points() for value in point)


def test_every_kind_of_policy_is_replayed_on_a_log_with_failures(web: SmallWeb, tmp_path: Path) -> None:
    crawl = crawled(web, tmp_path / "crawl", budget=80, explore=Explore(log=0.2))
    policies = ["bfs", "thompson", "hoeffding-tree", "ensemble", "ldcoc", "sb-classifier", "sundog"]
    found = compare(tmp_path / "crawl", policies)
    assert (found.fetched, found.found) == (80, crawl.summary["relevant"])
    assert found.random_fetches > 5
    check(found)


def test_a_crawl_that_was_stopped_with_pages_in_flight(
    web: SmallWeb, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stop_after(monkeypatch, 40)
    crawl = crawled(web, tmp_path / "crawl", budget=80, concurrency=8)
    assert crawl.summary["stopped"] == "interrupted"
    found = compare(tmp_path / "crawl", ["bfs"])
    assert found.random_fetches == 0
    check(found)


def test_later_visits_of_known_pages_do_not_count(web: SmallWeb, tmp_path: Path) -> None:
    crawled(web, tmp_path / "crawl", budget=60)
    before = compare(tmp_path / "crawl", ["bfs"])
    refresh(tmp_path / "crawl", budget=30)
    after = compare(tmp_path / "crawl", ["bfs"])
    assert before.fetched <= after.fetched < 90
    check(after)


def test_a_crawl_with_head_requests(web: SmallWeb, tmp_path: Path) -> None:
    crawled(web, tmp_path / "crawl", policy="ldcoc", budget=60, explore=Explore(log=0.1))
    check(compare(tmp_path / "crawl", ["bfs", "sundog"]))


def test_a_policy_whose_parameters_are_not_its_own_any_more(web: SmallWeb, tmp_path: Path) -> None:
    """As in a spec that somebody edited: other policies are replayed all the same."""
    crawled(web, tmp_path / "crawl", budget=40)
    spec = tmp_path / "crawl" / "spec.toml"
    spec.write_text(spec.read_text(encoding="utf-8") + '\n[parameters]\nx = "y"\n', encoding="utf-8")
    check(compare(tmp_path / "crawl", ["random"]))
    write_crawl_report(tmp_path / "crawl")
    with pytest.raises(UsageError, match="parameter 'x' is not one of the chosen policies'"):
        compare(tmp_path / "crawl", ["bfs"])
