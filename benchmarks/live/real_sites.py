"""Every page of saved sites, crawled live: served under their own hosts, all links followed.

No traceback, nothing kept twice, and every page that was asked is in the store with its outcome. Done with the
default settings, with ``workers = 0``, and killed in the middle.
"""

from __future__ import annotations

import gzip
import html
import json
import signal
import sqlite3
import subprocess
import time
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tests.engines.live.webs import SmallWeb

from benchmarks.common import SUNDOG, environment, print_table, scratch
from sundog.urls.identity import identity

BUDGET = 1_000_000  # more than all links lead to
DIRECTORY = "http://directory.example/"
SECONDS = 3_600
RUNS = (("default", (), 0), ("workers = 0", ("--workers=0",), 0), ("killed twice", (), 2))


class SavedSites(SmallWeb):
    """Pages by URL, http and https alike, and one that links to all of them; what is not there is a 404."""

    def __init__(self, files: Iterable[str]) -> None:
        super().__init__()
        self.pages: list[str] = []
        for name in files:
            with gzip.open(name, "rt", encoding="utf-8") as lines:
                for page in map(json.loads, lines):
                    self._add(page)
        self.page(DIRECTORY, *map(html.escape, self.pages))

    def _add(self, page: dict[str, Any]) -> None:
        self.pages.append(page["url"])
        for url in {page["url"], identity(page["url"]) or page["url"]}:  # the second is what a crawl asks for
            self.reply(f"http://{without_scheme(url)}", page["body"], type_=page["content_type"])


def without_scheme(url: str) -> str:
    """Servers on loopback do not know which was meant."""
    return url.partition("://")[2].partition("#")[0]


def main(files: Iterable[str]) -> None:
    rows = [_row(name, options, kills, [*files]) for name, options, kills in RUNS]
    columns = (
        "",
        "seconds",
        "requests",
        "stored with an outcome",
        "saved pages asked",
        "kept",
        "asked twice",
        "kept twice",
        "tracebacks",
    )
    print_table("Saved sites, crawled live", columns, rows)


def _row(name: str, options: tuple[str, ...], kills: int, files: list[str]) -> tuple[str, ...]:
    with scratch() as folder, SavedSites(files) as web:
        directory = folder / "crawl"
        began = time.monotonic()
        tracebacks = _crawl(web, directory, options, kills)
        seconds = time.monotonic() - began
        asked = Counter(map(without_scheme, web.asked()))
        outcomes, kept, kept_twice = _stored(directory)
        never = sum(without_scheme(identity(url) or url) not in asked for url in web.pages)
    missing = [url for url in asked if url not in outcomes]
    for url in missing[:20]:
        print(f"- asked, and not in the store: {url}")
    return (
        name,
        f"{seconds:.0f}",
        f"{asked.total():,}",
        f"{len(asked) - len(missing):,} of {len(asked):,}",
        f"{len(web.pages) - never:,} of {len(web.pages):,}",
        f"{kept:,}",
        str(sum(count > 1 for count in asked.values())),
        str(kept_twice),
        str(tracebacks),
    )


def _crawl(web: SavedSites, directory: Path, options: tuple[str, ...], kills: int) -> int:
    """How many tracebacks there were."""
    begin = [
        "crawl", f"--connect-to={web.connect_to}", f"--out={directory}", f"--budget={BUDGET}", "--delay=0",
        "--concurrency=16", *options,
        "--set", "following.retries=0", "following.patience=5", DIRECTORY,
    ]  # fmt: skip
    errors = b""
    for number in range(kills + 1):
        words = begin if number == 0 else ["resume", str(directory)]
        pipe = subprocess.PIPE
        with subprocess.Popen([*SUNDOG, *words], env=environment(), stdout=pipe, stderr=pipe) as process:
            if number < kills:
                before = len(web.log)
                while len(web.log) < before + len(web.pages) // 3 and process.poll() is None:
                    time.sleep(0.01)
                process.send_signal(signal.SIGKILL)
            errors += process.communicate(timeout=SECONDS)[1]
        if number == kills and process.returncode:
            errors += b"Traceback: it ended with %d" % process.returncode
    logs = b"".join(path.read_bytes() for path in directory.glob("*.log"))
    for line in errors.decode("utf-8", "replace").splitlines()[-3:]:
        print(f"- {line}")
    return (errors + logs).count(b"Traceback")


def _stored(directory: Path) -> tuple[set[str], int, int]:
    """URLs with an outcome, also by a redirect; pages of which statements are kept, and how many of them twice."""
    connection = sqlite3.connect(directory / "crawl.db")
    assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    found = {url for (url,) in connection.execute("SELECT url FROM outcomes JOIN urls ON urls.id = candidate")}
    found |= {url for (url,) in connection.execute("SELECT url FROM hops")}
    final = "SELECT final_url FROM outcomes WHERE final_url IS NOT NULL"
    found |= {url for (url,) in connection.execute(final)}
    ((kept, distinct),) = connection.execute(
        "SELECT count(*), count(DISTINCT content_hash) FROM outcomes WHERE content_hash IS NOT NULL "
        "AND duplicate_of IS NULL AND status = 200"
    )
    twice = connection.execute("SELECT count(*) - count(DISTINCT candidate) FROM outcomes").fetchone()[0]
    connection.close()
    return set(map(without_scheme, found)), kept, kept - distinct + twice
