"""Topical graphs: the sum of scores at some moments, relative to the best specialised policy's.

28 keywords on real pages and the real graph's own scores. Each repeat begins with another random set of 50 nodes.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np

from benchmarks import keywords
from benchmarks.trials import Cell, Family, Results, Row, Variant
from sundog import load_world, simulate
from sundog.worlds.static import StaticWorld

NAME = "topical graphs"
MOMENTS = (100, 300, 1000)
PARTS = {"a": "chosen on", "b": "left for the end"}
SPECIALISED = (*(Variant(*one) for one in keywords.SINGLE), *map(Variant, keywords.COMBINED))


def family(data: Path, halves: str, repeats: int, *, small: bool = False) -> Family:
    rows = tuple(Row(f"of the best specialised policy's score at {steps:,} steps") for steps in MOMENTS)
    return Family(NAME, rows, partial(cells, data, halves, small), repeats, SPECIALISED, rows_of=relative)


def cells(data: Path, halves: str, small: bool) -> Iterator[Cell]:
    for half in halves:
        for name, world in worlds(data, half, 2 if small else None):
            yield Cell(NAME, name, name, partial(scores, world))


def worlds(data: Path, half: str, most: int | None) -> Iterator[tuple[str, StaticWorld]]:
    wiki, site = data / "wiki-france", data / "site.jsonl.gz"
    if half == "a":
        yield wiki.name, load_world(wiki)
    for word in keywords.TITLES[PARTS[half]].split()[:most]:
        yield f"title {word}", keywords.keyword_world(wiki, word)
    for word in keywords.TEXTS[PARTS[half]].split()[:most]:
        yield f"text {word}", keywords.text_world(str(site), word)


def scores(world: StaticWorld, variant: Variant, repeat: int) -> list[float]:
    options = {"budget": MOMENTS[-1], "objective": "score", "start": "random:50", "seed": repeat}
    total = np.cumsum(simulate(world, variant.policy, **options, **variant.settings).trace.rewards)
    return total[np.minimum(MOMENTS, len(total)) - 1].tolist()


def relative(figures: list[float], references: Results) -> list[float]:
    best = np.max([references[str(one)] for one in SPECIALISED], axis=0)
    return (np.array(figures) / best).tolist()
