"""The policies of hosts by name: each an estimator, a strategy and the parameters it starts from."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

from sundog.policies.hosts import plan
from sundog.policies.hosts.policy import HostPolicy
from sundog.policies.parameters import LINK, PARENTS, PATH, URL

LEARNED = ("learner", "features", "hashes", "rate", "pretrain", "frozen", "fresh")
BANDIT = ("lambda", "decay", *LEARNED)
# As in the paper, a page is rated once, when it is found; ``fresh=true`` re-evaluates it before it wins.
PAPER = MappingProxyType({"learner": "naive-bayes", "features": URL | PARENTS, "hashes": 10_000, "fresh": False})


def _bandit(name: str, strategy: int, summary: str, **defaults: Any) -> HostPolicy:
    """The paper's learner and features, and all parameters of bandits."""
    return HostPolicy(
        name=name,
        summary=summary,
        estimator=plan.BY_LEARNER,
        strategy=strategy,
        accepts=BANDIT,
        defaults={**PAPER, **defaults},
        has_classifier=True,
    )


def _classifier(learner: str, summary: str) -> HostPolicy:
    return _bandit(learner, plan.BEST, summary, learner=learner)


POLICIES = (
    HostPolicy(
        name="sundog",
        summary="ours: a classifier, shrunk along hosts and page templates, "
        "exploring as far as the budget makes it pay",
        estimator=plan.BY_ODDS,
        strategy=plan.SHRUNK,
        accepts=("classifier", "host", "group", "fresh", "explore", "hashes", "rate", "pretrain"),
        defaults={"learner": "ftrl", "features": PATH | LINK, "hashes": 1 << 18, "rate": 0.1},
        has_classifier=True,
    ),
    HostPolicy(
        name="bfs",
        summary="breadth first: in order of discovery",
        estimator=plan.BY_ORDER,
        strategy=plan.BEST,
    ),
    HostPolicy(
        name="random",
        summary="a uniform random host, then a uniform random page of it",
        estimator=plan.BY_ORDER,
        strategy=plan.UNIFORM,
    ),
    HostPolicy(
        name="oracle",
        summary="greedy with foresight of each page's reward; simulation only",
        estimator=plan.BY_CALLER,
        strategy=plan.BEST,
        foresees=True,
    ),
    _classifier("naive-bayes", "the page that an online Naive Bayes classifier rates best"),
    _classifier("hoeffding-tree", "the same with an online Hoeffding tree"),
    _classifier("ftrl", "the same with FTRL-proximal logistic regression"),
    _classifier("logistic", "the same with plain logistic regression"),
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
)
