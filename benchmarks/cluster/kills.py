"""kill -9 of shards, of the driver, which is the coordinator, and of whole Ray nodes, at random moments.

``python -m benchmarks.cluster.kills [KILLS] [RESULTS]``: crawls of 12 domains on 3 addresses, in 3 shards on a Ray
cluster of two nodes, each with a budget of most pages, killed again and again until that is spent. Then the budget
is raised, and it runs to the end of the web. Crawls follow each other until there were so many kills. RESULTS, a
file, gets a line for each crawl; if it is there, the benchmark goes on after its last line.

The logs of the shards must hold the budget exactly, each page once, and in the end every page that can be reached.
The server's log must show no request to a host sooner than the delay after the one before, and none to an address
sooner than a tenth of that. The server notices requests late, so a pair counts if it must have been too close.

A page that was in flight at a kill is asked again: its outcome was in no log. Whatever else is asked again is a
fault: a page that was done, by the time of its outcome in the log, or one without a kill since it was asked last.
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
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import pairwise
from pathlib import Path

from benchmarks.cluster.nodes import Nodes, cluster_of
from benchmarks.cluster.speed import databases
from benchmarks.cluster.web import Request, page, requests_in, serving, url
from benchmarks.common import SUNDOG, environment

HOSTS, SHARDS, ADDRESSES, DELAY, ADDRESS_SHARE = 12, 3, 3, 0.5, 0.1
KILLS_A_CRAWL, SECONDS_A_CRAWL = 20, 300.0  # after so many, or so long, a crawl may end
KINDS, WEIGHTS = ("shard", "driver", "node"), (45, 30, 25)
LINK = re.compile(rb'href="(?:http://www\.h(\d+)\.example)?(?::\d+)?/(\d+)"')
ENDED = "SELECT u.url, l.at FROM log l JOIN urls u ON u.id = l.subject WHERE l.event IN ('fetched', 'failed')"
MOST_SECONDS = 60.0  # between two kills
SECONDS_TO_DIE = 2.0  # of a node's processes one after another, and of shards that have lost their driver
GIVEN_UP = "without fetching a page"  # what is said of a shard that was killed too often in a row
# For all that runs in the cluster, h7.example is an address of loopback.
LOOK_UP = f"""import socket
system = socket.getaddrinfo
def look_up(host, port, *args, **named):
    name = host.decode() if isinstance(host, bytes) else str(host)
    if not name.endswith(".example"):
        return system(host, port, *args, **named)
    place = f"127.0.0.{{1 + int(name.split('.')[1][1:]) % {ADDRESSES}}}"
    return [(socket.AF_INET, socket.SOCK_STREAM, 0, "", (place, port))]
