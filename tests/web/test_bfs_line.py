"""When the line of breadth-first order beside a harvest curve is replayed anew, and what it is."""

from __future__ import annotations

import json
import math
import os
from pathlib import Path

import pytest
from benchmarks.recording import crawled

from sundog.processes.detached import process_started
from sundog.replay.comparison import compare
from sundog.web.runs.directories import CrawlDirectory
from sundog.web.watch import crawl_events
from sundog.web.watch.crawl_events import BfsLine
from sundog.worlds.static import StaticWorld


def test_it_is_what_the_command_says(small_world: StaticWorld, tmp_path: Path) -> None:
    crawl = crawled(tmp_path / "c", small_world, "sundog", budget=40, objective="any", seed=1, explore_log=0.0)
    line = BfsLine(CrawlDirectory("c", crawl))
    line.update(40)
    assert line.points == compare(crawl, ["bfs"]).answers[0].curve.points()


def test_it_is_due_when_the_crawl_has_grown_by_much_or_has_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(crawl_events, "_bfs_points", lambda crawl: [])
    monkeypatch.setattr(crawl_events, "SECONDS_BETWEEN_REPLAYS", 0.0)
    monkeypatch.setattr(crawl_events, "SHARE_OF_A_CORE", math.inf)
    line = BfsLine(CrawlDirectory("c", tmp_path))
    live = {"pid": os.getpid(), "started": process_started(os.getpid())}
    (tmp_path / "live.json").write_text(json.dumps(live), encoding="utf-8")
    assert not line.is_due(19)
    assert line.is_due(20)
    line.update(20)
    assert [line.is_due(fetched) for fetched in (20, 29, 30)] == [False, False, True]
    (tmp_path / "live.json").unlink()
    assert [line.is_due(fetched) for fetched in (20, 21)] == [False, True]
