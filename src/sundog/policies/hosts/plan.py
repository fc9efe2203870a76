"""A policy of hosts as kernels see it: plain numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from sundog.policies.hosts.strategies import STRATEGIES
from sundog.policies.hosts.strategy import Strategy

# how a candidate is scored
BY_ORDER, BY_LEARNER, BY_CALLER, BY_ODDS = range(4)
Estimator = Literal["order", "learner", "truth", "odds"]
ESTIMATORS: dict[Estimator, int] = {
    "order": BY_ORDER,
    "learner": BY_LEARNER,
    "truth": BY_CALLER,
    "odds": BY_ODDS,
}


class Plan(NamedTuple):
    estimator: int
    strategy: int  # its place in STRATEGIES
    by_templates: bool  # arms are page templates, ranked by worth
    uniform: bool  # arms and pages are drawn, each with the same probability
    follows_best: bool  # an arm's key depends on the score of its best candidate
    ties_by_page: bool  # of equal keys the page that was found first, not the host
    times_best: bool  # draws by hosts' records are multiplied with that score
    features: int
    hashes: int  # token features are hashed to indices below this
    greed: float  # λ: the probability of a uniform random arm
    decay: float  # m of λ_t = λ·m/(t + m); 0: no decay
    budget: int  # fetches that the session may make in all
    fresh: bool  # re-evaluate a score before it wins
    use_classifier: bool  # by templates: the classifier tells candidates apart
    use_host: bool  # by templates: the host's record counts
    use_group: bool  # by templates: the URL group's record counts
    use_local: bool  # by templates: hosts have models of their own
    explore: bool  # by templates: optimism for arms never tried
    looks_ahead: bool  # by templates: a page is worth what it leads to, too


def make_plan(estimator: Estimator, strategy: Strategy, values: Mapping[str, Any], budget: int) -> Plan:
    """The policy in numbers; ``values`` are its parameters, as read."""
    by_tree = values.get("learner") == "hoeffding-tree" and estimator == "learner"
    return Plan(
        estimator=BY_CALLER if by_tree else ESTIMATORS[estimator],
        strategy=STRATEGIES.index(strategy),
        by_templates=strategy.arms == "templates",
        uniform=strategy.draw == "uniform",
        follows_best=strategy.follows_best,
        ties_by_page=strategy.ties == "page",
        times_best=strategy.draw == "beta-best",
        features=values.get("features", 0),
        hashes=values.get("hashes", 1),
        greed=float(values.get("lambda", 0.0)),
        decay=float(values.get("decay", 0.0)),
        budget=budget,
        fresh=values.get("fresh", True),
        use_classifier=values.get("classifier", True),
        use_host=values.get("host", True),
        use_group=values.get("group", True),
        use_local=strategy.arms == "templates" and values.get("local", True),
        explore=values.get("explore", True),
        looks_ahead=strategy.arms == "templates" and values.get("ahead", True),
    )
