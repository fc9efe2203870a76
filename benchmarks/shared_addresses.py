"""Many hosts on few addresses: how many requests are in flight to an address, and how soon do others follow?

``AddressWeb`` listens on several loopback addresses and notes what each of them sees. Answers are slow; some pages
are missing, some redirect to another host, and hosts are met one after the other. ``crawl`` runs Sundog in a
process whose look-ups lead there, kills it and resumes it.
"""

from __future__ import annotations

import asyncio
import random
import signal
import subprocess
import sys
import threading
import time
from collections import Counter, defaultdict, deque
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from benchmarks.common import environment

PAGES = 6  # per host
# The command, in a process for which h7.example is an address of loopback, and every ninth host has two.
SUNDOG = """
import socket, sys
addresses, system = int(sys.argv.pop(1)), socket.getaddrinfo
def look_up(host, port, *args, **named):
    if not str(host).endswith(".example"):
        return system(host, port, *args, **named)
    number = int(host[1:].partition(".")[0])
    names = [f"127.0.0.{1 + each % addresses}" for each in ([number, number + 1] if number % 9 == 8 else [number])]
    return [(socket.AF_INET, socket.SOCK_STREAM, 0, "", (name, port)) for name in names]
socket.getaddrinfo = look_up
from sundog.cli import main
main()
"""


class Request(NamedTuple):
    at: float  # when the server noticed it
    since: float  # it came after this: the server was there a few turns of its loop before, and it was not
    address: str
    host: str
    path: str
    in_flight: int  # to the address, with this one


class AddressWeb:
    """``with AddressWeb(200, 5) as web`` serves 200 hosts from 127.0.0.1 to 127.0.0.5."""

    def __init__(self, hosts: int, addresses: int, *, slowness: float = 0.5) -> None:
        self.hosts, self.slowness = hosts, slowness
        self.addresses = [f"127.0.0.{number}" for number in range(1, addresses + 1)]
        self.log: list[Request] = []
        self.port = 0
        self._in_flight: Counter[str] = Counter()
        self._beats = deque([time.monotonic()], maxlen=5)  # a request takes that many turns until it is noticed
        self._ready = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._run()), daemon=True)

    def __enter__(self) -> AddressWeb:
        self._thread.start()
        assert self._ready.wait(10)
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(10)

    def url(self, host: int, path: str = "") -> str:
        return f"http://h{host % self.hosts}.example:{self.port}/{path}"

    async def _run(self) -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        first = await asyncio.start_server(self._serve, self.addresses[0], 0)
        self.port = first.sockets[0].getsockname()[1]
        others = [await asyncio.start_server(self._serve, each, self.port) for each in self.addresses[1:]]
        self._ready.set()
        while not self._stop.is_set():
            self._beats.append(time.monotonic())
            await asyncio.sleep(0.002)
        for server in (first, *others):
            server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        address: str = writer.get_extra_info("sockname")[0]
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode()
                path = head.split(" ", 2)[1]
                host = head.lower().partition("\r\nhost: ")[2].partition("\r\n")[0]
                self._in_flight[address] += 1
                in_flight = self._in_flight[address]
                self.log.append(Request(time.monotonic(), self._beats[0], address, host, path, in_flight))
                try:
                    is_gone = await self._wait(reader, host + path)
                    if not is_gone:
                        writer.write(self._answer(int(host[1:].partition(".")[0]), path[1:]))
                finally:
                    self._in_flight[address] -= 1
                if is_gone:
                    break
        except (asyncio.IncompleteReadError, OSError):
            pass
        finally:
            writer.close()

    async def _wait(self, reader: asyncio.StreamReader, seed: str) -> bool:
        """Be slow; whether the client has gone meanwhile, as a killed one has."""
        try:
            await asyncio.wait_for(reader.read(1), random.Random(seed).uniform(0.1, 1.0) * self.slowness)
        except TimeoutError:
            return False
        return True

    def _answer(self, host: int, path: str) -> bytes:
        chance = random.Random(f"{host} {path}")
        status, more, body, kind = "200 OK", "", "", "text/html"
        if path == "robots.txt":
            body, kind = "User-agent: *\nDisallow: /secret\n", "text/plain"
        elif path.startswith("missing"):
            status = "404 Not Found"
        elif path.startswith("broken"):
            status = "503 Service Unavailable"
        elif path.startswith("moves"):
            status, target = "302 Found", self.url(chance.randrange(self.hosts), str(chance.randrange(PAGES)))
            more = f"Location: {target}\r\n"
        else:
            names = [str(chance.randrange(PAGES)), f"missing/{path}", f"moves/{path}", f"secret/{path}"]
            names += ["broken"] * (host % 20 == 3 and path == "1")
            links = [self.url(host, name) for name in names]
            links += [self.url(host * 3 + each, f"{chance.randrange(PAGES)}") for each in (1, 2, 3)]
            links += [self.url(chance.randrange(self.hosts), f"missing/{chance.random()}")]
            body = f"<title>{host} {path}</title>" + "".join(f'<a href="{link}">{link}</a>' for link in links)
        head = f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\n{more}Content-Length: {len(body)}"
        return f"{head}\r\n\r\n{body}".encode()


def sundog(web: AddressWeb, *words: str) -> list[str]:
    return [sys.executable, "-c", SUNDOG, str(len(web.addresses)), *words]


def crawl(web: AddressWeb, directory: Path, budget: int, *, delay: float, kills: Sequence[float]) -> None:
    """Kill it whenever such a share of the budget was requested, and resume it."""
    command = [
        "crawl", web.url(0), f"--out={directory}", f"--budget={budget}", f"--delay={delay}", "--allow-private",
        "--policy=bfs", "--set=following.retries=1",
    ]  # fmt: skip
    for share in kills:
        _run_until(web, share * budget, command)
        command = ["resume", str(directory)]
    done = subprocess.run(sundog(web, *command), env=environment(), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def _run_until(web: AddressWeb, requests: float, words: list[str]) -> None:
    nowhere = subprocess.DEVNULL
    with subprocess.Popen(sundog(web, *words), env=environment(), stdout=nowhere, stderr=nowhere) as process:
        while len(web.log) < requests and process.poll() is None:
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)


class Found(NamedTuple):
    requests: int
    hosts: int
    peak: int  # requests in flight to one address
    least_gap: float  # seconds between two requests to one address, by the server's log
    most_of_least_gap: float  # the same, if the earlier request came when it can have come at the earliest


def judge(web: AddressWeb) -> Found:
    by_address: dict[str, list[Request]] = defaultdict(list)
    for request in web.log:
        by_address[request.address].append(request)
    pairs = [pair for each in by_address.values() for pair in pairwise(each)]
    return Found(
        requests=len(web.log),
        hosts=len({request.host for request in web.log}),
        peak=max(request.in_flight for request in web.log),
        least_gap=min(later.at - earlier.at for earlier, later in pairs),
        most_of_least_gap=min(later.at - earlier.since for earlier, later in pairs),
    )
