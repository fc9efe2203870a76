"""kill -9 at random moments of real crawls, resumed each time until their budget is spent.

A crawl is killed while it starts or resumes, while it crawls, commits and indexes, while it ends, and while its
disk is full. After each kill the log must begin with the log of the kill before, hold each page once, and not
exceed the budget; the committed part of the WARC file must be whole and hold each kept page once. In the end the
budget is spent, and ``statements/`` holds what ``crawl.db`` does.

``python -m benchmarks.kill_crawl [KILLS]``; the test suite does a few. For full disks the crawls are on a small
one of their own, which root may mount; others put ``unshare -Urm`` before the command, or do without.
"""

from __future__ import annotations

import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pyoxigraph

from benchmarks.common import SUNDOG, environment
from benchmarks.forked_command import ForkedCommand, forks
from benchmarks.small_disk import Disk, small_disk
from sundog.demo_web.serving import serving
from sundog.model import NOT_KEPT

BUDGET, CONCURRENCY = 1_500, 16
FREE = 20_000_000  # bytes: with less on the disk a crawl pauses
LOG = "SELECT step, event, subject, at, value, data FROM log ORDER BY step"
STATEMENTS = "SELECT id, triples FROM statements ORDER BY id"
KEPT = f"""SELECT coalesce(o.final_url, u.url) FROM outcomes o JOIN log l ON l.step = o.step
  JOIN urls u ON u.id = o.candidate
  WHERE l.event = 'fetched' AND coalesce(instr(o.faults, '"{NOT_KEPT}"'), 0) = 0"""
WARC_LENGTH = "SELECT value FROM states WHERE name = 'warc'"
GIVEN_UP = "killed the reader"  # a page that was in hand at several deaths


class Committed(NamedTuple):
    log: list[Any]
    statements: list[Any]
    kept: Counter[str]  # URLs of pages that the WARC file must have
    warc: int  # its committed bytes

    @property
    def spent(self) -> int:
        return sum(row[1] in ("fetched", "failed") for row in self.log)

    @property
    def given_up(self) -> int:
        """Pages that pass for those that kill their reader: of random kills there should be none."""
        return sum(row[1] == "failed" and GIVEN_UP in row[5] for row in self.log)


NOTHING = Committed([], [], Counter(), 0)


Process = subprocess.Popen[bytes] | ForkedCommand


def start_command(words: list[str], errors: Path) -> Process:
    with errors.open("wb") as file:
        return subprocess.Popen([*SUNDOG, *words], env=environment(), stdout=subprocess.DEVNULL, stderr=file)


class Killed:
    """One crawl, killed again and again."""

    def __init__(
        self,
        directory: Path,
        connect_to: str,
        seeds: list[str],
        *,
        budget: int = BUDGET,
        start: Callable[[list[str], Path], Process] | None = None,
    ) -> None:
        self.directory, self.budget, self.kills = directory, budget, 0
        self._start = start or start_command
        self.committed = NOTHING
        self._begin = [
            "crawl", f"--connect-to={connect_to}", f"--out={directory}", f"--budget={budget}", "--delay=0",
            f"--concurrency={CONCURRENCY}", "--warc", "--set=following.retries=0",
            f"--set=free_disk={FREE}", *seeds,
        ]  # fmt: skip

    def run(self, seconds: float | None) -> bool:
        """Begin or resume; kill it this long after its first new step. Whether it ended by itself."""

        def wait(process: Process) -> None:
            self.wait_for_step(process)
            sleep(process, seconds or 0.0)

        return self.run_until(None if seconds is None else wait)

    def run_until(self, wait: Callable[[Process], object] | None, *, may_fail: bool = False) -> bool:
        """Begin or resume; kill it when ``wait`` is over. Whether it ended by itself.

        ``may_fail``: it may end with a sentence, as on a full disk.
        """
        words = ["resume", str(self.directory)] if self._has_begun() else self._begin
        self._steps_before = max(0, self._size())
        with tempfile.NamedTemporaryFile() as errors:
            process = self._start(words, Path(errors.name))
            if wait:
                wait(process)
                if process.poll() is None:
                    process.send_signal(signal.SIGKILL)
                    self.kills += 1
            process.wait(timeout=300)
            said = errors.read().decode()
        assert "Traceback" not in said, said
        failed = process.returncode == 1 and may_fail and said.splitlines()[-1].startswith("sundog: ")
        assert process.returncode in (0, -signal.SIGKILL) or failed, said
        return process.returncode == 0 and self._spent_all()

    def wait_for_step(self, process: Process, seconds: float = 300.0) -> None:
        """Until something new is committed."""
        end = time.monotonic() + seconds
        while self._size() <= self._steps_before and process.poll() is None and time.monotonic() < end:
            time.sleep(0.02)

    def _spent_all(self) -> bool:
        """It may also have been told to end."""
        return read(self.directory).spent >= self.budget

    def _has_begun(self) -> bool:
        return self._size() >= 0

    def _size(self) -> int:
        """Committed steps, as any other reader sees them; -1 if there is no crawl yet."""
        try:
            connection = sqlite3.connect(f"file:{self.directory / 'crawl.db'}?mode=ro", uri=True)
        except sqlite3.OperationalError:
            return -1
        try:
            return int(connection.execute("SELECT coalesce(max(step), 0) FROM log").fetchone()[0])
        except sqlite3.OperationalError:
            return -1
        finally:
            connection.close()

    def check(self) -> None:
        """Raise AssertionError if anything committed is lost, changed or twice."""
        if not self._has_begun():
            assert self.committed is NOTHING, "all is gone"
            return
        before, self.committed = self.committed, read(self.directory)
        now = self.committed
        assert now.log[: len(before.log)] == before.log, "the log has changed"
        assert now.statements[: len(before.statements)] == before.statements, "statements have changed"
        pages = [row[2] for row in now.log if row[1] in ("fetched", "failed")]
        assert len(pages) == len(set(pages)), "a page is there twice"
        assert len(pages) <= self.budget, "too much was spent"
        if now.warc:
            archived = Counter(archived_pages(self.directory / "pages.warc.gz", now.warc))
            assert archived == now.kept, f"the WARC file differs: {archived - now.kept}, {now.kept - archived}"

    def check_end(self) -> None:
        assert self.committed.spent == self.budget, f"{self.committed.spent} of {self.budget} were spent"
        assert indexed(self.directory) == logged(self.directory), "statements/ and crawl.db differ"
        assert (self.directory / "pages.warc.gz").stat().st_size == self.committed.warc, "the WARC file has a rest"


