"""A warm start (`--learn-from`): a crawl that begins with what `sundog` learned on other sites, beside a cold one.

Hosts are divided into two halves, each of which teaches the other. Figures are relevant pages relative to those of
a cold crawl: all cells added up, and the geometric mean over cells (of one page more, for cells in which a cold
crawl finds nothing). The oracle, which knows every page's label, is about the most that anything learned elsewhere
could bring.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from benchmarks.common import print_table
from benchmarks.families.parts import part_of
from benchmarks.families.single_sites import objectives_of, sites_of
from benchmarks.sites import reachable
from sundog import CrawlSession, load_world, simulate
from sundog.engines.simulate import near_misses_of, rewards_of
from sundog.errors import SundogError
from sundog.learn.prior import Prior, prior_of
from sundog.model import Decision, Fetched
from sundog.worlds.static import StaticWorld

SEEDS = {1: "chosen on", 2: "to confirm"}  # of the division
MULTIPLES = (1, 3)  # of the wanted pages: the budgets
LEAST_TO_LEARN = 50  # relevant pages
LEAST_OF_WHOLE = 0.97  # of what a cold crawl finds
COLD, WARM, ORACLE = "cold", "--learn-from", "oracle"


class Found(NamedTuple):
    first_tenth: int
    whole: int


def main(worlds: Sequence[str]) -> None:
    for path, (seed, use) in product(worlds, SEEDS.items()):
        a, b = halves(load_world(path), seed)
        cells = [cell for taught, other in ((a, b), (b, a)) for cell in compare(taught, other)]
        print_table(
            f"Warm start on single sites of `{path}`, division {seed} ({use}), {len(cells)} cells",
            ("", "first tenth", "geometric mean", "whole", "geometric mean", "cells below .97 of the whole"),
            [(name, *_summed(cells, name)) for name in (WARM, ORACLE)],
        )


def halves(world: StaticWorld, seed: int) -> list[StaticWorld]:
    """The directory page and half of the hosts each."""
    host = np.asarray(world.facts.host)[: world.size]
    others = np.setdiff1d(np.unique(host), host[:1])
    groups = np.array_split(np.random.default_rng(seed).permutation(others), 2)
    return [
        part_of(world, np.concatenate([[0], np.flatnonzero(np.isin(host, group))]), f"half {number}")
        for number, group in enumerate(groups)
    ]


def compare(teacher: StaticWorld, other: StaticWorld) -> Iterator[dict[str, Found]]:
    """For each site, objective and budget, what each start has found."""
    learned: dict[str, Prior | None] = {}
    for site in sites_of(other):
        reach = reachable(site)
        for objective, wanted in objectives_of(site, reach).items():
            if objective not in learned:
                learned[objective] = taught(teacher, objective)
            prior = learned[objective]
            if prior is None:
                continue
            for multiple in MULTIPLES:
                budget = min(int(reach.sum()), multiple * wanted)
                best = simulate(site, "oracle", budget=budget, objective=objective).trace.rewards > 0
                yield {
                    COLD: _counted(_crawl(site, objective, budget, None)[1]),
                    WARM: _counted(_crawl(site, objective, budget, prior)[1]),
                    ORACLE: _counted(best),
                }


def taught(world: StaticWorld, objective: str) -> Prior | None:
    """What a crawl of many sites learns; None if they have too little of it."""
    try:
        relevant = int((rewards_of(world, objective) > 0).sum())
    except SundogError:
        return None
    if relevant < LEAST_TO_LEARN:
        return None
    session, _ = _crawl(world, objective, min(world.size - 1, max(1_000, 2 * relevant)), None)
    return prior_of([session.model])


def _counted(found: Any) -> Found:
    return Found(int(found[: max(1, len(found) // 10)].sum()), int(found.sum()))


def _crawl(world: StaticWorld, objective: str, budget: int, prior: Prior | None) -> tuple[CrawlSession, Any]:
    rewards, near = rewards_of(world, objective), near_misses_of(world, objective)
    session = CrawlSession(budget=budget, source=world, propensities=False)
    if prior is not None:
        session.begin_with(prior)
    session.add_known((0,))
    found = []
    while isinstance(decision := session.next_decision(), Decision):
        page = decision.candidate
        session.observe(decision, Fetched(float(rewards[page]), world.links_of(page), float(near[page])))
        found.append(rewards[page] > 0)
    return session, np.array(found, bool)


def _summed(cells: Sequence[dict[str, Found]], name: str) -> tuple[str, ...]:
    texts = []
    for part in range(2):
        own, cold = (np.array([cell[which][part] for cell in cells]) for which in (name, COLD))
        texts += [f"{own.sum() / cold.sum():.3f}", f"{np.exp(np.mean(np.log((own + 1) / (cold + 1)))):.3f}"]
    return (*texts, str(int(((own + 1) / (cold + 1) < LEAST_OF_WHOLE).sum())))
