"""The same crawl in one process and in shards: pages a second, and CPU a page of all processes together.

``python -m benchmarks.cluster.speed [PAGES] [CONCURRENCY] [SHARDS …]``. Start-up is not counted: both figures are
of the pages from a fifth to nine tenths of the crawl. CPU is that of the command and all its descendants, also of
Ray itself. ``CONCURRENCY`` is that of each shard: answers take a tenth of a second, so that 8 are at most
80 pages a second.
"""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.cluster.web import serving
from benchmarks.common import SUNDOG, environment, machine

HOSTS = 240
DELAY = 0.5
TICKS = os.sysconf("SC_CLK_TCK")


def crawl(directory: Path, address: str, pages: int, concurrency: int, shards: int | None) -> tuple[float, float]:
    """Pages a second, and milliseconds of CPU a page."""
    seeds = [f"http://www.h{host}.example/0" for host in range(HOSTS)]
    words = ["crawl", *seeds, "--budget", str(pages), "--delay", str(DELAY), "--connect-to", address]
    words += ["--concurrency", str(concurrency), "--workers", "1", "--no-report", "--out", str(directory)]
    words += ["--for", "type:schema:Product", *(["--shards", str(shards)] if shards else [])]
    samples: list[tuple[int, float]] = []
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
    (low, cpu_low), (high, cpu_high) = (
        min(samples, key=lambda sample: abs(sample[0] - share * pages)) for share in (0.2, 0.9)
    )
    return (last - first) / (moments[last] - moments[first]), 1_000 * (cpu_high - cpu_low) / (high - low)


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


def cpu_of_tree(root: int) -> float:
    """Seconds that a process and its descendants have used, also those that have ended and were waited for."""
    parents: dict[int, int] = {}
    used: dict[int, float] = {}
    for name in os.listdir("/proc"):
        if name.isdecimal():
            try:
                fields = Path(f"/proc/{name}/stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            parents[int(name)], used[int(name)] = int(fields[1]), sum(map(int, fields[11:15])) / TICKS
    return sum(cpu for pid, cpu in used.items() if is_descendant(pid, root, parents))


def is_descendant(pid: int, root: int, parents: dict[int, int]) -> bool:
    while pid > 1:
        if pid == root:
            return True
        pid = parents.get(pid, 0)
    return False


def main(pages: int = 3_000, concurrency: int = 8, *shards: int) -> None:
    load = ", ".join(f"{each:.1f}" for each in os.getloadavg())
    print(f"{machine()}; {HOSTS} hosts, answers after 100 ms, delay {DELAY} s, {pages:,} pages, load {load}")
    kinds: list[int | None] = [None, *(shards or (1, 2, 4))]
    found: dict[int | None, tuple[float, float]] = {}
    with tempfile.TemporaryDirectory() as folder, serving(HOSTS, Path(folder) / "log") as address:
        for kind in kinds:
            found[kind] = crawl(Path(folder) / f"crawl-{kind}", address, pages, concurrency, kind)
            speed, cpu = found[kind]
            name = "one process" if kind is None else f"{kind} shards"
            one = found.get(1, found[None])
            print(
                f"{name}: {speed:.1f} pages/s ({speed / one[0]:.2f} × 1 shard), {cpu:.2f} ms of CPU a page "
                f"({cpu / found[None][1]:.2f} × one process)",
                flush=True,
            )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
