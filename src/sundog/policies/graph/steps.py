"""The kernels that ``GraphChooser`` calls. Each estimator has a ``GraphState`` to pass, for the reason that
``policies.hosts.steps`` gives."""

from __future__ import annotations

import math
from typing import Any

from numba import types
from numba.experimental import structref

from sundog._jit import inner, int64, njit
from sundog._view import view
from sundog.frontier.arrays import DONE, LEASED
from sundog.frontier.rng import uniform
from sundog.policies.chooser import ESTIMATE, PROPENSITY, SCORE
from sundog.policies.graph import members, search
from sundog.policies.graph.arrays import AWAKE, CHANGED, CHOICES, SINCE_REFRESH, SLEEPERS
from sundog.policies.graph.classes import enter_classes, score_of
from sundog.policies.graph.designs import CASH
from sundog.policies.graph.links import dequeue, discover, enqueue, note_change, take_links
from sundog.policies.graph.ranking import KIND, NOWHERE
from sundog.policies.graph.regression import add_lesson, solve

FIELDS = ["g", "r", "rng", "parts"]


@structref.register
class GraphStateType(types.StructRef):  # type: ignore[misc]
    """The fields' types are those of what ``build_graph_state`` was given."""


class GraphState(structref.StructRefProxy):  # type: ignore[misc]
    """Graph, Ranking, the state of the generator of random numbers, and the parts of a decision."""


structref.define_proxy(GraphState, GraphStateType, FIELDS)


@njit
def build_graph_state(g: Any, r: Any, rng: Any, parts: Any) -> Any:
    return GraphState(g, r, rng, parts)


@njit
def next_node(s: Any, every: int, switch: int, q: float, zeta: float) -> int:
    """Lease the next node and explain it in the parts; -1 if no host is awake.

    It is the best one, or with probability 1 − q one that is nearly so. The ranking is refreshed ``every`` so many
    choices; from ``switch`` choices on, the regression's coefficients are followed.
    """
    return _next(view(s), every, switch, q, zeta)


@njit
def nominate(s: Any, refreshed: bool, fits: bool) -> int:
    """The best node, for one of several estimators; ``refreshed``: as it is now."""
    v = view(s)
    if refreshed:
        _refresh(v, fits)
    return search.best_node(v.g, v.r)


@njit
def take_out(s: Any, node: int, best: int) -> bool:
    """``unrank``; whether the node is rated no lower than the best one."""
    v = view(s)
    agreed = search.score(v.r, node) >= search.score(v.r, best)
    _unrank(v, node)
    return agreed


@njit
def choose(s: Any, q: float, zeta: float) -> int:
    """The node that would be next among those that are ranked, -1 for none; it is not leased."""
    return _choose(view(s), q, zeta)


@njit
def explain(s: Any, node: int, propensity: float) -> None:
    """Why this node: its score as it was ranked."""
    _explain(view(s), node, propensity)


@njit
def present_scores(s: Any, nodes: Any, out: Any) -> None:
    """The present estimate of each node; changes nothing but ``out``."""
    v = view(s)
    for i in range(len(nodes)):
        n, e, ne = members.features_of(v.g, v.r, int64(nodes[i]))
        out[i] = _shown_score(v, n, e, ne)


@njit
def clear_changed(s: Any) -> None:
    """All estimators have ranked what has changed."""
    _clear_changed(view(s).g)


@njit
def set_coefficients(s: Any, coefficients: Any) -> None:
    search.follow(view(s).r, coefficients)


@njit
def enter_all_classes(s: Any) -> None:
    """Fill a new table of classes."""
    enter_classes(view(s).r)


@njit
def unrank(s: Any, node: int) -> None:
    """Take a node out of the ranking that leaves the frontier, and note its features."""
    _unrank(view(s), node)


@njit
def rank_again(s: Any, node: int) -> None:
    """Undo ``unrank``."""
    _rank_again(view(s), node)


@njit
def teach(s: Any, node: int, reward: float) -> None:
    _teach(view(s), node, reward)


@njit
def lease(s: Any, node: int) -> None:
    dequeue(view(s).g, node, LEASED)


@njit
def give_back(s: Any, node: int) -> None:
    v = view(s)
    enqueue(v.g, node)
    note_change(v.g, node)


@njit
def drop(s: Any, node: int) -> None:
    s.g.nodes[node].state = DONE


@njit
def set_asleep(s: Any, host: int, asleep: bool) -> bool:
    """Whether that is new."""
    return _set_asleep(view(s).g, host, asleep)


