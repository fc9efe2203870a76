"""The policies by name: each an estimator, a strategy and the parameters it starts from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from sundog.errors import UsageError, nearest, nearest_or_all
from sundog.policies import plan
from sundog.policies.parameters import PARAMETERS, read_parameter, read_parameters

LEARNED = ("learner", "features", "hashes", "rate", "pretrain", "frozen", "fresh")
BANDIT = ("lambda", "decay", *LEARNED)
# As in the paper, a page is rated once, when it is found; ``fresh=true`` re-evaluates it before it wins.
PAPER = MappingProxyType(
    {"learner": "naive-bayes", "features": plan.URL | plan.PARENTS, "hashes": 10_000, "fresh": False}
)


@dataclass(frozen=True)
class Policy:
    """A named pair of estimator and strategy. ``accepts`` lists the parameters that can be set."""

    name: str
    summary: str
    estimator: int
    strategy: int
    accepts: tuple[str, ...] = ()
    defaults: Mapping[str, Any] = field(default_factory=dict)

    @property
    def samples(self) -> bool:
        """Whether arms are drawn, for which kernels of their own are compiled."""
        return self.strategy in (plan.THOMPSON, plan.THOMPSON_BEST)

    @property
    def reads_link_scores(self) -> bool:
        """Whether links' own scores matter."""
        return self.explores_graph

    @property
    def explores_graph(self) -> bool:
        """Whether a ``GraphChooser`` chooses, which has kernels of its own."""
        return self.estimator == plan.BY_NEIGHBOURS

    @property
    def follows_properties(self) -> bool:
        """Whether a ``LinkedChooser`` chooses, which has kernels of its own too."""
        return self.estimator == plan.BY_CONTEXT

    def compares_siblings(self, values: Mapping[str, Any]) -> bool:
        """Whether it matters which links of a document belong together; ``values``: parameters, as read."""
        return self.follows_properties and bool({**self.defaults, **values}.get("features", 0) & plan.CROSSES)

    @property
    def twin(self) -> str:
        """A policy that needs the same kernels."""
        if self.follows_properties:
            return "ldcoc"
        if self.explores_graph:
            return self.name
        return "thompson" if self.samples else "success-rate"

    @property
    def foresees(self) -> bool:
        """Whether it must be told every page's reward, which only a simulation can."""
        return self.name in ("oracle", "steered-oracle")

    def check_foresight(self, truth: Any = None) -> None:
        if self.foresees and truth is None:
            raise UsageError(
                f"policy '{self.name}' needs to know every page's reward: it works in simulation only"
            )

    @property
    def arms_are_templates(self) -> bool:
        return self.strategy == plan.SHRUNK


def _classifier(name: str, learner: str, summary: str) -> Policy:
    defaults = {**PAPER, "learner": learner}
    return Policy(name, summary, plan.BY_LEARNER, plan.BEST, BANDIT, defaults)


def _bandit(name: str, strategy: int, summary: str, **defaults: Any) -> Policy:
    return Policy(name, summary, plan.BY_LEARNER, strategy, BANDIT, {**PAPER, **defaults})


STEERED = ("q", "zeta", "refresh")
STEERING = MappingProxyType({"q": 1.0, "zeta": 0.1, "refresh": 1})


def _explorer(name: str, summary: str, **defaults: Any) -> Policy:
    values = {**STEERING, **defaults}
    return Policy(name, summary, plan.BY_NEIGHBOURS, plan.BEST, (*STEERED, *(defaults.keys() - STEERED)), values)


_LINKED = (
    "features",
    "learner",
    "rate",
    "rates",
    "l1",
    "tau",
    "epsilon",
    "similar",
    "head",
    "hashes",
    "pretrain",
    "frozen",
)

