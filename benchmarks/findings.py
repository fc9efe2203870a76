"""The graph paper's findings on synthetic graphs of its five data sets' sparsity, a table for each.

Budgets are the paper's 100,000 steps by the share of the graph that they were: 1/30 of its Wikipedia, 1/170 of its
Twitter. Seeds are random sets of 50 nodes with a score, as there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from benchmarks.common import print_table, world
from sundog import Run, load_world, simulate
from sundog.engines.experiment import Relative, relative_scores, steps_up_to
from sundog.engines.precision import Precision, estimator_precision
from sundog.policies.presets import POLICIES
from sundog.worlds.static import StaticWorld

REPEATS = 20
START = "random:50"
WINDOW = 1000
ESTIMATORS = "random bfs opic nh-n nh-e nh-ne lnh-sum lnh-max lnh-avg hybrid ensemble navigational-rank".split()
SLOW = {"navigational-rank": {"refresh": 100}}
ALTERED = [{"q": q, "zeta": zeta} for q in (0.9, 0.5) for zeta in (0.1, 0.5)]
REFRESHED = [{"refresh": every} for every in (2, 20, 500)]
PRECISE = "random nh-n nh-e nh-ne lnh-sum lnh-max lnh-avg".split()


class Size(NamedTuple):
    pages: int
    budget: int


SIZES = {
    "keyword": Size(300_000, 10_000),
    "keyword-france": Size(300_000, 10_000),
    "mentions": Size(1_000_000, 6_000),
    "mentions-happy": Size(1_000_000, 6_000),
    "mentions-weird": Size(1_000_000, 6_000),
}


def main() -> None:
    for profile, size in SIZES.items():
        graph = load_world(world(profile, pages=size.pages))
        oracle = runs_of(graph, "oracle", size.budget)
        compare_estimators(profile, graph, oracle)
        compare_steering(profile, graph, size.budget)
    keyword = load_world(world("keyword", pages=SIZES["keyword"].pages))
    compare_precision(keyword, SIZES["keyword"].budget)


def runs_of(graph: StaticWorld, policy: str, budget: int, repeats: int = REPEATS, **settings: Any) -> list[Run]:
    options = {"budget": budget, "objective": "score", "start": START, **settings}
    return [simulate(graph, policy, seed=seed, **options) for seed in range(repeats)]


def compare_estimators(profile: str, graph: StaticWorld, oracle: Sequence[Run]) -> None:
    """Neighbourhood > OPIC > BFS > random, and hybrid comparable to the best."""
    budget, rows = oracle[0].budget, []
    for policy in (name for name in ESTIMATORS if name in POLICIES):
        settings = SLOW.get(policy, {})
        runs = runs_of(graph, policy, budget, len(oracle), **settings)
        rows.append((_label(policy, settings), *_cells(relative_scores(runs, oracle, steps_up_to(budget)))))
    columns = ("policy", *(f"{steps:,}" for steps in steps_up_to(budget)))
    print_table(f"`{profile}`, {graph.size:,} nodes: sum of scores relative to the oracle's", columns, rows)


def compare_steering(profile: str, graph: StaticWorld, budget: int) -> None:
    """Greedy beats altered greedy in the long run; estimates that are not fresh cost score."""
    policy = steered()
    greedy = runs_of(graph, policy, budget)
    rows = []
    for settings in (*ALTERED, *REFRESHED):
        runs = runs_of(graph, policy, budget, **settings)
        rows.append((_label(policy, settings), *_cells(relative_scores(runs, greedy, steps_up_to(budget)))))
    columns = ("strategy", *(f"{steps:,}" for steps in steps_up_to(budget)))
    print_table(f"`{profile}`: sum of scores relative to greedy `{policy}`, always fresh", columns, rows)


def steered() -> str:
    """The paper steers by the oracle's estimates; where the oracle cannot be steered, another estimator is."""
    return next(name for name in ("oracle", "nh-n") if "refresh" in POLICIES[name].accepts)


def compare_precision(graph: StaticWorld, budget: int) -> None:
    """Figure 3. Where few nodes are named, the first choice is stuck at a worthless node that the oracle never
    takes, and the shortfall is that of always being wrong, whatever the estimator."""
    steps, rows = steps_up_to(budget), []
    for policy in PRECISE:
        found = estimator_precision(graph, policy, budget=budget, start=START)
        rows.append((f"`{policy}`", *(_precision_cell(found, step) for step in steps)))
    always_wrong = replace(found, chosen=np.zeros(len(found.best)), nodes=np.zeros(len(found.best), np.int64))
    rows.append(("always wrong", *(f"{always_wrong.rolling(WINDOW)[step - 1]:.3f}" for step in steps)))
    print_table(
        f"The oracle's crawl of `keyword`: score of the frontier's best node less that of the estimator's choice, "
        f"mean of the last {WINDOW:,} steps, and how many different nodes were chosen in them",
        ("estimator", *(f"{step:,}" for step in steps)),
        rows,
    )


def _precision_cell(found: Precision, step: int) -> str:
    return f"{found.rolling(WINDOW)[step - 1]:.3f}, {found.named(max(0, step - WINDOW), step):,}"


def _label(policy: str, settings: Mapping[str, Any]) -> str:
    return " ".join([f"`{policy}`", *(f"{name}={value}" for name, value in settings.items())])


def _cells(rows: Sequence[Relative]) -> list[str]:
    return [
        f"{row.mean:.3f}" if row.high is None else f"{row.mean:.3f} ± {row.high - row.mean:.3f}" for row in rows
    ]
