"""A session of a million candidates, saved and loaded: seconds, CPU seconds and megabytes. The bar is 2 s each."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.common import print_table, scratch, with_spread
from sundog import CrawlSession, Decision, Fetched, Link

CANDIDATES, HOSTS, LINKS, ROUNDS = 1_000_000, 2_000, 500, 3


def session_of(candidates: int) -> CrawlSession:
    session = CrawlSession(budget=candidates)
    session.add([f"http://h{host}.example/" for host in range(HOSTS)])
    page = 0
    while session.source.size < candidates:
        decision = session.next_decision()
        assert isinstance(decision, Decision)
        session.observe(decision, Fetched(float(page % 3 == 0), [_link(page, n) for n in range(LINKS)]))
        page += 1
    return session


def _link(page: int, number: int) -> Link:
    url = f"http://h{(page * 7 + number * 13) % HOSTS}.example/section{number % 20}/item-{page}-{number}.html"
    return Link(url, anchor=f"item {number} of {page % 50}", tag_path="html body div.main ul li a")


def _timed(function: Callable[[Path], object], path: Path) -> tuple[float, float]:
    wall, cpu = time.perf_counter(), time.process_time()
    function(path)
    return time.perf_counter() - wall, time.process_time() - cpu


def main() -> None:
    session = session_of(CANDIDATES)
    with scratch() as directory:
        path = directory / "a.session"
        saved, loaded = [], []
        for _ in range(ROUNDS):
            saved.append(_timed(session.save, path))
            loaded.append(_timed(CrawlSession.load, path))
        megabytes = f"{path.stat().st_size / 1e6:.0f}"
    rows = [
        (name, *(with_spread([each[n] for each in times], ".2f") for n in (0, 1)), megabytes)
        for name, times in (("save", saved), ("load", loaded))
    ]
    print_table(f"A session of {CANDIDATES:,} candidates", ("", "seconds", "CPU seconds", "MB"), rows)
