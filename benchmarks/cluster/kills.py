"""kill -9 of shards and of the driver at random moments; then nothing may be lost, twice, too soon or too much.

``python -m benchmarks.cluster.kills [KILLS] [SECONDS]``: a crawl of 30 domains in 3 shards gets a budget of most
pages, and is killed again and again until it has spent that. Then the budget is raised, and it runs to the end of
the web. The logs of the shards must hold the budget exactly, each page once, and in the end every page that can be
reached; the server's log must show no request to a host sooner than the delay after the one before.
"""

from __future__ import annotations

import json
import os
import random
import re
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from contextlib import suppress
from itertools import pairwise
from pathlib import Path

from benchmarks.cluster.speed import databases
from benchmarks.cluster.web import PAGES, page, requests_in, serving
from benchmarks.common import SUNDOG, environment

HOSTS, SHARDS, DELAY = 30, 3, 0.1
LINK = re.compile(rb'href="(?:http://www\.h(\d+)\.example)?/(\d+)"')
ENDED = "SELECT u.url FROM log l JOIN urls u ON u.id = l.subject WHERE l.event IN ('fetched', 'failed')"


def reachable() -> set[str]:
    found, waiting = {(0, 0)}, [(0, 0)]
    while waiting:
        host, number = waiting.pop()
        for there, target in LINK.findall(page(host, number, HOSTS)):
            name = (int(there) if there else host, int(target))
            if name not in found:
                found.add(name)
                waiting.append(name)
    return {f"http://www.h{host}.example/{number}" for host, number in found}


def ended(directory: Path) -> Counter[str]:
    found: Counter[str] = Counter()
    for shard in databases(directory):
        connection = sqlite3.connect(f"file:{shard}/crawl.db?mode=ro", uri=True, timeout=30)
        with suppress(sqlite3.OperationalError):
            found.update(url for (url,) in connection.execute(ENDED))
        connection.close()
    return found


class Killed:
    """A crawl that is killed, and resumed each time that its driver was."""

    def __init__(self, directory: Path, address: str, budget: int) -> None:
        self.directory, self.budget = directory, budget
        self.seen: Counter[str] = Counter()
        self._choose = random.Random(1)
        words = ["--budget", str(budget), "--delay", str(DELAY), "--connect-to", address, "--workers", "0"]
        words += ["--concurrency", "8", "--no-report", "--shards", str(SHARDS), "--out", str(directory)]
        self._begin = ["crawl", "http://www.h0.example/0", "--for", "type:schema:Product", *words]
        self._resume = ["resume", str(directory), "--no-report"]

    def run(self, kills: int, until: float) -> None:
        """Kill it so often, while there is time, and let it end."""
        process = self._start(self._begin)
        while process.poll() is None:
            if self.seen.total() < kills and time.monotonic() < until:
                time.sleep(self._choose.uniform(0.5, 6.0))
                process = self._kill(process)
            else:
                time.sleep(0.5)
            self.check(process)
        self.check(process)

    def resume(self, budget: int) -> None:
        process = self._start([*self._resume, "--budget", str(budget)])
        process.wait()
        self.check(process)

    def check(self, process: subprocess.Popen[bytes]) -> None:
        if process.returncode:
            assert process.stderr
            sys.exit(process.stderr.read().decode())
        pages = ended(self.directory)
        assert not pages or max(pages.values()) == 1, pages.most_common(3)
        assert pages.total() <= self.budget, (pages.total(), self.budget)

    def _start(self, words: list[str]) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [*SUNDOG, *words], env=environment(), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
        )

    def _kill(self, process: subprocess.Popen[bytes]) -> subprocess.Popen[bytes]:
        if process.poll() is not None:
            return process
        if self._choose.random() < 0.1 and (self.directory / "cluster.json").exists():
            process.kill()
            process.wait()
            self.seen["driver"] += 1
            return self._start(self._resume)
        with suppress(OSError, ValueError, KeyError, IndexError):
            lines = json.loads((self.directory / "live.json").read_bytes())["shards"]
            line = self._choose.choice([line for line in lines if line[8]])
            command = Path(f"/proc/{line[8]}/cmdline").read_bytes()
            if b"ray::" in command:
                os.kill(line[8], signal.SIGKILL)
                self.seen["shard"] += 1
        return process


def too_soon(log: Path) -> int:
    by_host: defaultdict[str, list[float]] = defaultdict(list)
    for request in requests_in(log):
        by_host[request.host].append(request.at)
    return sum(
        later - sooner < DELAY for moments in by_host.values() for sooner, later in pairwise(sorted(moments))
    )


def main(kills: int = 20, seconds: int = 300) -> None:
    began, pages = time.monotonic(), reachable()
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log"
        with serving(HOSTS, log) as address:
            crawl = Killed(Path(folder) / "crawl", address, budget=4 * len(pages) // 5)
            crawl.run(kills, began + seconds)
            spent = ended(crawl.directory).total()
            assert spent == crawl.budget, (spent, crawl.budget)
            crawl.budget = 10 * len(pages)
            crawl.resume(crawl.budget)
            found = ended(crawl.directory)
            assert set(found) == pages, (len(found), len(pages))
            time.sleep(1.0)
        requests, soon = len(requests_in(log)), too_soon(log)
    moments = ", ".join(f"{count} {name}" for name, count in crawl.seen.items())
    print(
        f"{crawl.seen.total()} kills ({moments}): budget of {4 * len(pages) // 5:,} spent exactly, then all "
        f"{len(pages):,} of {HOSTS * PAGES:,} pages once; {requests:,} requests, {soon} too soon "
        f"({time.monotonic() - began:.0f} s)"
    )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
