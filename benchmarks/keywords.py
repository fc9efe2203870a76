"""`hybrid` and `ensemble` beside the best single estimator on keyword graphs of real pages.

Keywords are in two halves: what the two policies are made of was chosen on the first, the second was left for the
end. Pages with texts are scored as `sundog score` does; of a real graph without texts, titles are the texts.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.common import DATA, print_table
from benchmarks.title_words import keyword_world
from sundog import load_world, simulate
from sundog.engines.saved_pages import read_saved, world_from_pages
from sundog.worlds.static import StaticWorld

MOMENTS = (100, 300, 1000, 2000)
SEED_SETS = 20
SINGLE: list[tuple[str, dict[str, Any]]] = [
    *((f"nh-{feature}", {"aggregate": word}) for feature in ("n", "e", "ne") for word in ("sum", "avg", "max")),
    *((policy, {}) for policy in ("lnh-sum", "lnh-max", "lnh-avg", "opic", "navigational-rank")),
]
COMBINED = ("hybrid", "ensemble")
TITLES = {
    "chosen on": "africa england germany music city church islands solar",
    "left for the end": "war china india empire river football physics space",
}
TEXTS = {
    "chosen on": "community security network history python world",
    "left for the end": "software people language research internet water",
}


def main(wiki: str | None = None, site: str | None = None) -> None:
    """``wiki``: a scored world whose URLs end with titles; ``site``: pages with texts."""
    for half in TITLES:
        if wiki:
            compare(f"Titles, {half}", ((word, keyword_world(wiki, word)) for word in TITLES[half].split()))
        if site:
            compare(f"Texts, {half}", ((word, text_world(site, word)) for word in TEXTS[half].split()))
    if wiki:
        compare("Its own scores", [(Path(wiki).name, load_world(wiki))])


def text_world(site: str, word: str) -> StaticWorld:
    directory = DATA / f"text-{word}"
    if not (directory / "links.parquet").exists():
        world_from_pages(read_saved(Path(site)), f"keyword:{word}", directory)
    return load_world(directory)


def compare(title: str, worlds: Iterator[tuple[str, StaticWorld]] | list[tuple[str, StaticWorld]]) -> None:
    rows, shares = [], []
    for word, world in worlds:
        single = {"-".join([name, *settings.values()]): found(world, name, settings) for name, settings in SINGLE}
        best = np.max(list(single.values()), axis=0)
        share = np.array([found(world, policy, {}) / best for policy in COMBINED])
        shares.append(share)
        names = [max(single, key=lambda name, at=at: single[name][at]) for at in range(len(MOMENTS))]  # type: ignore[misc]
        scored = np.mean(world.pages.score() > 0)
        rows.append((word, f"{scored:.1%}", " · ".join(f"`{name}`" for name in names), *map(_cells, share)))
    rows.append(("mean", "", "", *map(_cells, np.mean(shares, axis=0))))
    rows.append(("lowest", "", "", *map(_cells, np.min(shares, axis=0))))
    columns = ("keyword", "pages with it", "best single", *(f"`{policy}`" for policy in COMBINED))
    steps = ", ".join(f"{steps:,}" for steps in MOMENTS)
    print_table(f"{title}: share of the best single estimator's score at {steps} steps", columns, rows)


def found(world: StaticWorld, policy: str, settings: dict[str, Any]) -> Any:
    """Mean sums of scores at the moments; a crawl may end before, when nothing is left that links reach."""
    sums = []
    for seed in range(SEED_SETS):
        options = {"budget": MOMENTS[-1], "objective": "score", "start": "random:50", "seed": seed, **settings}
        total = np.cumsum(simulate(world, policy, **options).trace.rewards)
        sums.append(total[np.minimum(MOMENTS, len(total)) - 1])
    return np.mean(sums, axis=0)


def _cells(shares: Any) -> str:
    return " · ".join(f"{share:.2f}" for share in shares)
