"""Designs of estimators: which features, and where the coefficients come from. Kernels see them as numbers."""

from __future__ import annotations

from dataclasses import dataclass, replace

from sundog.policies import parameters

# what a node's features are made of
SUM, AVG, MAX, NORM, ROOT, ROOT_SUM, ROOT_AVG, CASH, RANK = range(9)
NODES, EDGES, PRODUCTS = 1, 2, 4  # which of the three count, a bit each
EVEN, BY_EDGE, BY_NODE, BY_BOTH = range(4)  # how a page's cash is divided among its links

AGGREGATES = dict(zip(parameters.AGGREGATES, (SUM, AVG, MAX, NORM, ROOT), strict=True))
LINEAR = {**AGGREGATES, "root": ROOT_SUM, "root-avg": ROOT_AVG}  # a linear one can weigh f_n in two ways
WEIGHTS = dict(zip(parameters.CASH_WEIGHTS, (EVEN, BY_EDGE, BY_NODE, BY_BOTH), strict=True))
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


def papers_hybrid(feature: str, aggregate: str, switch: int) -> Design:
    """A neighbourhood estimator of one feature, then the linear one of the same aggregate."""
    begin = (float(feature == "n"), float(feature == "e"), float(feature == "ne"), 0.0)
    return Design(AGGREGATES[aggregate], ALL, begin, switch)


def hybrid(aggregate: str, switch: int) -> Design:
    """One ranking for both: a neighbourhood estimator is a linear one with given coefficients."""
    return replace(scored_links_first(aggregate), switch=switch)
