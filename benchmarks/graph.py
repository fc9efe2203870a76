"""Exploration of scored graphs: what a fresh estimate costs, and what is found on real pages."""

from __future__ import annotations

import numpy as np

from benchmarks.common import print_table, simulate
from benchmarks.graph_world import scored_graph
from sundog import simulate as simulate_here
from sundog.worlds.load import load_world

ESTIMATORS = ("nh-n", "nh-e", "nh-ne", "lnh-sum", "lnh-max", "lnh-avg", "hybrid", "ensemble", "opic")
BUDGET = 100_000
REPEATS = 2
BASELINES = ("random", "bfs")
MOMENTS = (100, 300, 1000, 2000)
SEED_SETS = 20


def main(wiki: str | None = None) -> None:
    _cost()
    if wiki:
        _found(wiki)


def _cost() -> None:
    """Of 100,000 steps, at refresh 1 and 500."""
    world = scored_graph(1_000_000, 10_000_000)
    options = {"budget": BUDGET, "for": "score", "start": "random:50", "seed": 1}
    rows = []
    for name in ESTIMATORS:
        fresh, stale = (
            min(
                (simulate(world, name, **options, set=f"refresh={every}")[0] for _ in range(REPEATS)), key=_seconds
            )
            for every in (1, 500)
        )
        ratio = f"{_seconds(fresh) / _seconds(stale):.2f}×"
        cost = f"{_seconds(fresh):.1f} s", f"{fresh['us_per_fetch']:.1f} µs", ratio
        rows.append((f"`{name}`", *cost, f"{fresh['reward']:,.0f}", f"{stale['reward']:,.0f}"))
    rank = simulate(world, "navigational-rank", **options)[0]
    rows.append(
        ("`navigational-rank`, refresh 100", f"{_seconds(rank):.0f} s", "", "", f"{rank['reward']:,.0f}", "")
    )
    columns = ("estimator", "100,000 steps", "a step", "refresh 1 / 500", "score", "score at refresh 500")
    print_table("Cost: 1 M nodes, 10 M links, refresh 1", columns, rows)


def _seconds(run: dict[str, float]) -> float:
    return run["seconds"]


def _found(wiki: str) -> None:
    """The mean score over sets of 50 scored seeds, relative to the oracle's."""
    world = load_world(wiki)
    scores = {}
    for name in ("oracle", *BASELINES, *ESTIMATORS, "navigational-rank"):
        runs = [
            simulate_here(world, name, budget=MOMENTS[-1], objective="score", start="random:50", seed=seed)
            for seed in range(SEED_SETS)
        ]
        scores[name] = np.mean([np.cumsum(run.trace.rewards)[np.array(MOMENTS) - 1] for run in runs], axis=0)
    oracle = scores.pop("oracle")
    rows = [(f"`{name}`", *(f"{value:.3f}" for value in mean / oracle)) for name, mean in scores.items()]
    columns = ("estimator", *(f"{moment:,} steps" for moment in MOMENTS))
    print_table(f"Score relative to the oracle, mean of {SEED_SETS} sets of 50 seeds: {world.name}", columns, rows)
