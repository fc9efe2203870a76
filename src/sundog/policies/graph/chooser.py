"""Explores a graph with scores: takes the node that an estimator rates best, and lets it learn from what came."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from sundog._jit import for_types_of
from sundog.errors import SundogError
from sundog.frontier.rng import new_rng
from sundog.model import LinkBatch
from sundog.policies.chooser import PARTS, Chooser, Setup
from sundog.policies.graph import arrays, steps
from sundog.policies.graph.arrays import Graph
from sundog.policies.graph.designs import WEIGHTS, Design
from sundog.policies.graph.navigation import Navigation, add_page, grown_navigation, new_navigation, sweep
from sundog.policies.graph.ranking import grown_ranking, new_ranking
from sundog.policies.graph.steps import build_graph_state

NO_SCORES = np.empty(0)


class Estimator:
    """Its design, its ranking of the frontier, and what its regression has learned."""

    def __init__(self, design: Design) -> None:
        self.design = design
        self.ranking = new_ranking(design.kind, design.mask)
        self._begun = False

    def __getstate__(self) -> dict[str, Any]:
        """Without what ``hand_over`` makes."""
        return {"design": self.design, "ranking": self.ranking, "_begun": self._begun}

    def hand_over(self, graph: Graph, rng: Any, parts: Any) -> None:
        """Hand the arrays to the kernels anew, for some of them have been replaced by larger ones."""
        table = self.ranking.table
        self.ranking = grown_ranking(self.ranking, len(graph.nodes), len(graph.hosts))
        self.state = build_graph_state(graph, self.ranking, rng, parts)
        if self.ranking.table is not table:
            steps.enter_all_classes(self.state)
        self._next = for_types_of(steps.next_node, self.state, 1, 0, 1.0, 0.0)
        self._nominate = for_types_of(steps.nominate, self.state, True, True)
        self._take_out = for_types_of(steps.take_out, self.state, 0, 0)
        self._teach = for_types_of(steps.teach, self.state, 0, 1.0)
        if not self._begun:
            self._begun = True
            steps.set_coefficients(self.state, np.array(self.design.begin))

    def next(self, every: int, q: float, zeta: float) -> int:
        """Lease a node, if this is a crawl's only estimator."""
        node: int = self._next(self.state, every, self.design.switch, q, zeta)
        return node

    def nominate(self, refreshed: bool, choices: int) -> int:
        """The best node by the ranking as it is, or ``refreshed`` as it is after so many choices; -1 for none."""
        node: int = self._nominate(self.state, refreshed, choices >= self.design.switch)
        return node

    def take_out(self, node: int, best: int) -> bool:
        """Take out a node that is chosen; whether it is rated no lower than the best."""
        agreed: bool = self._take_out(self.state, node, best)
        return agreed

    def scores(self, nodes: Any) -> Any:
        """As they are now."""
        out = np.empty(len(nodes))
        steps.present_scores(self.state, nodes, out)
        return out

    def learn(self, node: int, reward: float) -> None:
        if self.design.fits:
            self._teach(self.state, node, reward)


