"""Exploration of a large scored graph: what a fresh estimate costs; and what estimators find on real pages."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks.common import DATA, print_table, simulate
from sundog import simulate as simulate_here
from sundog.worlds.load import load_world
from sundog.worlds.parquet import LINKS, PAGES
from sundog.worlds.synthetic.graphs import smoothed

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
    columns = ("estimator", "100,000 steps", "per step", "refresh 1 / 500", "score", "score at refresh 500")
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


def scored_graph(nodes: int, links: int, seed: int = 1) -> Path:
    """Popularity and activity by power laws, rich nodes that link to rich ones, few scores; generated once."""
    directory = DATA / f"scored-{nodes}-{links}-{seed}"
    if not (directory / LINKS).exists():
        directory.mkdir(parents=True, exist_ok=True)
        _write(directory, nodes, links, np.random.default_rng(seed))
    return directory


def _write(directory: Path, nodes: int, links: int, rng: np.random.Generator) -> None:
    affinity = rng.beta(0.3, 3, nodes)
    scores = smoothed(rng.poisson(np.where(rng.random(nodes) < affinity, 8 * affinity, 0)))
    activity = np.minimum(rng.pareto(1.5, nodes) + 1, 500)
    sources = np.sort(rng.choice(nodes, links, p=activity / activity.sum()))
    targets = _targets(affinity, sources, rng)
    near = rng.random(links) < 0.01 + 0.3 * affinity[sources] * affinity[targets]
    link_scores = smoothed(np.where(near, 1 + rng.poisson(0.5, links), 0))
    urls = [f"https://graph.example/{node}" for node in range(nodes)]
    pages = {"id": np.arange(nodes), "url": urls, "score": scores}
    pq.write_table(pa.table(pages), directory / PAGES)
    edges = {"src": sources, "dst": targets, "score": link_scores}
    pq.write_table(pa.table(edges), directory / LINKS)


def _targets(affinity: Any, sources: Any, rng: np.random.Generator) -> Any:
    """By popularity; every second link among the nodes of like affinity."""
    nodes, links = len(affinity), len(sources)
    order = np.argsort(affinity)
    popularity = np.minimum(rng.pareto(1.5, nodes) + 0.2, 1000)
    reach = np.cumsum(popularity[order])
    own = np.empty(nodes)
    own[order] = reach
    anywhere = rng.random(links) * reach[-1]
    nearby = own[sources] + 0.03 * reach[-1] * rng.standard_normal(links)
    aim = np.where(rng.random(links) < 0.5, nearby, anywhere)
    return order[np.searchsorted(reach, np.clip(aim, 0, reach[-1] * (1 - 1e-12)))]