@njit
def rank_woken(s: Any, host: int) -> None:
    """The host is awake: rank its nodes that were set aside."""
    v = view(s)
    members.rank_woken(v.g, v.r, host)


@njit
def add_seeds(s: Any, hosts: Any, seeds: Any) -> int:
    """Discover nodes that no page has led to; how many are new. Each begins with a unit of cash."""
    g = view(s).g
    new = 0
    for i in range(len(seeds)):
        if discover(g, int64(seeds[i]), int64(hosts[seeds[i]])):
            g.nodes[seeds[i]].cash += 1.0
            new += 1
    return new


@njit
def take_in(s: Any, hosts: Any, page: int, reward: float, targets: Any, scores: Any, weights: int) -> int:
    """Add the links of a page; how many nodes are new.

    For a score that is no number from 0 on it returns −1 − its place, and nothing changes.
    """
    return _take_in(view(s), hosts, page, reward, targets, scores, weights)


# -- what they are made of ------------------------------------------------------------------------


@inner
def _choose(s: Any, q: float, zeta: float) -> int:
    node = search.best_node(s.g, s.r)
    if node >= 0 and q < 1.0 and uniform(s.rng) >= q:
        return search.random_near(s.g, s.r, s.rng, node, zeta)
    return node


@inner
def _shown_score(s: Any, n: float, e: float, ne: float) -> float:
    """The score that is shown; OPIC's cash is relative to all cash that was given on."""
    score = score_of(s.r, n, e, ne) + s.r.coefficients[3]
    return score / (1.0 + s.g.cash[0]) if s.r.totals[KIND] == CASH else score


@inner
def _explain(s: Any, node: int, propensity: float) -> None:
    known = s.r.ranked[node]
    score = _shown_score(s, known.n, known.e, known.ne)
    s.parts[SCORE], s.parts[ESTIMATE], s.parts[PROPENSITY] = score, score, propensity


@inner
def _next(s: Any, every: int, switch: int, q: float, zeta: float) -> int:
    t = s.g.totals
    if t[AWAKE] == 0:
        return -1
    node = -1
    if t[SINCE_REFRESH] < every:
        node = _choose(s, q, zeta)
    if node < 0:  # it is time, or all that is awake was found since the last refresh
        _refresh(s, t[CHOICES] >= switch)
        _clear_changed(s.g)
        t[SINCE_REFRESH] = 0
        node = _choose(s, q, zeta)
    t[SINCE_REFRESH] += 1
    t[CHOICES] += 1
    _explain(s, node, 1.0 if q == 1.0 else math.nan)
    _unrank(s, node)
    dequeue(s.g, node, LEASED)
    return node


@inner
def _unrank(s: Any, node: int) -> None:
    known = s.r.ranked[node]
    known.teaches = s.g.nodes[node].pages > 0
    known.seen_n, known.seen_e, known.seen_ne = members.features_of(s.g, s.r, node)
    members.unrank(s.r, node)


@inner
def _rank_again(s: Any, node: int) -> None:
    if s.r.ranked[node].where == NOWHERE and s.r.ranked[node].rated:
        members.join(s.g, s.r, node)


@inner
def _teach(s: Any, node: int, reward: float) -> None:
    """A seed teaches nothing: that no page is known to lead to it does not mean that its features are 0."""
    known = s.r.ranked[node]
    if known.teaches:
        add_lesson(s.r.regression, known.seen_n, known.seen_e, known.seen_ne, reward)


@inner
def _refresh(s: Any, fits: bool) -> None:
    """Rank what has changed; ``fits``: by what the regression has learned."""
    if fits:
        solve(s.r.regression)
        search.follow(s.r, s.r.regression.found)
    members.rank_changed(s.g, s.r)


@inner
def _clear_changed(g: Any) -> None:
    for i in range(g.totals[CHANGED]):
        g.nodes[g.changed[i]].changed = 0
    g.totals[CHANGED] = 0


@inner
def _set_asleep(g: Any, host: int, asleep: bool) -> bool:
    if (g.hosts[host].asleep != 0) == asleep:
        return False
    g.hosts[host].asleep = asleep
    g.totals[SLEEPERS] += 1 if asleep else -1
    g.totals[AWAKE] -= g.hosts[host].queued if asleep else -g.hosts[host].queued
    return True


@inner
def _take_in(s: Any, hosts: Any, page: int, reward: float, targets: Any, scores: Any, weights: int) -> int:
    for i in range(len(scores)):
        if not 0.0 <= scores[i] < math.inf:
            return -1 - i
    s.g.nodes[page].state = DONE
    return take_links(s.g, hosts, page, reward, targets, scores, weights)
