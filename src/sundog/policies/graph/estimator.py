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

    def learn(self, node: int, reward: float) -> None:
        if self.design.fits:
            self._teach(self.state, node, reward)
