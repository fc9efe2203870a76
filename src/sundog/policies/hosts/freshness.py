"""Scores that the model has since changed are re-evaluated before they win."""

from __future__ import annotations

from typing import Any

from sundog._jit import inner, int64
from sundog.frontier import queues
from sundog.frontier.arrays import CURSOR, RATED, READY
from sundog.frontier.ready import HITLESS, first, key_of
from sundog.policies.hosts.appraise import EXPECTED
from sundog.policies.hosts.beliefs import VISITED
from sundog.policies.hosts.local_model import rate
from sundog.policies.hosts.plan import BY_LEARNER, BY_ODDS
from sundog.policies.hosts.ranking import settle

SWEPT, FEW = 16, 4096  # arms that are re-appraised at each choice, in turn, as long as they are so few
SWEEP_EVERY = 8  # choices between two arms that are re-appraised out of turn when they are more
TOLERANCE = 0.01  # a difference in worth that is not worth another look
MOST_ANEW = 512  # pages of a host that are rated anew after an outcome there
# Once more hosts are visited, or so much was rated anew, only so surprising an outcome has pages rated anew,
# and in the end fewer of them: what a further page of a large crawl costs stays small.
FEW_HOSTS, MANY_RATINGS, SURPRISE, FEW_ANEW = 64, 1 << 20, 0.25, 16
TRIES = 4  # re-evaluations before a choice is taken as it is


@inner
def relearns(plan: Any) -> bool:
    """Whether a candidate's score changes as the model learns."""
    return plan.estimator == BY_LEARNER or plan.estimator == BY_ODDS


@inner
def freshen(f: Any, h: Any, facts: Any, model: Any, plan: Any, arm: int, features: Any) -> None:
    """Re-score the arm's best candidate until one holds its place with a current score."""
    for _ in range(TRIES):
        candidate = queues.best(f, arm)
        score = rate(f, h, facts, model, plan, candidate, features)
        if score == f.candidates[candidate].score:
            return
        f.candidates[candidate].score = score
        queues.reorder(f, candidate)
        if queues.best(f, arm) == candidate:
            return


@inner
def freshen_top(f: Any, t: Any, h: Any, facts: Any, model: Any, plan: Any, features: Any, heap: int) -> None:
    """Re-evaluate the first arm until one keeps its place, or loses it by so little that it does not matter."""
    for _ in range(TRIES):
        arm = first(f, heap)
        freshen(f, h, facts, model, plan, arm, features)
        settle(f, t, h, plan, arm)
        now = first(f, heap)
        if now == arm or (plan.by_templates and key_of(f, now) - key_of(f, arm) < TOLERANCE):
            return


@inner
def is_news(f: Any, h: Any, plan: Any, outcome: float) -> bool:
    """Whether an outcome is worth rating anew what waits on its host."""
    if h is None or not (plan.use_local and plan.fresh):
        return False
    is_young = h.beliefs.numbers[VISITED] <= FEW_HOSTS and f.totals[RATED] < MANY_RATINGS
    return is_young or abs(outcome - h.appraisal[EXPECTED]) >= SURPRISE


@inner
def rate_host_anew(f: Any, t: Any, h: Any, facts: Any, model: Any, plan: Any, arm: int, features: Any) -> None:
    """After an outcome of the arm, its host's model rates what waits there otherwise: follow, arm by arm."""
    settle(f, t, h, plan, arm)
    host, left = int64(f.arms[arm].host), MOST_ANEW if f.totals[RATED] < MANY_RATINGS else FEW_ANEW
    other = int64(f.hosts[host].turn)
    for _ in range(f.hosts[host].arm_count):
        other = int64(f.hosts[host].arms) if other < 0 else other
        rated = _rate_queue_anew(f, h, facts, model, plan, other, features, left)
        f.totals[RATED] += rated
        left -= rated
        settle(f, t, h, plan, other)
        other = int64(f.arms[other].next)
        if left <= 0:
            break
    f.hosts[host].turn = other


@inner
def _rate_queue_anew(f: Any, h: Any, facts: Any, model: Any, plan: Any, arm: int, features: Any, most: int) -> int:
    """Of a longer queue its first part: there the best ones are. Returns how many."""
    count = min(most, int64(f.arms[arm].size))
    for place in range(count):
        candidate = queues.at(f, arm, place)
        f.candidates[candidate].score = rate(f, h, facts, model, plan, candidate, features)
    if count > 0:
        queues.rebuild(f, arm)
    return count


@inner
def sweep(f: Any, t: Any, h: Any, facts: Any, model: Any, plan: Any, features: Any) -> None:
    """Re-appraise the ready arms in turn: a score that should have risen is found within a lap."""
    if h is None:
        return
    few = f.totals[READY] + f.totals[READY + HITLESS] <= FEW
    for heap in range(2):
        ready = f.totals[READY + heap]
        f.totals[CURSOR] += ready > 0
        if ready == 0 or (not few and f.totals[CURSOR] % SWEEP_EVERY > 0):
            continue
        for _ in range(min(ready, SWEPT) if few else 1):
            if f.totals[READY + heap] == 0:
                break  # the last one has gone to the other heap
            arm = int64(f.ready[heap, f.totals[CURSOR] % f.totals[READY + heap]].arm)
            if few and f.arms[arm].size > 1:
                _rescore_one(f, h, facts, model, plan, arm, features)
            freshen(f, h, facts, model, plan, arm, features)
            settle(f, t, h, plan, arm)
            f.totals[CURSOR] += few


@inner
def _rescore_one(f: Any, h: Any, facts: Any, model: Any, plan: Any, arm: int, features: Any) -> None:
    """One of the arm's candidates, in turn: it may have become its best unnoticed."""
    candidate = queues.at(f, arm, f.totals[CURSOR] // SWEPT % f.arms[arm].size)
    f.candidates[candidate].score = rate(f, h, facts, model, plan, candidate, features)
    queues.reorder(f, candidate)
