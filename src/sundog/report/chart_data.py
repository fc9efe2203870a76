"""What the charts show: totals over the crawl, shares per window, calibration of estimates."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from sundog.engines.runs import Trace
from sundog.policies.presets import POLICIES

if TYPE_CHECKING:
    from sundog.engines.runs import Run
Row = dict[str, Any]
POINTS = 200  # of a curve
WINDOWS = 50  # over the whole crawl, seeds taken together
BINS = 10  # of estimates


def by_policy(runs: Sequence[Run]) -> dict[str, list[Trace]]:
    """The traces of each policy's seeds, policies in order of appearance."""
    groups: dict[str, list[Trace]] = {}
    for run in runs:
        groups.setdefault(run.policy, []).append(run.trace)
    return groups


def longest(traces: Sequence[Trace]) -> int:
    return max((len(trace.rewards) for trace in traces), default=0)


def equal_edges(fetched: int, count: int) -> list[int]:
    """At most ``count`` equal windows over the fetches, none of them empty, as their edges.

    >>> equal_edges(10, 4), equal_edges(2, 40), equal_edges(0, 40)
    ([0, 2, 5, 7, 10], [0, 1, 2], [0])
    """
    windows = min(count, fetched)
    return [number * fetched // windows for number in range(windows + 1)] if windows else [0]


def edges_until(shared: Sequence[int], fetched: int) -> Any:
    """The shared edges up to a crawl's own end; a last window under half the width joins its neighbour.

    >>> edges_until(equal_edges(100, 5), 55).tolist(), edges_until(equal_edges(100, 5), 45).tolist()
    ([0, 20, 40, 55], [0, 20, 45])
    """
    own = [edge for edge in shared if edge < fetched]
    if len(own) > 1 and 2 * (fetched - own[-1]) < own[-1] - own[-2]:
        own.pop()
    return np.array([*own, fetched])


def short(value: float) -> float:
    """Four digits are all that a chart shows.

    >>> short(0.123456), short(1234567.0)
    (0.1235, 1235000.0)
    """
    return float(f"{value:.4g}")


def curve_rows(groups: Mapping[str, Sequence[Trace]]) -> list[Row]:
    """A row for each policy and moment: mean, least and most over its seeds.

    A seed that ended before its fellows keeps its last total.
    """
    shared = equal_edges(longest([trace for traces in groups.values() for trace in traces]), POINTS)
    return [row for policy, traces in groups.items() for row in _rows_of(policy, traces, shared)]


def _rows_of(policy: str, traces: Sequence[Trace], shared: Sequence[int]) -> list[Row]:
    end = longest(traces)
    if not end:
        return []
    at = edges_until(shared, end)
    relevant = np.array([relevant_at(trace, at) for trace in traces])
    hosts = np.array([hosts_at(trace, at) for trace in traces])
    columns = {**_spread("relevant", relevant), **_spread("hosts", hosts)}
    return [
        {"policy": policy, "at": int(moment), **{name: short(values[i]) for name, values in columns.items()}}
        for i, moment in enumerate(at)
    ]


def _spread(name: str, seeds: Any) -> dict[str, Any]:
    mean = {name: seeds.mean(axis=0)}
    return mean if len(seeds) < 2 else {**mean, f"{name}_lo": seeds.min(axis=0), f"{name}_hi": seeds.max(axis=0)}


def relevant_at(trace: Trace, at: Any) -> Any:
    """Relevant pages after ``at`` fetches."""
    total = np.append(0, np.cumsum(trace.rewards > 0))
    return total[np.minimum(at, len(trace.rewards))]


def hosts_at(trace: Trace, at: Any) -> Any:
    """Hosts known when the ``at``-th page was chosen; at 0, when the first was."""
    if not len(trace.hosts):
        return np.zeros(len(at))
    return trace.hosts[np.clip(at, 1, len(trace.hosts)) - 1]


def window_rows(groups: Mapping[str, Sequence[Trace]], count: int = WINDOWS) -> list[Row]:
    """A row for each policy and window."""
    shared = equal_edges(longest([trace for traces in groups.values() for trace in traces]), count)
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


def estimates_probabilities(policy: str, traces: Sequence[Trace]) -> bool:
    """Whether the policy has a classifier, and all estimates, of which there are some, are within [0, 1]."""
    known = [trace.estimates for trace in traces if len(trace.estimates)]
    inside = all(bool(np.all((values >= 0) & (values <= 1))) for values in known)
    classifies = policy not in POLICIES or POLICIES[policy].has_classifier  # others may have brought their own
    return classifies and bool(known) and inside


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
