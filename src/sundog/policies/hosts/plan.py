"""A policy of hosts as kernels see it: plain numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

# how a candidate is scored
BY_ORDER, BY_LEARNER, BY_CALLER, BY_ODDS = 0, 1, 2, 3

# how an arm is scored
BEST, SUCCESS, NEGATIVE_BAD, GOOD_BEST, SUCCESS_BEST, UNIFORM, THOMPSON, THOMPSON_BEST, SHRUNK = range(9)


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


def make_plan(estimator: int, strategy: int, values: Mapping[str, Any], budget: int) -> Plan:
    """The policy in numbers; ``values`` are its parameters, as read."""
    by_caller = values.get("learner") == "hoeffding-tree" and estimator == BY_LEARNER
    return Plan(
        estimator=BY_CALLER if by_caller else estimator,
        strategy=strategy,
        features=values.get("features", 0),
        hashes=values.get("hashes", 1),
        greed=float(values.get("lambda", 0.0)),
        decay=float(values.get("decay", 0.0)),
        budget=budget,
        fresh=values.get("fresh", True),
        use_classifier=values.get("classifier", True),
        use_host=values.get("host", True),
        use_group=values.get("group", True),
        explore=values.get("explore", True),
    )
