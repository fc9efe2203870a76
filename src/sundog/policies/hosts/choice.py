"""The next candidate, why it, and its lease: it leaves the frontier for a fetch and comes back, or does not."""

from __future__ import annotations

import math
from typing import Any

from sundog._jit import inner, int64
from sundog.frontier import queues
from sundog.frontier.arrays import DONE, FETCHES, LEASED, QUEUED, QUEUED_TOTAL, READY
from sundog.frontier.ready import HITLESS, PROVEN, first, key_of
from sundog.frontier.rng import below, uniform
from sundog.frontier.thompson import sampling
from sundog.policies.chooser import (
    CLASSIFIER_PART,
    ESTIMATE,
    EXPLORATION,
    GROUP_PART,
    HOST_PART,
    PROPENSITY,
    SCORE,
)
from sundog.policies.hosts.appraise import (
    BY_CLASSIFIER,
    BY_GROUP,
    BY_HOST,
    BY_PAGE,
    RELATIVE_COST,
    WORTH,
    appraise,
    appraise_candidate,
)
from sundog.policies.hosts.freshness import freshen, freshen_top, relearns, sweep
from sundog.policies.hosts.local_model import rate
from sundog.policies.hosts.ranking import settle, settle_host
from sundog.policies.hosts.templates import VIEWS, open_host


@inner
def choose_next(s: Any) -> int:
    candidate = _pick(s)
    if candidate >= 0:
        lease(s.f, s.t, s.h, s.facts, s.plan, candidate)
    return candidate


@inner
def choose_next_with_propensity(s: Any) -> int:
    candidate = _pick(s)
    if candidate >= 0:
        ready, share = s.f.totals[READY], _random_share(s.plan, s.f.totals[FETCHES])
        drawn = sampling.propensity(s.t, int64(s.f.candidates[candidate].arm))
        s.parts[PROPENSITY] = share / ready + (1.0 - share) * drawn
        lease(s.f, s.t, s.h, s.facts, s.plan, candidate)
    return candidate


@inner
def nominate_next(s: Any) -> int:
    """The candidate that would be leased now, or -1; ``s.parts`` explains it."""
    return _pick(s)


@inner
def explain(s: Any, candidate: int) -> None:
    """Fill ``s.parts`` for a queued candidate as if it were chosen now; nothing else is changed."""
    f, plan = s.f, s.plan
    arm = int64(f.candidates[candidate].arm)
    known, local = f.candidates[candidate].score, f.candidates[candidate].local
    if plan.fresh and relearns(plan):
        f.candidates[candidate].score = rate(f, s.h, s.facts, s.model, plan, candidate, s.features)
    s.parts[SCORE] = s.parts[PROPENSITY] = math.nan
    if plan.by_templates:
        _explain_worth(f, s.h, plan, arm, candidate, s.parts)
    else:
        _explain_score(f, candidate, s.parts, False)
    f.candidates[candidate].score, f.candidates[candidate].local = known, local


@inner
def _pick(s: Any) -> int:
    """The next candidate, or -1; ``s.parts`` explains it."""
    f, t, h, plan, parts = s.f, s.t, s.h, s.plan, s.parts
    ready = f.totals[READY] + f.totals[READY + HITLESS]
    if ready == 0:
        return -1
    if plan.by_templates and plan.fresh:
        sweep(f, t, h, s.facts, s.model, plan, s.features)
    share = _random_share(plan, f.totals[FETCHES])
    at_random = plan.uniform or (share > 0.0 and uniform(s.rng) < share)
    arm = _pick_arm(s, ready, at_random)
    if plan.uniform:
        size = f.arms[arm].size
        parts[PROPENSITY] = 1.0 / ready / size
        candidate = queues.at(f, arm, below(s.rng, size))
    else:
        is_argmax = not at_random or arm == first(f, PROVEN)
        parts[PROPENSITY] = math.nan if t is not None else share / ready + (1.0 - share) * is_argmax
        if plan.fresh and relearns(plan):
            freshen(f, h, s.facts, s.model, plan, arm, s.features)
        candidate = queues.best(f, arm)
    if plan.by_templates:
        _explain_worth(f, h, plan, arm, candidate, parts)
    else:
        _explain_score(f, candidate, parts, at_random)
    return candidate


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
def _sampled_arm(t: Any, rng: Any) -> tuple[int, float]:
    return (-1, 0.0) if t is None else sampling.draw(t, rng)


