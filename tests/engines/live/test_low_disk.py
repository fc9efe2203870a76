"""Too little space on the disk pauses a crawl, which goes on when there is some; nothing is lost."""

from __future__ import annotations

import json
import os
import resource
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from sundog.engines.live import disk_space
from sundog.engines.live.progress import Snapshot
from sundog.engines.live.run import crawl, resume
from sundog.errors import NoSpaceError
from sundog.store import CrawlStore
from sundog.store.warc import whole_members
from tests.engines.live.processes import ended, start_crawl
from tests.engines.live.webs import HOME, Crawled, SmallWeb, spec_for, urls

PAGES = urls(*(f"{number}" for number in range(40)))


@pytest.fixture
def pages(web: SmallWeb) -> SmallWeb:
    web.product(HOME, *PAGES)
    for url in PAGES:
        web.product(url, name=url * 100, delay=0.2)  # a crawl that is over before it is shown pauses nowhere
    return web


class Free:
    """The free space that a crawl sees."""

    def __init__(self) -> None:
        self.bytes = 10**12

    def __call__(self, directory: Path) -> int:
        return self.bytes


@pytest.fixture
def free(monkeypatch: pytest.MonkeyPatch) -> Free:
    space = Free()
    monkeypatch.setattr(disk_space, "free_space", space)
    return space


def test_it_pauses_says_so_and_goes_on(pages: SmallWeb, tmp_path: Path, free: Free) -> None:
    paused: list[tuple[str, str, int]] = []

    def watch(now: Snapshot) -> None:
        if now.fetched >= 5 and not paused:
            free.bytes = 312_345_678
        if now.paused:
            asked = len(pages.asked())
            paused.append((now.paused, now.stage, asked))
            if len(paused) >= 6:
                free.bytes = 10**12

    summary = crawl(spec_for(pages, concurrency=4), tmp_path / "crawl", watch=watch)
    reason = f"312.3 MB are free on the disk of {tmp_path / 'crawl'}, and free_disk is 500.0 MB"
    assert {(why, stage) for why, stage, _ in paused} == {(reason, f"paused: {reason}")}
    assert paused[-1][2] - paused[0][2] <= 4, "nothing but what was in flight was asked"
    assert (summary["stopped"], summary["fetched"]) == ("frontier empty", 41)
    assert summary["paused_seconds"] > 0
    assert "paused" not in summary
    assert not pages.asked_twice()


def test_without_a_threshold_nobody_looks(pages: SmallWeb, tmp_path: Path, free: Free) -> None:
    free.bytes = 0
    summary = crawl(spec_for(pages, free_disk=0, budget=5), tmp_path / "crawl")
    assert (summary["fetched"], "paused_seconds" in summary) == (5, False)


@pytest.fixture
def file_limit() -> Iterator[Callable[[int | None], None]]:
    """No file of this process may grow beyond so many bytes: the rest of a write is refused, as on a full disk."""
    usual = resource.getrlimit(resource.RLIMIT_FSIZE)

    def set_limit(size: int | None) -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, usual if size is None else (size, usual[1]))

    yield set_limit
    set_limit(None)


@pytest.mark.parametrize("file", ["pages.warc.gz", "crawl.db-wal"])
def test_a_commit_that_finds_no_space_is_made_later(
    pages: SmallWeb, tmp_path: Path, file_limit: Callable[[int | None], None], file: str
) -> None:
    directory, paused = tmp_path / "crawl", []

    def watch(now: Snapshot) -> None:
        if now.fetched >= 5 and not paused:
            file_limit((directory / file).stat().st_size + 700)
        if now.paused:
            paused.append(now.paused)
            if len(paused) >= 6:
                file_limit(None)

    summary = crawl(spec_for(pages, concurrency=4, warc=file == "pages.warc.gz"), directory, watch=watch)
    assert all("cannot be written" in reason for reason in paused)
    assert len(paused) >= 6
    assert (summary["stopped"], summary["fetched"]) == ("frontier empty", 41)
    done = Crawled(directory)
    assert sorted(done.fetched) == sorted([HOME, *PAGES])
    assert not pages.asked_twice()
    if file == "pages.warc.gz":
        assert whole_members(directory / file) == (directory / file).stat().st_size
    with CrawlStore.open(directory) as store:
        assert (store.index_fault, store.pages_to_index) == ("", 0)


def test_a_paused_crawl_waits_for_nothing_when_it_is_to_end(web: SmallWeb, tmp_path: Path, free: Free) -> None:
    web.product(HOME, *PAGES[:8])
    web.product(PAGES[0])
    web.product(PAGES[1], delay=1.0)  # it is committed when there is no space any more
    for url in PAGES[2:8]:
        web.product(url, delay=120.0)
    told = False

    def watch(now: Snapshot) -> None:
        nonlocal told
        if now.fetched >= 2:
            free.bytes = 1_000
        if now.paused and now.in_flight and not told:
            told = True
            os.kill(os.getpid(), signal.SIGTERM)

    began = time.monotonic()
    summary = crawl(spec_for(web, concurrency=8), tmp_path / "crawl", watch=watch)
    assert time.monotonic() - began < 25, "a request may take 30 seconds"
    assert (summary["stopped"], summary["fetched"]) == ("interrupted", 3)
    assert summary["paused"].startswith("0.0 MB are free")
    free.bytes = 10**12
    for url in PAGES[1:8]:
        web.product(url)
    assert resume(tmp_path / "crawl")["fetched"] == 9


def test_stopped_on_a_full_disk(pages: SmallWeb, tmp_path: Path, file_limit: Callable[[int | None], None]) -> None:
    directory = tmp_path / "crawl"

    def watch(now: Snapshot) -> None:
        if now.paused:
            os.kill(os.getpid(), signal.SIGTERM)
        elif now.fetched >= 5:
            file_limit((directory / "pages.warc.gz").stat().st_size + 700)

    with pytest.raises(NoSpaceError, match="cannot be written"):
        crawl(spec_for(pages, warc=True), directory, watch=watch)
    file_limit(None)
    assert resume(directory)["fetched"] == 41
    assert sorted(Crawled(directory).fetched) == sorted([HOME, *PAGES])


def test_the_command_says_that_it_is_paused(pages: SmallWeb, tmp_path: Path) -> None:
    directory = tmp_path / "crawl"
    process = start_crawl(pages, directory, "--set", f"free_disk={10**15}")
    live = directory / "live.json"
    while not live.exists() or not json.loads(live.read_text()).get("paused"):
        assert process.poll() is None
        time.sleep(0.01)
    process.send_signal(signal.SIGTERM)
    summary = ended(process)
    assert (summary["stopped"], summary["fetched"], pages.asked()) == ("interrupted", 0, [])
    assert "free_disk is 1,000,000,000.0 MB" in summary["paused"]