class GraphChooser(Chooser):
    """``values`` are the policy's parameters. Between two refreshes nodes are ranked as they were at the first."""

    not_saved = frozenset({"state_of", "_state"})

    def __init__(
        self, designs: Sequence[Design], values: Mapping[str, Any], setup: Setup, *, navigates: bool = False
    ) -> None:
        self.source = setup.source
        self.parts = np.zeros(PARTS)
        self._q, self._zeta, self._every = values["q"], values["zeta"], values["refresh"]
        self._weights = WEIGHTS[values.get("weights", "none")]
        self._rng = new_rng(setup.seed)
        self.estimators = [Estimator(design) for design in designs]
        self._navigation: Navigation | None = new_navigation() if navigates else None
        self._own_share = values.get("d", 0.5)
        self._graph = arrays.new_graph()
        self._graph.totals[arrays.SINCE_REFRESH] = self._every
        self._facts = self.source.facts
        self.grow()

    # -- what is known -------------------------------------------------------------------------

    @property
    def graph(self) -> Graph:
        """What is known of all nodes; another object when its arrays have been replaced by larger ones."""
        return self._graph

    @property
    def queued(self) -> int:
        return int(self._graph.totals[arrays.QUEUED_TOTAL])

    @property
    def hosts_found(self) -> int:
        return int(self._graph.totals[arrays.HOSTS_FOUND])

    def estimate(self, candidates: Any) -> Any:
        return self._followed.scores(np.asarray(candidates, np.int32))

    def explain(self, candidate: int) -> None:
        steps.explain(self._followed.state, candidate, self._propensity)

    @property
    def _followed(self) -> Estimator:
        return self.estimators[0]

    @property
    def _propensity(self) -> float:
        """Unknown for altered greedy: how many are nearly best takes long to count."""
        return 1.0 if self._q == 1.0 else math.nan

    # -- candidates come, are leased, and end ----------------------------------------------------

    def choose(self) -> int:
        if self._navigation and self._must_refresh():
            sweep(self._state, self._navigation, self._own_share)
        return self.estimators[0].next(self._every, self._q, self._zeta)

    def _must_refresh(self) -> bool:
        """It is time, or all that is awake was found since the last refresh."""
        since = self._graph.totals.item(arrays.SINCE_REFRESH)
        return since >= self._every or steps.choose(self._state, 1.0, 0.0) < 0

    def lease(self, candidate: int, *, counts: bool) -> None:
        for estimator in self.estimators:
            steps.unrank(estimator.state, candidate)
        steps.lease(self._state, candidate)
        self._graph.totals[arrays.CHOICES] += counts

    def drop(self, candidate: int) -> None:
        steps.drop(self._state, candidate)
        self._graph.totals[arrays.CHOICES] -= 1

    def give_back(self, candidate: int) -> None:
        steps.give_back(self._state, candidate)
        for estimator in self.estimators:
            steps.rank_again(estimator.state, candidate)
        self._graph.totals[arrays.CHOICES] -= 1

    def set_asleep(self, host: int, asleep: bool) -> None:
        if steps.set_asleep(self._state, host, asleep) and not asleep:
            for estimator in self.estimators:
                steps.rank_woken(estimator.state, host)

    def take_in(self, candidate: int, reward: float, links: LinkBatch) -> int:
        self._make_room(links)
        scores = links.scores if len(links.scores) else NO_SCORES
        new = steps.take_in(self._state, self._facts.host, candidate, reward, links.targets, scores, self._weights)
        if new < 0:
            target, score = int(links.targets[-1 - new]), scores[-1 - new]
            url = self.source.url(target)
            raise SundogError(f"a link to {url} has a score of {score}: scores are numbers from 0 on")
        if self._navigation:
            links_merged = self._graph.totals.item(arrays.LINKS)
            self._navigation = grown_navigation(self._navigation, len(self._graph.nodes), links_merged)
            add_page(self._state, self._navigation, candidate, reward, links_merged)
        for estimator in self.estimators:
            estimator.learn(candidate, reward)
        return int(new)

    def offer(self, parent: int, links: LinkBatch) -> int:
        return int(steps.add_seeds(self._state, self._facts.host, links.targets))

    # -- arrays ----------------------------------------------------------------------------------

    def grow(self) -> None:
        self._facts = self.source.facts
        self._hand_over(arrays.grown_graph(self._graph, self.source.size, self.source.hosts))

    def _make_room(self, links: LinkBatch) -> None:
        if len(links.targets) > len(self._graph.targets):
            self._hand_over(arrays.grown_graph(self._graph, 0, 0, len(links.targets)))

    def _hand_over(self, graph: arrays.Graph) -> None:
        if graph is self._graph:
            return
        self._graph = graph
        self.restored()

    def restored(self) -> None:
        for estimator in self.estimators:
            estimator.hand_over(self._graph, self._rng, self.parts)
        self._state = self.estimators[0].state
        self.state_of = self._graph.nodes["state"].item


class OracleChooser(GraphChooser):
    """The oracle, steered as the estimators are, to see what steering costs.

    It knows every node's score, and ranks a node once a page has led there.
    """

    def __init__(self, designs: Sequence[Design], values: Mapping[str, Any], setup: Setup) -> None:
        super().__init__(designs, values, setup)
        self._graph.nodes["rank"][: len(setup.truth)] = setup.truth
