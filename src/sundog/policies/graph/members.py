"""Nodes join classes and leave them, or are set aside while their host sleeps."""

from __future__ import annotations

import math
from typing import Any

from sundog._jit import inner, int64
from sundog.frontier.arrays import DONE, QUEUED
from sundog.policies.graph import forest
from sundog.policies.graph.arrays import CHANGED
from sundog.policies.graph.classes import class_of, end_class, take_from_cell
from sundog.policies.graph.designs import AVG, CASH, EDGES, MAX, NODES, NORM, PRODUCTS, RANK, ROOT, ROOT_SUM
from sundog.policies.graph.ranking import ASIDE, IN_CLASS, KIND, MASK, NOWHERE


@inner
def _rooted(known: Any, kind: int) -> tuple[float, float, float]:
    """Sums over √pages; for linear estimators page scores twice, over √pages and as sum or mean, and between
    them the links' scores and products in one."""
    root = math.sqrt(known.pages)
    if kind == ROOT:
        return known.sum_n / root, known.sum_e / root, known.sum_ne / root
    other = known.sum_n if kind == ROOT_SUM else known.sum_n / known.pages
    return known.sum_n / root, known.sum_e + known.sum_ne, other


@inner
def features_of(g: Any, r: Any, node: int) -> tuple[float, float, float]:
    """f_n, f_e and f_ne as this estimator sees them; those that do not count are 0."""
    known, kind, mask = g.nodes[node], r.totals[KIND], r.totals[MASK]
    if kind == CASH:
        return known.cash, 0.0, 0.0
    if kind == RANK:
        return known.rank, 0.0, 0.0
    n, e, ne = known.sum_n, known.sum_e, known.sum_ne
    if kind == MAX:
        n, e, ne = known.max_n, known.max_e, known.max_ne
    elif kind == NORM:
        n, e, ne = math.sqrt(known.square_n), math.sqrt(known.square_e), math.sqrt(known.square_ne)
    elif kind == AVG and known.pages > 0:
        n, e, ne = n / known.pages, e / known.pages, ne / known.pages
    elif kind >= ROOT and known.pages > 0:
        n, e, ne = _rooted(known, kind)
    return n if mask & NODES else 0.0, e if mask & EDGES else 0.0, ne if mask & PRODUCTS else 0.0


@inner
def join(g: Any, r: Any, node: int) -> None:
    """Rank a node by the features that are noted for it."""
    group = class_of(r, r.ranked[node].n, r.ranked[node].e, r.ranked[node].ne)
    r.ranked[node].group = group
    r.ranked[node].where = IN_CLASS
    earliest = -float(g.nodes[node].order)
    r.classes[group].first = forest.push(r.members, int64(r.classes[group].first), node, earliest)
    r.classes[group].size += 1


@inner
def leave(r: Any, node: int) -> int:
    """Take a node out of its class; returns whether members are left. The class's heap is the caller's care."""
    group = int64(r.ranked[node].group)
    r.classes[group].first = forest.remove(r.members, int64(r.classes[group].first), node)
    r.classes[group].size -= 1
    r.ranked[node].where = NOWHERE
    return int64(r.classes[group].size)


@inner
def unrank(r: Any, node: int) -> None:
    """Take a ranked node out. One that is aside stays there, and is passed over when its host wakes."""
    if r.ranked[node].where == IN_CLASS and leave(r, node) == 0:
        take_from_cell(r, int64(r.ranked[node].group))
        end_class(r, int64(r.ranked[node].group))


@inner
def _rank_anew(g: Any, r: Any, node: int) -> None:
    n, e, ne = features_of(g, r, node)
    known = r.ranked[node]
    if known.where == IN_CLASS:
        if known.n == n and known.e == e and known.ne == ne:
            return
        unrank(r, node)
    known.n = n
    known.e = e
    known.ne = ne
    known.rated = 1
    if known.where != ASIDE and g.nodes[node].state == QUEUED:
        join(g, r, node)


@inner
def rank_changed(g: Any, r: Any) -> None:
    """Rank all nodes that are new or have new links. A leased one may be given back: its features are noted."""
    for i in range(g.totals[CHANGED]):
        node = int64(g.changed[i])
        if g.nodes[node].state != DONE:
            _rank_anew(g, r, node)


@inner
def set_aside(g: Any, r: Any, node: int) -> None:
    """A node that is in no class waits until its host wakes."""
    host = g.nodes[node].host
    r.ranked[node].where = ASIDE
    r.ranked[node].next_aside = r.aside[host]
    r.aside[host] = node


@inner
def rank_woken(g: Any, r: Any, host: int) -> None:
    """The host is awake: rank what was set aside and still waits."""
    node = int64(r.aside[host])
    r.aside[host] = -1
    while node >= 0:
        after = int64(r.ranked[node].next_aside)
        r.ranked[node].where = NOWHERE
        if g.nodes[node].state == QUEUED:
            join(g, r, node)
        node = after
