"""Synthetic webs and Webs of Data: the relevant share of the budget. Every world is a group of its own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.common import DATA, world
from benchmarks.trials import Cell, Family, Row, Variant
from sundog import load_world, simulate
from sundog.worlds.parquet import LINKS
from sundog.worlds.static import StaticWorld
from sundog.worlds.synthetic import LINKED, generate_linked, write

SEEDS = {"a": (1, 2, 3), "b": (4, 5, 6)}
WEBS = ("web2014", "web2024", "adverse")
# Webs of Data: as they are; with namespaces that keep to no habit; with properties that say little; with links
# that stay in no domain and often lead to dead hosts.
LINKED_DATA: dict[str, dict[str, Any]] = {
    "linked-data": {},
    "linked-data-mixed": {"strictness": 0.3},
    "linked-data-vague": {"own_property": 0.8, "loose_property": 0.8},
    "linked-data-scattered": {"locality": 0.1, "linkset": 0.2, "dead_hosts": 0.2},
}


class Size(NamedTuple):
    pages: int
    hosts: int
    budget: int
    worlds: int = 3  # of each half


WEB, LINKED_WEB = Size(110_000, 9_117, 20_000), Size(50_000, 1_000, 10_000)
SMALL_WEB, SMALL_LINKED_WEB = Size(11_000, 912, 2_000, 1), Size(10_000, 200, 2_000, 1)


def families(halves: str, *, small: bool = False) -> Iterator[Family]:
    for profile in WEBS:
        yield _family(profile, "any", halves, SMALL_WEB if small else WEB)
    for profile in LINKED_DATA:
        yield _family(profile, "rdf", halves, SMALL_LINKED_WEB if small else LINKED_WEB)


def _family(profile: str, objective: str, halves: str, size: Size) -> Family:
    row = Row(f"relevant share of {size.budget:,} fetches")
    return Family(f"`{profile}`", (row,), partial(cells, profile, objective, halves, size))


def cells(profile: str, objective: str, halves: str, size: Size) -> Iterator[Cell]:
    for seed in (seed for half in halves for seed in SEEDS[half][: size.worlds]):
        name = f"{size.pages} {seed}"
        web = load_world(directory(profile, size, seed))
        yield Cell(f"`{profile}`", name, name, partial(share, web, objective, size.budget))


def directory(profile: str, size: Size, seed: int) -> Path:
    if not LINKED_DATA.get(profile):
        return world(profile, pages=size.pages, hosts=size.hosts, seed=seed)
    path = DATA / f"{profile}-{size.pages}-{size.hosts}-{seed}"
    if not (path / LINKS).exists():
        kind = replace(LINKED["linked-data"], **LINKED_DATA[profile])
        write(generate_linked(kind, pages=size.pages, hosts=size.hosts, seed=seed), path)
    return path


def share(web: StaticWorld, objective: str, budget: int, variant: Variant, repeat: int) -> list[float]:
    run = simulate(web, variant.policy, budget=budget, objective=objective, seed=repeat, **variant.settings)
    return [run.relevant / budget]
