"""Least squares as lessons come: score ≈ c_n·f_n + c_e·f_e + c_ne·f_ne + c_0, over all lessons so far.

The normal equations grow by one lesson in constant time, and are solved by Cholesky's method. That is recursive
least squares without its drift: the inverse is not carried along, so that rounding errors do not add up.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from sundog._jit import inner

WIDTH = 4  # f_n, f_e, f_ne and 1
RIDGE = 1e-3  # keeps the first coefficients finite; it is outweighed by the first lessons
SINGULAR = 1e-12  # of its diagonal: a smaller pivot is a rounding error, and its feature a copy of others


class Regression(NamedTuple):
    """``equations`` are XᵀX and Xᵀy beside it, ``factor`` is scratch."""

    equations: Any  # float64[4, 5]
    factor: Any  # float64[4, 5]
    found: Any  # float64[4]: the coefficients


def new_regression() -> Regression:
    equations = np.zeros((WIDTH, WIDTH + 1))
    equations[np.arange(WIDTH), np.arange(WIDTH)] = RIDGE
    return Regression(equations, np.zeros((WIDTH, WIDTH + 1)), np.zeros(WIDTH))


@inner
def _add_row(a: Any, i: int, x: float, n: float, e: float, ne: float, y: float) -> None:
    a[i, 0] += x * n
    a[i, 1] += x * e
    a[i, 2] += x * ne
    a[i, 3] += x
    a[i, 4] += x * y


@inner
def add_lesson(m: Any, n: float, e: float, ne: float, score: float) -> None:
    a = m.equations
    _add_row(a, 0, n, n, e, ne, score)
    _add_row(a, 1, e, n, e, ne, score)
    _add_row(a, 2, ne, n, e, ne, score)
    _add_row(a, 3, 1.0, n, e, ne, score)


@inner
def solve(m: Any) -> None:
    """The coefficients into ``found``. A feature that adds nothing to those before it gets 0."""
    a, low, c = m.equations, m.factor, m.found
    for i in range(WIDTH):
        rest = a[i, i]
        for k in range(i):
            rest -= low[i, k] * low[i, k]
        low[i, i] = math.sqrt(rest) if rest > SINGULAR * a[i, i] else 0.0
        for j in range(i + 1, WIDTH + 1):  # the right-hand side is one more row
            value = a[i, j]
            for k in range(i):
                value -= low[i, k] * low[j, k] if j < WIDTH else low[i, k] * low[k, WIDTH]
            value = value / low[i, i] if low[i, i] > 0.0 else 0.0
            if j < WIDTH:
                low[j, i] = value
            else:
                low[i, WIDTH] = value
    for i in range(WIDTH - 1, -1, -1):
        value = low[i, WIDTH]
        for k in range(i + 1, WIDTH):
            value -= low[k, i] * c[k]
        c[i] = value / low[i, i] if low[i, i] > 0.0 else 0.0
