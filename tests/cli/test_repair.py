"""``sundog repair`` says what it found, what it saved and what is lost."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sundog.store import CrawlStore
from sundog.store.shards import Layout, shard_directory, write_layout
from tests.cli.commands import Command, one_line
from tests.store.crawls import small_crawl


@pytest.fixture
def sundog(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    return Command(monkeypatch, capsys)


def test_repair(sundog: Command, tmp_path: Path) -> None:
    crawl = small_crawl(tmp_path / "crawl")
    assert sundog("repair", crawl) == (0, "there is nothing to repair\n", "")
    with (crawl / "crawl.db").open("r+b") as file:
        file.write(bytes(100))
    assert "sundog repair" in one_line(sundog("export", crawl, "--format", "jsonl"))
    done = sundog("repair", crawl)
    assert done.out.splitlines()[:2] == [
        "crawl.db is damaged: it cannot be opened",
        "saved: 3 pages, 5 URLs and 11 events",
    ]
    assert done.out.splitlines()[-1] == f"repaired; go on: sundog resume {crawl}"
    assert sundog("export", crawl, "--format", "jsonl").code == 0
    assert json.loads(sundog("repair", crawl, "--json").out) == {"repaired": False, "told": []}


def test_not_while_a_crawl_runs(sundog: Command, tmp_path: Path) -> None:
    crawl = small_crawl(tmp_path / "crawl")
    with CrawlStore.open(crawl):
        assert one_line(sundog("repair", crawl)) == f"sundog: {crawl} is in use by another process"
    assert one_line(sundog("repair", tmp_path)).endswith("holds no crawl: it has no crawl.db")


def test_a_shard_begins_again_instead(sundog: Command, tmp_path: Path) -> None:
    write_layout(tmp_path, Layout(2))
    shard = small_crawl(shard_directory(tmp_path, 0))
    for directory in (tmp_path, shard):
        assert f"move the directory of its damaged shard away, and sundog resume {tmp_path}" in one_line(
            sundog("repair", directory)
        )
