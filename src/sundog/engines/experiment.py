"""Seed experiments: many crawls that begin elsewhere, each beside another policy's from the same beginning."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from sundog.engines.runs import Run

FIRST_STEPS = (100, 300)  # and ten times as many, and so on
FEW = (12.706, 4.303, 3.182, 2.776)  # Student's t at .975 for 1 to 4 degrees of freedom
NORMAL = 1.959964
SCORES = ("sum", "nonzero")


class Relative(NamedTuple):
    """A policy's score after ``at`` steps as a part of the other's: the mean over runs, and its 95% confidence
    interval if there are two runs or more."""

    policy: str
    at: int
    mean: float
    low: float | None
    high: float | None
    runs: int


def steps_up_to(budget: int) -> list[int]:
    """The moments at which policies are compared.

    >>> steps_up_to(5000)
    [100, 300, 1000, 3000, 5000]
    """
    steps = [first * 10**power for power in range(len(str(budget))) for first in FIRST_STEPS]
    return [step for step in steps if step < budget] + [budget]


def relative_scores(
    runs: Iterable[Run], others: Iterable[Run], at: Sequence[int], score: str = "sum"
) -> list[Relative]:
    """The runs' scores by those of the other runs with the same seeds, for each policy and number of steps.

    Pages crawled before the budget began do not count. Where the other's score is 0 there is nothing to compare;
    such seeds are left out.
    """
    by_seed = {other.seed: other for other in others}
    ratios: dict[tuple[str, int], list[float]] = {}
    for run in runs:
        for steps in at:
            other = _score(by_seed[run.seed], steps, score)
            if other > 0:
                ratios.setdefault((run.policy, steps), []).append(_score(run, steps, score) / other)
    return [_relative(policy, steps, some) for (policy, steps), some in ratios.items()]


def _score(run: Run, steps: int, score: str) -> float:
    rewards = run.trace.rewards[:steps]
    return float(rewards.sum() if score == "sum" else np.count_nonzero(rewards))


def _relative(policy: str, steps: int, values: Sequence[float]) -> Relative:
    mean = float(np.mean(values))
    if len(values) < 2:
        return Relative(policy, steps, mean, None, None, len(values))
    half = half_width(values)
    return Relative(policy, steps, mean, mean - half, mean + half, len(values))


def half_width(values: Any) -> float:
    """Of the 95% confidence interval of the mean, by Student's t."""
    return student_t(len(values) - 1) * float(np.std(values, ddof=1)) / math.sqrt(len(values))


def student_t(freedom: int) -> float:
    """The .975 quantile: a table where there is little freedom, then the expansion around the normal law's.

    >>> round(student_t(19), 3)
    2.093
    """
    if freedom <= len(FEW):
        return FEW[freedom - 1]
    z = NORMAL
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + sum(term / float(freedom) ** power for power, term in enumerate(terms, 1))
