"""The demo web, crawled live: the relevant share of the budget. Requests overlap: equal crawls differ a little."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from benchmarks.live.harvest import OF_DEMO_WEB, PAGES, harvest, whole_demo_web
from benchmarks.live.runs import Web
from benchmarks.trials import Cell, Family, Row, Variant

SEEDS, SMALL_SEEDS = 3, 1
SMALL_PAGES, SMALL_BUDGET = 5_000, 500


def families(*, small: bool = False) -> Iterator[Family]:
    for objective, budget, _ in OF_DEMO_WEB:
        budget = SMALL_BUDGET if small else budget
        name = f"demo web, live, `{objective}`"
        row = Row(f"relevant share of {budget:,} fetches")
        yield Family(name, (row,), partial(cells, name, objective, budget, small), is_live=True)


def cells(family: str, objective: str, budget: int, small: bool) -> Iterator[Cell]:
    web = whole_demo_web(SMALL_PAGES if small else PAGES)
    for seed in range(SMALL_SEEDS if small else SEEDS):
        measure = partial(share, web, objective, budget, seed)
        yield Cell(family, f"{budget} {seed}", f"{seed}", measure)


def share(web: Web, objective: str, budget: int, seed: int, variant: Variant, repeat: int) -> list[float]:
    settings = [f"{name}={value}" for name, value in variant.settings.items()]
    return [harvest(web, variant.policy, objective, budget, seed, *settings).relevant / budget]
