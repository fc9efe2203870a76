"""How likely it is that so many visits of a round went wrong by chance, given how many went wrong before.

Each group of pages has its own share of visits that go wrong; what is known of it is a beta distribution: a few
imaginary visits, and those of the rounds before, the older the less. So the number that goes wrong in a round is
beta-binomial. Pages of one round are not independent: a server has a bad minute. So n of them count as
n / (1 + (n − 1)ρ), at most 1/ρ.

A host may be alarmed by chance in one of 2,000 rounds at most (``PER_HOST_AND_ROUND``), so one in a hundred in 20.
That is shared among all that is tested of the host in the round and could be told at all: of a template with one
visit nothing can be, whatever came of it (Tarone's form of Bonferroni's rule).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import NamedTuple

PER_HOST_AND_ROUND = 0.01 / 20
ALIKE = 0.05  # ρ, the correlation of pages in one round
KEPT = 0.9  # of what is known of the past, after another round


class Past(NamedTuple):
    """Visits that went wrong and right, as they count now."""

    bad: float
    good: float

    def after(self, bad: float, number: int) -> Past:
        """With another round."""
        weight = effective(number) / max(1, number)
        return Past(self.bad * KEPT + bad * weight, self.good * KEPT + (number - bad) * weight)

    @property
    def share(self) -> float:
        return self.bad / (self.bad + self.good)


# Imaginary visits. One page of 50 goes wrong somehow; that robots.txt forbids what it allowed, a sitemap is
# emptied, or we are told that we ask too often, is nothing that happens by chance.
USUAL = Past(0.5, 24.5)
HARDLY_EVER = Past(0.001, 99.999)


def effective(number: int) -> float:
    """How many independent pages so many count for."""
    return number / (1.0 + (number - 1) * ALIKE) if number > 0 else 0.0


def chance(bad: float, number: int, past: Past, first: Past = USUAL) -> float:
    """That at least so many of a number of visits go wrong.

    >>> chance(0, 10, Past(0, 0)), chance(5, 5, Past(0, 0)) < 2e-5, chance(1, 10, Past(0, 0)) > 0.05
    (1.0, True, True)
    >>> chance(5, 10, Past(50, 50)) > 0.2  # as it has been for long
    True
    """
    if bad <= 0 or number <= 0:
        return 1.0
    count = number if first is HARDLY_EVER else max(1, round(effective(number)))
    least = max(1, math.floor(bad / number * count + 1e-9))
    a, b = first.bad + past.bad, first.good + past.good
    return min(1.0, math.fsum(_probability(wrong, count, a, b) for wrong in range(least, count + 1)))


def shared_among(best: Sequence[float], limit: float) -> float:
    """How small a chance must be in each of several tests, so that one is by chance in ``limit`` at most.

    ``best`` are the smallest chances that there can be in each. Those that cannot be small enough do not count.

    >>> shared_among([1e-9, 1e-9, 0.02, 0.02], 0.01), shared_among([0.5], 0.01)
    (0.005, 0.01)
    """
    return next(
        limit / count for count in itertools.count(1) if sum(each <= limit / count for each in best) <= count
    )


def _probability(wrong: int, count: int, a: float, b: float) -> float:
    log_gamma = math.lgamma
    ways = log_gamma(count + 1) - log_gamma(wrong + 1) - log_gamma(count - wrong + 1)
    spread = log_gamma(a + wrong) + log_gamma(b + count - wrong) - log_gamma(a + b + count)
    return math.exp(ways + spread - log_gamma(a) - log_gamma(b) + log_gamma(a + b))
