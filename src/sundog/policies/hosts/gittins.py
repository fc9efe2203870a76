"""What a bet is worth if staying with it is possible: exploration that follows the budget.

A bet has chance p, known as well as after k fetches, and N pages to be had. N is never more than
the budget that is left, so optimism fades by itself.
"""

from __future__ import annotations

import math

from sundog._jit import inner


@inner
def first_success(p: float, strength: float, pages: float) -> float:
    """Try once, and stay for the other N - 1 pages after a success: the rate that is as good elsewhere.

    It is p for N = 1 and the estimate after a success for N → ∞.
    """
    if pages <= 1.0:
        return p
    after_success = (strength * p + 1.0) / (strength + 1.0)
    return p * (1.0 + (pages - 1.0) * after_success) / (1.0 + (pages - 1.0) * p)


@inner
def gittins(p: float, strength: float, pages: float) -> float:
    """The Gittins index for N pages, in the closed form of Brezzi and Lai (J. Econ. Dyn. Control, 2002).

    It is patient with a young record: one success in three fetches is worth more than a new start.
    The form is a normal approximation, good for records that have begun, not for a first fetch.
    """
    if pages <= 1.0:
        return p
    spread = math.sqrt(max(0.0, p * (1.0 - p)) / (strength + 1.0))
    return min(1.0, p + spread * _patience(pages / (strength + 1.0)))


@inner
def _patience(s: float) -> float:
    """How many standard deviations of optimism pay, when there are s times as many pages as fetches."""
    if s <= 0.2:
        return math.sqrt(0.5 * s)
    if s <= 1.0:
        return 0.49 - 0.11 / math.sqrt(s)
    if s <= 5.0:
        return 0.63 - 0.26 / math.sqrt(s)
    if s <= 15.0:
        return 0.77 - 0.58 / math.sqrt(s)
    return math.sqrt(2.0 * math.log(s) - math.log(math.log(s)) - math.log(16.0 * math.pi))