_ALL = [
    Policy(
        "sundog",
        "ours: a classifier, shrunk along hosts and page templates, exploring as far as the budget makes it pay",
        plan.BY_ODDS,
        plan.SHRUNK,
        ("classifier", "host", "group", "fresh", "explore", "hashes", "rate", "pretrain"),
        {"learner": "ftrl", "features": plan.PATH | plan.LINK, "hashes": 1 << 18, "rate": 0.1},
    ),
    Policy("bfs", "breadth first: in order of discovery", plan.BY_ORDER, plan.BEST),
    Policy("random", "a uniform random host, then a uniform random page of it", plan.BY_ORDER, plan.UNIFORM),
    Policy("oracle", "greedy with foresight of each page's reward; simulation only", plan.BY_CALLER, plan.BEST),
    _classifier("naive-bayes", "naive-bayes", "the page that an online Naive Bayes classifier rates best"),
    _classifier("hoeffding-tree", "hoeffding-tree", "the same with an online Hoeffding tree"),
    _classifier("ftrl", "ftrl", "the same with FTRL-proximal logistic regression"),
    _classifier("logistic", "logistic", "the same with plain logistic regression"),
    _bandit("best-score", plan.BEST, "the host whose best page the classifier rates best"),
    _bandit("negative-bad", plan.NEGATIVE_BAD, "the host with the fewest irrelevant pages so far"),
    _bandit("success-rate", plan.SUCCESS, "the host with the highest (good + 1)/(bad + 1)"),
    _bandit("thompson", plan.THOMPSON, "the host with the highest draw of Beta(good + 1, bad + 1)"),
    _bandit("good-best", plan.GOOD_BEST, "the host with the highest good · score of its best page"),
    _bandit("thompson-best", plan.THOMPSON_BEST, "the host with the highest Beta draw · best score"),
    _bandit("success-best", plan.SUCCESS_BEST, "the host with the highest success rate · best score"),
    _bandit(
        "anthelion",
        plan.SUCCESS,
        "the paper's best: success-rate, a random host with λ = .5 decaying, m = 10,000",
        **{"lambda": 0.5, "decay": 10_000.0},
    ),
    Policy(
        "ldcoc",
        "Linked Data: URIs that an online classifier predicts to lead to RDF, and a share of the others",
        plan.BY_CONTEXT,
        plan.BEST,
        _LINKED,
        {
            "learner": "ftrl",
            "rates": "global",
            "l1": 0.1,
            "features": plan.TARGET | plan.REFERRER | plan.PROPERTIES,
            "tau": 0.5,
            "epsilon": 0.17,
            "similar": 0.5,
            "head": 0.0,
            "hashes": 1 << 18,
        },
    ),
    Policy(
        "ldspider",
        "Linked Data: breadth first, without URIs whose extension or Content-Type is not that of RDF",
        plan.BY_CONTEXT,
        plan.BEST,
        ("head",),
        {"head": 0.1},
    ),
    _explorer("nh-n", "the node that the best pages link to", aggregate="sum"),
    _explorer("nh-e", "the node that the best links lead to", aggregate="sum"),
    _explorer("nh-ne", "the node with the highest page score · link score", aggregate="sum"),
    _explorer("lnh-sum", "a linear model of these three, summed over a node's links; learned while crawling"),
    _explorer("lnh-max", "the same with their maxima"),
    _explorer("lnh-avg", "the same with their means"),
    _explorer(
        "hybrid",
        "scored links first for 500 choices, then a linear model; learned while crawling",
        aggregate="root",
        switch=500,
    ),
    _explorer("ensemble", "several of these; the one whose choices were worth most lately is followed"),
    _explorer("opic", "the node with most cash, which pages divide among their links", weights="none"),
    _explorer(
        "navigational-rank",
        "scores that go up to the pages that lead to them, and down to the frontier",
        refresh=100,
    ),
    _explorer("steered-oracle", "the oracle as these are steered, by q, zeta and refresh; simulation only"),
]
POLICIES: dict[str, Policy] = {policy.name: policy for policy in _ALL}
DEFAULT = "sundog"


def find_policy(name: str) -> Policy:
    if name not in POLICIES:
        raise UsageError(f"unknown policy '{name}'{nearest_or_all(name, POLICIES)}")
    return POLICIES[name]


def check_parameters(texts: Mapping[str, Any], policies: Iterable[Policy]) -> None:
    """Every parameter must be readable and be known to at least one of the policies."""
    known = {name for policy in policies for name in policy.accepts}
    for name, text in texts.items():
        read_parameter(name, text) if name in PARAMETERS else None
        if name not in known:
            hint = _owners(name) or nearest(name, known) or f"; theirs are {', '.join(sorted(known)) or 'none'}"
            raise UsageError(f"parameter '{name}' is not one of the chosen policies'{hint}")


def _owners(name: str) -> str:
    """Which policies have the parameter, for those who chose others.

    >>> _owners("head"), _owners("decay"), _owners("no-such")
    ('; ldcoc and ldspider have it', '; naive-bayes, hoeffding-tree and 10 others have it', '')
    """
    *first, last = [policy.name for policy in _ALL if name in policy.accepts] or [""]
    if not last:
        return ""
    if len(first) > 2:
        first, last = first[:2], f"{len(first) - 1} others"
    return f"; {', '.join(first)} and {last} have it" if first else f"; {last} has it"


def make_plan(policy: Policy, parameters: Mapping[str, Any], budget: int) -> plan.Plan:
    """The policy in numbers; ``parameters`` are already read."""
    values = {**policy.defaults, **parameters}
    by_caller = values.get("learner") == "hoeffding-tree" and policy.estimator == plan.BY_LEARNER
    return plan.Plan(
        estimator=plan.BY_CALLER if by_caller else policy.estimator,
        strategy=policy.strategy,
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


__all__ = ["DEFAULT", "POLICIES", "Policy", "check_parameters", "find_policy", "make_plan", "read_parameters"]
