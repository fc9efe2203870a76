"""Ctrl-C finishes what is in flight; a second one does not; neither loses anything."""

from __future__ import annotations

import signal
import subprocess
import time
from pathlib import Path

from sundog.engines.live.run import resume
from tests.engines.live.processes import ended, start_crawl
from tests.engines.live.webs import HOME, Crawled, SmallWeb, urls

LATER = urls(*(f"{number}" for number in range(30)))


def fill(web: SmallWeb, delay: float) -> None:
    web.product(HOME, *LATER)
    for url in LATER:
        web.product(url, delay=delay)


def until(web: SmallWeb, process: subprocess.Popen[str], count: int) -> None:
    while len(web.asked()) < count:
        assert process.poll() is None
        time.sleep(0.01)


def test_once(web: SmallWeb, tmp_path: Path) -> None:
    fill(web, 0.5)
    process = start_crawl(web, tmp_path / "crawl", "--concurrency=4")
    until(web, process, 5)
    process.send_signal(signal.SIGINT)
    summary = ended(process)
    done = Crawled(tmp_path / "crawl")
    assert summary["stopped"] == "interrupted"
    assert sorted(done.fetched) == sorted(web.asked()), "what was asked was waited for"
    assert summary["fetched"] == len(web.asked()) < 20
    for url in LATER:
        web.product(url)
    assert resume(tmp_path / "crawl")["stopped"] == "frontier empty"
    assert sorted(done.fetched) == sorted([HOME, *LATER])
    assert not [url for url in web.asked_twice() if not url.endswith("robots.txt")]


def test_terminated(web: SmallWeb, tmp_path: Path) -> None:
    """Who sends SIGTERM does not wait for slow servers: what is in flight is asked again later."""
    fill(web, 30.0)
    process = start_crawl(web, tmp_path / "crawl", "--concurrency=4")
    until(web, process, 5)
    process.send_signal(signal.SIGTERM)
    summary = ended(process)
    assert (summary["stopped"], summary["fetched"]) == ("interrupted", 1)
    for url in LATER:
        web.product(url)
    assert resume(tmp_path / "crawl")["fetched"] == 31


def test_twice(web: SmallWeb, tmp_path: Path) -> None:
    fill(web, 30.0)
    process = start_crawl(web, tmp_path / "crawl", "--concurrency=4")
    until(web, process, 5)
    process.send_signal(signal.SIGINT)
    time.sleep(0.5)
    assert process.poll() is None, "it waits for what is in flight"
    process.send_signal(signal.SIGINT)
    summary = ended(process)
    done = Crawled(tmp_path / "crawl")
    assert (summary["stopped"], summary["fetched"], done.fetched) == ("interrupted", 1, [HOME])
    for url in LATER:
        web.product(url)
    assert resume(tmp_path / "crawl")["fetched"] == 31
    assert len(done.column("SELECT DISTINCT page FROM page_statements")) == 31


def test_time_is_up(web: SmallWeb, tmp_path: Path) -> None:
    fill(web, 0.3)
    summary = ended(start_crawl(web, tmp_path / "crawl", "--concurrency=2", "--set", "seconds=0.5"))
    assert summary["stopped"] == "time"
    assert 1 <= summary["fetched"] < 20
