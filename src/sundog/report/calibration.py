"""How far the estimates can be taken as probabilities."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sundog.engines.trace import Trace
from sundog.report.groups import Row, short

BINS = 10
NO_CLASSIFIER = frozenset({"bfs", "random", "oracle"})


def estimates_probabilities(policy: str, traces: Sequence[Trace]) -> bool:
    """Whether the policy has a classifier: every estimate, and at least one, is within [0, 1]."""
    known = [trace.estimates for trace in traces if len(trace.estimates)]
    inside = all(bool(np.all((values >= 0) & (values <= 1))) for values in known)
    return policy not in NO_CLASSIFIER and bool(known) and inside


@dataclass(frozen=True)
class Bins:
    """Fetches by estimate, in ten equal bins over [0, 1]. Bins of parts add up to bins of the whole."""

    count: Any
    estimated: Any  # the sum of the estimates
    observed: Any  # how many were relevant

    @classmethod
    def of(cls, estimates: Any, relevant: Any) -> Bins:
        bins = np.minimum((estimates * BINS).astype(int), BINS - 1)
        weights = (None, estimates, relevant)
        return cls(*(np.bincount(bins, weight, minlength=BINS) for weight in weights))

    def __add__(self, other: Bins) -> Bins:
        return Bins(self.count + other.count, self.estimated + other.estimated, self.observed + other.observed)

    @property
    def error(self) -> float:
        """The expected calibration error: |mean estimate − observed share|, averaged over fetches."""
        return float(np.abs(self.estimated - self.observed).sum() / max(1, self.count.sum()))


EMPTY = Bins(np.zeros(BINS, int), np.zeros(BINS), np.zeros(BINS))


def brier(estimates: Any, relevant: Any) -> float:
    """The mean squared error of the estimates."""
    return float(np.mean((estimates - relevant) ** 2))


def accuracy(estimates: Any, relevant: Any) -> float:
    """The share of fetches where "estimate at least one half" and "relevant" agree."""
    return float(np.mean((estimates >= 0.5) == relevant))


def reliability_rows(groups: Mapping[str, Sequence[Trace]]) -> list[Row]:
    """A row for each policy and bin that holds a fetch, over the whole crawl and all seeds."""
    rows = []
    for policy, traces in groups.items():
        if estimates_probabilities(policy, traces):
            rows += [{"policy": policy, **row} for row in _bin_rows(_sum(map(_bins_of, traces)))]
    return rows


def _bins_of(trace: Trace) -> Bins:
    return Bins.of(trace.estimates, trace.rewards > 0)


def _sum(parts: Iterable[Bins]) -> Bins:
    return sum(parts, start=EMPTY)


def _bin_rows(bins: Bins) -> list[Row]:
    return [
        {
            "estimate": short(bins.estimated[i] / bins.count[i]),
            "share": short(bins.observed[i] / bins.count[i]),
            "count": int(bins.count[i]),
        }
        for i in np.flatnonzero(bins.count)
    ]