socket.getaddrinfo = look_up
"""


def reachable(port: int = 80) -> set[str]:
    found, waiting = {(0, 0)}, [(0, 0)]
    while waiting:
        host, number = waiting.pop()
        for there, target in LINK.findall(page(host, number, HOSTS)):
            name = (int(there) if there else host, int(target))
            if name not in found:
                found.add(name)
                waiting.append(name)
    return {url(host, number, port) for host, number in found}


def outcomes(directory: Path) -> list[tuple[str, float]]:
    """URLs, each with the time of its outcome."""
    found: list[tuple[str, float]] = []
    for shard in databases(directory):
        connection = sqlite3.connect(f"file:{shard}/crawl.db?mode=ro", uri=True, timeout=30)
        with suppress(sqlite3.OperationalError):
            found += connection.execute(ENDED)
        connection.close()
    return found


def ended(directory: Path) -> Counter[str]:
    return Counter(url for url, _ in outcomes(directory))


class Killed:
    """A crawl that is killed, and resumed each time that its driver was."""

    def __init__(self, directory: Path, nodes: Nodes, port: int, budget: int, chance: random.Random) -> None:
        self.directory, self.budget, self._nodes, self._choose = directory, budget, nodes, chance
        self.seen: Counter[str] = Counter()
        self.kills: list[float] = []  # when they were
        spec = directory.with_suffix(".toml")
        spec.write_text(
            f'seeds = ["{url(0, 0, port)}"]\nobjective = "type:schema:Product"\nbudget = {budget}\n'
            f"delay = {DELAY}\nconcurrency = 8\nworkers = 0\nallow_private = true\n"
        )
        ray = ["--ray", nodes.address, "--no-report"]
        self._begin = ["crawl", str(spec), "--shards", str(SHARDS), "--out", str(directory), *ray]
        self._resume = ["resume", str(directory), *ray]

    def run(self, kills: int) -> None:
        """Kill it so often, if that does not take too long, and let it end."""
        until = time.monotonic() + SECONDS_A_CRAWL
        process = self._start(self._begin)
        while process.poll() is None or self._is_given_up(process):
            if process.returncode is not None:
                self.seen["given up"] += 1
                process = self._start(self._resume)
            if len(self.kills) < kills and time.monotonic() < until:
                self._wait(process)
                process = self._kill(process)
                print(f"{dict(self.seen)}, {ended(self.directory).total()} pages", flush=True)
            else:
                time.sleep(0.5)
            self.check(process)
        self.check(process)

    def _wait(self, process: subprocess.Popen[bytes]) -> None:
        """Mostly until some pages have come: a crawl that is killed before its first one makes no way."""
        pages, until = ended(self.directory).total(), time.monotonic() + MOST_SECONDS
        more = self._choose.choice((0, 1, 2, 5, 10, 20))
        time.sleep(self._choose.uniform(0.2, 4.0))
        while ended(self.directory).total() < pages + more and time.monotonic() < until and process.poll() is None:
            time.sleep(0.2)

    def resume(self, budget: int) -> None:
        self.budget = budget
        process = self._start([*self._resume, "--budget", str(budget)])
        process.wait()
        self.check(process)

    def check(self, process: subprocess.Popen[bytes]) -> None:
        if process.returncode and not self._is_given_up(process):
            sys.exit(self._said(process))
        pages = ended(self.directory)
        assert not pages or max(pages.values()) == 1, pages.most_common(3)
        assert pages.total() <= self.budget, (pages.total(), self.budget)

    def _is_given_up(self, process: subprocess.Popen[bytes]) -> bool:
        return bool(process.returncode) and GIVEN_UP in self._said(process)

    def _said(self, process: subprocess.Popen[bytes]) -> str:
        return self._output.read_text(errors="replace")

    @property
    def _output(self) -> Path:
        return self.directory.with_suffix(".err")

    def _start(self, words: list[str]) -> subprocess.Popen[bytes]:
        with self._output.open("wb") as output:
            return subprocess.Popen([*SUNDOG, *words], env=environment(), stdout=subprocess.DEVNULL, stderr=output)

    def _kill(self, process: subprocess.Popen[bytes]) -> subprocess.Popen[bytes]:
        if process.poll() is not None or not (self.directory / "cluster.json").exists():
            return process
        kind = self._choose.choices(KINDS, WEIGHTS)[0]
        if kind == "driver":
            self._count(kind)
            process.kill()
            process.wait()
            return self._start(self._resume)
        if kind == "node":
            self._count(kind)
            self._nodes.kill()
            return process
        with suppress(OSError, ValueError, KeyError, IndexError):
            lines = json.loads((self.directory / "live.json").read_bytes())["shards"]
            line = self._choose.choice([line for line in lines if line[8]])
            command = Path(f"/proc/{line[8]}/cmdline").read_bytes()
            if b"ray::" in command:
                os.kill(line[8], signal.SIGKILL)
                self._count(kind)
        return process

    def _count(self, kind: str) -> None:
        self.seen[kind] += 1
        self.kills.append(time.time())


def asked_again(requests: Sequence[Request], done: dict[str, float], kills: Sequence[float]) -> Counter[str]:
    """Requests for pages that were asked before; ``done``: when each page's outcome was, by host and path."""
    found: Counter[str] = Counter()
    last: dict[str, float] = {}
    for request in sorted(requests, key=lambda request: request.at):
        page = f"{request.host} {request.path}"
        if (before := last.get(page)) is not None:
            if request.since > done[page]:
                found["asked again when done"] += 1
            elif any(before <= kill + SECONDS_TO_DIE and kill <= request.at for kill in kills):
                found["asked again, in flight at a kill"] += 1
            else:
                found["asked again without a kill"] += 1
        last[page] = request.at
    return found


