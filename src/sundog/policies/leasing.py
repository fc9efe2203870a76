"""Candidates leave the frontier for a fetch and come back, or do not."""

from __future__ import annotations

from typing import Any

from sundog._jit import inner, int64
from sundog.frontier import queues
from sundog.frontier.arrays import DONE, FETCHES, LEASED, QUEUED, QUEUED_TOTAL
from sundog.policies.plan import SHRUNK
from sundog.policies.strategies import settle, settle_host
from sundog.policies.templates import VIEWS, open_host


@inner
def _open(f: Any, h: Any, facts: Any, plan: Any, host: int) -> None:
    if h is None:
        return
    if plan.strategy == SHRUNK:
        open_host(f, facts, h.templates, host)


@inner
def lease(f: Any, t: Any, h: Any, facts: Any, plan: Any, candidate: int) -> None:
    arm, host = int64(f.candidates[candidate].arm), int64(f.candidates[candidate].host)
    _open(f, h, facts, plan, host)
    queues.remove(f, candidate)
    f.candidates[candidate].state = LEASED
    f.arms[arm].pending += 1
    f.hosts[host].pending += 1
    count_queued(f, h, plan, candidate, -1)
    f.totals[FETCHES] += 1
    settle(f, t, h, plan, arm)  # the host's other arms are re-appraised when their turn comes


@inner
def count_queued(f: Any, h: Any, plan: Any, candidate: int, change: int) -> None:
    f.hosts[f.candidates[candidate].host].queued += change
    f.totals[QUEUED_TOTAL] += change
    if plan.strategy == SHRUNK:
        _count_in_groups(h, int64(f.candidates[candidate].arm), change)


@inner
def _count_in_groups(h: Any, arm: int, change: int) -> None:
    if h is None:
        return
    for level in range(VIEWS):
        node = h.templates.arm_nodes[arm, level]
        if node >= 0:
            h.templates.nodes[node].queued += change


@inner
def _land(f: Any, candidate: int, state: int) -> None:
    """The candidate is in flight no longer, and its fetch does not count."""
    f.candidates[candidate].state = state
    f.arms[f.candidates[candidate].arm].pending -= 1
    f.hosts[f.candidates[candidate].host].pending -= 1
    f.totals[FETCHES] -= 1


@inner
def return_lease(s: Any, candidate: int) -> None:
    _land(s.f, candidate, QUEUED)
    count_queued(s.f, s.h, s.plan, candidate, 1)
    queues.push(s.f, candidate)
    settle_host(s.f, s.t, s.h, s.plan, int64(s.f.candidates[candidate].host))


@inner
def end_lease(s: Any, candidate: int) -> None:
    _land(s.f, candidate, DONE)
    settle_host(s.f, s.t, s.h, s.plan, int64(s.f.candidates[candidate].host))
