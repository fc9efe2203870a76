"""The web interface under load: 20 crawls listed, 5 of them running, 50 browsers that watch and click.

Some browsers watch a crawl by its events, and all request pages now and then. They read bytes and render nothing,
because they share the machine with the crawls that are measured. The same five crawls run all the time, without a
delay, in stretches with and without browsers, so they are compared with themselves. Pages per second are counted
in their own logs.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import shutil
import statistics
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import cycle, islice
from pathlib import Path
from time import perf_counter, sleep, time
from typing import NamedTuple

import httpx

from benchmarks.common import SUNDOG, environment, print_table, process_cost
from benchmarks.live.server import serving
from sundog.demo_web.web import Web
from sundog.store import open_readonly

LISTED, RUNNING, BROWSERS = 20, 5, 50
PAGES = 60_000  # of the web
IN_WINDOW = "SELECT count(*) FROM log WHERE event IN ('fetched', 'failed') AND at >= ? AND at < ?"
SECONDS_BETWEEN = 4.0  # of one browser's requests


class Response(NamedTuple):
    path: str
    seconds: float
    status: int


class Window(NamedTuple):
    begin: float
    end: float
    cpu: float  # seconds of the server


def main(seconds: float = 10.0, rounds: int = 9) -> None:
    seeds = Web(1, 60, PAGES, corners=False).seeds
    with tempfile.TemporaryDirectory() as scratch, serving(PAGES, Path(scratch) / "log") as web:
        root = Path(scratch) / "root"
        root.mkdir()
        first = root / "finished-0"
        words = ["crawl", *seeds[:2], "--budget=500", "--delay=0", f"--connect-to={web.address}", f"--out={first}"]
        subprocess.run([*SUNDOG, *words], check=True, capture_output=True)
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


@contextmanager
def site(root: Path, connect_to: str) -> Iterator[tuple[int, int]]:
    """Port and process id of a site."""
    words = [
        "serve",
        f"--root={root}",
        "--port=0",
        "--no-token",
        f"--at-once={RUNNING}",
        f"--connect-to={connect_to}",
    ]
    process = subprocess.Popen([*SUNDOG, *words], stderr=subprocess.PIPE, text=True, env=environment())
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
) -> Iterator[tuple[Window, list[Response]]]:
    """Without browsers and with them by turns, without at the end."""
    for number in range(2 * rounds + 1):
        browsers = BROWSERS if number % 2 else 0
        begin, cpu = time(), process_cost(pid).cpu
        responses, _ = asyncio.run(browse(port, names, browsers, seconds))
        yield Window(begin, time(), process_cost(pid).cpu - cpu), responses


def pages_per_second(root: Path, names: list[str], window: Window) -> float:
    count = 0
    for name in names:
        with open_readonly(root / name) as reader:
            ((found,),) = reader.connection.execute(IN_WINDOW, (window.begin, window.end))
            count += found
    return count / (window.end - window.begin)


async def browse(port: int, crawls: list[str], browsers: int, seconds: float) -> tuple[list[Response], int]:
    """Their responses, and how many bytes of events they received."""
    responses: list[Response] = []
    received = [0]
    tasks = []
    for number, crawl in zip(range(browsers), cycle(crawls), strict=False):
        tasks.append(asyncio.create_task(_watch(port, crawl, received)))
        tasks.append(asyncio.create_task(_request_now_and_then(port, crawl, number, number / browsers, responses)))
    await asyncio.sleep(seconds)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return responses, received[0]


async def _watch(port: int, crawl: str, received: list[int]) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(_request(port, f"/api/crawls/{crawl}/events", keep=True))
        while data := await reader.read(1 << 16):
            received[0] += len(data)
    finally:
        writer.close()


async def _request_now_and_then(
    port: int, crawl: str, first: int, phase: float, responses: list[Response]
) -> None:
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
            responses.append(await _get(port, path))
        await asyncio.sleep(SECONDS_BETWEEN)


async def _get(port: int, path: str) -> Response:
    began = perf_counter()
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(_request(port, path, keep=False))
        status = int((await reader.readline()).split()[1])
        while await reader.read(1 << 16):
            pass
        return Response(path, perf_counter() - began, status)
    finally:
        writer.close()


def _request(port: int, path: str, *, keep: bool) -> bytes:
    connection = "keep-alive" if keep else "close"
    return f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: {connection}\r\n\r\n".encode()


def _print(found: list[tuple[Window, list[Response]]], speeds: list[float], seconds: float) -> None:
    rows = []
    for (window, responses), speed in zip(found, speeds, strict=True):
        times = sorted(each.seconds * 1e3 for each in responses)
        shown = [f"{times[int(len(times) * share)]:.0f}" if times else "–" for share in (0.5, 0.95)]
        share = f"{window.cpu / (window.end - window.begin):.0%}"
        rows.append((str(BROWSERS if responses else 0), f"{speed:.1f}", *shown, str(len(times)), share))
    columns = ("browsers", "pages/s of 5 crawls", "median ms", "95 % ms", "requests", "of a core, the server")
    print_table(f"Web interface: {LISTED} crawls, {RUNNING} running, {seconds:g} s each", columns, rows)
    _print_by_path([each for _, responses in found for each in responses])
    lost = [
        1 - watched / statistics.mean((before, after))
        for before, watched, after in zip(speeds[::2], speeds[1::2], speeds[2::2], strict=False)
    ]
    low, middle, high = statistics.quantiles(lost, n=4)
    times = [each.seconds * 1e3 for _, responses in found for each in responses]
    wrong = sum(each.status >= 400 for _, responses in found for each in responses)
    print(
        f"lost: {middle:.1%} of the pages/s (quartiles {low:.1%} and {high:.1%}), each stretch with browsers\n"
        f"compared with the two without around it; median answer {statistics.median(times):.0f} ms;\n"
        f"{wrong} of {len(times)} requests refused\n"
    )


def _print_by_path(responses: list[Response]) -> None:
    by_path: dict[str, list[float]] = {}
    for each in responses:
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
