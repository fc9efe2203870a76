"""The policies of Linked Data by name."""

from __future__ import annotations

from sundog.policies.linked.policy import LinkedPolicy
from sundog.policies.parameters import PROPERTIES, REFERRER, TARGET

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
