"""Several estimators on one frontier; the one with most credit is followed."""

from __future__ import annotations

from typing import Any

from sundog.model import LinkBatch
from sundog.policies.chooser import Source
from sundog.policies.graph import arrays, steps
from sundog.policies.graph.chooser import GraphChooser
from sundog.policies.graph.credit import Credit
from sundog.policies.graph.estimator import Estimator
from sundog.policies.presets import Policy

LESSONS = 100  # choices before one that learns is followed: a model of few pages leads the crawl astray for long


class EnsembleChooser(GraphChooser):
    def __init__(self, policy: Policy, values: dict[str, Any], source: Source, *, seed: int) -> None:
        super().__init__(policy, values, source, seed=seed)
        self.credit = Credit(len(self.estimators))
        self._all = range(len(self.estimators))
        self._ready = [place for place in self._all if not self.estimators[place].design.fits]
        self._agreed: dict[int, list[bool]] = {}  # for each node in flight: who would have chosen it

    @property
    def followed(self) -> int:
        """Which of the estimators is followed now."""
        learned = self._graph.totals.item(arrays.CHOICES) >= LESSONS
        return self.credit.best(self._all if learned else self._ready)

    @property
    def _followed(self) -> Estimator:
        return self.estimators[self.followed]

    def choose(self) -> int:
        totals = self._graph.totals
        if totals.item(arrays.AWAKE) == 0:
            return -1
        best = self._nominees(refreshed=totals.item(arrays.SINCE_REFRESH) >= self._every)
        if best[0] < 0:  # all that is awake was found since the last refresh
            best = self._nominees(refreshed=True)
        followed = self.followed
        estimator = self.estimators[followed]
        node = best[followed] if self._q == 1.0 else steps.choose(estimator.state, self._q, self._zeta)
        steps.tell(estimator.state, node, self._propensity)
        totals[arrays.SINCE_REFRESH] += 1
        totals[arrays.CHOICES] += 1
        self._agreed[node] = [each.part_with(node, own) for each, own in zip(self.estimators, best, strict=True)]
        steps.lease(self._state, node)
        return node

    def _nominees(self, *, refreshed: bool) -> list[int]:
        """What each estimator would choose; all are -1, or none."""
        choices = self._graph.totals.item(arrays.CHOICES)
        best = [estimator.nominate(refreshed, choices) for estimator in self.estimators]
        if refreshed:
            steps.clear_changed(self._state)
            self._graph.totals[arrays.SINCE_REFRESH] = 0
        return best

    def take_in(self, candidate: int, reward: float, links: LinkBatch) -> int:
        new = super().take_in(candidate, reward, links)
        if candidate in self._agreed:
            self.credit.give(self._agreed.pop(candidate), reward)
        return new

    def drop(self, candidate: int) -> None:
        super().drop(candidate)
        self._agreed.pop(candidate, None)

    def give_back(self, candidate: int) -> None:
        super().give_back(candidate)
        self._agreed.pop(candidate, None)
