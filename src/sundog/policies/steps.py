"""The two kernels of a crawl's step, ``choose`` and ``take_in``, and the small ones beside them."""

from __future__ import annotations

import math
from typing import Any

from sundog._jit import inner, int64, njit
from sundog._view import view
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
from sundog.policies.templates import VIEWS, open_host, template_of

SWEPT, FEW = 64, 4096  # arms that are re-appraised at each choice, in turn, as long as they are so few
SWEEP_EVERY = 8  # choices between two arms that are re-appraised out of turn when they are more
TOLERANCE = 0.01  # a difference in worth that is not worth another look
TRIES = 4  # re-evaluations before a choice is taken as it is
MOST_COUNT = 65535

# cells of the array that ``choose`` fills
SCORE, ESTIMATE, CLASSIFIER_PART, HOST_PART, GROUP_PART, EXPLORATION, PROPENSITY = range(7)
PARTS = 7


@inner
def _follows_best(plan: Any) -> bool:
    """Whether an arm's key depends on the score of its best candidate."""
    s = plan.strategy
    return s == BEST or s == GOOD_BEST or s == SUCCESS_BEST or s == SHRUNK


@inner
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


@inner
def _best_arm(f: Any, t: Any, h: Any, facts: Any, model: Any, plan: Any, features: Any) -> int:
    """The ready arm with the highest key, once its score is current."""
    refresh = plan.fresh and _relearns(plan) and _follows_best(plan)
    if f.totals[READY] > 0 and refresh:
        _freshen_top(f, t, h, facts, model, plan, features, PROVEN)
    if f.totals[READY + HITLESS] == 0:
        return first(f, PROVEN)
    best = key_of(f, first(f, PROVEN)) if f.totals[READY] > 0 else -1.0
    if _newcomers_worth(f, h, facts, plan) <= best:
        return first(f, PROVEN)
    if refresh:
        _freshen_top(f, t, h, facts, model, plan, features, HITLESS)
    return first(f, HITLESS) if _newcomers_worth(f, h, facts, plan) > best else first(f, PROVEN)


@inner
def _newcomers_worth(f: Any, h: Any, facts: Any, plan: Any) -> float:
    """The worth of the first host without a hit; what ranks those is not yet a worth."""
    if h is None:
        return -1.0
    arm = first(f, HITLESS)
    open_host(f, facts, h.templates, int64(f.arms[arm].host))
    return appraise(f, h.templates, h.beliefs, plan, arm, h.said)


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


@inner
def _sweep(f: Any, t: Any, h: Any, facts: Any, model: Any, plan: Any, features: Any) -> None:
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
            if few:
                _rescore_one(f, facts, model, plan, arm, features)
            _freshen(f, facts, model, plan, arm, features)
            settle(f, t, h, plan, arm)
            f.totals[CURSOR] += few


