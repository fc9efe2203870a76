"""A page comes in: its outcome is learned, its links become candidates."""

from __future__ import annotations

from typing import Any

from sundog._jit import inner, int64
from sundog.frontier import queues
from sundog.frontier.arrays import ARMS_FOUND, DISCOVERED, DONE, HOSTS_FOUND, QUEUED, UNKNOWN
from sundog.learn.model import learn
from sundog.policies.hosts.appraise import absorb_outcome
from sundog.policies.hosts.beliefs import RICH_FOUND, TRUST, doublings
from sundog.policies.hosts.choice import count_queued
from sundog.policies.hosts.estimator import gather, relation_of
from sundog.policies.hosts.freshness import is_news, rate_host_anew
from sundog.policies.hosts.leads import count_lead
from sundog.policies.hosts.local_model import parents_of, rate
from sundog.policies.hosts.plan import BY_LEARNER
from sundog.policies.hosts.prefetch_links import prefetch_links
from sundog.policies.hosts.ranking import rank_hitless, settle, settle_after_outcome
from sundog.policies.hosts.templates import template_of

MOST_COUNT = 65535  # of parents and siblings: what 16 bits hold


@inner
def _learn_worth(s: Any, h: Any, candidate: int, outcome: float, near: float) -> None:
    if h is None:
        return
    trust = h.beliefs.numbers[TRUST]
    absorb_outcome(s.f, s.facts, h, s.model, s.plan, s.features, candidate, outcome, near)
    if h.beliefs.numbers[TRUST] != trust:
        rank_hitless(s.f, h, s.plan)


@inner
def absorb(s: Any, candidate: int, reward: float, highest_reward: float, near: float) -> None:
    """Take in the outcome of a leased candidate: its host's and arm's record and the learner."""
    f, plan = s.f, s.plan
    arm, host = int64(f.candidates[candidate].arm), int64(f.candidates[candidate].host)
    good = reward > 0.0
    outcome = reward / highest_reward
    near = max(outcome, near)
    f.arms[arm].pending -= 1
    f.hosts[host].pending -= 1
    if plan.by_templates:
        _learn_worth(s, s.h, candidate, outcome, near)
    elif plan.estimator == BY_LEARNER:
        learn(s.model, s.features, gather(f, s.facts, plan, candidate, s.features), 1.0 * good, 1.0)
    f.candidates[candidate].state = DONE
    f.candidates[candidate].good = good
    f.arms[arm].tried += 1
    f.arms[arm].reward += outcome
    f.hosts[host].tried += 1
    f.hosts[host].good += good
    f.hosts[host].reward += outcome
    f.hosts[host].near += near
    if is_news(f, s.h, plan, outcome):
        rate_host_anew(f, s.t, s.h, s.facts, s.model, plan, arm, s.features)
    else:
        settle_after_outcome(f, s.t, s.h, plan, arm)


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
    arm = _template(f, facts, h, target) if plan.by_templates else host
    f.candidates[target].arm = arm
    f.candidates[target].state = QUEUED
    f.candidates[target].order = f.totals[DISCOVERED]
    f.candidates[target].parent = parent
    if parent >= 0:
        f.candidates[target].depth = f.candidates[parent].depth + 1
    f.totals[DISCOVERED] += 1
    f.hosts[host].found += 1
    if plan.by_templates and f.hosts[host].good > 0:
        _count_found(h)
    count_queued(f, h, plan, target, 1)
    if not f.hosts[host].known:
        f.hosts[host].known = True
        f.hosts[host].number = f.totals[HOSTS_FOUND]
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


@inner
def _is_known_better(f: Any, plan: Any, target: int, parents: int) -> bool:
    """Whether the model of its host will rate it otherwise than with so many parents."""
    if not plan.use_local or f.hosts[f.candidates[target].host].tried == 0:
        return False
    return doublings(parents) != doublings(parents_of(f, target))


@inner
def _is_known_of_more(f: Any, plan: Any, target: int) -> bool:
    """Whether the page makes it twice as many that are known of a host never visited."""
    host = int64(f.candidates[target].host)
    queued = int64(f.hosts[host].queued)
    return plan.by_templates and f.hosts[host].tried == 0 and queued & (queued - 1) == 0


@inner
def _count_lead(f: Any, h: Any, plan: Any, parent: int, target: int) -> None:
    """Of the parent's own host: what is worth how much elsewhere is known too little."""
    if h is None or not plan.looks_ahead or parent < 0:
        return
    if f.candidates[parent].host == f.candidates[target].host and f.candidates[parent].state == DONE:
        count_lead(h.templates, int64(f.candidates[parent].arm), int64(f.candidates[target].arm))


@inner
def offer_links(s: Any, parent: int, targets: Any, anchors: Any, paths: Any) -> int:
    f, t, h, facts, plan = s.f, s.t, s.h, s.facts, s.plan
    prefetch_links(s, parent, targets, paths)
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
            _count_lead(f, h, plan, parent, target)
            new += 1
        parents = parents_of(f, target)
        _add_parent(f, target, parent, good_siblings, bad_siblings)
        if state == UNKNOWN:
            f.candidates[target].score = rate(f, h, facts, s.model, plan, target, s.features)
            queues.push(f, target)
            arm = int64(f.candidates[target].arm)
            if f.arms[arm].place < 0 or queues.best(f, arm) == target or _is_known_of_more(f, plan, target):
                settle(f, t, h, plan, arm)
        elif plan.fresh and (plan.estimator == BY_LEARNER or _is_known_better(f, plan, target, parents)):
            f.candidates[target].score = rate(f, h, facts, s.model, plan, target, s.features)
            queues.reorder(f, target)
            settle(f, t, h, plan, int64(f.candidates[target].arm))
    return new
