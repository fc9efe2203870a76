"""Which of several estimators to follow: the one whose choices were worth most lately.

A node's reward is credited to every estimator that rated no other node higher when it was chosen, whoever chose
it: each learns what its own choice would have brought, so that little must be tried only to learn from it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

MEMORY = 300  # choices after which a credit counts for 1/e: the frontier's rich parts come and go
PRIOR = 10.0  # credits that each has besides its own: of mean worth for the first, for the others of less
DOUBT = 0.8  # of the mean worth: a crawl of 100 choices is too short to try what is probably no better
CURIOSITY = 0.3  # standard errors that are added to a worth: without, one that nobody tried could never shine


class Credit:
    """
    >>> credit = Credit(2)
    >>> for _ in range(20):
    ...     credit.give([True, False], 3.0)
    ...     credit.give([False, True], 1.0)
    >>> credit.best([0, 1]), credit.worth(0) > 2 > credit.worth(1)
    (0, True)
    """

    def __init__(self, estimators: int) -> None:
        self._count = [0.0] * estimators
        self._reward = [0.0] * estimators
        self._all, self._sum, self._squares = 0.0, 0.0, 0.0

    def give(self, agreed: Sequence[bool], reward: float) -> None:
        """The reward of a node; ``agreed``: who would have chosen it."""
        fade = 1.0 - 1.0 / MEMORY
        self._count = [fade * count + said for count, said in zip(self._count, agreed, strict=True)]
        self._reward = [fade * total + reward * said for total, said in zip(self._reward, agreed, strict=True)]
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
        """Of all rewards."""
        if not self._all:
            return 0.0
        mean = self._sum / self._all
        return math.sqrt(max(self._squares / self._all - mean * mean, 0.0))
