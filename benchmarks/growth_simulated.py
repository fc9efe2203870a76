"""Whether a simulated page costs more the more pages there are: CPU of each part of a crawl of a million pages.

The world is that of ``scale``: 5.5 million pages on 455,848 hosts. All policies crawl it in one process, after one
another, so that the highest memory is that of all of them.
"""

from __future__ import annotations

import time
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np

from benchmarks.common import FULL, print_table, with_spread, world
from benchmarks.papers.plot import line_chart
from benchmarks.synthetic_webs import BUDGET, SCALE_POLICIES
from sundog import load_world
from sundog.engines.runs import Run
from sundog.engines.simulate import simulate
from sundog.worlds.static import StaticWorld

MARKS = (10_000, 30_000, 100_000, 300_000, 1_000_000)
PLOT = Path(__file__).parent.parent / "docs" / "growth.svg"


class Crawl(NamedTuple):
    run: Run
    cpu: dict[int, float]  # seconds when so many pages were fetched; at every hundredth of the budget


def main(rounds: int | None = None) -> None:
    loaded = load_world(world("web2014", **FULL))
    crawls = {policy: [crawl(loaded, policy) for _ in range(rounds or 2)] for policy in SCALE_POLICIES}
    print_table(
        f"Simulated: {BUDGET:,} of 5.5 M pages, 455,848 hosts",
        ("policy", "µs per fetch", "choice, mean / p99 µs", "peak memory so far"),
        [_row(policy, found) for policy, found in crawls.items()],
    )
    parts = list(pairwise((0, *MARKS)))
    print_table(
        "µs of CPU a page, the least of all rounds",
        ("pages", "known at the end", *(f"`{policy}`" for policy in crawls)),
        [
            (
                f"{first:,} – {last:,}",
                f"{_known(loaded, crawls['sundog'][0].run, last):,}",
                *(f"{min(_cost(each, first, last) for each in found):.1f}" for found in crawls.values()),
            )
            for first, last in parts
        ],
    )
    PLOT.write_text(line_chart({name: _curve(found) for name, found in crawls.items()}, ("pages", "µs a page")))


def crawl(loaded: StaticWorld, policy: str) -> Crawl:
    cpu: dict[int, float] = {}

    def note(fetched: int, _: int) -> None:
        cpu[fetched] = time.process_time()

    simulate(loaded, policy, budget=1_000)  # kernels are compiled, and tokens are made
    cpu[0] = time.process_time()
    return Crawl(simulate(loaded, policy, budget=BUDGET, progress=note), cpu)


def _row(policy: str, crawls: list[Crawl]) -> tuple[str, ...]:
    choice = crawls[0].run.trace.select_ns / 1e3
    return (
        f"`{policy}`",
        with_spread([each.run.seconds / each.run.fetched * 1e6 for each in crawls], ".1f"),
        f"{choice.mean():.1f} / {np.percentile(choice, 99):.1f}",
        f"{crawls[-1].run.peak_rss_mb / 1024:.2f} GB",
    )


def _cost(found: Crawl, first: int, last: int) -> float:
    return (found.cpu[last] - found.cpu[first]) / (last - first) * 1e6


def _curve(crawls: list[Crawl]) -> list[tuple[float, float]]:
    """Of twenty parts, each at its end."""
    step = BUDGET // 20
    ends = range(step, BUDGET + 1, step)
    return [(end, min(_cost(each, end - step, end) for each in crawls)) for end in ends]


def _known(loaded: StaticWorld, run: Run, pages: int) -> int:
    """How many pages links have led to by then."""
    known = np.zeros(loaded.size, bool)
    for page in run.trace.pages[:pages].tolist():
        known[loaded.links.targets[loaded.links.starts[page] : loaded.links.starts[page + 1]]] = True
    return int(known.sum())
