"""kill -9 at random moments of real crawls, resumed each time until their budget is spent.

After each kill the log must be the one of the kill before and more, each page there once, the budget not
overspent; in the end it is spent, and ``statements/`` holds what ``crawl.db`` does. ``python -m
benchmarks.kill_crawl [KILLS]``; the test suite does a few.
"""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

import pyoxigraph

ROOT = Path(__file__).resolve().parent.parent
COMMAND = [sys.executable, "-c", "from sundog.cli import main; main()"]
BUDGET, CONCURRENCY = 3_000, 16
LOG = "SELECT step, event, subject, at, value, data FROM log ORDER BY step"
STATEMENTS = "SELECT id, triples FROM statements ORDER BY id"


class Kept(NamedTuple):
    """What is committed."""

    log: list[Any]
    statements: list[Any]

    @property
    def spent(self) -> int:
        return sum(row[1] in ("fetched", "failed") for row in self.log)


NOTHING = Kept([], [])


class Killed:
    """One crawl, killed again and again."""

    def __init__(self, directory: Path, connect_to: str, seeds: list[str], *, budget: int = BUDGET) -> None:
        self.directory, self.budget, self.kills = directory, budget, 0
        self.kept = NOTHING
        self._begin = [
            "crawl", f"--connect-to={connect_to}", f"--out={directory}", f"--budget={budget}", "--delay=0",
            f"--concurrency={CONCURRENCY}", "--warc", "--set=following.retries=0", *seeds,
        ]  # fmt: skip

    def run(self, seconds: float | None) -> bool:
        """Begin or go on; kill it so long after it has begun to work. Whether it came to its end."""
        has_begun = self._has_begun()
        words = ["resume", str(self.directory)] if has_begun else self._begin
        before = self._size()
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
        with subprocess.Popen(
            [*COMMAND, *words], stderr=subprocess.PIPE, stdout=subprocess.PIPE, env=environment
        ) as it:
            if seconds is not None:
                while self._size() <= before and it.poll() is None:
                    time.sleep(0.005)
                try:
                    it.wait(seconds)
                except subprocess.TimeoutExpired:
                    it.send_signal(signal.SIGKILL)
                    self.kills += 1
            _, said = it.communicate(timeout=300)
        assert b"Traceback" not in said, said.decode()
        assert it.returncode in (0, -signal.SIGKILL), said.decode()
        return it.returncode == 0

    def _has_begun(self) -> bool:
        return (self.directory / "spec.toml").exists() and self._size() > 0

    def _size(self) -> int:
        """Committed steps, from a connection of its own, as any reader would see them."""
        try:
            connection = sqlite3.connect(f"file:{self.directory / 'crawl.db'}?mode=ro", uri=True)
        except sqlite3.OperationalError:
            return 0
        try:
            return int(connection.execute("SELECT coalesce(max(step), 0) FROM log").fetchone()[0])
        except sqlite3.OperationalError:
            return 0
        finally:
            connection.close()

    def check(self) -> None:
        """Raise AssertionError if anything committed is lost, changed or twice."""
        before, self.kept = self.kept, read(self.directory)
        assert self.kept.log[: len(before.log)] == before.log, "the log has changed"
        assert self.kept.statements[: len(before.statements)] == before.statements, "statements have changed"
        pages = [row[2] for row in self.kept.log if row[1] in ("fetched", "failed")]
        assert len(pages) == len(set(pages)), "a page is there twice"
        assert len(pages) <= self.budget, "too much was spent"

    def check_end(self) -> None:
        assert self.kept.spent == self.budget, f"{self.kept.spent} of {self.budget} were spent"
        assert indexed(self.directory) == said(self.directory), "statements/ and crawl.db differ"


def read(directory: Path) -> Kept:
    connection = sqlite3.connect(directory / "crawl.db")
    try:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        return Kept(connection.execute(LOG).fetchall(), connection.execute(STATEMENTS).fetchall())
    finally:
        connection.close()


def said(directory: Path) -> Counter[str]:
    """How many statements each page has by ``crawl.db``; each counts once, whatever syntaxes it is in."""
    connection = sqlite3.connect(directory / "crawl.db")
    rows = connection.execute("SELECT url, triples FROM page_statements JOIN urls ON urls.id = page").fetchall()
    connection.close()
    lines = {(url, line) for url, triples in rows for line in triples.splitlines()}
    return Counter(url for url, _ in lines)


def indexed(directory: Path) -> Counter[str]:
    store = pyoxigraph.Store.read_only(str(directory / "statements"))
    return Counter(quad.graph_name.value for quad in store)


def main(kills: int = 50) -> None:
    sys.path.insert(0, str(ROOT))
    from examples.demo_web.serving import serving

    choose, done, crawls, pages, began = random.Random(1), 0, 0, 0, time.perf_counter()
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(seed=3, hosts=40, pages=8_000, log=Path(folder) / "log") as web,
    ):
        while done < kills:
            crawl = Killed(Path(folder) / f"crawl-{crawls}", web.connect_to, web.seeds)
            has_ended = False
            while not has_ended:
                has_ended = crawl.run(choose.random() ** 2 if done + crawl.kills < kills else None)
                crawl.check()
                print(f"{done + crawl.kills} kills, {crawl.kept.spent:,} pages", file=sys.stderr, flush=True)
            crawl.check_end()
            done, crawls, pages = done + crawl.kills, crawls + 1, pages + crawl.kept.spent
        time.sleep(1.0)
        asked = Counter((one.host, one.target) for one in web.requests() if one.target != "/robots.txt")
    seconds = time.perf_counter() - began
    print(
        f"{done} kills of {crawls} crawls with {pages:,} pages: nothing lost or twice, budgets spent exactly; "
        f"{sum(asked.values()):,} requests ({seconds:.0f} s)"
    )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