@inner
def _best_arm(f: Any, t: Any, h: Any, facts: Any, model: Any, plan: Any, features: Any) -> int:
    """The ready arm with the highest key, once its score is current."""
    refresh = plan.fresh and relearns(plan) and plan.follows_best
    if f.totals[READY] > 0 and refresh:
        freshen_top(f, t, h, facts, model, plan, features, PROVEN)
    if f.totals[READY + HITLESS] == 0:
        return first(f, PROVEN)
    best = key_of(f, first(f, PROVEN)) if f.totals[READY] > 0 else -1.0
    if _newcomers_worth(f, h, facts, plan) <= best:
        return first(f, PROVEN)
    if refresh:
        freshen_top(f, t, h, facts, model, plan, features, HITLESS)
    return first(f, HITLESS) if _newcomers_worth(f, h, facts, plan) > best else first(f, PROVEN)


@inner
def _newcomers_worth(f: Any, h: Any, facts: Any, plan: Any) -> float:
    """The worth of the first host without a hit; what ranks those is not yet a worth."""
    if h is None:
        return -1.0
    arm = first(f, HITLESS)
    open_host(f, facts, h.templates, int64(f.arms[arm].host))
    return appraise(f, h.templates, h.beliefs, plan, arm, h.appraisal)


@inner
def _random_share(plan: Any, fetches: int) -> float:
    """λ_t: the share of uniform random arms at this point of the crawl."""
    if plan.decay <= 0.0:
        return plan.greed
    return plan.greed * plan.decay / (fetches + plan.decay)


@inner
def _explain_worth(f: Any, h: Any, plan: Any, arm: int, candidate: int, parts: Any) -> None:
    if h is None:
        return
    appraise_candidate(f, h.templates, h.beliefs, plan, arm, candidate, h.appraisal)
    parts[ESTIMATE], parts[HOST_PART] = h.appraisal[BY_PAGE], h.appraisal[BY_HOST]
    parts[CLASSIFIER_PART], parts[GROUP_PART] = h.appraisal[BY_CLASSIFIER], h.appraisal[BY_GROUP]
    parts[EXPLORATION] = h.appraisal[WORTH] * h.appraisal[RELATIVE_COST] - h.appraisal[BY_PAGE]
    parts[SCORE] = h.appraisal[WORTH]


@inner
def _explain_score(f: Any, candidate: int, parts: Any, at_random: bool) -> None:
    host = int64(f.candidates[candidate].host)
    parts[ESTIMATE] = parts[CLASSIFIER_PART] = f.candidates[candidate].score
    parts[HOST_PART] = (f.hosts[host].good + 1.0) / (f.hosts[host].tried + 2.0)
    parts[GROUP_PART] = parts[HOST_PART]
    parts[EXPLORATION] = 1.0 if at_random else 0.0


# -- leases --------------------------------------------------------------------------------------


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
def _open(f: Any, h: Any, facts: Any, plan: Any, host: int) -> None:
    if h is None:
        return
    if plan.by_templates:
        open_host(f, facts, h.templates, host)


@inner
def count_queued(f: Any, h: Any, plan: Any, candidate: int, change: int) -> None:
    f.hosts[f.candidates[candidate].host].queued += change
    f.totals[QUEUED_TOTAL] += change
    if plan.by_templates:
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
def return_lease(s: Any, candidate: int) -> None:
    _clear_pending(s.f, candidate, QUEUED)
    count_queued(s.f, s.h, s.plan, candidate, 1)
    queues.push(s.f, candidate)
    settle_host(s.f, s.t, s.h, s.plan, int64(s.f.candidates[candidate].host))


@inner
def end_lease(s: Any, candidate: int) -> None:
    _clear_pending(s.f, candidate, DONE)
    settle_host(s.f, s.t, s.h, s.plan, int64(s.f.candidates[candidate].host))


@inner
def _clear_pending(f: Any, candidate: int, state: int) -> None:
    """The candidate is in flight no longer, and its fetch does not count."""
    f.candidates[candidate].state = state
    f.arms[f.candidates[candidate].arm].pending -= 1
    f.hosts[f.candidates[candidate].host].pending -= 1
    f.totals[FETCHES] -= 1
