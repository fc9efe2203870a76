"""Runs by policy, and the positions at which the charts look at them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from sundog.engines.trace import Trace

if TYPE_CHECKING:
    from sundog.engines.simulated import Run

Row = dict[str, Any]


def by_policy(runs: Sequence[Run]) -> dict[str, list[Trace]]:
    """The traces of each policy's seeds, policies in order of appearance."""
    groups: dict[str, list[Trace]] = {}
    for run in runs:
        groups.setdefault(run.policy, []).append(run.trace)
    return groups


def longest(traces: Sequence[Trace]) -> int:
    return max((len(trace.rewards) for trace in traces), default=0)


def edges(fetched: int, count: int) -> Any:
    """At most ``count`` equal windows over the fetches, none of them empty, as their edges.

    >>> edges(10, 5).tolist(), edges(2, 5).tolist(), edges(0, 5).tolist()
    ([0, 2, 4, 6, 8, 10], [0, 1, 2], [0])
    """
    return np.linspace(0, fetched, min(count, fetched) + 1).astype(int)


def edges_until(shared: Any, fetched: int) -> Any:
    """The shared edges up to a crawl's own end; a last window under half the width joins its neighbour.

    >>> edges_until(edges(100, 5), 55).tolist(), edges_until(edges(100, 5), 45).tolist()
    ([0, 20, 40, 55], [0, 20, 45])
    """
    own = shared[shared < fetched]
    if len(own) > 1 and 2 * (fetched - own[-1]) < own[-1] - own[-2]:
        own = own[:-1]
    return np.append(own, fetched)


def short(value: float) -> float:
    """Four digits are all that a chart shows.

    >>> short(0.123456), short(1234567.0)
    (0.1235, 1235000.0)
    """
    return float(f"{value:.4g}")
