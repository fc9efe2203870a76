"""The hostile corpus on loopback, each attack on a host of its own, beside good hosts; and crawls of both."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from benchmarks.common import environment, process_cost

from sundog.fetch.values import TROUBLE_KINDS
from tests.engines.live.webs import Crawled, SmallWeb
from tests.hostile.corpus import Attack

SEED = "http://seed.example/"
GOOD = [f"http://good{host}.example/p{page}" for host in range(8) for page in range(4)]
PATIENCE = 600.0
PAGE_LABEL = re.compile(r"_:p\d+-")  # of blank nodes: it depends on what else was found
LONGEST_STALL = 1.0  # seconds of processor time
MOST_MEGABYTES = 1_000  # of each of its processes
OUTCOMES = """SELECT u.url, l.event, o.trouble, l.data FROM outcomes o JOIN log l ON l.step = o.step
              JOIN urls u ON u.id = o.candidate"""
STATEMENTS = "SELECT url, triples FROM page_statements JOIN urls ON urls.id = page ORDER BY url, triples"


class HostileWeb(SmallWeb):
    """``attacks`` of about ``size`` bytes each; all pages are linked from one."""

    def __init__(self, attacks: Iterable[Attack] = (), size: int = 0) -> None:
        super().__init__()
        self.hostile: list[str] = []
        for attack in attacks:
            url = f"http://{attack.name}.example/page"
            answer = attack.build(size)
            self.reply(url, answer.body, *answer.headers, type_=answer.content_type)
            self.hostile.append(url)
        for url in GOOD:
            self.product(url)
        between = max(1, len(self.hostile) // len(GOOD))
        links = [
            each for n, url in enumerate(GOOD) for each in (*self.hostile[n * between : (n + 1) * between], url)
        ]
        self.links = list(dict.fromkeys([*links, *self.hostile]))
        self.page(SEED, *self.links)

    @property
    def budget(self) -> int:
        """All that is linked from the seed, and nothing that the hostile pages lead to."""
        return 1 + len(self.links)


class HostileCrawl:
    """One crawl of a web, perhaps in several processes, one after the other."""

    def __init__(self, web: HostileWeb, directory: Path, *options: str) -> None:
        self.web, self.directory = web, directory
        self._stall = directory.parent / f"{directory.name}.stall"
        self._begin = [
            "crawl", f"--connect-to={web.connect_to}", f"--out={directory}", f"--budget={web.budget}", "--delay=0",
            "--policy=bfs", "--no-report", "--set", "following.retries=0", "following.patience=30", *options, SEED,
        ]  # fmt: skip
        self.megabytes = 0.0  # the most that one of its processes had

    def run(self, ends_with: signal.Signals | None = None, after: int = 0) -> float:
        """Begin or resume it. Send a signal when the web was asked so often; the processor time that it took
        from then on."""
        words = ["resume", "--no-report", str(self.directory)] if self.directory.exists() else self._begin
        command = [sys.executable, "-m", "tests.hostile.crawler", str(self._stall), *words]
        pipe = subprocess.PIPE
        with subprocess.Popen(command, env=environment(), stdout=pipe, stderr=pipe) as process:
            threading.Thread(target=self._measure, args=(process,), daemon=True).start()
            took = self._signal(process, ends_with, after) if ends_with else 0.0
            _, errors = process.communicate(timeout=PATIENCE)
        assert b"Traceback" not in errors, errors.decode()
        assert process.returncode in (0, -(ends_with or 0)), errors.decode()
        return took

    def _signal(self, process: subprocess.Popen[bytes], number: signal.Signals, after: int) -> float:
        while len(self.web.log) < after and process.poll() is None:
            time.sleep(0.005)
        used = used_before = process_cost(process.pid).cpu
        process.send_signal(number)
        while process.poll() is None:
            try:
                used = process_cost(process.pid).cpu
            except OSError:
                break
            time.sleep(0.01)
        return used - used_before

    def _measure(self, process: subprocess.Popen[bytes]) -> None:
        while process.poll() is None:
            for pid in descendants(process.pid):
                self.megabytes = max(self.megabytes, peak(pid))
            time.sleep(0.05)

    @property
    def stall(self) -> float:
        """The longest time for which its loop was busy without a pause."""
        return float(self._stall.read_text())

    @property
    def outcomes(self) -> dict[str, list[tuple[str, str | None, str | None]]]:
        found: dict[str, list[Any]] = {}
        for url, *outcome in Crawled(self.directory).rows(OUTCOMES):
            found.setdefault(url, []).append(tuple(outcome))
        return found

    def good_pages(self) -> list[Any]:
        """What is stored of them."""
        crawled = Crawled(self.directory)
        good = set(GOOD)
        return [
            [row for row in crawled.rows("SELECT url, reward, fault FROM pages ORDER BY url") if row[0] in good],
            [(url, PAGE_LABEL.sub("_:", text)) for url, text in crawled.rows(STATEMENTS) if url in good],
        ]


def check(crawl: HostileCrawl, good_pages: list[Any]) -> None:
    """All good pages are there, each hostile one has one typed outcome, and the crawl was never held up."""
    outcomes = crawl.outcomes
    for url in crawl.web.links:
        assert len(outcomes.get(url, ())) == 1, f"{url} has no outcome, or several"
        event, trouble, reason = outcomes[url][0]
        assert event == "fetched" or (trouble in TROUBLE_KINDS and trouble != "other"), (url, reason)
        assert trouble != "internal", (url, reason)
    assert crawl.good_pages() == good_pages
    assert crawl.stall < LONGEST_STALL
    assert crawl.megabytes < MOST_MEGABYTES
    assert Crawled(crawl.directory).rows("PRAGMA integrity_check") == [("ok",)]


def descendants(pid: int) -> list[int]:
    """A process and all that it has started, by Linux."""
    found = [pid]
    for each in found:
        try:
            for task in os.listdir(f"/proc/{each}/task"):
                found += map(int, Path(f"/proc/{each}/task/{task}/children").read_text().split())
        except OSError:
            continue
    return found


def peak(pid: int) -> float:
    """The most memory that a process had, in megabytes; 0 if it has ended."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0.0
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM")), 0.0)
