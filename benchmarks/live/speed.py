"""The live crawl with everything on, compared with Scrapy that only follows links, and with Scrapy and extruct.

Each crawler is one process and crawls all of a web that it can reach: same pages, 64 requests at once, no delay,
robots.txt obeyed. They take turns; a separate process serves prepared answers. The cost of starting a crawler is
measured with a crawl of one page and subtracted. Real pages link to pages that were not collected; the requests
for these are part of a page's cost.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from benchmarks.common import print_table, with_spread
from benchmarks.live.runs import Done, Web, demo_web, real_web, scrapy, sundog

PAGES, ROUNDS = 4_000, 3
ALL_OF_IT = 1_000_000  # as a budget
LIMITS = {"Scrapy, links only": 2, "Scrapy + extruct": 20}

CRAWLERS: dict[str, Callable[[Web, bool], Done]] = {
    "Sundog, everything on": lambda web, short: sundog(web, budget=1 if short else ALL_OF_IT),
    "Scrapy, links only": lambda web, short: scrapy(web, pages=int(short)),
    "Scrapy + extruct": lambda web, short: scrapy(web, pages=int(short), extruct=True),
}
OURS = next(iter(CRAWLERS))


class Speed(NamedTuple):
    pages: int
    misses: int
    size: float  # mean bytes of a page
    per_second: float
    milliseconds: float  # of CPU per page
    start: float  # seconds of CPU


def measure(name: str, web: Web) -> Speed:
    short, done = CRAWLERS[name](web, True), CRAWLERS[name](web, False)
    requests = done.requests
    pages = requests.served - short.requests.served
    return Speed(
        requests.served,
        requests.missed.total(),
        requests.bytes / requests.served,
        pages / (done.seconds - short.seconds),
        (done.cpu - short.cpu) / pages * 1e3,
        short.cpu,
    )


def rows_of(web: Web, rounds: int) -> list[tuple[str, ...]]:
    speeds: dict[str, list[Speed]] = {name: [] for name in CRAWLERS}
    for _ in range(rounds):
        for name in CRAWLERS:
            speeds[name].append(measure(name, web))
    return [_row(web, name, speeds[name], speeds[OURS]) for name in CRAWLERS]


def _row(web: Web, name: str, speeds: list[Speed], ours: list[Speed]) -> tuple[str, ...]:
    """Ratios are of the same round, so that other work on the machine hits both sides."""
    faster = [own.per_second / each.per_second for own, each in zip(ours, speeds, strict=True)]
    cheaper = [each.milliseconds / own.milliseconds for own, each in zip(ours, speeds, strict=True)]
    is_ours = name == OURS
    return (
        web.name,
        name,
        f"{speeds[0].pages:,}",
        f"{speeds[0].misses:,}",
        f"{speeds[0].size / 1e3:.1f}",
        with_spread([each.per_second for each in speeds], ".0f"),
        with_spread([each.milliseconds for each in speeds], ".2f"),
        f"{min(each.start for each in speeds):.1f}",
        "" if is_ours else with_spread(faster, ".1f"),
        "" if is_ours else with_spread(cheaper, ".1f"),
        "" if is_ours else f"≥ {LIMITS[name]}",
    )


def main(site: str | None = None, rounds: int | None = None) -> None:
    rounds = rounds or ROUNDS
    columns = (
        "web",
        "crawler",
        "pages",
        "404",
        "mean kB",
        "pages/s",
        "CPU ms per page",
        "start, CPU s",
        "Sundog is faster",
        "and cheaper",
        "limit",
    )
    for web in [demo_web(PAGES), *([real_web(Path(site))] if site else [])]:
        print_table(f"Live: {web.name}, {rounds} rounds in turns", columns, rows_of(web, rounds))
