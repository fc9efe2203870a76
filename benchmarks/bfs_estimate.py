"""How far the report's estimate for breadth-first order is from the truth, on simulated crawls."""

from __future__ import annotations

import tempfile
from pathlib import Path

from benchmarks.common import print_table, world
from benchmarks.recording import stored
from sundog import load_world, simulate
from sundog.report.crawl.bfs import estimate_bfs
from sundog.report.crawl.fetches import read_fetches
from sundog.store import open_readonly
from sundog.worlds.static import StaticWorld

PROFILES = ("web2014", "web2024", "adverse")
POLICIES = ("sundog", "anthelion", "random")
BUDGETS = (1_000, 6_000)
COLUMNS = ("web", "policy", "budget", "relevant", "`bfs`", "estimated", "range", "off by")


def main() -> None:
    rows = []
    for profile in PROFILES:
        loaded = load_world(str(world(profile, pages=60_000, hosts=4_000, seed=11)))
        for policy in POLICIES:
            rows += [_row(profile, loaded, policy, budget) for budget in BUDGETS]
    print_table("The estimate for breadth-first order against the truth", COLUMNS, rows)


def _row(profile: str, loaded: StaticWorld, policy: str, budget: int) -> tuple[str, ...]:
    truth = simulate(loaded, "bfs", budget=budget).relevant
    run = simulate(loaded, policy, budget=budget)
    with tempfile.TemporaryDirectory() as directory:
        crawl = stored(Path(directory) / "crawl", loaded, run)
        with open_readonly(crawl) as reader:
            found = estimate_bfs(reader, read_fetches(reader))
    least, likely, most = (each.sum() for each in (found.least, found.likely, found.most))
    figures = (f"{budget:,}", f"{run.relevant:,}", f"{truth:,}", f"{likely:,.0f}", f"{least:,.0f}–{most:,.0f}")
    return profile, policy, *figures, f"{likely / truth - 1:+.0%}"


if __name__ == "__main__":
    main()
