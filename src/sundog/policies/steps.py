"""The two kernels of a crawl's step, ``choose`` and ``absorb``, and the small ones beside them."""

from __future__ import annotations

from typing import Any

from sundog._jit import inner, njit
from sundog.frontier import queues, thompson
from sundog.frontier.arrays import (
    ARMS_FOUND,
    DISCOVERED,
    DONE,
    FETCHES,
    HOSTS_FOUND,
    HOSTS_TRIED,
    LEASED,
    QUEUED,
    QUEUED_TOTAL,
    READY,
    UNKNOWN,
)
from sundog.frontier.rng import below, uniform
from sundog.learn.model import learn
from sundog.policies.estimate import estimate
from sundog.policies.features import gather
from sundog.policies.plan import BEST, BY_LEARNER, GOOD_BEST, SHRUNK, SUCCESS_BEST, UNIFORM
from sundog.policies.strategies import settle, settle_host

TRIES = 16  # re-evaluations before a choice is taken as it is
MOST_COUNT = 65535

# cells of the array that ``choose`` fills
SCORE, ESTIMATE, HOST_PART, GROUP_PART, EXPLORATION, PROPENSITY = range(6)
PARTS = 6


@inner
def _follows_best(plan: Any) -> bool:
    """Whether an arm's key depends on the score of its best candidate."""
    s = plan.strategy
    return s == BEST or s == GOOD_BEST or s == SUCCESS_BEST or s == SHRUNK


@inner
def _freshen(f: Any, facts: Any, model: Any, plan: Any, arm: int, features: Any) -> None:
    """Re-score the arm's best candidate until one holds its place with a current score."""
    for _ in range(TRIES):
        candidate = queues.best(f, arm)
        score = estimate(f, facts, model, plan, candidate, features)
        if score == f.candidates[candidate].score:
            return
        f.candidates[candidate].score = score
        queues.reorder(f, candidate)
        if queues.best(f, arm) == candidate:
            return


@inner
def _best_arm(f: Any, t: Any, facts: Any, model: Any, plan: Any, features: Any) -> int:
    """The ready arm with the highest key, once its score is current."""
    if not (plan.fresh and plan.estimator == BY_LEARNER and _follows_best(plan)):
        return f.ready[0]
    for _ in range(TRIES):
        arm = f.ready[0]
        _freshen(f, facts, model, plan, arm, features)
        settle(f, t, plan, arm)
        if f.ready[0] == arm:
            break
    return f.ready[0]


@inner
def random_share(plan: Any, fetches: int) -> float:
    """λ_t: the share of uniform random arms at this point of the crawl."""
    if plan.decay <= 0.0:
        return plan.greed
    return plan.greed * plan.decay / (fetches + plan.decay)


@inner
def lease(f: Any, t: Any, plan: Any, candidate: int) -> None:
    arm, host = f.candidates[candidate].arm, f.candidates[candidate].host
    queues.remove(f, candidate)
    f.candidates[candidate].state = LEASED
    f.arms[arm].pending += 1
    f.hosts[host].pending += 1
    f.hosts[host].queued -= 1
    f.totals[QUEUED_TOTAL] -= 1
    f.totals[FETCHES] += 1
    settle_host(f, t, plan, host)


@inner
def _sampled_arm(t: Any, rng: Any) -> tuple[int, float]:
    return (-1, 0.0) if t is None else thompson.draw(t, rng)


@inner
def _sampled_share(t: Any, arm: int) -> float:
    return 1.0 if t is None else thompson.propensity(t, arm)