@inner
def _rescore_one(f: Any, facts: Any, model: Any, plan: Any, arm: int, features: Any) -> None:
    """One of the arm's candidates, in turn: it may have become its best unnoticed."""
    candidate = queues.at(f, arm, f.totals[CURSOR] // SWEPT % f.arms[arm].size)
    f.candidates[candidate].score = estimate(f, facts, model, plan, candidate, features)
    queues.reorder(f, candidate)


@inner
def random_share(plan: Any, fetches: int) -> float:
    """λ_t: the share of uniform random arms at this point of the crawl."""
    if plan.decay <= 0.0:
        return plan.greed
    return plan.greed * plan.decay / (fetches + plan.decay)


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
    _count_queued(f, h, plan, candidate, -1)
    f.totals[FETCHES] += 1
    settle(f, t, h, plan, arm)  # the host's other arms are re-appraised when their turn comes


@inner
def _sampled_arm(t: Any, rng: Any) -> tuple[int, float]:
    return (-1, 0.0) if t is None else thompson.draw(t, rng)


@inner
def _pick_arm(s: Any, ready: int, at_random: bool) -> int:
    """The arm that the policy chooses now, and its score in ``s.parts``."""
    f, t, plan = s.f, s.t, s.plan
    if at_random:
        s.parts[SCORE] = 0.0
        return int64(f.ready[PROVEN, below(s.rng, ready)].arm)
    if t is not None:
        arm, s.parts[SCORE] = _sampled_arm(t, s.rng)
        return arm
    arm = _best_arm(f, t, s.h, s.facts, s.model, plan, s.features)
    s.parts[SCORE] = key_of(f, arm)
    return arm


@inner
def _pick(s: Any) -> int:
    """The next candidate, or -1; why, is told in ``s.parts``."""
    f, t, h, plan, parts = s.f, s.t, s.h, s.plan, s.parts
    ready = f.totals[READY] + f.totals[READY + HITLESS]
    if ready == 0:
        return -1
    if plan.strategy == SHRUNK and plan.fresh:
        _sweep(f, t, h, s.facts, s.model, plan, s.features)
    share = random_share(plan, f.totals[FETCHES])
    at_random = plan.strategy == UNIFORM or (share > 0.0 and uniform(s.rng) < share)
    arm = _pick_arm(s, ready, at_random)
    if plan.strategy == UNIFORM:
        size = f.arms[arm].size
        parts[PROPENSITY] = 1.0 / ready / size
        candidate = queues.at(f, arm, below(s.rng, size))
    else:
        is_argmax = not at_random or arm == first(f, PROVEN)
        parts[PROPENSITY] = math.nan if t is not None else share / ready + (1.0 - share) * is_argmax
        if plan.fresh and _relearns(plan):
            _freshen(f, s.facts, s.model, plan, arm, s.features)
        candidate = queues.best(f, arm)
    if plan.strategy == SHRUNK:
        _explain_worth(f, h, plan, arm, parts)
    else:
        _explain_score(f, candidate, parts, at_random)
    return candidate


@inner
def _choose(s: Any) -> int:
    candidate = _pick(s)
    if candidate >= 0:
        lease(s.f, s.t, s.h, s.facts, s.plan, candidate)
    return candidate


@inner
def _choose_with_propensity(s: Any) -> int:
    candidate = _pick(s)
    if candidate >= 0:
        ready, share = s.f.totals[READY], random_share(s.plan, s.f.totals[FETCHES])
        drawn = thompson.propensity(s.t, int64(s.f.candidates[candidate].arm))
        s.parts[PROPENSITY] = share / ready + (1.0 - share) * drawn
        lease(s.f, s.t, s.h, s.facts, s.plan, candidate)
    return candidate


@inner
def _explain_worth(f: Any, h: Any, plan: Any, arm: int, parts: Any) -> None:
    if h is None:
        return
    appraise(f, h.templates, h.beliefs, plan, arm, h.said)
    parts[ESTIMATE], parts[HOST_PART] = h.said[BY_GROUP], h.said[BY_HOST]
    parts[CLASSIFIER_PART], parts[GROUP_PART] = h.said[BY_CLASSIFIER], h.said[BY_GROUP]
    parts[EXPLORATION] = h.said[WORTH] - h.said[BY_GROUP]
    parts[SCORE] = h.said[WORTH]


@inner
def _explain_score(f: Any, candidate: int, parts: Any, at_random: bool) -> None:
    host = int64(f.candidates[candidate].host)
    parts[ESTIMATE] = parts[CLASSIFIER_PART] = f.candidates[candidate].score
    parts[HOST_PART] = (f.hosts[host].good + 1.0) / (f.hosts[host].tried + 2.0)
    parts[GROUP_PART] = parts[HOST_PART]
    parts[EXPLORATION] = 1.0 if at_random else 0.0


@inner
def _learn_worth(s: Any, h: Any, candidate: int, outcome: float) -> None:
    if h is None:
        return
    trust = h.beliefs.numbers[TRUST]
    absorb_outcome(s.f, s.facts, h.templates, h.beliefs, s.model, s.plan, s.features, h.said, candidate, outcome)
    if h.beliefs.numbers[TRUST] != trust:
        rank_hitless(s.f, h, s.plan)


@inner
def _absorb(s: Any, candidate: int, reward: float, highest_reward: float) -> None:
    """Take in the outcome of a leased candidate: its host's and arm's record and the learner."""
    f, plan = s.f, s.plan
    arm, host = int64(f.candidates[candidate].arm), int64(f.candidates[candidate].host)
    good = reward > 0.0
    outcome = reward / highest_reward
    f.arms[arm].pending -= 1
    f.hosts[host].pending -= 1
    if plan.strategy == SHRUNK:
        _learn_worth(s, s.h, candidate, outcome)
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


@inner
def _offer(s: Any, parent: int, targets: Any, anchors: Any, paths: Any) -> int:
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


@inner
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


@inner
def _template(f: Any, facts: Any, h: Any, target: int) -> int:
    return -1 if h is None else template_of(f, facts, h.templates, target)


@inner
def _count_found(h: Any) -> None:
    if h is not None:
        h.beliefs.numbers[RICH_FOUND] += 1.0


@inner
def _discover(f: Any, h: Any, facts: Any, plan: Any, target: int, parent: int) -> None:
    host = int64(facts.host[target])
    f.candidates[target].host = host
    f.candidates[target].relation = relation_of(facts, parent, target)
    if parent >= 0:
        f.candidates[target].from_good = f.candidates[parent].good
    arm = _template(f, facts, h, target) if plan.strategy == SHRUNK else host
    f.candidates[target].arm = arm
    f.candidates[target].state = QUEUED
    f.candidates[target].order = f.totals[DISCOVERED]
    f.candidates[target].parent = parent
    if parent >= 0:
        f.candidates[target].depth = f.candidates[parent].depth + 1
    f.totals[DISCOVERED] += 1
    f.hosts[host].found += 1
    if plan.strategy == SHRUNK and f.hosts[host].good > 0:
        _count_found(h)
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


@inner
def _rescore(s: Any, candidates: Any, scores: Any) -> None:
    f, t, h, plan = s.f, s.t, s.h, s.plan
    for i in range(len(candidates)):
        candidate = int64(candidates[i])
        if f.candidates[candidate].state == QUEUED:
            f.candidates[candidate].score = scores[i]
            queues.reorder(f, candidate)
            settle(f, t, h, plan, int64(f.candidates[candidate].arm))


@inner
def _give_back(s: Any, candidate: int) -> None:
    f, t, h, plan = s.f, s.t, s.h, s.plan
    arm, host = int64(f.candidates[candidate].arm), int64(f.candidates[candidate].host)
    f.candidates[candidate].state = QUEUED
    f.arms[arm].pending -= 1
    f.hosts[host].pending -= 1
    _count_queued(f, h, plan, candidate, 1)
    f.totals[FETCHES] -= 1
    queues.push(f, candidate)
    settle_host(f, t, h, plan, host)


@inner
def _drop(s: Any, candidate: int) -> None:
    f, t, h, plan = s.f, s.t, s.h, s.plan
    arm, host = int64(f.candidates[candidate].arm), int64(f.candidates[candidate].host)
    f.candidates[candidate].state = DONE
    f.arms[arm].pending -= 1
    f.hosts[host].pending -= 1
    f.totals[FETCHES] -= 1
    settle_host(f, t, h, plan, host)


@inner
def _set_asleep(s: Any, host: int, asleep: bool) -> None:
    f, t, h, plan = s.f, s.t, s.h, s.plan
    f.hosts[host].asleep = asleep
    settle_host(f, t, h, plan, host)


@inner
def _estimates(s: Any, candidates: Any, out: Any) -> None:
    for i in range(len(candidates)):
        out[i] = estimate(s.f, s.facts, s.model, s.plan, int64(candidates[i]), s.features)


@inner
def _lease_known(s: Any, candidate: int) -> None:
    lease(s.f, s.t, s.h, s.facts, s.plan, candidate)


@inner
def _gather_features(s: Any, candidate: int) -> int:
    return gather(s.f, s.facts, s.plan, candidate, s.features)


@inner
def _teach(s: Any, candidates: Any, labels: Any) -> None:
    for i in range(len(candidates)):
        count = gather(s.f, s.facts, s.plan, int64(candidates[i]), s.features)
        learn(s.model, s.features, count, labels[i], 1.0)


# -- what Python calls ---------------------------------------------------------------------------


@njit
def choose(s: Any) -> int:
    """Lease the next candidate and tell why in ``s.parts``; -1 if no arm is ready.

    The propensity of a policy that samples is nan: it takes longer than the choice itself.
    """
    return _choose(view(s))


@njit
def choose_with_propensity(s: Any) -> int:
    """The same for a policy that samples, with the propensity."""
    return _choose_with_propensity(view(s))


@njit
def take_in(
    s: Any, candidate: int, reward: float, highest_reward: float, targets: Any, anchors: Any, paths: Any
) -> int:
    """Learn from the outcome of a leased candidate, then offer its links; return how many are new."""
    v = view(s)
    _absorb(v, candidate, reward, highest_reward)
    return _offer(v, candidate, targets, anchors, paths)


@njit
def offer(s: Any, parent: int, targets: Any, anchors: Any, paths: Any) -> int:
    """Make candidates of seeds (parent -1), or of more links of a page; return how many are new."""
    return _offer(view(s), parent, targets, anchors, paths)


@njit
def rescore(s: Any, candidates: Any, scores: Any) -> None:
    """Set the scores of queued candidates that an estimator outside of the kernels has given."""
    _rescore(view(s), candidates, scores)


@njit
def give_back(s: Any, candidate: int) -> None:
    """Undo a lease: the candidate is queued as before."""
    _give_back(view(s), candidate)


@njit
def drop(s: Any, candidate: int) -> None:
    """End a lease without an outcome: the candidate was refused and teaches nothing."""
    _drop(view(s), candidate)


@njit
def set_asleep(s: Any, host: int, asleep: bool) -> None:
    """Let a host sleep, or wake it."""
    _set_asleep(view(s), host, asleep)


@njit
def estimates(s: Any, candidates: Any, out: Any) -> None:
    """The estimator's present word on each candidate; changes nothing but ``out``."""
    _estimates(view(s), candidates, out)


@njit
def lease_known(s: Any, candidate: int) -> None:
    """Lease a given queued candidate: one that was crawled before."""
    _lease_known(view(s), candidate)


@njit
def gather_features(s: Any, candidate: int) -> int:
    """Write the candidate's feature indices to ``s.features``; return how many there are."""
    return _gather_features(view(s), candidate)


@njit
def teach(s: Any, candidates: Any, labels: Any) -> None:
    """Learn from labelled candidates, in order."""
    _teach(view(s), candidates, labels)
