"""Stop patterns end a crawl with little more than they ask for, and know how long it has taken."""

from __future__ import annotations

import json
import signal
import time
from pathlib import Path

import pytest

from sundog.engines.live.patterns.crawl_graph import CrawlGraph
from sundog.engines.live.patterns.stopping import VisitsNeeded
from sundog.patterns.definitions import Patterns, StopPattern
from sundog.patterns.runner import Needs
from sundog.results.export import export
from sundog.spec import spec_text
from sundog.spec.crawl import parse_spec
from tests.engines.live.patterns.test_live_patterns import CITIES, fill, run
from tests.engines.live.processes import ended, start
from tests.engines.live.webs import HOME, SmallWeb, spec_for


def visits_needed(*stops: StopPattern) -> tuple[VisitsNeeded, CrawlGraph]:
    graph = CrawlGraph(["city"], Needs())
    return VisitsNeeded(Patterns(stop=stops), graph), graph


@pytest.mark.parametrize(("stop", "most"), [("items = 5", 5), ("items = 20", 20), ("pages = 6", 5)])
def test_little_is_fetched_that_is_not_needed(web: SmallWeb, tmp_path: Path, stop: str, most: int) -> None:
    """However many pages may be in flight at once."""
    fill(web, 60)
    text = f'{CITIES}\n[[patterns.stop]]\nname = "enough"\n{stop}'
    summary = run(web, tmp_path / "c", text, concurrency=64)
    assert summary["stopped"] == "stop pattern enough"
    assert summary["fetched"] <= most + 1  # the list is one of them


def test_pages_are_counted_to_the_last(web: SmallWeb, tmp_path: Path) -> None:
    fill(web, 60)
    for number in range(0, 60, 3):
        del web.replies[f"http://a.example/c{number}"]  # a failure is a page that was asked for
    text = f'{CITIES}\n[[patterns.stop]]\nname = "enough"\npages = 30'
    summary = run(web, tmp_path / "c", text, concurrency=64)
    assert summary["fetched"] == 30


def test_what_is_rare_is_looked_for_in_many_places_at_once() -> None:
    rare, _ = visits_needed(StopPattern(name="one", items=1))
    assert rare.visits == 1
    for _ in range(100):
        rare.fetched({"other": []})
    assert rare.visits > 64
    for _ in range(20_000):
        rare.fetched({})
    assert rare.visits > 64
    rare.fetched({"city": [{}] * 50})
    assert rare.visits == 1


def test_other_conditions_restrain_nothing() -> None:
    assert visits_needed()[0].visits == float("inf")
    assert visits_needed(StopPattern(name="a", items=1, seconds=9))[0].visits == float("inf")
    assert visits_needed(StopPattern(name="a", dry=1))[0].visits == float("inf")


def test_of_two_conditions_both_must_hold_and_of_two_patterns_one() -> None:
    both, graph = visits_needed(StopPattern(name="a", items=5, pages=50))
    assert both.visits == 50
    graph.failed_page()
    assert both.visits == 49
    either, _ = visits_needed(StopPattern(name="a", items=5), StopPattern(name="b", pages=50))
    assert either.visits == 5


def test_a_result_that_takes_long_can_be_interrupted(web: SmallWeb, tmp_path: Path) -> None:
    """The crawl is kept as it is, and the next result is made of all of it."""
    fill(web)
    slow = "[patterns.result]\nfind = 'sum(for $i in $crawl/item, $a in 1 to 2000000000 return $a mod 7)'"
    spec = spec_for(web, patterns=parse_spec(f'seeds = ["{HOME}"]\n{CITIES}\n{slow}').patterns)
    (tmp_path / "spec.toml").write_text(spec_text(spec))
    directory = tmp_path / "crawl"
    process = start("crawl", "--json", f"--out={directory}", tmp_path / "spec.toml")
    while process.poll() is None and not (directory / "summary.json").exists():
        time.sleep(0.02)
    time.sleep(1.0)  # it has begun, wherever it was
    process.send_signal(signal.SIGINT)
    summary = ended(process)
    assert summary["result_fault"] == "interrupted while it was made"
    assert summary == json.loads((directory / "summary.json").read_text())
    assert summary["fetched"] == 7
    mended = (directory / "spec.toml").read_text().replace("sum(for", "count(for").replace("2000000000", "2")
    (directory / "spec.toml").write_text(mended)
    assert "<value>12</value>" in export(directory, "result").read_text()