@njit
def choose(s: Any) -> int:
    """Lease the next candidate and tell why in ``s.parts``; -1 if no arm is ready."""
    f, t, plan, rng, parts = s.f, s.t, s.plan, s.rng, s.parts
    ready = f.totals[READY]
    if ready == 0:
        return -1
    share = random_share(plan, f.totals[FETCHES])
    at_random = plan.strategy == UNIFORM or (share > 0.0 and uniform(rng) < share)
    propensity = 1.0
    if at_random:
        arm = f.ready[below(rng, ready)]
        parts[SCORE] = 0.0
    elif t is not None:
        arm, parts[SCORE] = _sampled_arm(t, rng)
        propensity = _sampled_share(t, arm)
    else:
        arm = _best_arm(f, t, s.facts, s.model, plan, s.features)
        parts[SCORE] = f.arms[arm].key
    if plan.strategy == UNIFORM:
        size = f.arms[arm].size
        candidate = f.slots[f.arms[arm].start + below(rng, size)]
        parts[PROPENSITY] = 1.0 / ready / size
    else:
        is_argmax = not at_random or (t is None and arm == f.ready[0])
        parts[PROPENSITY] = share / ready + (1.0 - share) * propensity * is_argmax
        if plan.fresh and plan.estimator == BY_LEARNER:
            _freshen(f, s.facts, s.model, plan, arm, s.features)
        candidate = queues.best(f, arm)
    _explain(f, plan, candidate, parts, at_random)
    lease(f, t, plan, candidate)
    return candidate


@inner
def _explain(f: Any, plan: Any, candidate: int, parts: Any, at_random: bool) -> None:
    host, arm = f.candidates[candidate].host, f.candidates[candidate].arm
    parts[ESTIMATE] = f.candidates[candidate].score
    parts[HOST_PART] = (f.hosts[host].good + 1.0) / (f.hosts[host].tried + 2.0)
    parts[GROUP_PART] = (f.arms[arm].reward + 1.0) / (f.arms[arm].tried + 2.0)
    parts[EXPLORATION] = 1.0 if at_random else 0.0


@njit
def absorb(s: Any, candidate: int, reward: float, highest_reward: float) -> None:
    """Take in the outcome of a leased candidate: its host's and arm's record and the learner."""
    f, plan = s.f, s.plan
    arm, host = f.candidates[candidate].arm, f.candidates[candidate].host
    good = reward > 0.0
    f.candidates[candidate].state = DONE
    f.candidates[candidate].good = good
    f.arms[arm].pending -= 1
    f.arms[arm].tried += 1
    f.arms[arm].reward += reward
    f.totals[HOSTS_TRIED] += f.hosts[host].tried == 0
    f.hosts[host].pending -= 1
    f.hosts[host].tried += 1
    f.hosts[host].good += good
    f.hosts[host].reward += reward
    if plan.estimator == BY_LEARNER:
        label = reward / highest_reward if plan.strategy == SHRUNK else 1.0 * good
        learn(s.model, s.features, gather(f, s.facts, plan, candidate, s.features), label, 1.0)
    settle_host(f, s.t, plan, host)


@njit
def offer(s: Any, parent: int, targets: Any, anchors: Any, paths: Any) -> int:
    """Make candidates of a finished page's links, or of seeds (parent -1); return how many are new."""
    f, t, facts, plan = s.f, s.t, s.facts, s.plan
    good_siblings, bad_siblings = _finished(f, targets)
    new = 0
    for i in range(len(targets)):
        target = targets[i]
        state = f.candidates[target].state
        if state > QUEUED or (parent >= 0 and f.candidates[target].last_parent == parent):
            continue
        if state == UNKNOWN:
            _discover(f, facts, plan, target, parent)
            if len(anchors):
                f.candidates[target].anchor = anchors[i]
            if len(paths):
                f.candidates[target].path = paths[i]
            new += 1
        _add_parent(f, target, parent, good_siblings, bad_siblings)
        score = estimate(f, facts, s.model, plan, target, s.features)
        changed = score != f.candidates[target].score
        f.candidates[target].score = score
        if state == UNKNOWN:
            queues.push(f, target)
            settle(f, t, plan, f.candidates[target].arm)
        elif changed:
            queues.reorder(f, target)
            settle(f, t, plan, f.candidates[target].arm)
    return new


@inner
def _finished(f: Any, targets: Any) -> tuple[int, int]:
    """How many of the page's links lead to relevant and irrelevant pages that are known already."""
    good, bad = 0, 0
    for i in range(len(targets)):
        if f.candidates[targets[i]].state == DONE:
            good += f.candidates[targets[i]].good
            bad += 1 - f.candidates[targets[i]].good
    return good, bad


