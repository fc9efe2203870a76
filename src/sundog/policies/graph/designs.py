"""The estimators by name: which features, and where the coefficients come from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sundog.policies.graph.links import BY_BOTH, BY_EDGE, BY_NODE, EVEN
from sundog.policies.graph.ranking import AVG, CASH, EDGES, MAX, NODES, PRODUCTS, RANK, SUM

AGGREGATES = {"sum": SUM, "avg": AVG, "max": MAX}
WEIGHTS = {"none": EVEN, "edge": BY_EDGE, "node": BY_NODE, "both": BY_BOTH}
FEATURES = {"n": NODES, "e": EDGES, "ne": PRODUCTS}
ALL = NODES | EDGES | PRODUCTS


@dataclass(frozen=True)
class Design:
    """``begin`` are the coefficients for the first ``switch`` choices; the regression's follow, if it ``fits``."""

    kind: int
    mask: int = NODES
    begin: tuple[float, float, float, float] = (1.0, 1.0, 1.0, 0.0)
    fits: bool = False
    switch: int = 0


def neighbourhood(feature: str, aggregate: str) -> Design:
    return Design(AGGREGATES[aggregate], FEATURES[feature])


def linear(aggregate: str) -> Design:
    return Design(AGGREGATES[aggregate], ALL, fits=True)


def hybrid(aggregate: str, switch: int) -> Design:
    """One ranking for both: a neighbourhood estimator is a linear one with a single coefficient."""
    return Design(AGGREGATES[aggregate], ALL, (0.0, 0.0, 1.0, 0.0), fits=True, switch=switch)


def designs_of(policy: str, values: Mapping[str, Any]) -> list[Design]:
    """The estimators that a policy runs."""
    family, _, which = policy.partition("-")
    if family == "nh":
        return [neighbourhood(which, values["aggregate"])]
    if family == "lnh":
        return [linear(which)]
    if policy == "hybrid":
        return [hybrid(values["aggregate"], values["switch"])]
    if policy == "opic":
        return [Design(CASH)]
    return [Design(RANK)]
