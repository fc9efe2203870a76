"""``sundog`` on worlds of real sites: the gap closed to the greedy oracle, and what each of its parts contributes.

Budgets are shares of the relevant pages that links can reach. 0 is the better of success-rate and
anthelion, 1 the oracle, in logarithms over all cells.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import mean

import numpy as np

from benchmarks.common import print_table
from sundog import Run, load_world, simulate
from sundog.engines.simulate import rewards_of
from sundog.errors import SundogError
from sundog.worlds.static import StaticWorld

OBJECTIVES = ("any", "jsonld>=20", "microdata>=30", "rdfa>=10", "microformats>=20")
SHARES = (0.25, 0.5, 1.0)
LEAST, MOST, SEEDS = 100, 9000, 3
PARTS = ("classifier", "host", "group", "fresh", "explore")


def reachable(world: StaticWorld) -> np.ndarray:
    seen, front = np.zeros(world.size, bool), [0]
    seen[0] = True
    while front:
        found = np.unique(np.concatenate([world.links_of(page).targets for page in front]))
        front = found[~seen[found]].tolist()
        seen[front] = True
    return seen


def cells(world: StaticWorld) -> list[tuple[str, int]]:
    reach, found = reachable(world), []
    for objective in OBJECTIVES:
        try:
            relevant = int(((rewards_of(world, objective) > 0) & reach).sum())
        except SundogError:
            continue  # nothing of the kind in this world
        found += [(objective, int(relevant * share)) for share in SHARES if LEAST <= relevant * share <= MOST]
    return found


def harvest(world: StaticWorld, policy: str, objective: str, budget: int, **parameters: object) -> float:
    seeds = range(SEEDS) if policy == "anthelion" else range(1)
    return mean(crawl(world, policy, objective, budget, seed, **parameters).relevant for seed in seeds)


def crawl(world: StaticWorld, policy: str, objective: str, budget: int, seed: int, **parameters: object) -> Run:
    """``anthelion``'s λ decays by the budget: its own 10,000 fetches are more than most of these crawls."""
    if policy == "anthelion":
        parameters = {"decay": max(100, budget // 100), **parameters}
    return simulate(world, policy, budget=budget, objective=objective, seed=seed, **parameters)


def main(worlds: Sequence[str]) -> None:
    if not worlds:
        print("### Real sites\n\nNot run: name worlds of real sites with --sites WORLD …\n")
        return
    variants = {"sundog": {}, **{f"without {part}": {part: False} for part in PARTS}}
    rows, logs = [], {name: [] for name in (*variants, "oracle")}
    for path in worlds:
        world = load_world(path)
        for objective, budget in cells(world):
            baseline = [harvest(world, policy, objective, budget) for policy in ("success-rate", "anthelion")]
            oracle = harvest(world, "oracle", objective, budget)
            found = {name: harvest(world, "sundog", objective, budget, **off) for name, off in variants.items()}
            best = max(*baseline, 1)
            logs["oracle"].append(math.log(max(oracle, 1) / best))
            for name, relevant in found.items():
                logs[name].append(math.log(max(relevant, 1) / best))
            figures = (*baseline, found["sundog"], oracle)
            rows.append((f"{world.name} {objective}", f"{budget:,}", *(f"{one / budget:.3f}" for one in figures)))
    columns = ("cell", "budget", "`success-rate`", "`anthelion`", "`sundog`", "`oracle`")
    print_table("Real sites: share of the budget that was relevant", columns, rows)
    closed = [
        (name, f"{mean(logs[name]) / mean(logs['oracle']):.2f}", f"{math.exp(min(logs[name])):.3f}")
        for name in variants
    ]
    print_table("Gap closed, and each part switched off", ("policy", "gap closed", "worst cell"), closed)
