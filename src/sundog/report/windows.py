"""What happened within each of some fifty equal stretches of the crawl, seeds taken together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from sundog.engines.trace import Trace
from sundog.report.calibration import Bins, accuracy, brier, estimates_probabilities
from sundog.report.groups import Row, edges, edges_until, longest, short

WINDOWS = 50


def window_rows(groups: Mapping[str, Sequence[Trace]], count: int = WINDOWS) -> list[Row]:
    """A row for each policy and window."""
    shared = edges(longest([trace for traces in groups.values() for trace in traces]), count)
    rows = []
    for policy, traces in groups.items():
        classifies = estimates_probabilities(policy, traces)
        for first, last in pairwise(edges_until(shared, longest(traces)).tolist()):
            rows.append({"policy": policy, **_row(traces, first, last, classifies)})
    return rows


def _row(traces: Sequence[Trace], first: int, last: int, classifies: bool) -> Row:
    relevant = _together([trace.rewards for trace in traces], first, last) > 0
    row: Row = {
        "at": (first + last) / 2,
        "span": f"{first + 1:,}–{last:,}",
        "share": short(float(np.mean(relevant))),
        "select": _micros(_together([trace.select_ns for trace in traces], first, last)),
    }
    if not classifies:
        return row
    estimates = _together([trace.estimates for trace in traces], first, last)
    return row | _classifier_figures(estimates, relevant)


def _classifier_figures(estimates: Any, relevant: Any) -> Row:
    return {
        "accuracy": short(accuracy(estimates, relevant)),
        "error": short(Bins.of(estimates, relevant).error),
        "brier": short(brier(estimates, relevant)),
    }


def _micros(nanoseconds: Any) -> float | None:
    """The mean in µs; a mean of nothing measurable has no place on a logarithmic axis."""
    return short(float(np.mean(nanoseconds)) / 1000) or None


def _together(columns: Sequence[Any], first: int, last: int) -> Any:
    """One window of every seed, end to end."""
    return np.concatenate([column[first:last] for column in columns])
