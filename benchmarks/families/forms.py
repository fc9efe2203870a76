"""Search forms: the share of a hidden database that a number of queries bring out, on a site of this machine."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from tests.engines.live.worlds.search_site import SearchSite, database

from benchmarks.live.siphoning import shares_found
from benchmarks.trials import Cell, Family, Row, Variant

NAME = "search forms"
SEEDS = {"a": (1, 2, 3), "b": (4, 5, 6)}
QUERIES = (50, 100)


def family(halves: str, *, small: bool = False) -> Family:
    rows = tuple(Row(f"share of the records after {count} queries") for count in QUERIES)
    return Family(NAME, rows, partial(cells, halves, 1 if small else None), is_live=True)


def cells(halves: str, most: int | None) -> Iterator[Cell]:
    for seed in (seed for half in halves for seed in SEEDS[half][:most]):
        yield Cell(NAME, f"database {seed}", f"{seed}", partial(shares, seed))


def shares(seed: int, variant: Variant, repeat: int) -> list[float]:
    with tempfile.TemporaryDirectory() as folder, SearchSite(database(seed=seed)) as site:
        options = {"policy": variant.policy, "parameters": variant.settings, "seed": repeat}
        return shares_found(site, Path(folder), QUERIES, **options)
