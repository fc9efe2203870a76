"""Budgets in bytes: relevant pages that ``sundog`` finds if it is told what fetches cost, and if it is not.

A world with a column ``bytes``, made by ``sundog world``; a crawl begins with one page of every host.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq

from benchmarks.common import print_table
from sundog import CrawlSession, Decision, Fetched, load_world
from sundog.engines.simulate import near_misses_of, rewards_of
from sundog.errors import SundogError
from sundog.worlds.static import StaticWorld

OBJECTIVES = ("any", "jsonld", "jsonld>=20", "microdata>=10", "rdfa>=5", "microformats>=10", "opengraph>=5")
SHARES = (0.05, 0.1)  # of all bytes: with more of them all that links reach is found


def main(worlds: Sequence[str]) -> None:
    rows, totals = [], np.zeros(2, int)
    for path in worlds:
        world = load_world(path)
        sizes = pq.read_table(Path(path) / "pages.parquet", columns=["bytes"])["bytes"].to_numpy()
        for objective in OBJECTIVES:
            try:
                rewards, near = rewards_of(world, objective), near_misses_of(world, objective)
            except SundogError:
                continue  # no page meets it
            for share in SHARES:
                found = [_crawl(world, sizes, rewards, near, share, charges=charges) for charges in (False, True)]
                rows.append((Path(path).name, objective, f"{share:.0%}", *map(str, found)))
                totals += found
    rows.append(("all", "", "", *map(str, totals)))
    print_table(
        "Relevant pages for a budget in bytes", ("world", "objective", "bytes", "per fetch", "per byte"), rows
    )


def _crawl(world: StaticWorld, sizes: Any, rewards: Any, near: Any, share: float, *, charges: bool) -> int:
    session = CrawlSession(budget=world.size, source=world, propensities=False)
    hosts = np.asarray(world.facts.host)[: world.size]
    session.add_known(np.sort(np.unique(hosts, return_index=True)[1]))
    left = share * float(sizes.sum())
    while isinstance(decision := session.next_decision(), Decision):
        page = decision.candidate
        left -= float(sizes[page])
        if left < 0:
            break
        session.observe(decision, Fetched(rewards.item(page), world.links_of(page), near.item(page)))
        if charges:
            session.charge(page, float(sizes[page]))
    return session.relevant
