"""Browsers as the web interface meets them: some watch a crawl by its events, and all ask for pages now and then.

They read bytes and look at nothing, for what they cost is taken from the crawls that are measured beside them.

The web interface under load: 20 crawls listed, 5 of them running, 50 browsers that watch and ask.

The same five crawls run all the time, without a delay, in stretches with and without browsers: so they are
compared with themselves. Pages a second are counted in their own logs.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import cycle, islice
from pathlib import Path
from time import perf_counter, sleep, time
from typing import NamedTuple

import httpx
from examples.demo_web.web import Web

from benchmarks.common import ROOT, print_table
from benchmarks.live.server import serving
from sundog.store import open_readonly

SECONDS_BETWEEN = 4.0  # of one browser's requests


class Asked(NamedTuple):
    path: str
    seconds: float
    status: int


async def browse(port: int, crawls: list[str], browsers: int, seconds: float) -> tuple[list[Asked], int]:
    """So many browsers for so long; what they asked for, and how many bytes of events came."""
    asked: list[Asked] = []
    received = [0]
    tasks = []
    for number, crawl in zip(range(browsers), cycle(crawls), strict=False):
        tasks.append(asyncio.create_task(_watch(port, crawl, received)))
        tasks.append(asyncio.create_task(_ask_now_and_then(port, crawl, number, number / browsers, asked)))
    await asyncio.sleep(seconds)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return asked, received[0]


async def _watch(port: int, crawl: str, received: list[int]) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(_request(port, f"/api/crawls/{crawl}/events", keep=True))
        while data := await reader.read(1 << 16):
            received[0] += len(data)
    finally:
        writer.close()


async def _ask_now_and_then(port: int, crawl: str, first: int, phase: float, asked: list[Asked]) -> None:
    paths = [
        "/",
        "/api/crawls",
        f"/crawls/{crawl}",
        f"/api/crawls/{crawl}",
        f"/api/crawls/{crawl}/pages?kind=relevant&limit=20",
        f"/api/crawls/{crawl}/graph",
        f"/crawls/{crawl}/results",
    ]
    await asyncio.sleep(phase * SECONDS_BETWEEN)
    for path in islice(cycle(paths), first % len(paths), None):
        with suppress(OSError):
            asked.append(await _ask(port, path))
        await asyncio.sleep(SECONDS_BETWEEN)


async def _ask(port: int, path: str) -> Asked:
    began = perf_counter()
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(_request(port, path, keep=False))
        status = int((await reader.readline()).split()[1])
        while await reader.read(1 << 16):
            pass
        return Asked(path, perf_counter() - began, status)
    finally:
        writer.close()


def _request(port: int, path: str, *, keep: bool) -> bytes:
    connection = "keep-alive" if keep else "close"
    return f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: {connection}\r\n\r\n".encode()


LISTED, RUNNING, BROWSERS = 20, 5, 50
PAGES = 60_000  # of the web
IN_WINDOW = "SELECT count(*) FROM log WHERE event IN ('fetched', 'failed') AND at >= ? AND at < ?"
COMMAND = [sys.executable, "-c", "from sundog.cli import main; main()"]


class Window(NamedTuple):
    begin: float
    end: float
    cpu: float  # seconds of the server


def pages_per_second(root: Path, names: list[str], window: Window) -> float:
    count = 0
    for name in names:
        with open_readonly(root / name) as reader:
            ((found,),) = reader.connection.execute(IN_WINDOW, (window.begin, window.end))
            count += found
    return count / (window.end - window.begin)


def cpu_of(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def site(root: Path, connect_to: str) -> Iterator[tuple[int, int]]:
    """Port and process id of a site."""
    words = ["serve", f"--root={root}", "--port=0", f"--at-once={RUNNING}", f"--connect-to={connect_to}"]
    environment = {**os.environ, "PYTHONPATH": f"{ROOT / 'src'}"}
    process = subprocess.Popen([*COMMAND, *words], stderr=subprocess.PIPE, text=True, env=environment)
    assert process.stderr is not None
    try:
        line = process.stderr.readline()
        yield int(line.partition(" at http://")[2].partition("/")[0].rpartition(":")[2]), process.pid
    finally:
        process.terminate()
        process.wait(20)
        process.stderr.close()


def begin_crawls(client: httpx.Client, seeds: list[str]) -> list[str]:
    client.headers["X-CSRF-Token"] = client.get("/api/session").json()["csrf"]
    names = []
    for number in range(RUNNING):
        draft = {
            "id": f"running-{number}",
            "seeds": seeds[number::RUNNING],
            "objective": "type:schema:Recipe",
            "budget": PAGES,
            "delay": 0,
        }
        client.post("/api/crawls", json=draft).raise_for_status()
        names.append(f"running-{number}")
    while any(crawl["fetched"] < 100 for crawl in _crawls(client) if crawl["id"] in names):
        sleep(0.5)
    return names


def _crawls(client: httpx.Client) -> list[dict[str, float]]:
    found: list[dict[str, float]] = client.get("/api/crawls").json()["crawls"]
    return found


def stretches(
    port: int, pid: int, names: list[str], seconds: float, rounds: int
) -> Iterator[tuple[Window, list[Asked]]]:
    """Without browsers, with browsers, and so on, without at the end."""
    for number in range(2 * rounds + 1):
        browsers = BROWSERS if number % 2 else 0
        begin, cpu = time(), cpu_of(pid)
        asked, _ = asyncio.run(browse(port, names, browsers, seconds))
        yield Window(begin, time(), cpu_of(pid) - cpu), asked


def main(seconds: float = 10.0, rounds: int = 9) -> None:
    seeds = Web(1, 60, PAGES, corners=False).seeds
    with tempfile.TemporaryDirectory() as scratch, serving(PAGES, Path(scratch) / "log") as web:
        root = Path(scratch) / "root"
        root.mkdir()
        first = root / "finished-0"
        words = ["crawl", *seeds[:2], "--budget=500", "--delay=0", f"--connect-to={web.address}", f"--out={first}"]
        subprocess.run([*COMMAND, *words], check=True, capture_output=True)
        for number in range(1, LISTED - RUNNING):
            shutil.copytree(first, root / f"finished-{number}")
        with (
            site(root, web.address) as (port, pid),
            httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60) as client,
        ):
            names = begin_crawls(client, seeds)
            found = list(stretches(port, pid, names, seconds, rounds))
            speeds = [pages_per_second(root, names, window) for window, _ in found]
            for name in names:
                client.post(f"/api/crawls/{name}/stop")
            while any(crawl["state"] == "stopping" for crawl in _crawls(client)):
                sleep(0.5)
    _print(found, speeds, seconds)


def _print(found: list[tuple[Window, list[Asked]]], speeds: list[float], seconds: float) -> None:
    rows = []
    for (window, asked), speed in zip(found, speeds, strict=True):
        times = sorted(each.seconds * 1e3 for each in asked)
        shown = [f"{times[int(len(times) * share)]:.0f}" if times else "–" for share in (0.5, 0.95)]
        share = f"{window.cpu / (window.end - window.begin):.0%}"
        rows.append((str(BROWSERS if asked else 0), f"{speed:.1f}", *shown, str(len(times)), share))
    columns = ("browsers", "pages/s of 5 crawls", "median ms", "95 % ms", "requests", "of a core, the server")
    print_table(f"Web interface: {LISTED} crawls, {RUNNING} running, {seconds:g} s a stretch", columns, rows)
    _print_by_path([each for _, asked in found for each in asked])
    lost = [
        1 - watched / statistics.mean((before, after))
        for before, watched, after in zip(speeds[::2], speeds[1::2], speeds[2::2], strict=False)
    ]
    low, middle, high = statistics.quantiles(lost, n=4)
    times = [each.seconds * 1e3 for _, asked in found for each in asked]
    wrong = sum(each.status >= 400 for _, asked in found for each in asked)
    print(
        f"lost: {middle:.1%} of the pages/s (quartiles {low:.1%} and {high:.1%}), each stretch with browsers\n"
        f"beside the two without around it; median answer {statistics.median(times):.0f} ms;\n"
        f"{wrong} of {len(times)} requests refused\n"
    )


def _print_by_path(asked: list[Asked]) -> None:
    by_path: dict[str, list[float]] = {}
    for each in asked:
        name = re.sub(r"running-\d", "{id}", each.path.partition("?")[0])
        by_path.setdefault(name, []).append(each.seconds * 1e3)
    rows = [
        (f"`{path}`", f"{statistics.median(times):.0f}", f"{max(times):.0f}", str(len(times)))
        for path, times in by_path.items()
    ]
    print_table("Answers", ("request", "median ms", "longest ms", "requests"), rows)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--rounds", type=int, default=9)
    given = parser.parse_args()
    main(given.seconds, given.rounds)
