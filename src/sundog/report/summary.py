"""The table of the runs: a line for each policy, its seeds summed up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from sundog.engines.simulated import Run


BASELINE = "bfs"


@dataclass(frozen=True)
class Line:
    """One policy: means over its seeds; spread is the standard deviation, None with one seed."""

    policy: str
    seeds: tuple[int, ...]
    fetched: float
    relevant: float
    harvest: float
    spread: float | None
    times_bfs: float | None
    us_per_fetch: float
    select_p50: float
    select_p99: float
    peak_mb: float
    stopped: str


def summarise(runs: Sequence[Run]) -> list[Line]:
    """Lines in order of appearance."""
    groups: dict[str, list[Run]] = {}
    for run in runs:
        groups.setdefault(run.policy, []).append(run)
    baseline = _mean([run.harvest_rate for run in groups.get(BASELINE, [])])
    return [_line(policy, group, baseline) for policy, group in groups.items()]


def _line(policy: str, runs: Sequence[Run], baseline: float) -> Line:
    rates = [run.harvest_rate for run in runs]
    selects = [run.select_us for run in runs]
    return Line(
        policy=policy,
        seeds=tuple(run.seed for run in runs),
        fetched=_mean([run.fetched for run in runs]),
        relevant=_mean([run.relevant for run in runs]),
        harvest=_mean(rates),
        spread=float(np.std(rates, ddof=1)) if len(rates) > 1 else None,
        times_bfs=_mean(rates) / baseline if baseline else None,
        us_per_fetch=_mean([run.us_per_fetch for run in runs]),
        select_p50=_mean([select["p50"] for select in selects]),
        select_p99=_mean([select["p99"] for select in selects]),
        peak_mb=max(run.peak_rss_mb for run in runs),
        stopped=why([run.stopped for run in runs]),
    )


def _mean(values: Sequence[float]) -> float:
    return float(np.mean(values)) if values else 0.0


def why(reasons: Sequence[str]) -> str:
    """The reasons to stop, with how often each if they differ.

    >>> why(["budget", "budget"]), why(["budget", "frontier empty", "budget"])
    ('budget', 'budget (2), frontier empty (1)')
    """
    counts = Counter(reasons)
    return reasons[0] if len(counts) == 1 else ", ".join(f"{reason} ({n})" for reason, n in counts.items())
