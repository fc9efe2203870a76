"""One estimator of a crawl: its design, its ranking of the frontier, and what its regression has learned."""

from __future__ import annotations

from typing import Any

import numpy as np

from sundog._jit import for_types_of
from sundog.policies.graph import steps
from sundog.policies.graph.arrays import Graph
from sundog.policies.graph.designs import Design
from sundog.policies.graph.ranking import LOOKS, grown_ranking, new_ranking
from sundog.policies.graph.state import build_graph_state


class Estimator:
    def __init__(self, design: Design) -> None:
        self.design = design
        self.ranking = new_ranking(design.kind, design.mask)
        self._begun = False

    def hand_over(self, graph: Graph, rng: Any, parts: Any) -> None:
        """Give the kernels the arrays, some of which have been replaced by larger ones."""
        table = self.ranking.table
        self.ranking = grown_ranking(self.ranking, len(graph.nodes), len(graph.hosts))
        self.state = build_graph_state(graph, self.ranking, rng, parts)
        if self.ranking.table is not table:
            steps.enter_all_classes(self.state)
        self._next = for_types_of(steps.next_node, self.state, 1, 0, 1.0, 0.0)
        self._nominate = for_types_of(steps.nominate, self.state, True, True)
        self._part_with = for_types_of(steps.part_with, self.state, 0, 0)
        self._teach = for_types_of(steps.teach, self.state, 0, 1.0)
        if not self._begun:
            self._begun = True
            steps.set_coefficients(self.state, np.array(self.design.begin))

    @property
    def looks(self) -> int:
        """Classes whose score was looked at so far: the work of choices."""
        return int(self.ranking.totals[LOOKS])

    def next(self, every: int, q: float, zeta: float) -> int:
        """Lease a node, if this is a crawl's only estimator."""
        node: int = self._next(self.state, every, self.design.switch, q, zeta)
        return node

    def nominate(self, refreshed: bool, choices: int) -> int:
        """The best node by the ranking as it is, or ``refreshed`` as it is after so many choices; -1 for none."""
        node: int = self._nominate(self.state, refreshed, choices >= self.design.switch)
        return node

    def part_with(self, node: int, best: int) -> bool:
        """Take out a node that is chosen; whether it is rated no lower than the best."""
        agreed: bool = self._part_with(self.state, node, best)
        return agreed

    def learn(self, node: int, reward: float) -> None:
        if self.design.fits:
            self._teach(self.state, node, reward)
