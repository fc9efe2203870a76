"""What tells the pages of one host apart: a small model of each visited host, all in one table of bounded size.

The records of host and groups say what the pages of a template have in common. The model of the host learns what
they leave over, from the features of the classifier and two more kinds: numbers of the URL as they are (in blogs
the year tells what a page is made of), and how many pages link here (a tag of many posts has a long list). With c
the log-odds by the records and w the weights::

    p = σ(c + Σ w)

It is FTRL-proximal as in ``learn.ftrl``; the gradient is p less the outcome. A cell of the table belongs to the
host that wrote to it last: where two hosts meet in a cell the older lesson is forgotten, not mistaken for one of
the other host. Which hosts meet must not hang on ids: a shard and a replay give others than a crawl does. So hosts
go by their order of discovery here. All weights begin at 0, or at those of earlier crawls (``learn.prior``).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from sundog._jit import inner, int64
from sundog.frontier.facts import FINE
from sundog.learn import ftrl
from sundog.learn.ftrl import BETA, RIDGE
from sundog.policies.hosts.beliefs import doublings
from sundog.policies.hosts.estimator import estimate, gather, hashed
from sundog.urls.tokens import index_below, mix

CELL = np.dtype([("z", "f4"), ("squares", "f4"), ("weight", "f4"), ("owner", "i4")], align=True)
CELLS = 1 << 18
RATE = 0.2
NUMBER_AT, LINKED_FROM = 10, 13  # salts of the hashed features, after those of ``estimator``


def new_local_model(cells: int) -> Any:
    return np.zeros(cells, CELL)


@inner
def parents_of(f: Any, candidate: int) -> int:
    return int(f.candidates[candidate].good_parents) + int(f.candidates[candidate].bad_parents)


@inner
def add_local_features(f: Any, facts: Any, plan: Any, candidate: int, features: Any, at: int) -> int:
    """After those of the classifier, the features that only a host's own model has; returns how many there are."""
    for i in range(facts.numbers.shape[1]):
        if facts.numbers[candidate, i] > 0:
            features[at] = hashed(facts.numbers[candidate, i], NUMBER_AT + i, plan.hashes)
            at += 1
    step = doublings(parents_of(f, candidate))
    features[at] = hashed(step, LINKED_FROM, plan.hashes)
    features[at + 1] = hashed(mix(facts.shape[candidate, FINE], step), LINKED_FROM, plan.hashes)
    return at + 2


@inner
def rate(f: Any, h: Any, facts: Any, model: Any, plan: Any, candidate: int, features: Any) -> float:
    """The score that the candidate's queue is ordered by; what its host's model adds is written down beside it."""
    if h is None or not plan.use_local:
        return estimate(f, facts, model, plan, candidate, features)
    return _rate_with_local(f, h, facts, model, plan, candidate, features)


@inner
def _rate_with_local(f: Any, h: Any, facts: Any, model: Any, plan: Any, candidate: int, features: Any) -> float:
    host = int64(f.candidates[candidate].host)
    count = gather(f, facts, plan, candidate, features)
    odds = ftrl.log_odds(model.table, model.numbers, features, count) if plan.use_classifier else 0.0
    local = 0.0
    if f.hosts[host].tried > 0:
        count = add_local_features(f, facts, plan, candidate, features, count)
        local = local_odds(h.local, h.prior, int64(f.hosts[host].number), features, count)
    f.candidates[candidate].local = local
    return odds + float(f.candidates[candidate].local)


@inner
def _cell(local: Any, number: int, feature: int) -> int:
    return index_below(mix(np.uint64(number), np.uint64(feature)), len(local))


@inner
def local_odds(local: Any, prior: Any, number: int, features: Any, count: int) -> float:
    odds, has_prior = 0.0, len(prior) > 0
    for i in range(count):
        cell = _cell(local, number, features[i])
        if local[cell].owner == number + 1:
            odds += local[cell].weight
        elif has_prior:
            odds += prior[features[i]]
    return odds


@inner
def learn_local(local: Any, prior: Any, number: int, features: Any, count: int, gradient: float) -> None:
    has_prior = len(prior) > 0
    for i in range(count):
        cell = _cell(local, number, features[i])
        if local[cell].owner != number + 1:
            local[cell].owner = number + 1
            local[cell].z = local[cell].squares = 0.0
            local[cell].weight = 0.0
            if has_prior:  # as if pages before had made it so
                local[cell].weight = prior[features[i]]
                local[cell].z = -prior[features[i]] * (BETA / RATE + RIDGE)
        before = float(local[cell].squares)
        root = math.sqrt(before + gradient * gradient)
        z = local[cell].z + gradient - (root - math.sqrt(before)) / RATE * local[cell].weight
        local[cell].z, local[cell].squares = z, before + gradient * gradient
        local[cell].weight = -z / ((BETA + root) / RATE + RIDGE)
