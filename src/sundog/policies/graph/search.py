"""The best node, and a random one among the nearly best; exact, whatever the coefficients did."""

from __future__ import annotations

import math
from typing import Any

from sundog._jit import inner, int64
from sundog.frontier.rng import below
from sundog.policies.graph import forest
from sundog.policies.graph.arrays import QUEUED_TOTAL, SLEEPERS
from sundog.policies.graph.classes import end_class, put_in_cell, risen, score_of
from sundog.policies.graph.members import leave, set_aside
from sundog.policies.graph.ranking import CELLS, HELD, IN_CLASS

ROUNDING = 1e-14  # of all that a bound is summed up from: more than floating point can have lost


@inner
def follow(r: Any, c: Any) -> None:
    """Take over new coefficients. Sums of rises are rounded up, so that they stay bounds."""
    for i in range(3):
        rise = c[i] - r.coefficients[i]
        if rise > 0.0:
            r.rises[i] = (r.rises[i] + rise) * (1.0 + 1e-15)
        r.coefficients[i] = c[i]
    r.coefficients[3] = c[3]


@inner
def _bound(r: Any, cell: int) -> float:
    """What no score in the cell exceeds."""
    first = int64(r.cells[cell].first)
    if first < 0:
        return -math.inf
    rise, size = risen(r, cell), r.cells[cell]
    c = r.coefficients
    most = abs(c[0]) * size.n + abs(c[1]) * size.e + abs(c[2]) * size.ne + rise
    return r.heaps[first].key + rise + ROUNDING * most


@inner
def _first_awake(g: Any, r: Any, group: int) -> int:
    """The class's first node whose host is awake, -1 if there is none; those before it are set aside."""
    while r.classes[group].size > 0:
        node = int64(r.classes[group].first)
        if g.hosts[g.nodes[node].host].asleep == 0:
            return node
        leave(r, node)
        set_aside(g, r, node)
    end_class(r, group)
    return -1


@inner
def _hold_top(g: Any, r: Any, cell: int) -> int:
    """Take the first class out of a cell's heap and look at its score now; its first node, -1 if it is gone."""
    group = int64(r.cells[cell].first)
    r.cells[cell].first = forest.remove(r.heaps, group, group)
    node = _first_awake(g, r, group)
    if node >= 0:
        r.classes[group].score = score_of(r, r.classes[group].n, r.classes[group].e, r.classes[group].ne)
        r.held[r.totals[HELD]] = group
        r.totals[HELD] += 1
    return node


@inner
def _release(r: Any) -> None:
    """Put all classes back that are held."""
    for i in range(r.totals[HELD]):
        group = int64(r.held[i])
        put_in_cell(r, group, r.classes[group].score)
    r.totals[HELD] = 0


@inner
def score(r: Any, node: int) -> float:
    return score_of(r, r.ranked[node].n, r.ranked[node].e, r.ranked[node].ne)


@inner
def _best_in_cell(g: Any, r: Any, cell: int, best: int) -> int:
    """The better of the best so far and of the cell's best; of equal ones that which was discovered first."""
    while r.cells[cell].first >= 0 and (best < 0 or _bound(r, cell) >= score(r, best)):
        node = _hold_top(g, r, cell)
        if node < 0:
            continue
        lead = math.inf if best < 0 else score(r, node) - score(r, best)
        if lead > 0.0 or (lead == 0.0 and g.nodes[node].order < g.nodes[best].order):
            best = node
    return best


@inner
def _most_promising(r: Any) -> int:
    """Where to begin: whatever is found there need not be looked for elsewhere."""
    found, highest = -1, -math.inf
    for cell in range(r.totals[CELLS]):
        bound = _bound(r, cell)
        if bound > highest:
            found, highest = cell, bound
    return found


@inner
def best_node(g: Any, r: Any) -> int:
    """The ranked node of the highest score whose host is awake, the first discovered among equals; -1 for none."""
    begin = _most_promising(r)
    if begin < 0:
        return -1
    best = _best_in_cell(g, r, begin, -1)
    for cell in range(r.totals[CELLS]):
        best = _best_in_cell(g, r, cell, best)
    _release(r)
    return best


@inner
def _hold_from(g: Any, r: Any, lowest: float) -> int:
    """Hold all classes that may score as much; returns how many nodes those have that do."""
    nodes = 0
    for cell in range(r.totals[CELLS]):
        while r.cells[cell].first >= 0 and _bound(r, cell) >= lowest:
            node = _hold_top(g, r, cell)
            if node >= 0 and score(r, node) >= lowest:
                nodes += int64(r.classes[r.ranked[node].group].size)
    return nodes


@inner
def _is_choice(g: Any, r: Any, node: int, lowest: float) -> bool:
    ready = r.ranked[node].where == IN_CLASS and g.hosts[g.nodes[node].host].asleep == 0
    return ready and score(r, node) >= lowest


@inner
def _draw_from_held(g: Any, r: Any, rng: Any, lowest: float) -> int:
    """Each of the nodes with the same probability, in one walk along all of them."""
    chosen, met = -1, 0
    for i in range(r.totals[HELD]):
        node = int64(r.classes[r.held[i]].first)
        if not _is_choice(g, r, node, lowest):
            continue
        while node >= 0:
            if _is_choice(g, r, node, lowest):
                met += 1
                if below(rng, met) == 0:
                    chosen = node
            node = _after(r, node)
    return chosen


@inner
def _after(r: Any, node: int) -> int:
    """The next node of a class's heap on a walk: down, then along, then up and along."""
    if r.members[node].child >= 0:
        return int64(r.members[node].child)
    while node >= 0:
        if r.members[node].next >= 0:
            return int64(r.members[node].next)
        node = _parent(r, node)
    return -1


@inner
def _parent(r: Any, node: int) -> int:
    while True:
        before = int64(r.members[node].before)
        if before < 0 or r.members[before].child == node:
            return before
        node = before


@inner
def _draw_from_queue(g: Any, r: Any, rng: Any, lowest: float) -> int:
    while True:
        node = int64(g.queue[below(rng, g.totals[QUEUED_TOTAL])])
        if _is_choice(g, r, node, lowest):
            return node


@inner
def random_near(g: Any, r: Any, rng: Any, best: int, zeta: float) -> int:
    """A uniform draw among the nodes whose score is at most ζ·|max| below the maximum."""
    constant = r.coefficients[3]
    highest = score(r, best) + constant
    lowest = min(highest - zeta * abs(highest) - constant, score(r, best))
    nodes = _hold_from(g, r, lowest)
    many = g.totals[SLEEPERS] == 0 and nodes * nodes > g.totals[QUEUED_TOTAL]
    chosen = _draw_from_queue(g, r, rng, lowest) if many else _draw_from_held(g, r, rng, lowest)
    _release(r)
    return chosen
