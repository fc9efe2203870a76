"""The same crawl in one process and in shards: pages a second, and CPU a page of all processes together.

``python -m benchmarks.cluster.speed [PAGES] [CONCURRENCY] [SHARDS …]``. Start-up is not counted: all figures are
of the pages from a fifth to nine tenths of the crawl. CPU, user and system, is that of Sundog's processes: the
command, which is the coordinator, the shards, and the processes that read pages for them. What Ray's own processes
take besides (raylet, GCS, log monitor …) is told apart: it is so much a second, however many pages there are.
``CONCURRENCY`` is that of each shard: answers take a tenth of a second, so that 8 are at most 80 pages a second.
"""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from benchmarks.cluster.web import serving
from benchmarks.common import SUNDOG, environment, machine

HOSTS = 240
DELAY = 0.5
TICKS = os.sysconf("SC_CLK_TCK")
SHARD = "ray::ShardActor"  # how the command line of a shard's process begins


class Cost(NamedTuple):
    """Seconds of CPU."""

    own: float
    of_ray: float  # its own processes


class Measured(NamedTuple):
    speed: float  # pages a second
    own: float  # milliseconds of CPU a page
    of_ray: float


def crawl(directory: Path, address: str, pages: int, concurrency: int, shards: int | None) -> Measured:
    seeds = [f"http://www.h{host}.example/0" for host in range(HOSTS)]
    words = ["crawl", *seeds, "--budget", str(pages), "--delay", str(DELAY), "--connect-to", address]
    words += ["--concurrency", str(concurrency), "--workers", "1", "--no-report", "--out", str(directory)]
    words += ["--for", "type:schema:Product", *(["--shards", str(shards)] if shards else [])]
    samples: list[tuple[int, Cost]] = []
    with subprocess.Popen(
        [*SUNDOG, *words], env=environment(), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    ) as process:
        while process.poll() is None:
            cpu = cpu_of_tree(process.pid)
            samples.append((fetched(directory), cpu))
            time.sleep(1.0)
        if process.returncode:
            assert process.stderr
            sys.exit(process.stderr.read().decode())
    moments = sorted(at for shard in databases(directory) for (at,) in rows(shard, FETCHED))
    first, last = len(moments) // 5, 9 * len(moments) // 10
    (low, before), (high, after) = (
        min(samples, key=lambda sample: abs(sample[0] - share * pages)) for share in (0.2, 0.9)
    )
    own, of_ray = (1_000 * (then - now) / (high - low) for now, then in zip(before, after, strict=True))
    return Measured((last - first) / (moments[last] - moments[first]), own, of_ray)


FETCHED = "SELECT at FROM log WHERE event IN ('fetched', 'failed')"


def databases(directory: Path) -> list[Path]:
    return [path for path in (directory, *directory.glob("shard-*")) if (path / "crawl.db").exists()]


def rows(directory: Path, query: str) -> list[tuple[float]]:
    connection = sqlite3.connect(f"file:{directory}/crawl.db?mode=ro", uri=True, timeout=10)
    try:
        return connection.execute(query).fetchall()
    except sqlite3.OperationalError:  # it is being made
        return []
    finally:
        connection.close()


def fetched(directory: Path) -> int:
    return sum(len(rows(shard, FETCHED)) for shard in databases(directory))


def cpu_of_tree(root: int) -> Cost:
    """Of a process and its descendants, also those that have ended and were waited for."""
    parents: dict[int, int] = {}
    used: dict[int, float] = {}
    names: dict[int, str] = {}
    for name in os.listdir("/proc"):
        if name.isdecimal():
            try:
                fields = Path(f"/proc/{name}/stat").read_text().rpartition(")")[2].split()
                names[int(name)] = Path(f"/proc/{name}/cmdline").read_text()
            except OSError:
                continue
            parents[int(name)], used[int(name)] = int(fields[1]), sum(map(int, fields[11:15])) / TICKS
    own = of_ray = 0.0
    for pid, cpu in used.items():
        above = ancestors(pid, parents)
        if root in above:
            is_own = above[0] == root or any(names.get(each, "").startswith(SHARD) for each in above)
            is_own |= above[1:2] == [root] and "/ray/" not in names.get(pid, "")
            own, of_ray = (own + cpu, of_ray) if is_own else (own, of_ray + cpu)
    return Cost(own, of_ray)


def ancestors(pid: int, parents: dict[int, int]) -> list[int]:
    """The process itself, its parent, and so on."""
    found = []
    while pid > 1:
        found.append(pid)
        pid = parents.get(pid, 0)
    return found


def main(pages: int = 3_000, concurrency: int = 8, *shards: int) -> None:
    load = ", ".join(f"{each:.1f}" for each in os.getloadavg())
    print(f"{machine()}; {HOSTS} hosts, answers after 100 ms, delay {DELAY} s, {pages:,} pages, load {load}")
    kinds: list[int | None] = [None, *(shards or (1, 2, 4))]
    found: dict[int | None, Measured] = {}
    with tempfile.TemporaryDirectory() as folder, serving(HOSTS, Path(folder) / "log") as address:
        for kind in kinds:
            found[kind] = now = crawl(Path(folder) / f"crawl-{kind}", address, pages, concurrency, kind)
            name = "one process" if kind is None else f"{kind} shards"
            one, alone = found.get(1, found[None]), found[None]
            own, whole = now.own, now.own + now.of_ray
            print(
                f"{name}: {now.speed:.1f} pages/s ({now.speed / one.speed:.2f} × 1 shard), "
                f"{own:.2f} ms of CPU a page ({own / alone.own:.2f} × one process), "
                f"{whole:.2f} with Ray's own processes ({whole / alone.own:.2f} ×)",
                flush=True,
            )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
