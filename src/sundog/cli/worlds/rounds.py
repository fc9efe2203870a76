"""``sundog simulate --rounds``: how much of a world that changes each policy of revisits keeps up to date."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from sundog.cli.options import parse_settings
from sundog.cli.terminal import ending_at_once, print_json, print_table, progress_of, say
from sundog.errors import UsageError, nearest_or_all

if TYPE_CHECKING:
    from sundog.engines.rounds import RoundsRun
    from sundog.worlds.changing import ChangingWorld


def simulate_rounds_command(
    path: Path,
    names: Sequence[str],
    rounds: int,
    budget: int,
    seed: int,
    repeat: int,
    settings: Sequence[str],
    as_json: bool,
) -> None:
    from sundog.engines.rounds import check_rounds, simulate_rounds
    from sundog.worlds.changing import load_changing

    parameters = parse_settings(list(settings))
    weigh = str(parameters.pop("weigh", "pages"))
    for name in parameters:
        raise UsageError(f"policies of revisits have no parameter '{name}'{nearest_or_all(name, ['weigh'])}")
    with ending_at_once():
        world = load_changing(path)
    for name in names:
        check_rounds(world, name, rounds, budget, weigh)
    runs = []
    for name in names:
        for one in range(seed, seed + repeat):
            with ending_at_once(), progress_of(f"{name} (seed {one})") as progress:
                runs.append(
                    simulate_rounds(
                        world, name, rounds=rounds, budget=budget, seed=one, weigh=weigh, progress=progress
                    )
                )
    if as_json:
        print_json({"world": _summary(world), "runs": [run.as_json() for run in runs]})
        return
    _print_runs(world, runs)


def _summary(world: ChangingWorld) -> dict[str, float]:
    return {
        "pages": world.size,
        "templates": int(world.template.max()) + 1,
        "hosts": int(world.host.max()) + 1,
        "changes": len(world.changes.at),
        "hints": len(world.hints.at),
        "days": world.days,
    }


def _print_runs(world: ChangingWorld, runs: Sequence[RoundsRun]) -> None:
    say(
        f"{world.size:,} pages, {len(world.changes.at):,} changes and {len(world.hints.at):,} hints "
        f"in {world.days:.0f} days"
    )
    columns = (
        "policy",
        "seed",
        "visits",
        "found changed",
        "fresh pages",
        "last half",
        "fresh entities",
        "stale days",
        "µs",
    )
    print_table(columns, [_row(run) for run in runs])


def _row(run: RoundsRun) -> tuple[str, ...]:
    return (
        run.policy,
        str(run.seed),
        f"{sum(one.visits for one in run.rounds):,}",
        f"{sum(one.changed for one in run.rounds):,}",
        f"{run.mean('fresh_pages'):.3f}",
        f"{run.mean('fresh_pages', len(run.rounds) // 2):.3f}",
        f"{run.mean('fresh_entities'):.3f}",
        f"{run.mean('stale_days'):.2f}",
        f"{run.choose_us:.0f}",
    )
