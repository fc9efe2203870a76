"""From a candidate to its feature indices: hashed URL tokens first, then what the links to it tell."""

from __future__ import annotations

from typing import Any

import numpy as np

from sundog._jit import inner, njit
from sundog.frontier.tokens import MOST_TOKENS
from sundog.policies.plan import PARENTS, SIBLINGS, URL

RELATION_FEATURES = 32  # indices above ``hashes`` for parents and siblings
MOST_FEATURES = 4 * MOST_TOKENS + RELATION_FEATURES
COUNT_STEPS = 5  # 0, 1, 2, 3–5, 6 and more


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


@njit
def gather(f: Any, facts: Any, plan: Any, candidate: int, features: Any) -> int:
    """Write the candidate's feature indices to ``features``; return how many there are."""
    at, hashes = 0, np.int32(plan.hashes)
    if plan.features & URL:
        for i in range(facts.token_start[candidate], facts.token_start[candidate + 1]):
            features[at] = facts.tokens[i] % hashes
            at += 1
    if plan.features & PARENTS:
        good, bad = f.candidates[candidate].good_parents, f.candidates[candidate].bad_parents
        at = _relation(features, at, hashes, good, bad)
    if plan.features & SIBLINGS:
        good, bad = f.candidates[candidate].good_siblings, f.candidates[candidate].bad_siblings
        at = _relation(features, at, hashes + RELATION_FEATURES // 2, good, bad)
    return at
