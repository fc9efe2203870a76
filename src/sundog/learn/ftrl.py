"""FTRL-proximal logistic regression with per-coordinate rates (McMahan et al., KDD'13).

``table[0]`` is z, ``table[1]`` the sums of squared gradients; ``numbers[0]`` is α. β = 1, λ₁ = 0,
λ₂ = 1: with binary features of a crawl a light ridge is all the regularisation that helps.
"""

from __future__ import annotations

import math
from typing import Any

from sundog._jit import inner

BETA, RIDGE = 1.0, 1.0


@inner
def _weight(table: Any, feature: int, alpha: float) -> float:
    return -table[0, feature] / ((BETA + math.sqrt(table[1, feature])) / alpha + RIDGE)


@inner
def predict(table: Any, numbers: Any, features: Any, count: int) -> float:
    odds = 0.0
    for i in range(count):
        odds += _weight(table, features[i], numbers[0])
    return 1.0 / (1.0 + math.exp(-odds))


@inner
def learn(table: Any, numbers: Any, features: Any, count: int, label: float, weight: float) -> None:
    alpha = numbers[0]
    gradient = weight * (predict(table, numbers, features, count) - label)
    for i in range(count):
        feature = features[i]
        squares = table[1, feature]
        step = (math.sqrt(squares + gradient * gradient) - math.sqrt(squares)) / alpha
        table[0, feature] += gradient - step * _weight(table, feature, alpha)
        table[1, feature] = squares + gradient * gradient
