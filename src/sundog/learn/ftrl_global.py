"""FTRL-proximal logistic regression with one rate for all coordinates: equation 1 of Huang and Gandon.

    w = argmin  w·Σg + ½ Σσ‖w - w_s‖² + λ₁‖w‖₁,    σ₁ + … + σ_t = √t/α

The equation moves every coordinate in every round, but one whose feature is absent comes out as it was: its
weight stays, and z grows with it. So only the features of a page are touched, and the result is exact.
``table[2]`` holds the weights, ``table[0]`` z where the weight is 0 (elsewhere it follows from the weight);
``numbers`` holds α, t and λ₁.
"""

from __future__ import annotations

import math
from typing import Any

from sundog._jit import inner
from sundog.learn import ftrl

ALPHA, ROUNDS, LASSO = 0, 1, 2


@inner
def learn(table: Any, numbers: Any, features: Any, count: int, label: float, weight: float) -> None:
    gradient = weight * (ftrl.predict(table, numbers, features, count) - label)
    numbers[ROUNDS] += 1.0
    strength, lasso = math.sqrt(numbers[ROUNDS]) / numbers[ALPHA], numbers[LASSO]
    for i in range(count):
        feature = features[i]
        w = table[2, feature]
        before = -w * strength - math.copysign(lasso, w) if w != 0.0 else table[0, feature]
        z = table[0, feature] = before + gradient
        table[2, feature] = 0.0 if abs(z) <= lasso else -(z - math.copysign(lasso, z)) / strength
