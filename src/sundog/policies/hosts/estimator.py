"""From a candidate to its feature indices, hashed tokens first, then what is known of the links to it; and from
these to its score."""

from __future__ import annotations

from typing import Any

import numpy as np

from sundog._jit import inner
from sundog.frontier.arrays import NO_RELATION, OTHER_HOST
from sundog.frontier.facts import ABOVE, DIRECTORY, LAST_FOUR, LAST_TWO, WHOLE
from sundog.learn import ftrl
from sundog.learn.model import predict
from sundog.policies.hosts.plan import BY_CALLER, BY_ODDS, BY_ORDER
from sundog.policies.parameters import LINK, PARENTS, PATH, SIBLINGS, URL
from sundog.urls.tokens import MOST_PATH_TOKENS, MOST_TOKENS, index_below, mix

RELATION_FEATURES = 32  # indices above ``hashes`` for parents and siblings
MOST_FEATURES = MOST_TOKENS + 2 * MOST_PATH_TOKENS + RELATION_FEATURES
COUNT_STEPS = 5  # 0, 1, 2, 3–5, 6 and more
PAIR, FROM, FROM_ANY, SHORT_PATH, PATH_END, ANCHOR_TEXT = 1, 2, 3, 4, 6, 8  # salts of the hashed features


def feature_width(hashes: int) -> int:
    """How many different feature indices there are."""
    return hashes + RELATION_FEATURES


@inner
def _step(count: int) -> int:
    if count < 3:
        return count
    return 3 if count < 6 else 4


@inner
def _relation(features: Any, at: int, base: Any, good: int, bad: int) -> int:
    """The number with each label and, for each, whether there is one at all."""
    features[at] = base + _step(good)
    features[at + 1] = base + COUNT_STEPS + _step(bad)
    features[at + 2] = base + 2 * COUNT_STEPS + (good > 0)
    features[at + 3] = base + 2 * COUNT_STEPS + 2 + (bad > 0)
    return at + 4


@inner
def hashed(key: Any, salt: int, hashes: int) -> Any:
    return index_below(mix(key, salt), hashes)


@inner
def _path_features(facts: Any, candidate: int, features: Any, at: int, hashes: int) -> int:
    """Tokens of path and query, and each with the one after it."""
    begin, end = facts.path_start[candidate], facts.path_start[candidate + 1]
    for i in range(begin, end):
        token = np.uint64(facts.path_tokens[i])
        features[at] = hashed(token, 0, hashes)
        at += 1
        if i + 1 < end:
            features[at] = hashed(mix(token, facts.path_tokens[i + 1]), PAIR, hashes)
            at += 1
    return at


@inner
def _link_features(f: Any, facts: Any, candidate: int, features: Any, at: int, hashes: int) -> int:
    """The first link that led here: its tag path, anchor, where it came from and that page's label."""
    relation, label = f.candidates[candidate].relation, f.candidates[candidate].from_good
    path, anchor = f.candidates[candidate].path, f.candidates[candidate].anchor
    if relation == NO_RELATION:
        return at
    features[at] = hashed(mix(relation, label), FROM, hashes)
    features[at + 1] = hashed(relation, FROM_ANY, hashes)
    at += 2
    if path >= 0:
        features[at] = hashed(facts.text_hash[path, LAST_FOUR], SHORT_PATH + label, hashes)
        features[at + 1] = hashed(facts.text_hash[path, LAST_TWO], PATH_END + (relation == OTHER_HOST), hashes)
        at += 2
    if anchor >= 0:
        features[at] = hashed(facts.text_hash[anchor, WHOLE], ANCHOR_TEXT, hashes)
        at += 1
    return at


@inner
def gather(f: Any, facts: Any, plan: Any, candidate: int, features: Any) -> int:
    """Write the candidate's feature indices to ``features``; return how many there are."""
    at, hashes = 0, np.int32(plan.hashes)
    if plan.features & URL:
        for i in range(facts.token_start[candidate], facts.token_start[candidate + 1]):
            features[at] = facts.tokens[i] % hashes
            at += 1
    if plan.features & PATH:
        at = _path_features(facts, candidate, features, at, plan.hashes)
    if plan.features & LINK:
        at = _link_features(f, facts, candidate, features, at, plan.hashes)
    if plan.features & PARENTS:
        good, bad = f.candidates[candidate].good_parents, f.candidates[candidate].bad_parents
        at = _relation(features, at, hashes, good, bad)
    if plan.features & SIBLINGS:
        good, bad = f.candidates[candidate].good_siblings, f.candidates[candidate].bad_siblings
        at = _relation(features, at, hashes + RELATION_FEATURES // 2, good, bad)
    return at


@inner
def relation_of(facts: Any, parent: int, target: int) -> int:
    """Where the target lies, seen from the page that links to it."""
    if parent < 0:
        return NO_RELATION
    if facts.host[parent] != facts.host[target]:
        return OTHER_HOST
    here, there = facts.shape[parent, DIRECTORY], facts.shape[target, DIRECTORY]
    above_here, above_there = facts.shape[parent, ABOVE], facts.shape[target, ABOVE]
    if here == there:
        return 2
    if above_there == here:
        return 3
    if above_here == there:
        return 4
    return 5 if above_here == above_there else 6


@inner
def estimate(f: Any, facts: Any, model: Any, plan: Any, candidate: int, features: Any) -> float:
    """The score by which the candidate's queue is ordered, from what is known now."""
    if plan.estimator == BY_ORDER:
        return -float(f.candidates[candidate].order)
    if plan.estimator == BY_CALLER:
        return f.candidates[candidate].score
    if plan.estimator == BY_ODDS:
        if not plan.use_classifier:
            return 0.0
        return ftrl.log_odds(model.table, model.numbers, features, gather(f, facts, plan, candidate, features))
    return predict(model, features, gather(f, facts, plan, candidate, features))
