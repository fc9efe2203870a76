"""Logistic regression by plain stochastic gradient descent; ``table[0]`` holds the weights."""

from __future__ import annotations

import math
from typing import Any

from sundog._jit import inner


@inner
def predict(table: Any, numbers: Any, features: Any, count: int) -> float:
    odds = 0.0
    for i in range(count):
        odds += table[0, features[i]]
    return 1.0 / (1.0 + math.exp(-odds))


@inner
def learn(table: Any, numbers: Any, features: Any, count: int, label: float, weight: float) -> None:
    step = numbers[0] * weight * (predict(table, numbers, features, count) - label)
    for i in range(count):
        table[0, features[i]] -= step