def too_soon(requests: Sequence[Request], of: Callable[[Request], str], gap: float) -> int:
    """Pairs to one host, or to one address, that must have come closer to each other than that."""
    by: defaultdict[str, list[Request]] = defaultdict(list)
    for request in requests:
        by[of(request)].append(request)
    return sum(
        later.at - sooner.since < gap
        for each in by.values()
        for sooner, later in pairwise(sorted(each, key=lambda request: request.at))
    )


def one_crawl(folder: Path, nodes: Nodes, kills: int, chance: random.Random) -> Counter[str]:
    log = folder / "log"
    with serving(HOSTS, log, ADDRESSES) as address:
        port = int(address.partition(":")[2])
        pages = reachable(port)
        crawl = Killed(folder / "crawl", nodes, port, 4 * len(pages) // 5, chance)
        crawl.run(kills)
        spent = ended(crawl.directory).total()
        assert spent == crawl.budget, (spent, crawl.budget)
        crawl.resume(10 * len(pages))
        found = ended(crawl.directory)
        assert set(found) == pages, (len(found), len(pages))
        time.sleep(1.0)
    requests = requests_in(log)
    done = {key(url): at for url, at in outcomes(crawl.directory)}
    of_pages = [request for request in requests if "robots" not in request.path]
    faults = {
        "asked again when done": 0,
        "asked again without a kill": 0,
        "too soon for a host": too_soon(requests, lambda request: request.host, DELAY),
        "too soon for an address": too_soon(requests, lambda request: request.address, DELAY * ADDRESS_SHARE),
    }
    crawl.seen.update({"crawls": 1, "pages": len(pages), "requests": len(requests)} | faults)
    crawl.seen.update(asked_again(of_pages, done, crawl.kills))
    return crawl.seen


def key(url: str) -> str:
    """Of a page, as the server's log names it."""
    host, _, path = url.removeprefix("http://").partition("/")
    return f"{host.partition(':')[0]} /{path}"


def main(kills: int, results: Path | None = None) -> None:
    began, total = time.monotonic(), Counter[str]()
    lines = results.read_text().splitlines() if results is not None and results.exists() else []
    for line in lines:
        total.update(json.loads(line))
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "sitecustomize.py").write_text(LOOK_UP)
        path = os.pathsep.join([folder, environment()["PYTHONPATH"]])
        with cluster_of(2, SHARDS, {"PYTHONPATH": path}) as nodes:
            while (done := sum(total[kind] for kind in KINDS)) < kills:
                place = Path(folder) / f"{total['crawls']}"
                place.mkdir()
                chance = random.Random(f"{results.name if results else ''} {total['crawls']}")
                found = one_crawl(place, nodes, min(kills - done, KILLS_A_CRAWL), chance)
                total.update(found)
                if results is not None:
                    with results.open("a") as file:
                        print(json.dumps(found), file=file)
                print(f"{dict(total)} ({time.monotonic() - began:.0f} s)", flush=True)
    print("in every crawl the budget was spent exactly, and then every page was there once")


if __name__ == "__main__":
    main(int((sys.argv[1:2] or ["20"])[0]), Path(sys.argv[2]) if sys.argv[2:] else None)
