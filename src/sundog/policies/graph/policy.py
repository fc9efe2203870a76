"""A policy that explores a graph with scores: one estimator or several, and how its choices are steered."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sundog.policies.graph.designs import Design
from sundog.policies.policy import Policy

if TYPE_CHECKING:
    from sundog.policies.chooser import Setup
    from sundog.policies.graph.chooser import GraphChooser


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
