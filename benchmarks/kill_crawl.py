"""kill -9 at random moments of real crawls, resumed each time until their budget is spent.

After each kill the log must begin with the log of the kill before, hold each page once, and not exceed the budget;
in the end the budget is spent, and ``statements/`` holds what ``crawl.db`` does. ``python -m
benchmarks.kill_crawl [KILLS]``; the test suite does a few.
"""

from __future__ import annotations

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
from examples.demo_web.serving import serving

from benchmarks.common import SUNDOG, environment

BUDGET, CONCURRENCY = 3_000, 16
LOG = "SELECT step, event, subject, at, value, data FROM log ORDER BY step"
STATEMENTS = "SELECT id, triples FROM statements ORDER BY id"


class Committed(NamedTuple):
    log: list[Any]
    statements: list[Any]

    @property
    def spent(self) -> int:
        return sum(row[1] in ("fetched", "failed") for row in self.log)


NOTHING = Committed([], [])


class Killed:
    """One crawl, killed again and again."""

    def __init__(self, directory: Path, connect_to: str, seeds: list[str], *, budget: int = BUDGET) -> None:
        self.directory, self.budget, self.kills = directory, budget, 0
        self.committed = NOTHING
        self._begin = [
            "crawl", f"--connect-to={connect_to}", f"--out={directory}", f"--budget={budget}", "--delay=0",
            f"--concurrency={CONCURRENCY}", "--warc", "--set=following.retries=0", *seeds,
        ]  # fmt: skip

    def run(self, seconds: float | None) -> bool:
        """Begin or resume; kill it this long after its first new step. Whether it ended by itself."""
        has_begun = self._has_begun()
        words = ["resume", str(self.directory)] if has_begun else self._begin
        before = self._size()
        pipe, command = subprocess.PIPE, [*SUNDOG, *words]
        with subprocess.Popen(command, env=environment(), stdout=pipe, stderr=pipe) as process:
            if seconds is not None:
                while self._size() <= before and process.poll() is None:
                    time.sleep(0.005)
                try:
                    process.wait(seconds)
                except subprocess.TimeoutExpired:
                    process.send_signal(signal.SIGKILL)
                    self.kills += 1
            _, errors = process.communicate(timeout=300)
        assert b"Traceback" not in errors, errors.decode()
        assert process.returncode in (0, -signal.SIGKILL), errors.decode()
        return process.returncode == 0

    def _has_begun(self) -> bool:
        return (self.directory / "spec.toml").exists() and self._size() > 0

    def _size(self) -> int:
        """Committed steps, as any other reader sees them."""
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
        before, self.committed = self.committed, read(self.directory)
        assert self.committed.log[: len(before.log)] == before.log, "the log has changed"
        assert self.committed.statements[: len(before.statements)] == before.statements, "statements have changed"
        pages = [row[2] for row in self.committed.log if row[1] in ("fetched", "failed")]
        assert len(pages) == len(set(pages)), "a page is there twice"
        assert len(pages) <= self.budget, "too much was spent"

    def check_end(self) -> None:
        assert self.committed.spent == self.budget, f"{self.committed.spent} of {self.budget} were spent"
        assert indexed(self.directory) == logged(self.directory), "statements/ and crawl.db differ"


def read(directory: Path) -> Committed:
    connection = sqlite3.connect(directory / "crawl.db")
    try:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        return Committed(connection.execute(LOG).fetchall(), connection.execute(STATEMENTS).fetchall())
    finally:
        connection.close()


def logged(directory: Path) -> Counter[str]:
    """How many statements each page has by ``crawl.db``; one in several syntaxes counts once."""
    connection = sqlite3.connect(directory / "crawl.db")
    rows = connection.execute("SELECT url, triples FROM page_statements JOIN urls ON urls.id = page").fetchall()
    connection.close()
    lines = {(url, line) for url, triples in rows for line in triples.splitlines()}
    return Counter(url for url, _ in lines)


def indexed(directory: Path) -> Counter[str]:
    store = pyoxigraph.Store.read_only(str(directory / "statements"))
    return Counter(quad.graph_name.value for quad in store)


def main(kills: int = 50) -> None:
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
                print(f"{done + crawl.kills} kills, {crawl.committed.spent:,} pages", file=sys.stderr, flush=True)
            crawl.check_end()
            done, crawls, pages = done + crawl.kills, crawls + 1, pages + crawl.committed.spent
        time.sleep(1.0)
        requests = sum(request.target != "/robots.txt" for request in web.requests())
    seconds = time.perf_counter() - began
    print(
        f"{done} kills of {crawls} crawls with {pages:,} pages: nothing lost or twice, budgets spent exactly; "
        f"{requests:,} requests ({seconds:.0f} s)"
    )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
