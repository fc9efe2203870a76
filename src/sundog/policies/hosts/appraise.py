"""The worth of an arm to ``sundog``: an estimate shrunk along groups, and what exploring may bring.

A page that is not relevant may come near: 12 statements where 20 are wanted. Where nothing comes near there is
hardly anything relevant, so that a host's chance is that of coming near, times that of a hit among what does. With
n₀ the classifier's probability of coming near for the arm's best candidate, c₀ the share of hits in what comes
near on all hosts, and E, N, A the host's weighted fetches, what came near of them and what was relevant::

    m  = (N + n₀) / (E + 1) · (A + c₀) / (N + 1)     the host's two records shrink toward what is known of all
    q' = (g + k·q) / (n + k)                         each group's record shrinks toward the group above
    p  = mean of the two chains in log-odds          URL chain and link chain, both from m

If the objective knows no near misses, N is A and c₀ is 1. Near misses of a template say no more of it than misses
do: measured, they are evidence about hosts.

What exploring may bring is in ``gittins``: an arm's worth is the highest index of its host and groups. Where its
pages lead is in ``leads``.
"""

from __future__ import annotations

from typing import Any

from sundog._jit import inner, int64
from sundog.frontier import queues
from sundog.frontier.arrays import FETCHES
from sundog.learn import ftrl
from sundog.policies.hosts.beliefs import (
    BASE_ODDS,
    HIT_IF_NEAR,
    NEAR_ODDS,
    RICH,
    RICH_FOUND,
    TRUST,
    learn_base,
    learn_scales,
    learn_strengths,
    learn_trust,
    log_odds,
    mixed,
    sigmoid,
)
from sundog.policies.hosts.costs import relative_cost
from sundog.policies.hosts.estimator import gather
from sundog.policies.hosts.gittins import first_success, gittins
from sundog.policies.hosts.leads import count_page, with_leads
from sundog.policies.hosts.local_model import add_local_features, learn_local, local_odds
from sundog.policies.hosts.templates import VIEWS

HOST_STRENGTH = 1.0
TEMPLATE_WEIGHT = 2.0  # the n-th page of a template adds 3·2/((n + 1)(n + 2)) to its host's record: three in all
HOST_WEIGHT = 10.0  # after ten pages of a host the classifier learns half as much from a further one

# cells of the array that ``appraise`` fills
BY_CLASSIFIER, BY_HOST, BY_GROUP, WORTH = range(4)
PRIORS = slice(4, 8)  # what each group's record shrinks toward
BY_PAGE = 8
RELATIVE_COST = 9
EXPECTED = 10  # by the records, of the last outcome; ``appraise`` leaves it alone
PAGE_WORTH = 11  # of a new page like the arm's best one, with where it leads
CELLS = 12


@inner
def _shrink(tm: Any, b: Any, arm: int, view: int, above: float) -> float:
    node, k = tm.arm_nodes[arm, view], b.strengths[view]
    if node < 0:
        return above
    return (tm.nodes[node].reward + k * above) / (tm.nodes[node].tried + k)


@inner
def estimate_arm(f: Any, tm: Any, b: Any, plan: Any, arm: int, odds: float, appraisal: Any) -> None:
    """Fill ``appraisal`` with the probability by classifier, by host and by group."""
    host = int64(f.arms[arm].host)
    trust = 1.0 if f.hosts[host].tried > 0 else b.numbers[TRUST]
    near, hit = sigmoid(b.numbers[NEAR_ODDS] + trust * odds), b.numbers[HIT_IF_NEAR]
    appraisal[BY_CLASSIFIER] = near * hit
    if plan.use_host:
        pending, came_near = f.hosts[host].pending, f.hosts[host].weighted_near
        near = (came_near + HOST_STRENGTH * near) / (f.hosts[host].weight + pending + HOST_STRENGTH)
        hit = (f.hosts[host].weighted_reward + HOST_STRENGTH * hit) / (came_near + HOST_STRENGTH)
    p = appraisal[BY_HOST] = near * hit
    if plan.use_group:
        by_url = _shrink(tm, b, arm, 1, _shrink(tm, b, arm, 0, p))
        by_link = _shrink(tm, b, arm, 3, _shrink(tm, b, arm, 2, p))
        p = sigmoid(0.5 * log_odds(by_url) + 0.5 * log_odds(by_link))
    appraisal[BY_GROUP] = p


@inner
def appraise(f: Any, tm: Any, b: Any, plan: Any, arm: int, appraisal: Any) -> float:
    """The arm's worth, exploration included; ``appraisal`` has what it is made of."""
    return appraise_candidate(f, tm, b, plan, arm, queues.best(f, arm), appraisal)


@inner
def appraise_candidate(f: Any, tm: Any, b: Any, plan: Any, arm: int, candidate: int, appraisal: Any) -> float:
    """The same for any candidate of the arm, as if it were the best one."""
    local = float(f.candidates[candidate].local)
    estimate_arm(f, tm, b, plan, arm, f.candidates[candidate].score - local, appraisal)
    p = appraisal[BY_GROUP]
    if local != 0.0:
        p = mixed(b, p, local)
    worth = appraisal[BY_PAGE] = p
    if plan.explore:
        worth = _with_exploration(f, tm, b, plan, arm, p)
    appraisal[PAGE_WORTH] = appraisal[BY_GROUP]
    if plan.looks_ahead and f.hosts[f.arms[arm].host].good > 0:
        left = float(plan.budget - f.totals[FETCHES])
        appraisal[PAGE_WORTH] = with_leads(tm, arm, appraisal[BY_GROUP], left)
        worth = with_leads(tm, arm, worth, left)
    appraisal[RELATIVE_COST] = relative_cost(f, tm, b, arm)
    appraisal[WORTH] = worth / appraisal[RELATIVE_COST]
    return appraisal[WORTH]


