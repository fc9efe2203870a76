"""The distribution of a success rate after counting: Beta(good + 1, bad + 1), in logarithms.

``log_cdf`` is accurate in both tails (relative error about 1e-12 of the smaller of F and 1 - F up to
counts of a million), because Thompson sampling over many arms happens far out in the upper tail.
Points are given as the pair (theta, 1 - theta), so that neither loses digits near its zero.
"""

from __future__ import annotations

import math
from typing import Any

from sundog._jit import inner

MOST_TERMS = 20_000  # the fraction needs about the square root of the larger count
PRECISION = 1e-15
HUGE = 1e150  # numerator and denominator are scaled down beyond it


@inner
def _continued_fraction(a: float, b: float, x: float, y: float) -> float:
    """What F is of ``log_front``; x + y = 1, quick for x below the mean a / (a + b).

    The even part of the incomplete beta's fraction (DiDonato and Morris, 1992), by the recurrence of
    numerators and denominators: no division waits for another.
    """
    excess, below = a * y - b * x + 1.0, 1.0 / (a + 1.0)
    last_over, over, last_under, under = 0.0, 1.0, 1.0, a * below * excess
    value = over / under
    for m in range(1, MOST_TERMS):
        part = m * (b - m) * x * below
        alpha = (a + m - 1.0) * (a + b + m - 1.0) * x * below * part
        below = 1.0 / (a + 2 * m + 1.0)
        beta = m + part + (a + m) * below * (excess + m * (1.0 + y))
        last_over, over = over, beta * over + alpha * last_over
        last_under, under = under, beta * under + alpha * last_under
        last, value = value, over / under
        if abs(value - last) <= PRECISION * value:
            break
        if under > HUGE:
            last_over, over, last_under, under = last_over / HUGE, over / HUGE, last_under / HUGE, under / HUGE
    return value


@inner
def _stirling_error(x: float) -> float:
    """log Gamma(x) minus Stirling's (x - 1/2) log x - x + log(2 pi) / 2."""
    if x < 10.0:
        return math.lgamma(x) - ((x - 0.5) * math.log(x) - x + 0.5 * math.log(2.0 * math.pi))
    y = 1.0 / (x * x)
    series = 1 / 1260.0 - y * (1 / 1680.0 - y * (1 / 1188.0 - y * (691 / 360360.0 - y / 156.0)))
    return (1 / 12.0 - y * (1 / 360.0 - y * series)) / x


@inner
def log_norm(a: float, b: float) -> float:
    """What ``log_front`` needs of (a, b) alone: log 1/B(a, b) without its large, cancelling terms."""
    errors = _stirling_error(a + b) - _stirling_error(a) - _stirling_error(b)
    return 0.5 * math.log(a * b / (2.0 * math.pi * (a + b))) + errors


@inner
def _log_ratio(x: float, other: float, part: float, rest: float) -> float:
    """log(x (part + rest) / part) where x + other = 1: exact near zero too, where digits would cancel."""
    excess = (x * rest - other * part) / part
    return math.log1p(excess) if abs(excess) < 0.5 else math.log(x * (part + rest) / part)


@inner
def log_front(theta: float, cotheta: float, a: float, b: float, norm: float) -> float:
    """log of theta^a (1 - theta)^b / B(a, b): the density times theta (1 - theta)."""
    return a * _log_ratio(theta, cotheta, a, b) + b * _log_ratio(cotheta, theta, b, a) + norm


@inner
def cdf_terms(theta: float, cotheta: float, good: int, bad: int, norm: float) -> Any:
    """(log_front, log F) of Beta(good + 1, bad + 1) for theta in (0, 1); ``norm`` is its log_norm."""
    a, b = good + 1.0, bad + 1.0
    if bad == 0:
        power = a * (math.log(theta) if theta < 0.5 else math.log1p(-cotheta))
        return math.log(a * cotheta) + power, power
    if good == 0:
        power = b * math.log(cotheta) if cotheta < 0.5 else b * math.log1p(-theta)
        upper = math.exp(power)
        log_cdf = math.log1p(-upper) if upper < 0.5 else math.log(-math.expm1(power))
        return math.log(b * theta) + power, log_cdf
    front = log_front(theta, cotheta, a, b, norm)
    if theta * (a + b + 2.0) < a + 1.0:
        return front, front + math.log(_continued_fraction(a, b, theta, cotheta))
    upper = math.exp(front) * _continued_fraction(b, a, cotheta, theta)
    return front, math.log1p(-min(upper, 1.0 - 1e-16))


@inner
def log_cdf(theta: float, good: int, bad: int) -> float:
    """log P(draw <= theta) for a draw of Beta(good + 1, bad + 1)."""
    if theta <= 0.0:
        return -math.inf
    if theta >= 1.0:
        return 0.0
    return cdf_terms(theta, 1.0 - theta, good, bad, log_norm(good + 1.0, bad + 1.0))[1]
