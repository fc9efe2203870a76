"""The obvious program: every waiting page is rated anew for every choice, coefficients are dense matrices."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence

import numpy as np

from sundog.policies.mixed import regression as ours


class NaiveRegression:
    """Links by target; a Kalman filter over the few, and one variance for each word."""

    def __init__(self, words_of: Callable[[int], list[int]]) -> None:
        self.words_of = words_of
        self.links: dict[int, list[tuple[float, float]]] = {}
        self.mean, self.covariance = np.array(ours.PRIOR_MEAN), np.diag(ours.PRIOR_VARIANCE)
        self.weights: dict[int, float] = {}
        self.variances: dict[int, float] = {}
        self.noise, self.lessons = 1.0, ours.FIRST_LESSONS

    def few(self, page: int) -> np.ndarray:
        links = self.links.get(page, [])
        n, e = sum(n for n, _ in links), sum(e for _, e in links)
        return np.array([n / math.sqrt(max(1, len(links))), e, sum(n * e for n, e in links), n / 10, 1.0])

    def rating(self, page: int) -> float:
        return float(self.mean @ self.few(page)) + sum(self.weights.get(word, 0.0) for word in self.words_of(page))

    def best(self, pages: Iterable[int]) -> float:
        return max(self.rating(page) for page in pages)

    def take_in(self, page: int, reward: float, links: Sequence[tuple[int, float]]) -> None:
        if self.links.get(page):
            self._learn(page, reward)
        merged: dict[int, float] = {}
        for target, score in links:
            if target != page:
                merged[target] = max(score, merged.get(target, 0.0))
        for target, score in merged.items():
            self.links.setdefault(target, []).append((reward, score))

    def _learn(self, page: int, reward: float) -> None:
        x, words = self.few(page), self.words_of(page)
        surprise = reward - self.rating(page)
        spread = [self.variances.get(word, ours.WORD_VARIANCE) for word in words]
        total = self.noise + x @ self.covariance @ x + sum(spread)
        gain = self.covariance @ x
        self.mean = self.mean + gain * surprise / total
        self.covariance = self.covariance - np.outer(gain, gain) / total
        for word in words:
            variance = self.variances.get(word, ours.WORD_VARIANCE)
            self.weights[word] = self.weights.get(word, 0.0) + variance * surprise / total
            self.variances[word] = variance * (1 - variance / total)
        self.lessons = min(self.lessons + 1, ours.MOST_LESSONS)
        self.noise += (min(surprise**2, ours.FAR * self.noise) - self.noise) / self.lessons
