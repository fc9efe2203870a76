"""The graph paper's findings on synthetic graphs as sparse as its five data sets, one table each; short crawls.

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
from sundog.worlds.static import StaticWorld

REPEATS = 10
START = "random:50"
WINDOW = 1000
ESTIMATORS = "random bfs opic nh-n nh-e nh-ne lnh-sum lnh-max lnh-avg hybrid ensemble navigational-rank".split()
SLOW = {"navigational-rank": {"refresh": 100}}
ALTERED = [{"q": q, "zeta": zeta} for q in (0.9, 0.5) for zeta in (0.1, 0.5)]
REFRESHED = [{"refresh": every} for every in (2, 20, 500)]
STEERED = "steered-oracle"  # the paper steers by the oracle's estimates
PRECISE = "random nh-n nh-e nh-ne lnh-sum lnh-max lnh-avg".split()
PRECISE_AT = (100, 300, 1000, 2000, 3000, 4000, 5000, 10_000)
MOMENTS = (100, 300, 1000)  # of short crawls
GRAPH_SEEDS = (1, 2, 3)  # seeds of the generator
SHORT_REPEATS = 10
SINGLE = "opic nh-n nh-e nh-ne lnh-sum lnh-max lnh-avg".split()
COMBINED = ("hybrid", "ensemble")


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
    keyword = load_world(world("keyword", pages=SIZES["keyword"].pages))
    for again in (False, True):
        compare_precision(keyword, SIZES["keyword"].budget, again=again)
    for profile, size in SIZES.items():
        graph = load_world(world(profile, pages=size.pages))
        oracle = runs_of(graph, "oracle", size.budget)
        compare_estimators(profile, graph, oracle)
        compare_steering(profile, graph, size.budget)


def runs_of(graph: StaticWorld, policy: str, budget: int, repeats: int = REPEATS, **settings: Any) -> list[Run]:
    options = {"budget": budget, "objective": "score", "start": START, **settings}
    return [simulate(graph, policy, seed=seed, **options) for seed in range(repeats)]


def compare_estimators(profile: str, graph: StaticWorld, oracle: Sequence[Run]) -> None:
    """Neighbourhood > OPIC > BFS > random, and hybrid comparable to the best."""
    budget, rows = oracle[0].budget, []
    for policy in ESTIMATORS:
        settings = SLOW.get(policy, {})
        runs = runs_of(graph, policy, budget, len(oracle), **settings)
        rows.append((_label(policy, settings), *_cells(relative_scores(runs, oracle, steps_up_to(budget)))))
    columns = ("policy", *(f"{steps:,}" for steps in steps_up_to(budget)))
    print_table(f"`{profile}`, {graph.size:,} nodes: sum of scores relative to the oracle's", columns, rows)


def compare_steering(profile: str, graph: StaticWorld, budget: int) -> None:
    """Greedy beats altered greedy in the long run; estimates that are not fresh cost score."""
    greedy = runs_of(graph, STEERED, budget)
    rows = []
    for settings in (*ALTERED, *REFRESHED):
        runs = runs_of(graph, STEERED, budget, **settings)
        rows.append((_label(STEERED, settings), *_cells(relative_scores(runs, greedy, steps_up_to(budget)))))
    columns = ("strategy", *(f"{steps:,}" for steps in steps_up_to(budget)))
    print_table(f"`{profile}`: sum of scores relative to greedy `{STEERED}`, always fresh", columns, rows)


def compare_precision(graph: StaticWorld, budget: int, *, again: bool) -> None:
    """Figure 3: a node named wrongly is set aside, or may be named again at every step."""
    rows = []
    for policy in PRECISE:
        found = estimator_precision(graph, policy, budget=budget, start=START, again=again)
        rows.append((f"`{policy}`", *_precision_cells(found)))
    always_wrong = replace(found, chosen=np.zeros(len(found.best)))
    rows.append(("always wrong", *_precision_cells(always_wrong)))
    print_table(
        f"The oracle's crawl of `keyword`: score of the frontier's best node less that of the estimator's choice, "
        f"mean of the last {WINDOW:,} steps; a wrong choice is {'made again' if again else 'set aside'}",
        ("estimator", *(f"{step:,}" for step in PRECISE_AT)),
        rows,
    )


def _precision_cells(found: Precision) -> list[str]:
    shortfall = found.rolling(WINDOW)
    return [f"{shortfall[step - 1]:.2f}" for step in PRECISE_AT]


def _label(policy: str, settings: Mapping[str, Any]) -> str:
    return " ".join([f"`{policy}`", *(f"{name}={value}" for name, value in settings.items())])


def _cells(rows: Sequence[Relative]) -> list[str]:
    return [
        f"{row.mean:.3f}" if row.high is None else f"{row.mean:.3f} ± {row.high - row.mean:.3f}" for row in rows
    ]


def short_crawls() -> None:
    """`hybrid` and `ensemble` compared with the best single estimator, on several graphs per profile."""
    rows = []
    for profile, size in SIZES.items():
        graphs = [load_world(world(profile, pages=size.pages, seed=seed)) for seed in GRAPH_SEEDS]
        shares = np.array([shares_of_the_best(graph) for graph in graphs])  # by graph, policy and moment
        cells = [_spread(shares[:, place, at]) for at in range(len(MOMENTS)) for place in range(len(COMBINED))]
        rows.append((f"`{profile}`", *cells))
    columns = ("profile", *(f"`{policy}` {steps:,}" for steps in MOMENTS for policy in COMBINED))
    title = f"Share of the best single estimator's score, {SHORT_REPEATS} crawls of {len(GRAPH_SEEDS)} graphs each"
    print_table(f"{title}: mean (lowest graph)", columns, rows)


def shares_of_the_best(graph: StaticWorld) -> Any:
    best = np.max([_scores(graph, policy) for policy in SINGLE], axis=0)
    return [_scores(graph, policy) / best for policy in COMBINED]


def _scores(graph: StaticWorld, policy: str) -> Any:
    """Mean sums of scores at the moments."""
    runs = runs_of(graph, policy, MOMENTS[-1], SHORT_REPEATS)
    return np.mean([np.cumsum(run.trace.rewards)[np.array(MOMENTS) - 1] for run in runs], axis=0)


def _spread(shares: Sequence[float]) -> str:
    return f"{np.mean(shares):.2f} ({np.min(shares):.2f})"
