"""Multinomial Naive Bayes on binary features: P(f | y) = (n_fy + 1) / (N_y + width), prior (n_y + 1) / (n + 2).

``table[y, f]`` is n_fy; ``numbers`` holds n_0, n_1, N_0, N_1 from its second cell on.
"""

from __future__ import annotations

import math
from typing import Any

from sundog._jit import inner

PAGES, TOKENS = 1, 3


@inner
def predict(table: Any, numbers: Any, features: Any, count: int) -> float:
    odds = math.log((numbers[PAGES + 1] + 1.0) / (numbers[PAGES] + 1.0))
    width = table.shape[1]
    odds -= count * math.log((numbers[TOKENS + 1] + width) / (numbers[TOKENS] + width))
    for i in range(count):
        feature = features[i]
        odds += math.log((table[1, feature] + 1.0) / (table[0, feature] + 1.0))
    return 1.0 / (1.0 + math.exp(-odds))


@inner
def learn(table: Any, numbers: Any, features: Any, count: int, label: float, weight: float) -> None:
    """A graded label is so much of a relevant page and so much of an irrelevant one."""
    for y in range(2):
        share = weight * (label if y == 1 else 1.0 - label)
        if share > 0.0:
            numbers[PAGES + y] += share
            numbers[TOKENS + y] += share * count
            for i in range(count):
                table[y, features[i]] += share