@inner
def _with_exploration(f: Any, tm: Any, b: Any, plan: Any, arm: int, p: float) -> float:
    host = int64(f.arms[arm].host)
    left = float(plan.budget - f.totals[FETCHES])
    tried, pending = f.hosts[host].tried, f.hosts[host].pending
    rich_size = (b.numbers[RICH_FOUND] + left) / (b.numbers[RICH] + 1.0)
    size = min(left, max(float(f.hosts[host].queued), rich_size - tried))
    strength = tried + pending + HOST_STRENGTH
    worth = gittins(p, strength, size) if tried + pending > 0 else first_success(p, strength, size)
    if plan.use_group:
        for view in range(VIEWS):
            node = tm.arm_nodes[arm, view]
            if node < 0:
                continue
            strength = tm.nodes[node].tried + b.strengths[view]
            worth = max(worth, first_success(p, strength, min(left, float(tm.nodes[node].queued))))
    return worth


@inner
def absorb_outcome(
    f: Any,
    facts: Any,
    h: Any,
    model: Any,
    plan: Any,
    features: Any,
    candidate: int,
    outcome: float,
    near: float,
) -> None:
    """Learn from a finished fetch; called before the records of host and arm have it."""
    tm, b, appraisal = h.templates, h.beliefs, h.appraisal
    arm, host = int64(f.candidates[candidate].arm), int64(f.candidates[candidate].host)
    count = gather(f, facts, plan, candidate, features)
    odds = ftrl.log_odds(model.table, model.numbers, features, count) if plan.use_classifier else 0.0
    estimate_arm(f, tm, b, plan, arm, odds, appraisal)
    appraisal[EXPECTED] = appraisal[BY_GROUP]
    if plan.use_group:
        _learn_strengths(tm, b, arm, appraisal, outcome)
    tried, reward, came_near = f.hosts[host].tried, f.hosts[host].reward, f.hosts[host].near
    if tried == 0:
        learn_trust(b, odds, outcome)
    if f.hosts[host].good == 0 and outcome > 0.0:
        b.numbers[RICH] += 1.0
        b.numbers[RICH_FOUND] += f.hosts[host].found
    gradient = sigmoid(b.numbers[BASE_ODDS] + odds) - outcome
    ftrl.descend(model.table, model.numbers, features, count, gradient * HOST_WEIGHT / (HOST_WEIGHT + tried))
    learn_base(b, _gain(reward, outcome, tried), _gain(came_near, near, tried), tried == 0)
    if plan.use_local:
        count = add_local_features(f, facts, plan, candidate, features, count)
        _learn_locally(f, h, features, count, host, outcome)
    _count(f, tm, arm, host, outcome, near)
    if plan.looks_ahead:
        count_page(tm, arm)
        estimate_arm(f, tm, b, plan, arm, odds, appraisal)
        tm.page_worth[arm] = with_leads(tm, arm, appraisal[BY_GROUP], float(plan.budget - f.totals[FETCHES]))


@inner
def _learn_locally(f: Any, h: Any, features: Any, count: int, host: int, outcome: float) -> None:
    """What the records leave over; ``estimate_arm`` has just said what that is."""
    by_records, local, number = h.appraisal[BY_GROUP], 0.0, int64(f.hosts[host].number)
    if f.hosts[host].tried > 0:
        local = local_odds(h.local, h.prior, number, features, count)
        learn_scales(h.beliefs, by_records, local, outcome)
    gradient = sigmoid(log_odds(by_records) + local) - outcome
    learn_local(h.local, h.prior, number, features, count, gradient)


@inner
def _gain(total: float, more: float, tried: int) -> float:
    """By how much one more fetch changes the mean."""
    return (total + more) / (tried + 1) - total / max(1, tried)


@inner
def _learn_strengths(tm: Any, b: Any, arm: int, appraisal: Any, outcome: float) -> None:
    p = appraisal[BY_HOST]
    appraisal[4], appraisal[5] = p, _shrink(tm, b, arm, 0, p)
    appraisal[6], appraisal[7] = p, _shrink(tm, b, arm, 2, p)
    learn_strengths(b, tm.nodes, tm.arm_nodes[arm], appraisal[4:8], outcome)


@inner
def _count(f: Any, tm: Any, arm: int, host: int, outcome: float, near: float) -> None:
    """Enter the outcome into the groups' records and, by the template's weight, into the host's."""
    for view in range(VIEWS):
        node = tm.arm_nodes[arm, view]
        if node < 0:
            continue
        if view == 0:
            n, g, came_near = tm.nodes[node].tried, tm.nodes[node].reward, tm.nodes[node].near
            before, after = 3.0 / (n + TEMPLATE_WEIGHT), 3.0 / (n + 1 + TEMPLATE_WEIGHT)
            f.hosts[host].weight += (n + 1) * after - n * before
            f.hosts[host].weighted_reward += (g + outcome) * after - g * before
            f.hosts[host].weighted_near += (came_near + near) * after - came_near * before
            tm.nodes[node].near += near
        tm.nodes[node].tried += 1
        tm.nodes[node].reward += outcome
