"""Policies for `explore`: a function gives scores of nodes and links, of nodes alone, or 1 and 0."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.common import print_table, world
from benchmarks.findings import SIZES
from sundog import explore, load_world
from sundog.worlds.static import StaticWorld

POLICIES = ("bfs", "sundog", "hybrid", "ensemble")
PROFILES = ("keyword", "mentions", "mentions-happy")
BUDGET = 1000
REPEATS = 5
SEEDS = 5
Expand = Callable[[str], tuple[float, Any]]


def main(wiki: str | None = None) -> None:
    graphs = [*([wiki] if wiki else []), *(world(profile, pages=SIZES[profile].pages) for profile in PROFILES)]
    rows = []
    for graph in map(load_world, graphs):
        for given, expand in answers(graph).items():
            rows.append((graph.name, given, *(f"{found(graph, expand, policy):,.0f}" for policy in POLICIES)))
    columns = ("graph", "what `expand` gives", *(f"`{policy}`" for policy in POLICIES))
    print_table(f"Score of {BUDGET:,} nodes, mean of {REPEATS} sets of {SEEDS} scored seeds", columns, rows)


def answers(graph: StaticWorld) -> dict[str, Expand]:
    """Functions that know more or less of the graph."""
    scores = graph.pages.score()

    def both(node: str) -> tuple[float, Any]:
        links = graph.links_of(int(node))
        return scores.item(int(node)), dict(zip(map(str, links.targets), links.scores.tolist(), strict=True))

    def nodes(node: str) -> tuple[float, Any]:
        return scores.item(int(node)), list(both(node)[1])

    def bits(node: str) -> tuple[float, Any]:
        return float(scores[int(node)] > 0), list(both(node)[1])

    return {"scores of nodes and links": both, "scores of nodes": nodes, "1 or 0": bits}


def found(graph: StaticWorld, expand: Expand, policy: str) -> float:
    scored = np.flatnonzero(graph.pages.score() > 0)
    rewards = []
    for seed in range(REPEATS):
        seeds = np.random.default_rng(seed).choice(scored, SEEDS, replace=False)
        rewards.append(explore(expand, list(map(str, seeds)), budget=BUDGET, policy=policy, seed=seed).reward)
    return float(np.mean(rewards))
