"""The two kernels of a crawl's step, ``choose`` and ``absorb``, and the small ones beside them."""

from __future__ import annotations

from typing import Any

from sundog._jit import inner, int64, njit, tiny
from sundog.frontier import queues, thompson
from sundog.frontier.arrays import (
    ARMS_FOUND,
    CURSOR,
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
from sundog.frontier.ready import HITLESS, PROVEN, first, key_of
from sundog.frontier.rng import below, uniform
from sundog.learn.model import learn
from sundog.policies.appraise import BY_CLASSIFIER, BY_GROUP, BY_HOST, WORTH, absorb_outcome, appraise
from sundog.policies.beliefs import RICH_FOUND, TRUST
from sundog.policies.estimate import estimate
from sundog.policies.features import gather, relation_of
from sundog.policies.plan import BEST, BY_LEARNER, BY_ODDS, GOOD_BEST, SHRUNK, SUCCESS_BEST, UNIFORM
from sundog.policies.strategies import rank_hitless, settle, settle_after_outcome, settle_host
from sundog.policies.templates import VIEWS, template_of

SWEPT, FEW = 64, 4096  # arms that are re-appraised at each choice, in turn, as long as they are so few
SWEEP_EVERY = 8  # choices between two arms that are re-appraised out of turn when they are more
TOLERANCE = 0.01  # a difference in worth that is not worth another look
TRIES = 4  # re-evaluations before a choice is taken as it is
MOST_COUNT = 65535

# cells of the array that ``choose`` fills
SCORE, ESTIMATE, CLASSIFIER_PART, HOST_PART, GROUP_PART, EXPLORATION, PROPENSITY = range(7)
PARTS = 7


@tiny
def _follows_best(plan: Any) -> bool:
    """Whether an arm's key depends on the score of its best candidate."""
    s = plan.strategy
    return s == BEST or s == GOOD_BEST or s == SUCCESS_BEST or s == SHRUNK


@tiny
def _relearns(plan: Any) -> bool:
    """Whether a candidate's score changes as the model learns."""
    return plan.estimator == BY_LEARNER or plan.estimator == BY_ODDS


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


@tiny
def _best_arm(f: Any, t: Any, h: Any, facts: Any, model: Any, plan: Any, features: Any) -> int:
    """The ready arm with the highest key, once its score is current."""
    refresh = plan.fresh and _relearns(plan) and _follows_best(plan)
    if f.totals[READY] > 0 and refresh:
        _freshen_top(f, t, h, facts, model, plan, features, PROVEN)
    if f.totals[READY + HITLESS] == 0:
        return first(f, PROVEN)
    best = key_of(f, first(f, PROVEN)) if f.totals[READY] > 0 else -1.0
    if _newcomers_worth(f, h, plan) <= best:
        return first(f, PROVEN)
    if refresh:
        _freshen_top(f, t, h, facts, model, plan, features, HITLESS)
    return first(f, HITLESS) if _newcomers_worth(f, h, plan) > best else first(f, PROVEN)


@inner
def _newcomers_worth(f: Any, h: Any, plan: Any) -> float:
    """The worth of the first host without a hit; what ranks those is not yet a worth."""
    return appraise(f, h.templates, h.beliefs, plan, first(f, HITLESS), h.said)


@inner
def _freshen_top(f: Any, t: Any, h: Any, facts: Any, model: Any, plan: Any, features: Any, heap: int) -> None:
    """Re-evaluate the first arm until one keeps its place, or loses it by so little that it does not matter."""
    for _ in range(TRIES):
        arm = first(f, heap)
        _freshen(f, facts, model, plan, arm, features)
        settle(f, t, h, plan, arm)
        now = first(f, heap)
        if now == arm or (plan.strategy == SHRUNK and key_of(f, now) - key_of(f, arm) < TOLERANCE):
            return


@tiny
def _sweep(f: Any, t: Any, h: Any, facts: Any, model: Any, plan: Any, features: Any) -> None:
    """Re-appraise the ready arms in turn: a score that should have risen is found within a lap."""
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
            if few:
                _rescore_one(f, facts, model, plan, arm, features)
            _freshen(f, facts, model, plan, arm, features)
            settle(f, t, h, plan, arm)
            f.totals[CURSOR] += few


@tiny
def _rescore_one(f: Any, facts: Any, model: Any, plan: Any, arm: int, features: Any) -> None:
    """One of the arm's candidates, in turn: it may have become its best unnoticed."""
    candidate = queues.at(f, arm, f.totals[CURSOR] // SWEPT % f.arms[arm].size)
    f.candidates[candidate].score = estimate(f, facts, model, plan, candidate, features)
    queues.reorder(f, candidate)


@tiny
def random_share(plan: Any, fetches: int) -> float:
    """λ_t: the share of uniform random arms at this point of the crawl."""
    if plan.decay <= 0.0:
        return plan.greed
    return plan.greed * plan.decay / (fetches + plan.decay)


@inner
def lease(f: Any, t: Any, h: Any, plan: Any, candidate: int) -> None:
    arm, host = int64(f.candidates[candidate].arm), int64(f.candidates[candidate].host)
    queues.remove(f, candidate)
    f.candidates[candidate].state = LEASED
    f.arms[arm].pending += 1
    f.hosts[host].pending += 1
    _count_queued(f, h, plan, candidate, -1)
    f.totals[FETCHES] += 1
    settle(f, t, h, plan, arm)  # the host's other arms are re-appraised when their turn comes


@inner
def _sampled_arm(t: Any, rng: Any) -> tuple[int, float]:
    return (-1, 0.0) if t is None else thompson.draw(t, rng)


@inner
def _sampled_share(t: Any, arm: int) -> float:
    return 1.0 if t is None else thompson.propensity(t, arm)


@njit
def choose(s: Any) -> int:
    """Lease the next candidate and tell why in ``s.parts``; -1 if no arm is ready."""
    f, t, h, plan, rng, parts = s.f, s.t, s.h, s.plan, s.rng, s.parts
    ready = f.totals[READY] + f.totals[READY + HITLESS]
    if ready == 0:
        return -1
    if plan.strategy == SHRUNK and plan.fresh:
        _sweep(f, t, h, s.facts, s.model, plan, s.features)
    share = random_share(plan, f.totals[FETCHES])
    at_random = plan.strategy == UNIFORM or (share > 0.0 and uniform(rng) < share)
    propensity = 1.0
    if at_random:
        arm = int64(f.ready[PROVEN, below(rng, ready)].arm)
        parts[SCORE] = 0.0
    elif t is not None:
        arm, parts[SCORE] = _sampled_arm(t, rng)
    else:
        arm = _best_arm(f, t, s.h, s.facts, s.model, plan, s.features)
        parts[SCORE] = key_of(f, arm)
    if t is not None:
        propensity = _sampled_share(t, arm)
    if plan.strategy == UNIFORM:
        size = f.arms[arm].size
        candidate = queues.at(f, arm, below(rng, size))
        parts[PROPENSITY] = 1.0 / ready / size
    else:
        is_argmax = t is not None or not at_random or arm == first(f, PROVEN)
        parts[PROPENSITY] = share / ready + (1.0 - share) * propensity * is_argmax
        if plan.fresh and _relearns(plan):
            _freshen(f, s.facts, s.model, plan, arm, s.features)
        candidate = queues.best(f, arm)
    _explain(f, h, plan, candidate, parts, at_random)
    lease(f, t, h, plan, candidate)
    return candidate


@tiny
def _explain(f: Any, h: Any, plan: Any, candidate: int, parts: Any, at_random: bool) -> None:
    host, arm = int64(f.candidates[candidate].host), int64(f.candidates[candidate].arm)
    if plan.strategy == SHRUNK:
        appraise(f, h.templates, h.beliefs, plan, arm, h.said)
        parts[ESTIMATE], parts[HOST_PART] = h.said[BY_GROUP], h.said[BY_HOST]
        parts[CLASSIFIER_PART], parts[GROUP_PART] = h.said[BY_CLASSIFIER], h.said[BY_GROUP]
        parts[EXPLORATION] = h.said[WORTH] - h.said[BY_GROUP]
        parts[SCORE] = h.said[WORTH]
        return
    parts[ESTIMATE] = parts[CLASSIFIER_PART] = f.candidates[candidate].score
    parts[HOST_PART] = (f.hosts[host].good + 1.0) / (f.hosts[host].tried + 2.0)
    parts[GROUP_PART] = parts[HOST_PART]
    parts[EXPLORATION] = 1.0 if at_random else 0.0


@njit
def absorb(s: Any, candidate: int, reward: float, highest_reward: float) -> None:
    """Take in the outcome of a leased candidate: its host's and arm's record and the learner."""
    f, plan = s.f, s.plan
    arm, host = int64(f.candidates[candidate].arm), int64(f.candidates[candidate].host)
    good = reward > 0.0
    outcome = reward / highest_reward
    f.arms[arm].pending -= 1
    f.hosts[host].pending -= 1
    if plan.strategy == SHRUNK:
        trust = s.h.beliefs.numbers[TRUST]
        absorb_outcome(
            f, s.facts, s.h.templates, s.h.beliefs, s.model, plan, s.features, s.h.said, candidate, outcome
        )
        if s.h.beliefs.numbers[TRUST] != trust:
            rank_hitless(f, s.h, plan)
    elif plan.estimator == BY_LEARNER:
        learn(s.model, s.features, gather(f, s.facts, plan, candidate, s.features), 1.0 * good, 1.0)
    f.candidates[candidate].state = DONE
    f.candidates[candidate].good = good
    f.arms[arm].tried += 1
    f.arms[arm].reward += outcome
    f.totals[HOSTS_TRIED] += f.hosts[host].tried == 0
    f.hosts[host].tried += 1
    f.hosts[host].good += good
    f.hosts[host].reward += outcome
    settle_after_outcome(f, s.t, s.h, plan, arm)


@njit
def offer(s: Any, parent: int, targets: Any, anchors: Any, paths: Any) -> int:
    """Make candidates of a finished page's links, or of seeds (parent -1); return how many are new."""
    f, t, h, facts, plan = s.f, s.t, s.h, s.facts, s.plan
    good_siblings, bad_siblings = _finished(f, targets)
    new = 0
    for i in range(len(targets)):
        target = int64(targets[i])
        state = f.candidates[target].state
        if state > QUEUED or (parent >= 0 and f.candidates[target].last_parent == parent):
            continue
        if state == UNKNOWN:
            if len(anchors):
                f.candidates[target].anchor = anchors[i]
            if len(paths):
                f.candidates[target].path = paths[i]
            _discover(f, h, facts, plan, target, parent)
            new += 1
        _add_parent(f, target, parent, good_siblings, bad_siblings)
        if state == UNKNOWN:
            f.candidates[target].score = estimate(f, facts, s.model, plan, target, s.features)
            queues.push(f, target)
            arm = int64(f.candidates[target].arm)
            if f.arms[arm].place < 0 or queues.best(f, arm) == target:
                settle(f, t, h, plan, arm)
        elif plan.fresh and plan.estimator == BY_LEARNER:
            f.candidates[target].score = estimate(f, facts, s.model, plan, target, s.features)
            queues.reorder(f, target)
            settle(f, t, h, plan, int64(f.candidates[target].arm))
    return new


@tiny
def _finished(f: Any, targets: Any) -> tuple[int, int]:
    """How many of the page's links lead to relevant and irrelevant pages that are known already.

    It also brings the candidates' records into the processor's cache, many at a time.
    """
    good, bad = 0, 0
    for i in range(len(targets)):
        if f.candidates[targets[i]].state == DONE:
            good += f.candidates[targets[i]].good
            bad += 1 - f.candidates[targets[i]].good
    return good, bad


@tiny
def _discover(f: Any, h: Any, facts: Any, plan: Any, target: int, parent: int) -> None:
    host = int64(facts.host[target])
    f.candidates[target].host = host
    f.candidates[target].relation = relation_of(facts, parent, target)
    if parent >= 0:
        f.candidates[target].from_good = f.candidates[parent].good
    arm = template_of(f, facts, h.templates, target) if plan.strategy == SHRUNK else host
    f.candidates[target].arm = arm
    f.candidates[target].state = QUEUED
    f.candidates[target].order = f.totals[DISCOVERED]
    f.candidates[target].parent = parent
    if parent >= 0:
        f.candidates[target].depth = f.candidates[parent].depth + 1
    f.totals[DISCOVERED] += 1
    f.hosts[host].found += 1
    if f.hosts[host].good > 0:
        h.beliefs.numbers[RICH_FOUND] += 1.0
    _count_queued(f, h, plan, target, 1)
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
def _count_queued(f: Any, h: Any, plan: Any, candidate: int, change: int) -> None:
    f.hosts[f.candidates[candidate].host].queued += change
    f.totals[QUEUED_TOTAL] += change
    if plan.strategy == SHRUNK:
        for view in range(VIEWS):
            node = h.templates.arm_nodes[f.candidates[candidate].arm, view]
            if node >= 0:
                h.templates.nodes[node].queued += change


@tiny
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
    f, t, h, plan = s.f, s.t, s.h, s.plan
    for i in range(len(candidates)):
        candidate = int64(candidates[i])
        if f.candidates[candidate].state == QUEUED:
            f.candidates[candidate].score = scores[i]
            queues.reorder(f, candidate)
            settle(f, t, h, plan, int64(f.candidates[candidate].arm))


@njit
def give_back(s: Any, candidate: int) -> None:
    """Undo a lease: the candidate is queued as before."""
    f, t, h, plan = s.f, s.t, s.h, s.plan
    arm, host = int64(f.candidates[candidate].arm), int64(f.candidates[candidate].host)
    f.candidates[candidate].state = QUEUED
    f.arms[arm].pending -= 1
    f.hosts[host].pending -= 1
    _count_queued(f, h, plan, candidate, 1)
    f.totals[FETCHES] -= 1
    queues.push(f, candidate)
    settle_host(f, t, h, plan, host)


@njit
def drop(s: Any, candidate: int) -> None:
    """End a lease without an outcome: the candidate was refused and teaches nothing."""
    f, t, h, plan = s.f, s.t, s.h, s.plan
    arm, host = int64(f.candidates[candidate].arm), int64(f.candidates[candidate].host)
    f.candidates[candidate].state = DONE
    f.arms[arm].pending -= 1
    f.hosts[host].pending -= 1
    f.totals[FETCHES] -= 1
    settle_host(f, t, h, plan, host)


@njit
def set_asleep(s: Any, host: int, asleep: bool) -> None:
    f, t, h, plan = s.f, s.t, s.h, s.plan
    f.hosts[host].asleep = asleep
    settle_host(f, t, h, plan, host)


@njit
def estimates(s: Any, candidates: Any, out: Any) -> None:
    """The estimator's present word on each candidate; changes nothing but ``out``."""
    for i in range(len(candidates)):
        out[i] = estimate(s.f, s.facts, s.model, s.plan, int64(candidates[i]), s.features)


@njit
def lease_known(s: Any, candidate: int) -> None:
    """Lease a given queued candidate: one that was crawled before."""
    lease(s.f, s.t, s.h, s.plan, candidate)


@njit
def teach(f: Any, facts: Any, model: Any, plan: Any, features: Any, candidates: Any, labels: Any) -> None:
    """Learn from labelled candidates, in order."""
    for i in range(len(candidates)):
        learn(model, features, gather(f, facts, plan, int64(candidates[i]), features), labels[i], 1.0)
