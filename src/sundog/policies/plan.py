"""A policy as kernels see it: plain numbers."""

from __future__ import annotations

from typing import NamedTuple

# how a candidate is scored
BY_ORDER, BY_LEARNER, BY_CALLER, BY_ODDS = 0, 1, 2, 3
BY_NEIGHBOURS = 4  # not by these kernels: see ``policies.graph``
BY_CONTEXT = 5  # nor this: see ``policies.linked``

# how an arm is scored
BEST, SUCCESS, NEGATIVE_BAD, GOOD_BEST, SUCCESS_BEST, UNIFORM, THOMPSON, THOMPSON_BEST, SHRUNK = range(9)

# feature sets, a bit each
URL, PARENTS, SIBLINGS, PATH, LINK = 1, 2, 4, 8, 16
TARGET, REFERRER, PROPERTIES, CROSSES = 32, 64, 128, 256  # of ``policies.linked``


class Plan(NamedTuple):
    estimator: int
    strategy: int
    features: int
    hashes: int  # token features are hashed to indices below this
    greed: float  # λ: the probability of a uniform random arm
    decay: float  # m of λ_t = λ·m/(t + m); 0: no decay
    budget: int  # fetches that the session may make in all
    fresh: bool  # re-evaluate a score before it wins
    use_classifier: bool  # SHRUNK: the classifier tells candidates apart
    use_host: bool  # SHRUNK: the host's record counts
    use_group: bool  # SHRUNK: the URL group's record counts
    explore: bool  # SHRUNK: optimism for arms never tried
