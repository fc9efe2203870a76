"""Published adaptive crawlers by name, with their authors' parameters."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

from sundog.policies.parameters import LINK
from sundog.policies.policy import Policy

if TYPE_CHECKING:
    from sundog.policies.chooser import Chooser, Setup


@dataclass(frozen=True, kw_only=True)
class PublishedPolicy(Policy):
    chooser: str  # module and class, which are loaded when a crawl begins

    def new_chooser(self, values: Mapping[str, Any], setup: Setup) -> Chooser:
        module, name = self.chooser.split(":")
        made: Chooser = getattr(import_module(f"sundog.policies.published.{module}"), name)(values, setup)
        return made

    @property
    def kernels_like(self) -> str:
        return self.name


POLICIES = (
    PublishedPolicy(
        name="sb-classifier",
        summary="SB-CLASSIFIER: a bandit over groups of tag paths; pages whose URLs look wanted at once",
        chooser="sb_classifier:SbClassifier",
        accepts=("alpha", "similarity"),
        defaults={"alpha": 2 * math.sqrt(2), "similarity": 0.75},
    ),
    PublishedPolicy(
        name="tp-off",
        summary="its variant TP-OFF: breadth first, then the groups of tag paths that led to most",
        chooser="sb_classifier:TpOff",
        accepts=("phase", "similarity"),
        defaults={"phase": 3000, "similarity": 0.75},
    ),
    PublishedPolicy(
        name="q-learning",
        summary="deep-deep: linear double Q-learning on the texts of links, with replay",
        chooser="q_learning:QLearning",
        accepts=("features", "gamma", "epsilon", "replay"),
        defaults={"features": LINK, "gamma": 0.4, "epsilon": 0.2, "replay": 300},
    ),
    PublishedPolicy(
        name="batch-classifier",
        summary="as in ACHE: a link classifier that is trained anew every 500 pages",
        chooser="batch_classifier:BatchClassifier",
        accepts=("retrain",),
        defaults={"retrain": 500},
    ),
)
