"""Totals over the crawl: relevant pages and hosts found after so many fetches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from sundog.engines.trace import Trace
from sundog.report.groups import Row, edges, edges_until, longest, short

POINTS = 200


def curve_rows(groups: Mapping[str, Sequence[Trace]]) -> list[Row]:
    """A row for each policy and moment: mean, least and most over its seeds.

    A seed that ended before its fellows keeps its last total.
    """
    shared = edges(longest([trace for traces in groups.values() for trace in traces]), POINTS)
    return [row for policy, traces in groups.items() for row in _rows_of(policy, traces, shared)]


def _rows_of(policy: str, traces: Sequence[Trace], shared: Any) -> list[Row]:
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
