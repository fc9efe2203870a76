"""Single sites: requests per wanted page until half and nine tenths of what links can reach is found.

Every site with 150 reachable pages or more, and every objective that 3 to 50% of them meet, of near-equal ones the
first; a crawl begins at the site's entry page. The first repeat is the site as it is, the others jitter the order
of links: which of equal candidates was found first is worth 5 to 10%.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.families.parts import jittered, part_of
from benchmarks.sites import reachable
from benchmarks.trials import Cell, Family, Row, Variant
from sundog import load_world, simulate
from sundog.engines.simulate import rewards_of
from sundog.errors import SundogError
from sundog.syntaxes import MARKUP
from sundog.worlds.static import StaticWorld

WORLDS = {"a": "sites", "b": "sites2"}
LEAST_PAGES, LEAST_WANTED, SHARE = 150, 20, (0.03, 0.5)
COUNTS, MOST_TYPES = (1, 10, 20, 30), 8
SAME = 0.9  # of the pages that meet either of two objectives, those that meet both
QUOTAS = (0.5, 0.9)
SMALL_STEP = 3


def family(data: Path, half: str, repeats: int, *, small: bool = False) -> Family:
    name = WORLDS[half]
    rows = tuple(
        Row(f"requests per wanted page to {quota:.0%}", is_ratio=True, lower_is_better=True) for quota in QUOTAS
    )
    return Family(
        f"single sites, `{name}`", rows, partial(cells, data / name, SMALL_STEP if small else 1), repeats
    )


def cells(path: Path, step: int = 1) -> Iterator[Cell]:
    """Of every ``step``-th site."""
    for site in islice(sites_of(load_world(path)), 0, None, step):
        reach = reachable(site)
        if reach.sum() < LEAST_PAGES:
            continue
        for objective, wanted in objectives_of(site, reach).items():
            measure = partial(requests, site, objective, int(reach.sum()), wanted)
            yield Cell(f"single sites, `{path.name}`", f"{site.name} {objective}", site.name, measure)


def sites_of(world: StaticWorld, least: int = LEAST_PAGES) -> Iterator[StaticWorld]:
    """Each host that the first page links to, with the entry page first, if it has so many pages."""
    host = np.asarray(world.facts.host)[: world.size]
    entry: dict[int, int] = {}
    for page in world.links_of(0).targets.tolist():
        entry.setdefault(int(host[page]), page)
    for number in sorted(entry, key=world.host_name):
        rows = np.flatnonzero(host == number)
        if len(rows) >= least:
            first = entry[number]
            yield part_of(world, np.concatenate([[first], rows[rows != first]]), world.host_name(number))


def objectives_of(
    site: StaticWorld, reach: Any, share: tuple[float, float] = SHARE, least: int = LEAST_WANTED
) -> dict[str, int]:
    """How many pages that links reach meet each objective, if it is such a share of them, and so many."""
    kept: dict[str, Any] = {}
    for objective in (*(f"{syntax}>={count}" for syntax in MARKUP for count in COUNTS), *_types(site)):
        try:
            good = (rewards_of(site, objective) > 0) & reach
        except SundogError:
            continue  # no page meets it
        share_is_right = share[0] <= good.sum() / reach.sum() <= share[1] and good.sum() >= least
        if share_is_right and not any((good & one).sum() > SAME * (good | one).sum() for one in kept.values()):
            kept[objective] = good
    return {objective: int(good.sum()) for objective, good in kept.items()}


def _types(site: StaticWorld) -> Iterator[str]:
    listed = site.pages.types.to_pylist() if site.pages.types is not None else ()
    pages = (sorted(set(types or ())) for types in listed)
    for name, _ in Counter(name for types in pages for name in types).most_common(MOST_TYPES):
        local = name.rsplit("/", 1)[-1]
        if "schema.org" in name and local[:1].isupper():
            yield f"type:schema:{local}"


def requests(
    site: StaticWorld, objective: str, budget: int, wanted: int, variant: Variant, repeat: int
) -> list[float]:
    world = jittered(site, np.random.default_rng(repeat)) if repeat else site
    run = simulate(world, variant.policy, budget=budget, objective=objective, seed=repeat, **variant.settings)
    found = np.cumsum(run.trace.rewards > 0)
    return [(int(np.searchsorted(found, math.ceil(quota * wanted))) + 1) / wanted for quota in QUOTAS]
