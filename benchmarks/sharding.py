"""A crawl in 64 simulated shards beside one session; without shared learning; without leased budget."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.common import TENTH, print_row, print_table, world
from sundog.engines.runs import Run
from sundog.engines.simulate import simulate
from sundog.engines.simulate_shards import ShardedRun, simulate_shards
from sundog.worlds.load import load_world

SHARDS = 64
WEB_BUDGET = 20_000
OBJECTIVES = {"jsonld>=20": 3_000, "microdata>=30": 3_000}  # of real sites, with a budget each
VARIANTS: dict[str, dict[str, Any]] = {
    "64 shards": {},
    "exchange every 10 fetches": {"exchange": 10},
    "without shared learning": {"share_learning": False},
    "without leased budget": {"lease_budget": False},
}


class Trial(NamedTuple):
    name: str
    directory: Path
    objective: str
    budget: int


def main(sites: Sequence[str]) -> None:
    webs = [
        Trial(f"web2014, 550,000 pages, seed {seed}", world("web2014", **TENTH, seed=seed), "any", WEB_BUDGET)
        for seed in (1, 2)
    ]
    real = [
        Trial(Path(each).name, Path(each), objective, budget)
        for each in sites
        for objective, budget in OBJECTIVES.items()
    ]
    columns = ("world", "objective", "fetches", "one session", *VARIANTS, "rounds", "busy")
    print_table("Harvest in shards: relevant pages, as parts of one session's", columns, [], open_end=True)
    for trial in [*real, *webs]:
        print_row(_row(trial))


def _row(trial: Trial) -> tuple[str, ...]:
    loaded = load_world(trial.directory)
    options: dict[str, Any] = {"budget": trial.budget, "objective": trial.objective}
    one: Run = simulate(loaded, "sundog", **options)
    runs = [
        simulate_shards(loaded, "sundog", shards=SHARDS, **options, **variant) for variant in VARIANTS.values()
    ]
    parts = [f"{run.relevant / one.relevant:.3f}" for run in runs]
    full = runs[0]
    return (
        trial.name,
        f"`{trial.objective}`",
        f"{trial.budget:,}",
        f"{one.relevant:,}",
        *parts,
        str(full.rounds),
        f"{_busy(full):.0%}",
    )


def _busy(run: ShardedRun) -> float:
    """Of the fetches that all shards could have made in so many rounds."""
    return run.fetched / (run.rounds * run.exchange * run.shards)
