"""Explores a graph with scores: takes the node that an estimator rates best, and tells it what came of it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from sundog.errors import SundogError
from sundog.frontier.rng import new_rng
from sundog.model import LinkBatch
from sundog.policies.chooser import PARTS, Source
from sundog.policies.graph import arrays, steps
from sundog.policies.graph.designs import WEIGHTS, designs_of
from sundog.policies.graph.estimator import Estimator
from sundog.policies.graph.navigation import Navigation, add_page, grown_navigation, new_navigation, sweep
from sundog.policies.presets import Policy

NO_SCORES = np.empty(0)


class GraphChooser:
    """``values`` are the policy's parameters. Between two refreshes nodes are ranked as they were at the first."""

    def __init__(self, policy: Policy, values: dict[str, Any], source: Source, *, seed: int) -> None:
        self.policy, self.source = policy, source
        self.parts = np.zeros(PARTS)
        self._q, self._zeta, self._every = values["q"], values["zeta"], values["refresh"]
        self._weights = WEIGHTS[values.get("weights", "none")]
        self._rng = new_rng(seed)
        self.estimators = [Estimator(design) for design in designs_of(policy.name, values)]
        self._navigation: Navigation | None = new_navigation() if policy.name == "navigational-rank" else None
        self._graph = arrays.new_graph()
        self._graph.totals[arrays.SINCE_REFRESH] = self._every
        self._facts = source.facts
        self.grow()

    # -- what is known -------------------------------------------------------------------------

    @property
    def queued(self) -> int:
        return int(self._graph.totals[arrays.QUEUED_TOTAL])

    @property
    def hosts_found(self) -> int:
        return int(self._graph.totals[arrays.HOSTS_FOUND])

    @property
    def spent(self) -> float:
        return 0.0

    def estimate(self, candidates: Any) -> Any:
        ids = np.asarray(candidates, np.int32)
        out = np.empty(len(ids))
        steps.present_scores(self._followed.state, ids, out)
        return out

    def explain(self, candidate: int) -> None:
        steps.tell(self._followed.state, candidate, self._propensity)

    def worth(self, host: int) -> float:
        """Nodes are not kept by host, so that a host's best is not known."""
        return math.nan

    @property
    def _followed(self) -> Estimator:
        return self.estimators[0]

    @property
    def _propensity(self) -> float:
        """Of altered greedy it is not told: how many are nearly best takes long to count."""
        return 1.0 if self._q == 1.0 else math.nan

    # -- candidates come, are leased, and end ----------------------------------------------------

    def choose(self) -> int:
        if self._navigation and self._must_refresh():
            sweep(self._state, self._navigation)
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
        if steps.sleep(self._state, host, asleep) and not asleep:
            for estimator in self.estimators:
                steps.call_back(estimator.state, host)

    def extend(self, budget: int) -> None:
        """Estimators of graphs do not look at the budget."""

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
        for estimator in self.estimators:
            estimator.hand_over(graph, self._rng, self.parts)
        self._state = self.estimators[0].state
        self.state_of = graph.nodes["state"].item
