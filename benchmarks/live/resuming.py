"""How long a crawl takes to go on, and to explain a page that waits: with its checkpoint and without.

The web is that of ``frontier``: 200 new links on every page.
"""

from __future__ import annotations

import os
import sqlite3
import subprocess
from collections.abc import Sequence
from pathlib import Path

from benchmarks.common import ROOT, SUNDOG, print_table, scratch
from benchmarks.live.runs import CONCURRENCY
from sundog.demo_web.serving import server_process
from sundog.store.directory import CHECKPOINT

PAGES = (5_000, 20_000)
WAITING = """SELECT url FROM urls WHERE id NOT IN (SELECT subject FROM log WHERE event = 'decided')
  ORDER BY id DESC LIMIT 1"""


def cpu_seconds(*words: object) -> float:
    """Of a command, with its children."""
    before = os.times()
    subprocess.run([*SUNDOG, *map(str, words)], cwd=ROOT, check=True, capture_output=True)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def waiting_url(directory: Path) -> str:
    with sqlite3.connect(directory / "crawl.db") as connection:
        return str(connection.execute(WAITING).fetchone()[0])


def row(pages: int) -> Sequence[object]:
    with scratch() as folder, server_process("benchmarks.live.frontier") as port:
        out = folder / "crawl"
        words = ["--budget", pages, "--delay", 0, "--concurrency", CONCURRENCY, "--out", out]
        crawled = cpu_seconds("crawl", "http://h0.example/", *words, "--connect-to", f"127.0.0.1:{port}")
        megabytes = (out / CHECKPOINT).stat().st_size / 2**20
        url = waiting_url(out)
        explained = cpu_seconds("explain", out, url)
        resumed = cpu_seconds("resume", out, "--budget", pages + 1)
        (out / CHECKPOINT).unlink()
        without = cpu_seconds("explain", out, url), cpu_seconds("resume", out, "--budget", pages + 2)
    times = [explained, without[0], resumed, without[1]]
    return (f"{pages:,}", f"{megabytes:.0f}", *(f"{seconds:.1f}" for seconds in times), f"{crawled:.0f}")


def main() -> None:
    head = ("pages", "checkpoint, MB", "explain, s", "without", "resume, s", "without", "the crawl, s")
    print_table("Resume and explain, seconds of CPU", head, [row(pages) for pages in PAGES])
