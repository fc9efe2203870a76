"""The policies that choose among hosts, or among their page templates, by name: each an estimator, a strategy and
the parameters it starts from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from sundog.policies.hosts.plan import Estimator
from sundog.policies.hosts.strategies import BANDITS, best_score, random_host, success_rate, template_worth
from sundog.policies.hosts.strategy import Strategy
from sundog.policies.parameters import LINK, PARENTS, PATH, URL
from sundog.policies.policy import Policy

if TYPE_CHECKING:
    from sundog.policies.chooser import Setup
    from sundog.policies.hosts.chooser import HostChooser

LEARNED = ("learner", "features", "hashes", "rate", "pretrain", "frozen", "fresh")
BANDIT = ("lambda", "decay", *LEARNED)
# As in the paper, a page is rated once, when it is found; ``fresh=true`` re-evaluates it before it wins.
PAPER = MappingProxyType({"learner": "naive-bayes", "features": URL | PARENTS, "hashes": 10_000, "fresh": False})


@dataclass(frozen=True, kw_only=True)
class HostPolicy(Policy):
    estimator: Estimator
    strategy: Strategy

    def new_chooser(self, values: Mapping[str, Any], setup: Setup) -> HostChooser:
        from sundog.policies.hosts.chooser import HostChooser  # loads kernels
        from sundog.policies.mixed.chooser import MixedChooser

        kind = MixedChooser if self.strategy.arms == "templates" else HostChooser
        return kind(self.estimator, self.strategy, values, setup, name=self.name)

    @property
    def kernels_like(self) -> str:
        return "thompson" if self.strategy.samples else "success-rate"


def _bandit(name: str, strategy: Strategy, summary: str, **defaults: Any) -> HostPolicy:
    """The paper's learner and features, and all parameters of bandits."""
    return HostPolicy(
        name=name,
        summary=summary,
        estimator="learner",
        strategy=strategy,
        accepts=BANDIT,
        defaults={**PAPER, **defaults},
        has_classifier=True,
    )


def _classifier(learner: str, summary: str) -> HostPolicy:
    return _bandit(learner, best_score.STRATEGY, summary, learner=learner)


POLICIES = (
    HostPolicy(
        name="sundog",
        summary="ours: a classifier, shrunk along hosts and page templates, "
        "exploring as far as the budget makes it pay",
        estimator="odds",
        strategy=template_worth.STRATEGY,
        accepts=(
            *("classifier", "host", "group", "local", "ahead", "fresh", "explore", "neighbours"),
            *("hashes", "rate", "pretrain"),
        ),
        defaults={"learner": "ftrl", "features": PATH | LINK, "hashes": 1 << 18, "rate": 0.1},
        has_classifier=True,
    ),
    HostPolicy(
        name="bfs",
        summary="breadth first: in order of discovery",
        estimator="order",
        strategy=best_score.STRATEGY,
    ),
    HostPolicy(
        name="random",
        summary=random_host.STRATEGY.summary,
        estimator="order",
        strategy=random_host.STRATEGY,
    ),
    HostPolicy(
        name="oracle",
        summary="greedy with foresight of each page's reward; simulation only",
        estimator="truth",
        strategy=best_score.STRATEGY,
        foresees=True,
    ),
    _classifier("naive-bayes", "the page that an online Naive Bayes classifier rates best"),
    _classifier("hoeffding-tree", "the same with an online Hoeffding tree"),
    _classifier("ftrl", "the same with FTRL-proximal logistic regression"),
    _classifier("logistic", "the same with plain logistic regression"),
    *(_bandit(strategy.name, strategy, strategy.summary) for strategy in BANDITS),
    _bandit(
        "anthelion",
        success_rate.STRATEGY,
        "the paper's best: success-rate, a random host with λ = .5 decaying, m = 10,000",
        **{"lambda": 0.5, "decay": 10_000.0},
    ),
)
