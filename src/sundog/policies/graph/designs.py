"""The estimators by name: which features, and where the coefficients come from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from sundog.policies.graph.links import BY_BOTH, BY_EDGE, BY_NODE, EVEN
from sundog.policies.graph.ranking import (
    AVG,
    CASH,
    EDGES,
    MAX,
    NODES,
    NORM,
    PRODUCTS,
    RANK,
    ROOT,
    ROOT_AVG,
    ROOT_SUM,
    SUM,
)

AGGREGATES = {"sum": SUM, "avg": AVG, "max": MAX, "norm": NORM, "root": ROOT}
LINEAR = {**AGGREGATES, "root": ROOT_SUM, "root-avg": ROOT_AVG}  # a linear one can weigh f_n in two ways
WEIGHTS = {"none": EVEN, "edge": BY_EDGE, "node": BY_NODE, "both": BY_BOTH}
FEATURES = {"n": NODES, "e": EDGES, "ne": PRODUCTS}
ALL = NODES | EDGES | PRODUCTS
NEVER = 1 << 62


@dataclass(frozen=True)
class Design:
    """``begin`` are the coefficients for the first ``switch`` choices; then those of the regression count."""

    kind: int
    mask: int = NODES
    begin: tuple[float, float, float, float] = (1.0, 1.0, 1.0, 0.0)
    switch: int = NEVER

    @property
    def fits(self) -> bool:
        """Whether there is something to learn."""
        return self.switch < NEVER


def neighbourhood(feature: str, aggregate: str) -> Design:
    return Design(AGGREGATES[aggregate], FEATURES[feature])


def linear(aggregate: str) -> Design:
    return Design(LINEAR[aggregate], ALL, switch=0)


def scored_links_first(aggregate: str) -> Design:
    """f_e + f_ne, and of equal ones the higher f_n: most links have no score."""
    third = 0.0 if aggregate == "root" else 1.0  # there f_e + f_ne is one feature, and the third is f_n again
    return Design(LINEAR[aggregate], ALL, (1e-9, 1.0, third, 0.0))


def hybrid(aggregate: str, switch: int) -> Design:
    """One ranking for both: a neighbourhood estimator is a linear one with given coefficients."""
    return replace(scored_links_first(aggregate), switch=switch)


def designs_of(policy: str, values: Mapping[str, Any]) -> list[Design]:
    """The estimators that a policy runs."""
    family, _, which = policy.partition("-")
    if family == "nh":
        return [neighbourhood(which, values["aggregate"])]
    if family == "lnh":
        return [linear(which)]
    if policy == "hybrid":
        return [hybrid(values["aggregate"], values["switch"])]
    if policy == "ensemble":
        return [
            scored_links_first("root"),
            neighbourhood("n", "sum"),
            neighbourhood("e", "sum"),
            neighbourhood("n", "root"),
            *map(linear, ("root", "root-avg", "avg")),
        ]
    if policy == "opic":
        return [Design(CASH)]
    return [Design(RANK)]
