"""A web that changes under a schedule, kept by rounds that are killed: does the store say what the server said?

In every round some products change, some pages only their bytes, some go (410, or 404 from then on), some are
missing once, now and then a host is down, and lists get new pages. Each ``sundog refresh`` is killed at a random
moment and run again. The server keeps a log of its own answers, and from that alone it follows which versions each
page must have, which pages are gone, and what ``sundog changes`` must say.

``python -m benchmarks.rounds [ROUNDS [SEED [SHARDS]]]``; the test suite does a few. With shards, what is killed is
the driver, and what is compared is the merged crawl.
"""

from __future__ import annotations

import json
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections import defaultdict
from contextlib import closing, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.common import SUNDOG, environment
from sundog.results.merge import as_one
from sundog.store.shards import shard_directories
from sundog.store.whole_round import read_round

SEED = "http://list.example/"
DOWN, GONE, MISSING, THERE = 503, 410, 404, 200
ROUND = 1 << 20  # fetches: enough for all pages
PATIENCE = 1_000.0  # on a machine with 20 times as much to do, a round of 2 s takes 2 minutes


class State(NamedTuple):
    status: int = THERE
    version: int = 0
    noise: int = 0  # of bytes that say nothing


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, *_: object) -> None:
        """Whoever is killed leaves connections."""


class ChangingWeb:
    """``with ChangingWeb(7) as web``: hosts with products, and lists of them on a host of their own."""

    def __init__(self, seed: int, *, hosts: int = 6, products: int = 12, delay: float = 0.0) -> None:
        self._rng = random.Random(seed)
        self._hosts, self.delay = hosts, delay
        self.round = 0
        self.pages = {url: State() for host in range(hosts) for url in self._urls(host, range(products))}
        self._missing_once: dict[str, State] = {}
        self.down = -1
        self.log: list[tuple[int, str, int, int]] = []  # round, URL, status, version
        self._server = _Server(("127.0.0.1", 0), self._handler())

    def __enter__(self) -> ChangingWeb:
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    @property
    def connect_to(self) -> str:
        return f"127.0.0.1:{self._server.server_port}"

    def advance(self) -> None:
        """What the next round meets."""
        rng = self._rng
        self.round += 1
        self.pages |= self._missing_once
        self._missing_once = {}
        self.down = rng.randrange(self._hosts) if self.round % 3 == 0 else -1
        there = [url for url, state in self.pages.items() if state.status == THERE]
        for url in there:
            state, chance = self.pages[url], rng.random()
            if chance < 0.2:
                self.pages[url] = state._replace(version=state.version + 1)
            elif chance < 0.4:
                self.pages[url] = state._replace(noise=state.noise + 1)
            elif chance < 0.43:
                self.pages[url] = state._replace(status=GONE)
            elif chance < 0.46:
                self.pages[url] = state._replace(status=MISSING)
            elif chance < 0.5:
                self._missing_once[url] = state
                self.pages[url] = state._replace(status=MISSING)
        host = rng.randrange(self._hosts)
        count = sum(url.startswith(f"http://shop{host}.") for url in self.pages)
        self.pages |= {url: State() for url in self._urls(host, range(count, count + 2))}

    def _urls(self, host: int, numbers: range) -> list[str]:
        return [f"http://shop{host}.example/product/{number}" for number in numbers]

    def answer(self, url: str) -> tuple[int, bytes]:
        if url.endswith("/robots.txt"):
            return MISSING, b""
        if url == SEED:
            links = "".join(f'<a href="/of/{host}">{host}</a>' for host in range(self._hosts))
            return THERE, f"<title>all</title>{links}".encode()
        if url.startswith(f"{SEED}of/"):
            host = url.rpartition("/")[2]
            own = [each for each in self.pages if each.startswith(f"http://shop{host}.")]
            return THERE, ("<title>list</title>" + "".join(f'<p><a href="{each}">it</a>' for each in own)).encode()
        state = self.pages.get(url, State(MISSING))
        status = DOWN if url.startswith(f"http://shop{self.down}.") else state.status
        self.log.append((self.round, url, status, state.version))
        item = {"@context": "https://schema.org/", "@type": "Product", "url": url, "name": f"v{state.version}"}
        return status, (
            f"<title>{state.noise}</title><p>{state.noise}</p>"
            f'<script type="application/ld+json">{json.dumps(item)}</script>'
        ).encode()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        web = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                time.sleep(web.delay)
                status, body = web.answer(f"http://{self.headers['Host']}{self.path}")
                self.send_response(status)
                self.send_header("Content-Type", "text/html")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                with suppress(OSError):
                    self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                pass

        return Handler

    # -- what the log of the server says ---------------------------------------------------------------

    def expected(self) -> dict[str, list[tuple[int, str]]]:
        """By URL: each version as the round in which it was first said, and what it says; "gone" is one, too."""
        answers: dict[str, dict[int, tuple[int, int]]] = defaultdict(dict)
        for number, url, status, version in self.log:
            answers[url][number] = status, version
        return {url: versions for url, seen in answers.items() if (versions := _versions(seen))}


def _versions(seen: dict[int, tuple[int, int]]) -> list[tuple[int, str]]:
    found: list[tuple[int, str]] = []
    missing = 0
    for number, (status, version) in sorted(seen.items()):
        missing = missing + 1 if status == MISSING else 0
        if status == THERE and (not found or found[-1][1] != f"v{version}"):
            found.append((number, f"v{version}"))
        elif found and (status == GONE or missing == 3):
            found.append((number, "gone"))
    return found


