"""Very short crawls: `hybrid` and `ensemble` beside the best single estimator, on several graphs a profile."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from benchmarks.common import print_table, world
from benchmarks.findings import SIZES, runs_of
from sundog import load_world
from sundog.worlds.static import StaticWorld

MOMENTS = (100, 300, 1000)
GRAPHS = (1, 2, 3)  # seeds of the generator
REPEATS = 10
SINGLE = "opic nh-n nh-e nh-ne lnh-sum lnh-max lnh-avg".split()
COMBINED = ("hybrid", "ensemble")


def main() -> None:
    rows = []
    for profile, size in SIZES.items():
        graphs = [load_world(world(profile, pages=size.pages, seed=seed)) for seed in GRAPHS]
        shares = np.array([shares_of_the_best(graph) for graph in graphs])  # by graph, policy and moment
        cells = [_spread(shares[:, place, at]) for at in range(len(MOMENTS)) for place in range(len(COMBINED))]
        rows.append((f"`{profile}`", *cells))
    columns = ("profile", *(f"`{policy}` {steps:,}" for steps in MOMENTS for policy in COMBINED))
    title = f"Share of the best single estimator's score, {REPEATS} crawls of {len(GRAPHS)} graphs each"
    print_table(f"{title}: mean (lowest graph)", columns, rows)


def shares_of_the_best(graph: StaticWorld) -> Any:
    best = np.max([_scores(graph, policy) for policy in SINGLE], axis=0)
    return [_scores(graph, policy) / best for policy in COMBINED]


def _scores(graph: StaticWorld, policy: str) -> Any:
    """Mean sums of scores at the moments."""
    runs = runs_of(graph, policy, MOMENTS[-1], REPEATS)
    return np.mean([np.cumsum(run.trace.rewards)[np.array(MOMENTS) - 1] for run in runs], axis=0)


def _spread(shares: Sequence[float]) -> str:
    return f"{np.mean(shares):.2f} ({np.min(shares):.2f})"
