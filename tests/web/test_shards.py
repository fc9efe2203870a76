"""A crawl in shards on the site: its figures are of all shards as they are now, merged or not."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import orjson
import pytest

from sundog.processes.detached import process_started
from sundog.store.shards import Layout, shard_directory, write_layout
from sundog.web.settings import Settings
from tests.store.crawls import small_crawl
from tests.web.apps import csrf, served

LINES = [
    [0, 7, 40, 12, 1.5, 3, 0, "", 4711, 20, 10, 5, "node-a"],
    [1, 8, 50, 13, 2.5, 0, 2, "budget", 4712, 10, 20, 6, "node-b"],
]


@pytest.fixture
def sharded(tmp_path: Path) -> Path:
    """Two shards, whose driver is this process."""
    directory = tmp_path / "kettles"
    for number in range(2):
        small_crawl(shard_directory(directory, number))
    shutil.copy(shard_directory(directory, 0) / "spec.toml", directory)
    write_layout(directory, Layout(2))
    here = {"pid": os.getpid(), "started": process_started(os.getpid())}
    live = {**here, "budget": 500, "pages_per_second": 4.0, "queued": 25, "shards": LINES}
    (directory / "live.json").write_bytes(orjson.dumps(live))
    return directory


def test_figures_are_of_all_shards(sharded: Path) -> None:
    one = sharded.parent / "one"
    small_crawl(one)
    with served(Settings(root=sharded.parent)) as client:
        alone, shown = (client.get(f"/api/crawls/{name}").json() for name in ("one", "kettles"))
        assert alone["fetched"] > 0
        for name in ("fetched", "relevant", "failed", "statements"):
            assert shown[name] == 2 * alone[name], name
        assert (shown["state"], shown["budget"], shown["queued"]) == ("running", 500, 25)
        assert [line["shard"] for line in shown["shards"]] == [0, 1]
        second = shown["shards"][1]
        assert [second[name] for name in ("lease", "restarts", "state", "lessons")] == [50, 2, "budget", 6]
        assert alone["shards"] == []
        watched = client.get("/api/crawls/kettles/watch").json()
        assert len(watched["pages"]["pages"]) >= shown["fetched"]
        assert {each["id"] for each in client.get("/api/crawls").json()["crawls"]} == {"one", "kettles"}


def test_all_of_it_is_deleted(sharded: Path) -> None:
    (sharded / "live.json").unlink()
    with served(Settings(root=sharded.parent)) as client:
        answer = client.delete("/api/crawls/kettles", headers=csrf(client))
        assert answer.status_code == 204, answer.text
    assert not sharded.exists()