@inner
def _discover(f: Any, facts: Any, plan: Any, target: int, parent: int) -> None:
    host = facts.host[target]
    arm = facts.group[target] if plan.strategy == SHRUNK else host
    f.candidates[target].host, f.candidates[target].arm = host, arm
    f.candidates[target].state = QUEUED
    f.candidates[target].order = f.totals[DISCOVERED]
    f.candidates[target].parent = parent
    if parent >= 0:
        f.candidates[target].depth = f.candidates[parent].depth + 1
    f.totals[DISCOVERED] += 1
    f.totals[QUEUED_TOTAL] += 1
    f.hosts[host].queued += 1
    if not f.hosts[host].known:
        f.hosts[host].known = True
        f.totals[HOSTS_FOUND] += 1
    if f.arms[arm].number < 0:
        f.arms[arm].number = f.totals[ARMS_FOUND]
        f.totals[ARMS_FOUND] += 1
        f.arms[arm].host = host
        f.arms[arm].next = f.hosts[host].arms
        f.hosts[host].arms = arm


@inner
def _add_parent(f: Any, target: int, parent: int, good_siblings: int, bad_siblings: int) -> None:
    if parent < 0:
        return
    c = f.candidates
    c[target].last_parent = parent
    if c[parent].good:
        c[target].good_parents = min(MOST_COUNT, c[target].good_parents + 1)
    else:
        c[target].bad_parents = min(MOST_COUNT, c[target].bad_parents + 1)
    c[target].good_siblings = min(MOST_COUNT, c[target].good_siblings + good_siblings)
    c[target].bad_siblings = min(MOST_COUNT, c[target].bad_siblings + bad_siblings)


@njit
def rescore(s: Any, candidates: Any, scores: Any) -> None:
    """Set the scores of queued candidates that an estimator outside of the kernels has given."""
    f, t, plan = s.f, s.t, s.plan
    for i in range(len(candidates)):
        candidate = candidates[i]
        if f.candidates[candidate].state == QUEUED:
            f.candidates[candidate].score = scores[i]
            queues.reorder(f, candidate)
            settle(f, t, plan, f.candidates[candidate].arm)


@njit
def give_back(s: Any, candidate: int) -> None:
    """Undo a lease: the candidate is queued as before."""
    f, t, plan = s.f, s.t, s.plan
    arm, host = f.candidates[candidate].arm, f.candidates[candidate].host
    f.candidates[candidate].state = QUEUED
    f.arms[arm].pending -= 1
    f.hosts[host].pending -= 1
    f.hosts[host].queued += 1
    f.totals[QUEUED_TOTAL] += 1
    f.totals[FETCHES] -= 1
    queues.push(f, candidate)
    settle_host(f, t, plan, host)


@njit
def drop(s: Any, candidate: int) -> None:
    """End a lease without an outcome: the candidate was refused and teaches nothing."""
    f, t, plan = s.f, s.t, s.plan
    arm, host = f.candidates[candidate].arm, f.candidates[candidate].host
    f.candidates[candidate].state = DONE
    f.arms[arm].pending -= 1
    f.hosts[host].pending -= 1
    f.totals[FETCHES] -= 1
    settle_host(f, t, plan, host)


@njit
def set_asleep(s: Any, host: int, asleep: bool) -> None:
    f, t, plan = s.f, s.t, s.plan
    f.hosts[host].asleep = asleep
    settle_host(f, t, plan, host)


@njit
def estimates(s: Any, candidates: Any, out: Any) -> None:
    """The estimator's present word on each candidate; changes nothing but ``out``."""
    for i in range(len(candidates)):
        out[i] = estimate(s.f, s.facts, s.model, s.plan, candidates[i], s.features)


@njit
def lease_known(s: Any, candidate: int) -> None:
    """Lease a given queued candidate: one that was crawled before."""
    lease(s.f, s.t, s.plan, candidate)


@njit
def teach(f: Any, facts: Any, model: Any, plan: Any, features: Any, candidates: Any, labels: Any) -> None:
    """Learn from labelled candidates, in order."""
    for i in range(len(candidates)):
        learn(model, features, gather(f, facts, plan, candidates[i], features), labels[i], 1.0)
