"""The policies of Linked Data by name: URIs in order of discovery, let through by a rule or a classifier."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sundog.policies.parameters import CROSSES, PROPERTIES, REFERRER, TARGET
from sundog.policies.policy import Policy

if TYPE_CHECKING:
    from sundog.policies.chooser import Setup
    from sundog.policies.linked.chooser import LinkedChooser


@dataclass(frozen=True, kw_only=True)
class LinkedPolicy(Policy):
    prefers_rdf: bool = True
    by_rule: bool = False  # extension and Content-Type decide; there is no model

    def new_chooser(self, values: Mapping[str, Any], setup: Setup) -> LinkedChooser:
        from sundog.policies.linked.chooser import LinkedChooser  # loads kernels

        asks = values["head"] != self.defaults["head"]
        return LinkedChooser(values, setup, name=self.name, by_rule=self.by_rule, must_ask_head=asks)

    @property
    def kernels_like(self) -> str:
        return "ldcoc"

    def compares_siblings(self, values: Mapping[str, Any]) -> bool:
        return bool({**self.defaults, **values}.get("features", 0) & CROSSES)


POLICIES = (
    LinkedPolicy(
        name="ldcoc",
        summary="Linked Data: URIs that an online classifier predicts to lead to RDF, and a share of the others",
        accepts=(
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
        ),
        defaults={
            "learner": "ftrl",
            "rates": "global",
            "l1": 0.1,
            "features": TARGET | REFERRER | PROPERTIES,
            "tau": 0.5,
            "epsilon": 0.17,
            "similar": 0.5,
            "head": 0.0,
            "hashes": 1 << 18,
        },
        has_classifier=True,
    ),
    LinkedPolicy(
        name="ldspider",
        summary="Linked Data: breadth first, without URIs whose extension or Content-Type is not that of RDF",
        accepts=("head",),
        defaults={"head": 0.1},
        by_rule=True,
    ),
)
