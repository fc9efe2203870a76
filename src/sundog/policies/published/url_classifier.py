"""Logistic regression on the character 2-grams of URLs, by stochastic gradient descent in batches.

The learner of SB-CLASSIFIER, scikit-learn's ``SGDClassifier(loss="log_loss")``: the rate of the t-th example is
1/(α·(t₀ + t)), weights shrink by α, the intercept learns at a hundredth of the rate. ``tests/policies/published``
compares it with scikit-learn, weight by weight.
"""

from __future__ import annotations

import math

import numpy as np

FIRST, LAST = 32, 126  # printable ASCII
WIDTH = LAST - FIRST + 1
ALPHA = 1e-4
STEPS_BEFORE = 1.0 / (ALPHA * 10.0)  # t₀: the first rate is 10
INTERCEPT_RATE = 0.01


def bigrams(url: str) -> np.ndarray:
    """The numbers of the URL's 2-grams, in lower case, without those of other characters than printable ASCII."""
    codes = np.frombuffer(url.lower().encode(), np.uint8).astype(np.int64)
    inside = (codes >= FIRST) & (codes <= LAST)
    numbers = (codes[:-1] - FIRST) * WIDTH + codes[1:] - FIRST
    return numbers[inside[:-1] & inside[1:]]


class UrlClassifier:
    def __init__(self, batch: int = 10) -> None:
        self._batch, self._steps = batch, 0
        self._weights = np.zeros(WIDTH * WIDTH)
        self._intercept = 0.0
        self._labelled: list[tuple[str, bool]] = []

    @property
    def is_trained(self) -> bool:
        return self._steps > 0

    def margin(self, url: str) -> float:
        """Above 0: predicted to be wanted."""
        return float(self._weights[bigrams(url)].sum() + self._intercept)

    def probability(self, url: str) -> float:
        return 1.0 / (1.0 + math.exp(-min(max(self.margin(url), -500.0), 500.0)))

    def learn(self, url: str, wanted: bool) -> None:
        """Examples are learned a batch at a time."""
        self._labelled.append((url, wanted))
        if len(self._labelled) >= self._batch:
            for one, label in self._labelled:
                self._step(one, 1.0 if label else -1.0)
            self._labelled.clear()

    def _step(self, url: str, side: float) -> None:
        rate = 1.0 / (ALPHA * (STEPS_BEFORE + self._steps))
        self._steps += 1
        agreement = side * self.margin(url)
        step = rate * side / (math.exp(min(agreement, 500.0)) + 1.0)
        self._weights *= max(0.0, 1.0 - rate * ALPHA)
        np.add.at(self._weights, bigrams(url), step)
        self._intercept += INTERCEPT_RATE * step
