"""Many hosts: the share of the greedy oracle's harvest, on random halves of a world's hosts.

Cells are those of `sites` in which the oracle is 5% or more above the better policy of the Anthelion paper.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np

from benchmarks import sites
from benchmarks.families.parts import part_of, with_shuffled_directory
from benchmarks.trials import Cell, Family, Results, Row, Variant
from sundog import load_world
from sundog.worlds.static import StaticWorld

NAME = "many hosts"
WORLDS = {"a": {"sites-small": 12, "sites": 4}, "b": {"sites2": 8}}  # and how many halves of each
SMALL = {"a": {"sites-small": 4}, "b": {"sites2": 2}}
PAPER = ("success-rate", "anthelion")
REFERENCES = (*map(Variant, PAPER), Variant("oracle"))
LEAST_ABOVE = 1.05


def family(data: Path, half: str, *, small: bool = False) -> Family:
    worlds = (SMALL if small else WORLDS)[half]
    return Family(
        f"{NAME}, " + " and ".join(f"`{world}`" for world in worlds),
        (
            Row("share of the oracle's harvest"),
            Row("worst cell, times the better of the Anthelion paper's", is_lowest=True),
        ),
        partial(cells, data, worlds),
        references=REFERENCES,
        rows_of=shares,
        are_halves=True,
    )


def cells(data: Path, worlds: dict[str, int]) -> Iterator[Cell]:
    for name, count in worlds.items():
        whole = load_world(data / name)
        for seed in range(count):
            world = half_of(whole, seed)
            for objective, budget in sites.cells(world):
                measure = partial(harvest, world, objective, budget, seed)
                group = f"{name}/{seed}"
                yield Cell(NAME, f"{group} {objective} {budget}", group, measure)


def half_of(world: StaticWorld, seed: int) -> StaticWorld:
    """The first page, a random half of the hosts, and the first page's links in random order."""
    rng = np.random.default_rng(seed)
    host = np.asarray(world.facts.host)[: world.size]
    by_name = np.array(sorted(range(world.hosts), key=world.host_name))
    keep = np.isin(host, by_name[rng.permutation(world.hosts)[: world.hosts // 2]])
    keep[0] = True
    return with_shuffled_directory(part_of(world, np.flatnonzero(keep), f"{world.name}/{seed}"), rng)


def harvest(
    world: StaticWorld, objective: str, budget: int, seed: int, variant: Variant, repeat: int
) -> list[float]:
    return [float(sites.crawl(world, variant.policy, objective, budget, seed, **variant.settings).relevant)]


def shares(figures: list[float], references: Results) -> list[float] | None:
    [found], [oracle] = figures, references["oracle"]
    best = max(references[name][0] for name in PAPER)
    return None if oracle < LEAST_ABOVE * best else [found / oracle, found / max(best, 1)]
