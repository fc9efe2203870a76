"""What another visit of a page is worth: (μ/Δ)(1 − e^(−Δτ)(1 + Δτ)).

μ is the page's value, Δ its changes per day, τ the days since the last visit. To visit a page when this passes
a threshold, the same for all pages, is the optimum for freshness under a budget of visits: the worth is what one
visit more per day adds to the days on which the page is up to date. It is 0 just after a visit and rises towards
μ/Δ, so a page that changes faster than the budget can follow is left alone.

- The worth is never negative, rises with the value and with the time, and is at most μ·min(1/Δ, Δτ²/2).
- It is exact to rounding for every Δτ, also where the formula would subtract two equal numbers.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from sundog._jit import inner, njit

SMALL = 0.02  # below this Δτ the series is more exact than the formula


@inner
def worth_of(value: float, rate: float, since_last: float) -> float:
    changes = rate * since_last
    if not changes > 0.0:
        return 0.0
    if changes < SMALL:
        series = 0.5 - changes * (1.0 / 3.0 - changes * (0.125 - changes * (1.0 / 30.0 - changes / 144.0)))
        return value * since_last * changes * series
    if changes == math.inf:
        return value / rate
    return value * (1.0 - math.exp(-changes) * (1.0 + changes)) / rate


@njit
def _worths(value: Any, rate: Any, since_last: Any, worths: Any) -> None:
    for i in range(len(worths)):
        worths[i] = worth_of(value[i], rate[i], since_last[i])


def worth(value: Any, rate: Any, since_last: Any) -> Any:
    """Of one page or of many: numbers and arrays are combined as numpy does it.

    >>> round(float(worth(1.0, 0.5, 2.0)), 3)
    0.528
    >>> worth([1.0, 2.0], 0.5, [0.0, 2.0]).round(3).tolist()
    [0.0, 1.057]
    """
    given = np.broadcast_arrays(*(np.asarray(one, float) for one in (value, rate, since_last)))
    worths = np.empty(given[0].shape)
    values, rates, times = (one.ravel() for one in given)
    _worths(values, rates, times, worths.reshape(-1))
    return worths if worths.ndim else worths[()]


def most_worth(worths: Any, most: int) -> Any:
    """The places of at most so many pages that are worth a visit, the best first; of equals, the first.

    >>> most_worth(np.array([0.2, 0.0, 0.7, 0.2]), 3).tolist()
    [2, 0, 3]
    """
    worths = np.asarray(worths, float)
    most = min(most, len(worths))
    if most <= 0:
        return np.empty(0, np.intp)
    least = np.partition(worths, len(worths) - most)[len(worths) - most]
    above = np.flatnonzero(worths > least)
    equal = np.flatnonzero(worths == least)[: most - len(above)] if least > 0.0 else above[:0]
    found = np.concatenate([above, equal])
    return found[np.argsort(-worths[found], kind="stable")]
