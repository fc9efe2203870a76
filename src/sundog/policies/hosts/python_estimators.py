"""Estimators that are not kernels: they score candidates in Python, a page's links at a time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np

from sundog.learn.hoeffding import HoeffdingTree


class PythonEstimator(Protocol):
    def scores(self, candidates: Any) -> Any: ...

    def learn(self, candidate: int, relevant: bool) -> None: ...


class Oracle:
    """Knows every page's reward beforehand; takes the best known page, the first found among equals."""

    def __init__(self, truth: Any) -> None:
        self._truth = truth

    def scores(self, candidates: Any) -> Any:
        return self._truth[candidates]

    def learn(self, candidate: int, relevant: bool) -> None:
        """There is nothing that an oracle could learn."""


class TreeEstimator:
    """A Hoeffding tree on the same feature indices that the kernels' learners use."""

    def __init__(self, features_of: Callable[[int], list[int]], *, frozen: bool = False) -> None:
        self._features_of, self._frozen = features_of, frozen
        self.tree = HoeffdingTree()

    def scores(self, candidates: Any) -> Any:
        return np.array([self.tree.predict(self._features_of(int(one))) for one in candidates], float)

    def learn(self, candidate: int, relevant: bool) -> None:
        if not self._frozen:
            self.tree.learn(self._features_of(candidate), relevant)
