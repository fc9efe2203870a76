"""Navigational rank (Feng et al., CIKM 2010) over the crawled graph and its frontier.

Two propagations, with d, the ``own_share`` of a node:

* from offspring to ancestors, NR₁(v) = d·score(v) + (1 − d)·avg over links v → u of NR₁(u)/indegree(u)
* from ancestors to offspring, NR₂(v) = d·NR₁(v) + (1 − d)·avg over links u → v of NR₂(u)/outdegree(u)

Each contracts by 1 − d a sweep. Sweeps begin with the values of the last refresh, so that few are needed.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from sundog._jit import inner, int64, njit
from sundog._view import view
from sundog.frontier.arrays import longer
from sundog.policies.graph.arrays import QUEUED_TOTAL
from sundog.policies.graph.links import note_change

TOLERANCE = 1e-6  # of the highest value: smaller changes end the sweeps
MOST_SWEEPS = 100


class Navigation(NamedTuple):
    """The links of crawled pages, those of page i from ``starts[i]`` on; then values of nodes."""

    pages: Any  # int32
    rewards: Any  # float64
    starts: Any  # int64[pages + 1]
    targets: Any  # int32
    up: Any  # float64: NR₁
    down: Any  # float64: NR₂
    given: Any  # float64: scratch
    count: Any  # int64[1]: pages


def new_navigation() -> Navigation:
    ids, values = np.zeros(0, np.int32), np.zeros(0)
    return Navigation(ids, values, np.zeros(1, np.int64), ids, values, values, values, np.zeros(1, np.int64))


def grown_navigation(a: Navigation, nodes: int, links: int) -> Navigation:
    """With room for so many nodes, and for one more page with so many links."""
    pages = int(a.count[0])
    return a._replace(
        pages=longer(a.pages, pages + 1),
        rewards=longer(a.rewards, pages + 1),
        starts=longer(a.starts, pages + 2),
        targets=longer(a.targets, int(a.starts[pages]) + links),
        up=longer(a.up, nodes),
        down=longer(a.down, nodes),
        given=longer(a.given, nodes),
    )


@njit
def add_page(s: Any, a: Navigation, page: int, reward: float, links: int) -> None:
    """Note a page whose links the graph has just merged."""
    count = a.count[0]
    begin = a.starts[count]
    a.pages[count], a.rewards[count] = page, reward
    a.targets[begin : begin + links] = s.g.targets[:links]
    a.starts[count + 1] = begin + links
    a.count[0] = count + 1


@inner
def _average(total: float, count: int) -> float:
    return total / count if count > 0 else 0.0


@inner
def _sweep_up(nodes: Any, a: Any, own_share: float) -> float:
    """Pages crawled last come first, for they are the others' offspring. Returns the largest change."""
    change = 0.0
    for i in range(a.count[0] - 1, -1, -1):
        page, low, high = a.pages[i], a.starts[i], a.starts[i + 1]
        total = 0.0
        for j in range(low, high):
            target = a.targets[j]
            total += a.up[target] / nodes[target].pages
        value = own_share * a.rewards[i] + (1.0 - own_share) * _average(total, high - low)
        change = max(change, abs(value - a.up[page]))
        a.up[page] = value
    return change


@inner
def _sweep_down(nodes: Any, a: Any, own_share: float) -> float:
    """All nodes at once. Frontier nodes receive, but give nothing on. Returns the largest change."""
    for i in range(a.starts[a.count[0]]):
        a.given[a.targets[i]] = 0.0
    for i in range(a.count[0]):
        low, high = a.starts[i], a.starts[i + 1]
        for j in range(low, high):
            a.given[a.targets[j]] += a.down[a.pages[i]] / (high - low)
    change = 0.0
    for i in range(a.count[0]):
        page = a.pages[i]
        from_above = _average(a.given[page], int64(nodes[page].pages))
        value = own_share * a.up[page] + (1.0 - own_share) * from_above
        change = max(change, abs(value - a.down[page]))
        a.down[page] = value
    return change


@inner
def _highest(a: Any, values: Any) -> float:
    highest = 0.0
    for i in range(a.count[0]):
        highest = max(highest, values[a.pages[i]])
    return highest


@njit
def sweep(s: Any, a: Navigation, own_share: float) -> int:
    """Bring the ranks of all queued nodes up to date; returns how many sweeps that took."""
    g = view(s).g
    sweeps = 0
    for _ in range(MOST_SWEEPS):
        sweeps += 1
        if _sweep_up(g.nodes, a, own_share) <= TOLERANCE * _highest(a, a.up):
            break
    for _ in range(MOST_SWEEPS):
        sweeps += 1
        if _sweep_down(g.nodes, a, own_share) <= TOLERANCE * _highest(a, a.down):
            break
    for i in range(g.totals[QUEUED_TOTAL]):
        node = int64(g.queue[i])
        if g.nodes[node].pages > 0:
            g.nodes[node].rank = (1.0 - own_share) * a.given[node] / g.nodes[node].pages
            note_change(g, node)
    return sweeps
