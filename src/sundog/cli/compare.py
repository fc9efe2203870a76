"""``sundog simulate``'s second table: policies relative to another one that began with the same pages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import typer

from sundog.cli.tables import print_table
from sundog.errors import UsageError, nearest_or_all

if TYPE_CHECKING:
    from sundog.engines.experiment import Relative

NOBODY = "none"


class Comparison(NamedTuple):
    """With whom, after how many steps, and by what."""

    policy: str
    at: list[int]
    score: str


def read_comparison(
    policy: str | None, at: str | None, score: str, budget: int, *, repeated_from: str | None
) -> Comparison | None:
    """What is asked for; runs from several random sets of pages are compared with the oracle unless forbidden."""
    from sundog.engines.experiment import SCORES, steps_up_to
    from sundog.policies.presets import find_policy

    if score not in SCORES:
        raise UsageError(f"unknown --score '{score}'{nearest_or_all(score, SCORES)}")
    steps = _read_steps(at, budget) if at else steps_up_to(budget)
    is_experiment = bool(repeated_from and repeated_from.startswith("random:"))
    if policy is None and (is_experiment or at):
        policy = "oracle"
    if policy is None or policy == NOBODY:
        return None
    return Comparison(find_policy(policy).name, steps, score)


def _read_steps(text: str, budget: int) -> list[int]:
    parts = [part.strip() for part in text.split(",") if part.strip()]
    if not parts or not all(part.isdecimal() and 1 <= int(part) <= budget for part in parts):
        raise UsageError(f"--at '{text}': numbers of steps from 1 to the budget ({budget}) are expected")
    return sorted({int(part) for part in parts})


def print_comparison(comparison: Comparison, relative: Sequence[Relative]) -> None:
    what = "sum of scores" if comparison.score == "sum" else "number of pages with a score"
    runs = max((one.runs for one in relative), default=0)
    typer.echo(
        f"\n{what} relative to {comparison.policy} after N steps: "
        f"mean of {runs} runs, and half the width of its 95% confidence interval"
    )
    policies = list(dict.fromkeys(one.policy for one in relative))
    cells = {(one.policy, one.at): _cell(one) for one in relative}
    rows = [(policy, *(cells.get((policy, at), "–") for at in comparison.at)) for policy in policies]
    print_table(("policy", *(f"{at:,}" for at in comparison.at)), rows)


def _cell(one: Relative) -> str:
    return f"{one.mean:.3f}" if one.high is None else f"{one.mean:.3f} ± {one.high - one.mean:.3f}"