def sleep(process: Process, seconds: float) -> None:
    """Not longer than it runs."""
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        return


def read(directory: Path) -> Committed:
    connection = sqlite3.connect(directory / "crawl.db")
    try:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        log, statements = connection.execute(LOG).fetchall(), connection.execute(STATEMENTS).fetchall()
        kept = Counter(url for (url,) in connection.execute(KEPT))
        length = connection.execute(WARC_LENGTH).fetchone()
        return Committed(log, statements, kept, int(length[0]) if length else 0)
    finally:
        connection.close()


def archived_pages(path: Path, length: int) -> Iterator[str]:
    """URLs of the responses in the first bytes of a WARC file, which must be whole gzip members."""
    with path.open("rb") as file:
        data = file.read(length)
    assert len(data) == length, "the WARC file is shorter than what is committed"
    while data:
        unpacker = zlib.decompressobj(wbits=31)
        record = unpacker.decompress(data)
        assert unpacker.eof, "the committed part of the WARC file ends within a record"
        data = unpacker.unused_data
        head = record.partition(b"\r\n\r\n")[0].split(b"\r\n")
        if b"WARC-Type: response" in head:
            yield next(line[17:].decode() for line in head if line.startswith(b"WARC-Target-URI: "))


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


class Moments:
    """When a crawl is killed: each method waits for such a moment."""

    def __init__(self, choose: random.Random, crawl: Killed, disk: Disk | None) -> None:
        self._choose, self._crawl, self._disk = choose, crawl, disk

    def choice(self) -> str:
        names = ["starting", "crawling", "ending", *(["full disk", "full disk, then free"] if self._disk else [])]
        return self._choose.choices(names, [5, 4, 1, 1, 1][: len(names)])[0]

    def wait(self, moment: str, process: Process) -> None:
        match moment:
            case "starting":
                sleep(process, self._choose.random())
            case "crawling":
                self._crawl.wait_for_step(process)
                sleep(process, self._choose.random() ** 2)
            case "ending":
                self._crawl.wait_for_step(process)
                process.send_signal(signal.SIGTERM)
                sleep(process, 1.5 * self._choose.random() ** 2)
            case _:
                self._fill(process, moment)

    def _fill(self, process: Process, moment: str) -> None:
        """Sometimes before it starts, and sometimes so that it pauses before anything fails."""
        assert self._disk
        if self._choose.random() < 0.7:
            self._crawl.wait_for_step(process)
        sleep(process, 0.3 * self._choose.random())
        self._disk.fill(left=self._choose.choice([0, 0, FREE // 2]))
        sleep(process, self._choose.random())
        if moment == "full disk, then free":
            self._disk.free()
            sleep(process, 2.0 * self._choose.random())


def kill_once(moments: Moments, crawl: Killed, disk: Disk | None, seen: Counter[str]) -> bool:
    """Whether the crawl has ended by itself."""
    moment, before = moments.choice(), crawl.kills
    has_ended = crawl.run_until(lambda process: moments.wait(moment, process), may_fail=moment.startswith("full"))
    seen[moment] += crawl.kills - before
    if disk:
        disk.free()
    return has_ended


def main(kills: int = 50) -> None:
    choose, done, crawls, pages, given_up, began = random.Random(1), 0, 0, 0, 0, time.perf_counter()
    seen: Counter[str] = Counter()
    context = forks()

    def start(words: list[str], errors: Path) -> Process:
        """Most of them without a second of imports; but those may be killed, too."""
        return start_command(words, errors) if choose.random() < 0.05 else ForkedCommand(context, words, errors)

    with (
        tempfile.TemporaryDirectory() as folder,
        small_disk(Path(folder) / "disk") as disk,
        serving(seed=3, hosts=40, pages=8_000, log=Path(folder) / "log") as web,
    ):
        while done < kills:
            crawl = Killed(Path(folder) / "disk" / f"crawl-{crawls}", web.connect_to, web.seeds, start=start)
            moment, has_ended = Moments(choose, crawl, disk), False
            while not has_ended:
                more = done + crawl.kills < kills
                has_ended = kill_once(moment, crawl, disk, seen) if more else crawl.run(None)
                crawl.check()
                print(f"{done + crawl.kills} kills, {crawl.committed.spent:,} pages", file=sys.stderr, flush=True)
            crawl.check_end()
            done, crawls, pages = done + crawl.kills, crawls + 1, pages + crawl.committed.spent
            given_up += crawl.committed.given_up
        time.sleep(1.0)
        requests = sum(request.target != "/robots.txt" for request in web.requests())
    seconds = time.perf_counter() - began
    moments = ", ".join(f"{count} {name}" for name, count in seen.items())
    print(
        f"{done} kills ({moments}) of {crawls} crawls with {pages:,} pages: nothing lost or twice, "
        f"WARC files whole, budgets spent exactly; {given_up} pages given up as if they had killed their reader; "
        f"{requests:,} requests ({seconds:.0f} s)"
    )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
