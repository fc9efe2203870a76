"""A linear support vector machine by stochastic subgradient descent (Pegasos: Shalev-Shwartz et al., ICML'07).

The weights are ``numbers[SCALE] · table[0]``: shrinking them all is one multiplication. ``numbers[STEPS]`` counts
the pages. The probability is the logistic function of the margin: above ½ on the relevant side.
"""

from __future__ import annotations

import math
from typing import Any

from sundog._jit import inner

STEPS, SCALE = 1, 2
RIDGE = 1e-4  # λ of ½λ‖w‖² + mean hinge loss
TINY = 1e-9


@inner
def margin(table: Any, numbers: Any, features: Any, count: int) -> float:
    total = 0.0
    for i in range(count):
        total += table[0, features[i]]
    return numbers[SCALE] * total


@inner
def predict(table: Any, numbers: Any, features: Any, count: int) -> float:
    return 1.0 / (1.0 + math.exp(-margin(table, numbers, features, count)))


@inner
def learn(table: Any, numbers: Any, features: Any, count: int, label: float, weight: float) -> None:
    side = 1.0 if label > 0.5 else -1.0
    inside = side * margin(table, numbers, features, count) < 1.0
    numbers[STEPS] += 1.0
    numbers[SCALE] = 1.0 if numbers[STEPS] < 2.0 else numbers[SCALE] * (1.0 - 1.0 / numbers[STEPS])
    if numbers[SCALE] < TINY:
        for feature in range(table.shape[1]):
            table[0, feature] *= numbers[SCALE]
        numbers[SCALE] = 1.0
    if inside:
        step = weight * side / (RIDGE * numbers[STEPS] * numbers[SCALE])
        for i in range(count):
            table[0, features[i]] += step
