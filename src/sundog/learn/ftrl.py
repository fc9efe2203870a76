"""FTRL-proximal logistic regression with per-coordinate rates (McMahan et al., KDD'13).

``table[0]`` is z, ``table[1]`` the sums of squared gradients, ``table[2]`` the weights that follow
from both, ``table[3]`` the sums of gradients; ``numbers[0]`` is α. β = 1, λ₁ = 0,
λ₂ = 1: with binary features of a crawl a light ridge is all the regularisation that helps.
"""

from __future__ import annotations

import math
from typing import Any

from sundog._jit import inner

BETA, RIDGE = 1.0, 1.0


@inner
def log_odds(table: Any, numbers: Any, features: Any, count: int) -> float:
    odds = 0.0
    for i in range(count):
        odds += table[2, features[i]]
    return odds


@inner
def descend(table: Any, numbers: Any, features: Any, count: int, gradient: float) -> None:
    """One step against the gradient of the loss by the log-odds."""
    for i in range(count):
        step(table, numbers[0], features[i], gradient, gradient * gradient)


@inner
def step(table: Any, alpha: float, feature: int, gradient: float, square: float) -> None:
    """One coordinate's step; gradients of several pages may come as their sum and the sum of their squares.

    What is taken back may be more by a rounding error than what there is.
    """
    squares = table[1, feature]
    sum_of_squares = max(0.0, squares + square)
    root = math.sqrt(sum_of_squares)
    table[0, feature] += gradient - (root - math.sqrt(squares)) / alpha * table[2, feature]
    table[1, feature] = sum_of_squares
    table[2, feature] = -table[0, feature] / ((BETA + root) / alpha + RIDGE)
    table[3, feature] += gradient


@inner
def predict(table: Any, numbers: Any, features: Any, count: int) -> float:
    return 1.0 / (1.0 + math.exp(-log_odds(table, numbers, features, count)))


@inner
def learn(table: Any, numbers: Any, features: Any, count: int, label: float, weight: float) -> None:
    gradient = weight * (predict(table, numbers, features, count) - label)
    descend(table, numbers, features, count, gradient)
