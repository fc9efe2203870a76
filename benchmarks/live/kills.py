"""Scrapy spiders with the add-on and a JOBDIR that are killed (-9) twenty times: what is lost, what comes twice.

The server's log is the witness, without robots.txt, which each process reads. A crawl of the same spider in plain
Scrapy, which nobody disturbs, says what there is to ask for. After each kill the job says what was done by then:
the server may not be asked for that again.
"""

from __future__ import annotations

import random
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from benchmarks.common import ROOT, environment, print_table, scratch
from sundog.demo_web.serving import Served, serving

KILLS, PAGES = 20, 1_500
SPIDERS = {"plain": "Spider", "rules": "CrawlSpider", "sitemap": "SitemapSpider"}
PATIENCE = 600.0  # seconds


class Kill(NamedTuple):
    at: float  # time.monotonic(), as in the server's log
    done: frozenset[str]


class Spider(NamedTuple):
    served: Served
    name: str
    seeds: Path

    def start(self, job: Path | None) -> subprocess.Popen[bytes]:
        """Without a job, without Sundog."""
        options = {"--port": self.served.port, "--seeds": self.seeds, "--pages": 1_000_000}
        words = [str(each) for option in options.items() for each in option]
        words += ["--job", str(job), "--sundog"] if job else []
        command = [sys.executable, "-m", "benchmarks.live.scrapy_project", self.name, *words]
        return subprocess.Popen(command, cwd=ROOT, env=environment(), stdout=subprocess.DEVNULL)

    def finish(self, job: Path | None) -> None:
        with self.start(job) as process:
            if process.wait(PATIENCE):
                sys.exit(f"the spider {self.name} failed")

    def kill_after(self, steps: int, job: Path) -> Kill | None:
        """None if it was through before that."""
        with self.start(job) as process:
            while len(_done(job)) < steps and process.poll() is None:
                time.sleep(0.01)
            is_through = process.poll() is not None
            process.kill()
            process.wait()
        return None if is_through else Kill(time.monotonic(), frozenset(_done(job)))


def _done(job: Path) -> list[str]:
    """Without the marks that tell requests of one URL apart."""
    if not (job / "sundog.db").exists():
        return []
    with closing(sqlite3.connect(f"file:{job / 'sundog.db'}?mode=ro", uri=True)) as connection:
        try:
            return [name.partition("#")[0] for (name,) in connection.execute("SELECT name FROM outcomes")]
        except sqlite3.OperationalError:  # there are no tables yet
            return []


def _asked(served: Served, since: float) -> list[tuple[float, str]]:
    time.sleep(1)  # until the server's log is complete
    requests = [each for each in served.requests() if each.at > since and each.target != "/robots.txt"]
    return [(each.at, f"http://{each.host}{each.target}") for each in requests]


def _failed(job: Path) -> int:
    with closing(sqlite3.connect(job / "sundog.db")) as connection:
        return int(connection.execute("SELECT count(*) FROM outcomes WHERE kind = 'failed'").fetchone()[0])


def _kills(spider: Spider, directory: Path, seed: int) -> tuple[str, ...]:
    begin = time.monotonic()
    spider.finish(None)
    expected = {url for _, url in _asked(spider.served, begin)}
    job, draw, kills = directory / spider.name, random.Random(seed), list[Kill]()
    most_steps = len(expected) // (2 * KILLS)  # between two kills, so that it is not through before the last one
    begin = time.monotonic()
    while len(kills) < KILLS:
        before = len(kills[-1].done) if kills else 0
        kill = spider.kill_after(before + draw.randint(1, most_steps), job)
        if kill is None:
            break
        kills.append(kill)
    spider.finish(job)
    asked = _asked(spider.served, begin)
    again = {(at, url) for kill in kills for at, url in asked if at > kill.at and url in kill.done}
    times = Counter(url for _, url in asked)
    lost, more = expected - set(times), set(times) - expected
    for title, urls in (("lost", lost), ("more", more), ("again", {url for _, url in again})):
        for url in sorted(urls):
            print(f"{spider.name}, {title}: {url}")
    return (
        f"Scrapy, {SPIDERS[spider.name]}",
        str(len(kills)),
        f"{len(expected):,}",
        str(len(lost)),
        str(len(more)),
        str(len(again)),
        str(_failed(job)),
        str(sum(number - 1 for number in times.values())),
    )


def main(spiders: str = "plain,rules,sitemap", seed: int = 1) -> None:
    with scratch() as directory:
        rows = []
        for name in spiders.split(","):
            log = directory / f"{name}.log"
            has_sitemaps = name == "sitemap"  # they come with slow, broken and endless pages
            with serving(pages=PAGES, https=0.0, corners=has_sitemaps, log=log) as served:
                seeds = directory / "seeds.txt"
                begin = [f"{site.root}/" for site in served.web.sites] if name == "sitemap" else served.seeds
                seeds.write_text("\n".join(begin))
                rows.append(_kills(Spider(served, name, seeds), directory, seed))
    columns = (
        "spider",
        "kills",
        "URLs",
        "lost",
        "more",
        "asked again after they were done",
        "failed",
        "asked twice",
    )
    print_table(f"Killed {KILLS} times (-9) with JOBDIR, demo web of {PAGES:,} pages", columns, rows)


if __name__ == "__main__":
    main(*sys.argv[1:2], *map(int, sys.argv[2:3]))
