"""A warm start: a crawl that begins with what `sundog` learned on other sites, beside a cold one.

Hosts are divided into four parts. With two of them something can be chosen, each teaches the other; the other two
are for confirming it. Figures are relevant pages of warm crawls relative to cold ones, all cells added up.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from benchmarks.common import print_table
from benchmarks.families.parts import part_of
from benchmarks.families.single_sites import objectives_of, sites_of
from benchmarks.sites import reachable
from sundog import CrawlSession, load_world
from sundog.engines.simulate import near_misses_of, rewards_of
from sundog.errors import SundogError
from sundog.learn.sharing import LearningDelta
from sundog.model import Decision, Fetched
from sundog.worlds.static import StaticWorld

SEED = 7  # of the division
SEEDS = (0, 1)  # of crawls
MULTIPLES = (1, 3)  # of the wanted pages: the budgets
LEAST_TO_LEARN = 50  # relevant pages
PASSED_ON = {  # shares of the weights, and of base rates
    "all of it": (1.0, 1.0),
    "a third": (0.3, 0.3),
    "a tenth": (0.1, 0.1),
    "base rates alone": (0.0, 1.0),
    "weights alone": (1.0, 0.0),
}


class Found(NamedTuple):
    first_tenth: int
    whole: int


def main(worlds: Sequence[str], *, confirm: bool = False) -> None:
    for path in worlds:
        a, b = parts(load_world(path))[2 * confirm : 2 * confirm + 2]
        cells = [cell for taught, other in ((a, b), (b, a)) for cell in compare(taught, other)]
        rows = [(name, *_summed(cells, name)) for name in PASSED_ON]
        print_table(
            f"Warm start on single sites of `{path}`, {len(cells)} cells, relative to a cold start",
            ("what is passed on", "first tenth of the budget", "whole crawl", "lowest cell of the whole"),
            rows,
        )


def parts(world: StaticWorld) -> list[StaticWorld]:
    """The directory page and a quarter of the hosts each."""
    host = np.asarray(world.facts.host)[: world.size]
    others = np.setdiff1d(np.unique(host), host[:1])
    groups = np.array_split(np.random.default_rng(SEED).permutation(others), 4)
    return [
        part_of(world, np.concatenate([[0], np.flatnonzero(np.isin(host, group))]), f"part {number}")
        for number, group in enumerate(groups)
    ]


def compare(teacher: StaticWorld, other: StaticWorld) -> Iterator[dict[str, Found]]:
    """For each site, objective and budget, what each way of passing on has found; ``""`` is a cold start."""
    learned: dict[str, LearningDelta | None] = {}
    for site in sites_of(other):
        reach = reachable(site)
        for objective, wanted in objectives_of(site, reach).items():
            if objective not in learned:
                learned[objective] = taught(teacher, objective)
            delta = learned[objective]
            if delta is None:
                continue
            for multiple in MULTIPLES:
                budget = min(int(reach.sum()), multiple * wanted)
                yield {
                    "": _crawls(site, objective, budget, None),
                    **{
                        name: _crawls(site, objective, budget, scaled(delta, *shares))
                        for name, shares in PASSED_ON.items()
                    },
                }


def taught(world: StaticWorld, objective: str) -> LearningDelta | None:
    """What a crawl of many sites learns; None if they have too little of it."""
    try:
        relevant = int((rewards_of(world, objective) > 0).sum())
    except SundogError:
        return None
    if relevant < LEAST_TO_LEARN:
        return None
    session, _ = _crawl(world, objective, min(world.size - 1, max(1_000, 2 * relevant)), 0, None)
    return session.learned().since(None)


def scaled(delta: LearningDelta, weights: float, base_rates: float) -> LearningDelta:
    table, numbers = np.rint(delta.table * weights), np.rint(delta.numbers * base_rates)
    return delta._replace(table=table.astype(np.int64), numbers=numbers.astype(np.int64))


def _crawls(world: StaticWorld, objective: str, budget: int, delta: LearningDelta | None) -> Found:
    found = [_crawl(world, objective, budget, seed, delta)[1] for seed in SEEDS]
    return Found(
        sum(int(one[: max(1, budget // 10)].sum()) for one in found), sum(int(one.sum()) for one in found)
    )


def _crawl(
    world: StaticWorld, objective: str, budget: int, seed: int, delta: LearningDelta | None
) -> tuple[CrawlSession, Any]:
    rewards, near = rewards_of(world, objective), near_misses_of(world, objective)
    session = CrawlSession(budget=budget, seed=seed, source=world, shares_learning=True, propensities=False)
    if delta is not None:
        session.take_in_learning(delta)
    session.add_known((0,))
    found = []
    while isinstance(decision := session.next_decision(), Decision):
        page = decision.candidate
        session.observe(decision, Fetched(float(rewards[page]), world.links_of(page), float(near[page])))
        found.append(rewards[page] > 0)
    return session, np.array(found, bool)


def _summed(cells: Sequence[dict[str, Found]], name: str) -> tuple[str, str, str]:
    first = sum(cell[name].first_tenth for cell in cells) / max(1, sum(cell[""].first_tenth for cell in cells))
    whole = sum(cell[name].whole for cell in cells) / max(1, sum(cell[""].whole for cell in cells))
    lowest = min(cell[name].whole / max(1, cell[""].whole) for cell in cells)
    return f"{first:.3f}", f"{whole:.3f}", f"{lowest:.2f}"
