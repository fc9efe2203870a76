"""Scrapy and crawlee on the demo web, as they are and with Sundog choosing: items for as many requests, and cost.

Spiders and handlers are the same and know nothing of Sundog. Both orders have 16 requests at once and no delay.
CPU a page is that of a crawl of a whole small web (all that sitemaps list of a larger one), so of the same pages,
without that of a short one, so without the start.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from benchmarks.common import ROOT, environment, print_table, scratch, with_spread
from sundog.demo_web.serving import Served, serving

WEB_PAGES, BUDGET, ROUNDS = 6_000, 1_000, 3
SMALL_WEB_PAGES, FEW_PAGES, ALL_PAGES = 1_500, 60, 1_000_000
SITEMAPS = "Scrapy, SitemapSpider"  # begins at all hosts, for a third of them have sitemaps: 1,900 pages
CRAWLERS = {
    "Scrapy, Spider": ["benchmarks.live.scrapy_project", "plain"],
    "Scrapy, CrawlSpider": ["benchmarks.live.scrapy_project", "rules"],
    SITEMAPS: ["benchmarks.live.scrapy_project", "sitemap"],
    "crawlee, ParselCrawler": ["benchmarks.live.crawlee_project"],
}


class Done(NamedTuple):
    items: int
    pages: int
    cpu: float


class Web(NamedTuple):
    served: Served
    directory: Path

    def crawl(self, name: str, pages: int, *, with_sundog: bool) -> Done:
        words, seeds = CRAWLERS[name], self.directory / "seeds.txt"
        begin = [f"{site.root}/" for site in self.served.web.sites] if name == SITEMAPS else self.served.seeds
        seeds.write_text("\n".join(begin))
        options = {"--port": self.served.port, "--seeds": seeds, "--pages": pages}
        command = [sys.executable, "-m", *words, *(str(each) for option in options.items() for each in option)]
        command += ["--sundog"] if with_sundog else []
        with subprocess.Popen(command, cwd=ROOT, env=environment(), stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            output = process.stdout.read()
            _, status, used = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            sys.exit(f"{' '.join(command)} failed")
        return Done(*json.loads(output), used.ru_utime + used.ru_stime)


def items(web: Web, name: str, rounds: int) -> tuple[str, ...]:
    found = {
        ours: [web.crawl(name, BUDGET, with_sundog=ours).items for _ in range(rounds)] for ours in (False, True)
    }
    times = [with_it / max(1, without) for without, with_it in zip(found[False], found[True], strict=True)]
    return name, with_spread(found[False], ".0f"), with_spread(found[True], ".0f"), with_spread(times, ".1f")


def cost(web: Web, name: str, rounds: int) -> tuple[str, ...]:
    """Ratios are of the same round, so that other work on the machine hits both sides."""

    def milliseconds(*, with_sundog: bool) -> float:
        few, every = (web.crawl(name, pages, with_sundog=with_sundog) for pages in (FEW_PAGES, ALL_PAGES))
        return (every.cpu - few.cpu) / (every.pages - few.pages) * 1e3

    costs = [(milliseconds(with_sundog=False), milliseconds(with_sundog=True)) for _ in range(rounds)]
    ratios = [with_it / without for without, with_it in costs]
    return (
        name,
        with_spread([without for without, _ in costs], ".2f"),
        with_spread([with_it for _, with_it in costs], ".2f"),
        with_spread(ratios, ".2f"),
    )


def main(rounds: int | None = None) -> None:
    with scratch() as directory:
        with serving(pages=WEB_PAGES, https=0.0) as served:
            rows = [items(Web(served, directory), name, rounds or ROUNDS) for name in CRAWLERS]
            print_table(
                f"Recipes with {BUDGET:,} requests, demo web of {WEB_PAGES:,} pages",
                ("crawler", "items", "with Sundog", "times as many"),
                rows,
            )
            of_sitemaps = cost(Web(served, directory), SITEMAPS, rounds or ROUNDS)
        with serving(pages=SMALL_WEB_PAGES, https=0.0, corners=False) as served:  # which has no sitemaps
            rows = [cost(Web(served, directory), name, rounds or ROUNDS) for name in CRAWLERS if name != SITEMAPS]
            rows.append(of_sitemaps)
            print_table(
                "CPU of a page, in milliseconds", ("crawler", "alone", "with Sundog", "times as much"), rows
            )


if __name__ == "__main__":
    main()
