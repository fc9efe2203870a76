"""The rank of an arm by its strategy, and the upkeep of the ready arms that follows from it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from sundog._jit import inner, int64
from sundog.frontier import queues
from sundog.frontier.arrays import READY
from sundog.frontier.ready import HITLESS, PROVEN, drop_arm, place_arm, rebuild
from sundog.frontier.thompson import sampling
from sundog.policies.hosts.appraise import PAGE_WORTH, appraise
from sundog.policies.hosts.beliefs import TRUST, doublings
from sundog.policies.hosts.strategies import STRATEGIES

NEVER_VISITED = 1000.0  # above any worth and any log-odds
KNOWN_PAGES = 0.5  # log-odds for each doubling of the pages that are known of a host never visited
YOUNG, A_FEW = 8, 2


@inner
def bad_pages(f: Any, host: int) -> int:
    """Irrelevant ones and, until they prove better, those in flight: no host is overrun while it is unknown."""
    return f.hosts[host].tried - f.hosts[host].good + f.hosts[host].pending


def _in_turn(keys: Sequence[Callable[[float, float, float], float]], number: int = 0) -> Callable[..., float]:
    """A kernel that computes the key of the strategy with a given number: one set of kernels serves all."""
    own = inner(keys[0])
    if len(keys) == 1:

        @inner
        def last(chosen: int, good: float, bad: float, best: float) -> float:
            return own(good, bad, best)

        return last
    others = _in_turn(keys[1:], number + 1)

    @inner
    def this_or_another(chosen: int, good: float, bad: float, best: float) -> float:
        return own(good, bad, best) if chosen == number else others(chosen, good, bad, best)

    return this_or_another


_key_by = _in_turn([strategy.key for strategy in STRATEGIES])


# Policies that do not sample have None for ``t``, those that do have None for ``h``: branches that cannot be
# taken are then not even compiled.


@inner
def _worth(f: Any, h: Any, plan: Any, arm: int) -> float:
    return 0.0 if h is None else appraise(f, h.templates, h.beliefs, plan, arm, h.appraisal)


@inner
def _key(f: Any, h: Any, plan: Any, arm: int) -> float:
    if plan.by_templates:
        return _worth(f, h, plan, arm)
    host = int64(f.arms[arm].host)
    good, bad = float(f.hosts[host].good), float(bad_pages(f, host))
    return _key_by(int64(plan.strategy), good, bad, f.candidates[queues.best(f, arm)].score)


@inner
def _enter(f: Any, t: Any, plan: Any, arm: int) -> None:
    if t is not None:
        host, top = int64(f.arms[arm].host), queues.best(f, arm)
        best = f.candidates[top].score if plan.times_best else 1.0
        sampling.enter(t, arm, int64(f.hosts[host].good), int64(bad_pages(f, host)), best)


@inner
def _leave(t: Any, arm: int) -> None:
    if t is not None:
        sampling.leave(t, arm)


@inner
def settle(f: Any, t: Any, h: Any, plan: Any, arm: int) -> None:
    """Bring the arm's standing up to date after its queue or its record has changed."""
    host = int64(f.arms[arm].host)
    if f.arms[arm].size == 0 or f.hosts[host].asleep:
        drop_arm(f, arm)
        _leave(t, arm)
        return
    _enter(f, t, plan, arm)
    tie = int64(f.arms[arm].number)
    if plan.ties_by_page:
        tie = int64(f.candidates[queues.best(f, arm)].order)
    if plan.by_templates and f.hosts[host].near == 0.0:
        place_arm(f, arm, HITLESS, _hitless_key(f, h, plan, arm), tie)
    else:
        place_arm(f, arm, PROVEN, _key(f, h, plan, arm), tie)
        _note_page_worth(h, plan, arm)


@inner
def _note_page_worth(h: Any, plan: Any, arm: int) -> None:
    """For those that lead to pages of the arm, which has just been appraised."""
    if h is not None and plan.looks_ahead:
        h.templates.page_worth[arm] = h.appraisal[PAGE_WORTH]


@inner
def _hitless_key(f: Any, h: Any, plan: Any, arm: int) -> float:
    """Hosts never visited come first, ranked by the classifier as far as it is trusted there; then the others."""
    host = int64(f.arms[arm].host)
    if h is None or f.hosts[host].tried + f.hosts[host].pending > 0:
        return _key(f, h, plan, arm)
    known = KNOWN_PAGES * doublings(int64(f.hosts[host].queued))
    return NEVER_VISITED + known + h.beliefs.numbers[TRUST] * f.candidates[queues.best(f, arm)].score


@inner
def best_worth(f: Any, h: Any, plan: Any, host: int) -> float:
    """Of the arms of a host, whether it sleeps or not; the host has been visited."""
    best = 0.0
    arm = int64(f.hosts[host].arms)
    while arm >= 0:
        if f.arms[arm].size > 0:
            best = max(best, _worth(f, h, plan, arm))
        arm = int64(f.arms[arm].next)
    return best


@inner
def worths_of_arms(f: Any, h: Any, plan: Any, arms: int, stride: int, worths: Any, ranks: Any, found: Any) -> int:
    """Of every ``stride``-th arm where pages wait, asleep or not: its key as a worth, and which arm it is.

    ``ranks`` tell worths of first visits apart; those of others are infinite.
    """
    count = 0
    for arm in range(0, arms, stride):
        if f.arms[arm].size > 0:
            worths[count], found[count] = _key(f, h, plan, arm), arm
            host = int64(f.arms[arm].host)
            is_first = plan.by_templates and f.hosts[host].tried + f.hosts[host].pending == 0
            ranks[count] = _hitless_key(f, h, plan, arm) - NEVER_VISITED if is_first else np.inf
            count += 1
    return count


@inner
def rank_hitless(f: Any, h: Any, plan: Any) -> None:
    """Rank all hosts without a hit anew, for the trust in the classifier has changed."""
    for i in range(f.totals[READY + HITLESS]):
        f.ready[HITLESS, i].key = _hitless_key(f, h, plan, int64(f.ready[HITLESS, i].arm))
    rebuild(f, HITLESS)


@inner
def settle_after_outcome(f: Any, t: Any, h: Any, plan: Any, arm: int) -> None:
    """A young record changes with every outcome; later only some of the host's arms are settled, in turn."""
    host = int64(f.arms[arm].host)
    if f.hosts[host].tried <= YOUNG or f.hosts[host].arm_count <= A_FEW:
        settle_host(f, t, h, plan, host)
        return
    settle(f, t, h, plan, arm)
    other = int64(f.hosts[host].turn)
    for _ in range(A_FEW):
        other = int64(f.hosts[host].arms) if other < 0 else other
        settle(f, t, h, plan, other)
        other = int64(f.arms[other].next)
    f.hosts[host].turn = other


@inner
def settle_host(f: Any, t: Any, h: Any, plan: Any, host: int) -> None:
    """The same for all arms of a host: its record, or whether it sleeps, has changed."""
    arm = int64(f.hosts[host].arms)
    while arm >= 0:
        settle(f, t, h, plan, arm)
        arm = int64(f.arms[arm].next)
