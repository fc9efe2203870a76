"""The policies of scored graphs by name: one estimator or several, and how their choices are steered."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from sundog.policies.graph.designs import (
    CASH,
    RANK,
    Design,
    hybrid,
    linear,
    neighbourhood,
    papers_hybrid,
    scored_links_first,
)
from sundog.policies.policy import Policy

if TYPE_CHECKING:
    from sundog.policies.chooser import Setup
    from sundog.policies.graph.chooser import GraphChooser

STEERING = MappingProxyType({"q": 1.0, "zeta": 0.1, "refresh": 1})


@dataclass(frozen=True, kw_only=True)
class GraphPolicy(Policy):
    """``designs`` gives the estimators for the policy's parameters; of several the most successful is followed."""

    designs: Callable[[Mapping[str, Any]], Sequence[Design]]
    navigates: bool = False  # navigational rank is computed
    reads_link_scores: bool = True

    def new_chooser(self, values: Mapping[str, Any], setup: Setup) -> GraphChooser:
        from sundog.policies.graph.chooser import GraphChooser, OracleChooser  # loads kernels
        from sundog.policies.graph.ensemble import EnsembleChooser

        designs = self.designs(values)
        if self.foresees:
            return OracleChooser(designs, values, setup)
        if len(designs) > 1:
            return EnsembleChooser(designs, values, setup)
        return GraphChooser(designs, values, setup, navigates=self.navigates)

    @property
    def kernels_like(self) -> str:
        return self.name


def _explorer(
    name: str,
    summary: str,
    designs: Callable[[Mapping[str, Any]], Sequence[Design]],
    *,
    foresees: bool = False,
    navigates: bool = False,
    **defaults: Any,
) -> GraphPolicy:
    values = {**STEERING, **defaults}
    return GraphPolicy(
        name=name,
        summary=summary,
        accepts=tuple(values),
        defaults=values,
        designs=designs,
        foresees=foresees,
        navigates=navigates,
    )


def _neighbourhood(feature: str) -> Callable[[Mapping[str, Any]], Sequence[Design]]:
    return lambda values: [neighbourhood(feature, values["aggregate"])]


POLICIES = (
    _explorer("nh-n", "the node that the best pages link to", _neighbourhood("n"), aggregate="sum"),
    _explorer("nh-e", "the node that the best links lead to", _neighbourhood("e"), aggregate="sum"),
    _explorer("nh-ne", "the node with the highest page score · link score", _neighbourhood("ne"), aggregate="sum"),
    _explorer(
        "lnh-sum",
        "a linear model of these three, summed over a node's links; learned while crawling",
        lambda _: [linear("sum")],
    ),
    _explorer("lnh-max", "the same with their maxima", lambda _: [linear("max")]),
    _explorer("lnh-avg", "the same with their means", lambda _: [linear("avg")]),
    _explorer(
        "hybrid",
        "scored links first for 500 choices, then a linear model; learned while crawling",
        lambda values: [hybrid(values["aggregate"], values["switch"])],
        aggregate="root",
        switch=500,
    ),
    _explorer(
        "hybrid-paper",
        "the paper's hybrid: nh-ne for 1,000 choices, then lnh-sum",
        lambda values: [papers_hybrid(values["first"], values["aggregate"], values["switch"])],
        first="ne",
        aggregate="sum",
        switch=1_000,
    ),
    _explorer(
        "ensemble",
        "several of these; the one whose choices were worth most lately is followed",
        lambda _: [
            scored_links_first("root"),
            neighbourhood("n", "sum"),
            neighbourhood("e", "sum"),
            neighbourhood("n", "root"),
            linear("root"),
            linear("root-avg"),
            linear("avg"),
        ],
    ),
    _explorer(
        "opic",
        "the node with most cash, which pages divide among their links",
        lambda _: [Design(CASH)],
        weights="none",
    ),
    _explorer(
        "navigational-rank",
        "scores that go up to the pages that lead to them, and down to the frontier",
        lambda _: [Design(RANK)],
        navigates=True,
        refresh=100,
        d=0.5,
    ),
    _explorer(
        "steered-oracle",
        "the oracle as these are steered, by q, zeta and refresh; simulation only",
        lambda _: [Design(RANK)],
        foresees=True,
    ),
)
