"""Is any request too early, or forbidden by robots.txt? By the server's own log, with many hosts at once.

``python -m benchmarks.politeness [HOSTS]``. A quarter of the hosts want a longer delay than the crawl's own, some
pages redirect to other hosts, and the crawl is killed and resumed on the way. Then the same number of hosts shares
five addresses, of which each sees its own requests (``shared_addresses.py``).
"""

from __future__ import annotations

import asyncio
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import defaultdict
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from benchmarks import shared_addresses
from benchmarks.common import SUNDOG, environment

DELAY, LONGER = 0.15, 0.3
ADDRESSES, ADDRESS_DELAY = 5, 0.5
PAGES = 8  # per host


class Request(NamedTuple):
    at: float
    host: str
    path: str


class PoliteWeb:
    """``with PoliteWeb(200) as web`` serves that many hosts from one port, and logs every request."""

    def __init__(self, hosts: int) -> None:
        self.hosts = [f"h{number}.example" for number in range(hosts)]
        self.log: list[Request] = []
        self.port = 0
        self._ready = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._run()), daemon=True)

    def __enter__(self) -> PoliteWeb:
        self._thread.start()
        assert self._ready.wait(10)
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(10)

    async def _run(self) -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        self._ready.set()
        await self._stop.wait()
        server.close()

    def wants(self, host: str) -> float:
        """Seconds between requests."""
        return LONGER if int(host[1:].partition(".")[0]) % 4 == 1 else DELAY

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode()
                path = head.split(" ", 2)[1]
                host = head.lower().partition("\r\nhost: ")[2].partition("\r\n")[0]
                self.log.append(Request(time.monotonic(), host, path))
                await asyncio.sleep(random.random() * 0.02)
                writer.write(self._answer(host, path))
        except (asyncio.IncompleteReadError, OSError):
            writer.close()

    def _answer(self, host: str, path: str) -> bytes:
        chance = random.Random(host + path)
        status, more, kind = "200 OK", "", "text/html"
        if path == "/robots.txt":
            delay = f"Crawl-delay: {LONGER}\n" if self.wants(host) > DELAY else ""
            body, kind = f"User-agent: *\n{delay}Disallow: /secret\n", "text/plain"
        elif path.startswith("/moves"):
            target = f"http://{chance.choice(self.hosts)}/{chance.randrange(PAGES)}"
            status, more, body = "302 Found", f"Location: {target}\r\n", ""
        else:
            away = [f"http://{each}/{chance.randrange(PAGES)}" for each in chance.sample(self.hosts, 8)]
            here = [f"/{chance.randrange(PAGES)}", f"/secret/{chance.randrange(9)}", f"/moves/{path[1:]}"]
            links = "".join(f'<a href="{link}">{link}</a>' for link in (*here, *away))
            body = f"<title>{host}{path}</title>{links}"
        head = f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\n{more}Content-Length: {len(body)}"
        return f"{head}\r\n\r\n{body}".encode()


def crawl(web: PoliteWeb, directory: Path, budget: int, *, kill_at: float) -> None:
    """Kill it when that share of the budget was requested, then resume it."""
    begin = [
        "crawl", f"http://{web.hosts[0]}/", f"--connect-to=127.0.0.1:{web.port}", f"--out={directory}",
        f"--budget={budget}", f"--delay={DELAY}", "--concurrency=256", "--policy=bfs",
    ]  # fmt: skip
    nowhere, command = subprocess.DEVNULL, [*SUNDOG, *begin]
    with subprocess.Popen(command, env=environment(), stdout=nowhere, stderr=nowhere) as process:
        while len(web.log) < kill_at * budget and process.poll() is None:
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
    subprocess.run([*SUNDOG, "resume", str(directory)], env=environment(), check=True, capture_output=True)


class Found(NamedTuple):
    requests: int
    hosts: int
    too_soon: list[tuple[Request, float]]  # with the seconds since the request before
    forbidden: list[Request]
    least: float  # the shortest time between two requests, as a multiple of the host's delay


def judge(web: PoliteWeb) -> Found:
    by_host: dict[str, list[Request]] = defaultdict(list)
    for request in web.log:
        by_host[request.host].append(request)
    too_soon, least = [], float("inf")
    for host, requests in by_host.items():
        for before, after in pairwise(requests):
            # before robots.txt is read, its delay is not known
            wanted = DELAY if after.path == "/robots.txt" else web.wants(host)
            gap = after.at - before.at
            least = min(least, gap / wanted)
            if gap < wanted:
                too_soon.append((after, gap))
    forbidden = [request for request in web.log if request.path.startswith("/secret")]
    return Found(len(web.log), len(by_host), too_soon, forbidden, least)


def by_host(hosts: int) -> None:
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder, PoliteWeb(hosts) as web:
        crawl(web, Path(folder) / "crawl", hosts * 12, kill_at=0.4)
        found = judge(web)
    seconds = time.perf_counter() - began
    print(
        f"{found.requests:,} requests to {found.hosts} hosts, a kill and a resume ({seconds:.0f} s): "
        f"{len(found.too_soon)} too early, {len(found.forbidden)} forbidden; "
        f"the shortest gap was {found.least:.3f} × the host's delay"
    )


def by_address(hosts: int) -> None:
    began = time.perf_counter()
    with (
        tempfile.TemporaryDirectory() as folder,
        shared_addresses.AddressWeb(hosts, ADDRESSES, slowness=1.0) as web,
    ):
        shared_addresses.crawl(web, Path(folder) / "crawl", hosts * 6, delay=ADDRESS_DELAY, kills=[0.3, 0.6])
        found = shared_addresses.judge(web)
    print(
        f"{found.requests:,} requests to {found.hosts} hosts on {ADDRESSES} addresses, two kills and resumes "
        f"({time.perf_counter() - began:.0f} s): at most {found.peak} in flight to an address; "
        f"the shortest gap, where {ADDRESS_DELAY * 100:.0f} ms are asked for, was {found.least_gap * 1e3:.1f} by "
        f"the log, {found.most_of_least_gap * 1e3:.1f} ms without the time in which the server itself was late"
    )


def main(hosts: int = 200) -> None:
    by_host(hosts)
    by_address(hosts)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