class Kept:
    """A crawl of that web."""

    def __init__(self, directory: Path, web: ChangingWeb, seed: int, shards: int = 0) -> None:
        self.directory, self.web, self._rng, self.kills = directory, web, random.Random(seed), 0
        self._shards = shards

    def begin(self) -> None:
        options = [
            "--delay=0",
            "--budget=5000",
            "--no-report",
            "--set",
            "following.retries=0",
            "following.patience=1",
        ]
        if self._shards:
            options.append(f"--shards={self._shards}")
        self._run("crawl", f"--connect-to={self.web.connect_to}", f"--out={self.directory}", *options, SEED)

    def round(self, *, kill: bool = True) -> None:
        """Killed once after some of its visits, and run again to its end."""
        self.web.advance()
        words = ["refresh", str(self.directory), f"--budget={ROUND}", "--no-report"]
        if kill:
            self._kill(words)
        if not self._has_ended():  # a kill may come when all visits are made and only the summary is not
            self._run(*words)

    def _has_ended(self) -> bool:
        if self._shards:
            last = read_round(self.directory)
            return last is not None and last.has_ended and last.number == self.web.round
        ended = self.rows("SELECT value FROM states WHERE name = 'round ended'")
        return bool(ended) and int(ended[0][0]) == self.web.round

    def _kill(self, words: list[str]) -> None:
        visits = self._count() + self._rng.randrange(1, 40)
        process = subprocess.Popen(
            [*SUNDOG, *words], env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        end = time.monotonic() + PATIENCE
        while process.poll() is None and self._count() < visits and time.monotonic() < end:
            time.sleep(0.01)
        if process.poll() is None:
            process.send_signal(signal.SIGKILL)
            self.kills += 1
        process.communicate()

    def _count(self) -> int:
        parts = shard_directories(self.directory) if self._shards else [self.directory]
        return sum(int(rows_of(part, "SELECT count(*) FROM revisits")[0][0]) for part in parts)

    def _run(self, *words: str) -> str:
        done = subprocess.run(
            [*SUNDOG, *words], env=environment(), capture_output=True, text=True, timeout=PATIENCE
        )
        if done.returncode:
            raise RuntimeError(f"sundog {words[0]}: {done.stderr}")
        return done.stdout

    def rows(self, sql: str) -> list[Any]:
        return rows_of(as_one(self.directory), sql)

    def found(self) -> dict[str, list[tuple[int, str]]]:
        """As ``expected``, of the store."""
        texts: dict[int, str] = defaultdict(str)
        for step, text in self.rows("SELECT id / 8, triples FROM statements"):
            texts[step] += text
        versions: dict[str, list[tuple[int, str]]] = defaultdict(list)
        for url, step, number, gone in self.rows("SELECT url, step, round, gone FROM versions ORDER BY step"):
            if url.startswith("http://shop"):
                said = "gone" if gone else texts[step].partition('schema.org/name> "')[2].partition('"')[0]
                versions[url].append((number, said))
        return dict(versions)

    def changes(self, since: int) -> dict[str, tuple[str, int, str | None, str | None]]:
        lines = map(
            json.loads,
            self._run("changes", str(self.directory), "--since", str(since), "--type", "Product").splitlines(),
        )
        return {
            line["url"]: (line["change"], line["round"], _name(line["before"]), _name(line["after"]))
            for line in lines
        }

    def check(self) -> list[str]:
        """What differs from the log of the server; empty if nothing does."""
        expected, found = self.web.expected(), self.found()
        wrong = [
            f"{url}: {expected.get(url)} was said, {found.get(url)} is stored"
            for url in sorted({*expected, *found})
            if expected.get(url) != found.get(url)
        ]
        for since in range(self.web.round + 1):
            must, told = expected_changes(expected, since), self.changes(since)
            wrong += [
                f"since {since}, {url}: {must.get(url)} has changed, {told.get(url)} is told"
                for url in sorted({*must, *told})
                if must.get(url) != told.get(url)
            ]
        return wrong


def rows_of(directory: Path, sql: str) -> list[Any]:
    with closing(sqlite3.connect(directory / "crawl.db", timeout=PATIENCE)) as connection:
        return connection.execute(sql).fetchall()


def _name(things: list[dict[str, Any]] | None) -> str | None:
    return None if things is None else str(things[0]["name"])


def expected_changes(
    versions: dict[str, list[tuple[int, str]]], since: int
) -> dict[str, tuple[str, int, str | None, str | None]]:
    """Between the state before a round and now."""
    found = {}
    for url, each in versions.items():
        before = next((said for number, said in reversed(each) if number < since and said != "gone"), None)
        if any(number < since and said == "gone" for number, said in each):
            before = None
        number, said = each[-1]
        after = None if said == "gone" else said
        if number >= since and before != after:
            change = "new" if before is None else "gone" if after is None else "changed"
            found[url] = (change, number, before, after)
    return found


def main(rounds: int = 10, seed: int = 7, shards: int = 0) -> None:
    with tempfile.TemporaryDirectory() as folder, ChangingWeb(seed, delay=0.005) as web:
        kept = Kept(Path(folder) / "crawl", web, seed, shards)
        kept.begin()
        for _ in range(rounds):
            kept.round()
        wrong = kept.check()
        expected = web.expected()
        gone = sum(each[-1][1] == "gone" for each in expected.values())
        print(
            f"{rounds} rounds, {kept.kills} kills: {len(expected):,} pages, "
            f"{sum(map(len, expected.values())):,} versions, {gone:,} gone; {len(wrong):,} differ from the log"
        )
        for line in wrong[:20]:
            print(line)
        sys.exit(bool(wrong))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:4]))
