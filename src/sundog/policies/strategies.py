"""What an arm is worth, and the upkeep of the ready arms that follows from it."""

from __future__ import annotations

from typing import Any

from sundog._jit import inner
from sundog.frontier import queues, thompson
from sundog.frontier.ready import drop_arm, place_arm
from sundog.policies.plan import (
    BEST,
    GOOD_BEST,
    NEGATIVE_BAD,
    SHRUNK,
    SUCCESS,
    SUCCESS_BEST,
    THOMPSON_BEST,
)


@inner
def bad_pages(f: Any, host: int) -> int:
    """Irrelevant ones and, until they prove better, those in flight: no host is overrun while it is unknown."""
    return f.hosts[host].tried - f.hosts[host].good + f.hosts[host].pending


@inner
def _key(f: Any, plan: Any, arm: int) -> float:
    host = f.arms[arm].host
    good, bad = f.hosts[host].good, bad_pages(f, host)
    score = f.candidates[queues.best(f, arm)].score
    if plan.strategy == BEST:
        return score
    if plan.strategy == SUCCESS:
        return (good + 1.0) / (bad + 1.0)
    if plan.strategy == NEGATIVE_BAD:
        return -float(bad)
    if plan.strategy == GOOD_BEST:
        return good * score
    if plan.strategy == SUCCESS_BEST:
        return (good + 1.0) / (bad + 1.0) * score
    return 0.0


# Policies that do not sample have None for ``t``: the sampler's branches are then not even compiled.


@inner
def _enter(f: Any, t: Any, plan: Any, arm: int) -> None:
    if t is not None:
        host, top = f.arms[arm].host, queues.best(f, arm)
        best = f.candidates[top].score if plan.strategy == THOMPSON_BEST else 1.0
        thompson.enter(t, arm, f.hosts[host].good, bad_pages(f, host), best)


@inner
def _leave(t: Any, arm: int) -> None:
    if t is not None:
        thompson.leave(t, arm)


@inner
def settle(f: Any, t: Any, plan: Any, arm: int) -> None:
    """Bring the arm's standing up to date after its queue or its record has changed."""
    host = f.arms[arm].host
    if f.arms[arm].size == 0 or f.hosts[host].asleep:
        drop_arm(f, arm)
        _leave(t, arm)
        return
    _enter(f, t, plan, arm)
    tie = f.arms[arm].number
    if plan.strategy == BEST or plan.strategy == GOOD_BEST or plan.strategy == SHRUNK:
        tie = f.candidates[queues.best(f, arm)].order
    place_arm(f, arm, _key(f, plan, arm), tie)


@inner
def settle_host(f: Any, t: Any, plan: Any, host: int) -> None:
    """The same for all arms of a host: its record, or whether it sleeps, has changed."""
    arm = f.hosts[host].arms
    while arm >= 0:
        settle(f, t, plan, arm)
        arm = f.arms[arm].next
