"""Several estimators on one frontier; the one whose choices were worth most lately is followed.

A node's reward is credited to every estimator that rated no other node higher when it was chosen, whoever chose
it: each learns what its own choice would have brought, so that little must be tried only to learn from it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from sundog.model import LinkBatch
from sundog.policies.chooser import Setup
from sundog.policies.graph import arrays, steps
from sundog.policies.graph.chooser import Estimator, GraphChooser
from sundog.policies.graph.designs import Design

MEMORY = 300  # choices after which a credit counts for 1/e: the frontier's rich parts come and go
PRIOR = 10.0  # credits that each has besides its own: of mean worth for the first, for the others of less
DOUBT = 0.8  # of the mean worth: a crawl of 100 choices is too short to try what is probably no better
CURIOSITY = 0.3  # standard errors that are added to a worth: without, one that nobody tried could never shine
LESSONS = 100  # choices before one that learns is followed: a model of few pages leads the crawl astray for long


class Credit:
    """
    >>> credit = Credit(2)
    >>> for _ in range(20):
    ...     credit.give([True, False], 3.0)
    ...     credit.give([False, True], 1.0)
    >>> credit.best([0, 1]), credit.worth(0) > 2 > credit.worth(1)
    (0, True)
    """

    def __init__(self, estimators: int, *, hope: float = 0.0) -> None:
        """``hope``: what a reward may be, as long as none has come; with 0 the first is then followed for good."""
        self._hope = hope
        self._count = [0.0] * estimators
        self._reward = [0.0] * estimators
        self._all, self._sum, self._squares = 0.0, 0.0, 0.0

    def give(self, agreed: Sequence[bool], reward: float) -> None:
        """The reward of a node; ``agreed``: who would have chosen it."""
        fade = 1.0 - 1.0 / MEMORY
        self._count = [fade * count + agrees for count, agrees in zip(self._count, agreed, strict=True)]
        self._reward = [fade * total + reward * agrees for total, agrees in zip(self._reward, agreed, strict=True)]
        self._all = fade * self._all + 1.0
        self._sum = fade * self._sum + reward
        self._squares = fade * self._squares + reward * reward

    def worth(self, estimator: int) -> float:
        """What a choice of this estimator brings, shrunk to what is expected of it: the first is the favourite."""
        mean = self._sum / self._all if self._all else 0.0
        expected = mean if estimator == 0 else DOUBT * mean
        return (self._reward[estimator] + PRIOR * expected) / (self._count[estimator] + PRIOR)

    def best(self, ready: Sequence[int]) -> int:
        """The first of the best of these: who stands first is followed until something is known."""
        deviation = self._deviation()
        hopes = [
            self.worth(estimator) + CURIOSITY * deviation / math.sqrt(self._count[estimator] + 1.0)
            for estimator in ready
        ]
        return ready[hopes.index(max(hopes))]

    def _deviation(self) -> float:
        """Of all rewards, and of the one that is hoped for."""
        hoped = self._hope * self._hope / (self._all + 1.0)
        if not self._all:
            return self._hope
        mean = self._sum / self._all
        return math.sqrt(max(self._squares / self._all - mean * mean, 0.0) + hoped)


class EnsembleChooser(GraphChooser):
    def __init__(self, designs: Sequence[Design], values: Mapping[str, Any], setup: Setup) -> None:
        super().__init__(designs, values, setup)
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
        if self._graph.totals.item(arrays.AWAKE) == 0:
            return -1
        best = self.nominees()
        followed = self.followed
        estimator = self.estimators[followed]
        node = best[followed] if self._q == 1.0 else steps.choose(estimator.state, self._q, self._zeta)
        steps.explain(estimator.state, node, self._propensity)
        self._agreed[node] = self.take(node, best)
        return node

    def nominees(self) -> list[int]:
        """What each estimator would choose now; some host is awake."""
        best = self._nominees(refreshed=self._graph.totals.item(arrays.SINCE_REFRESH) >= self._every)
        if best[0] < 0:  # all that is awake was found since the last refresh
            best = self._nominees(refreshed=True)
        return best

    def take(self, node: int, best: Sequence[int]) -> list[bool]:
        """Lease a node that is chosen; who rates it no lower than the own nominee."""
        self._graph.totals[arrays.SINCE_REFRESH] += 1
        self._graph.totals[arrays.CHOICES] += 1
        agreed = [each.take_out(node, own) for each, own in zip(self.estimators, best, strict=True)]
        steps.lease(self._state, node)
        return agreed

    def _nominees(self, *, refreshed: bool) -> list[int]:
        """All are -1, or none."""
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
