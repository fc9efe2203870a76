from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from sundog.revisits.index import most_worth, worth

rates = st.floats(1e-4, 1e3)
times = st.floats(0.0, 1e4)
values = st.floats(0.0, 1e3)


def exact_worth(value: float, rate: float, since_last: float) -> float:
    """The formula as a sum of fractions, where nothing cancels: 1 − e^(−x)(1 + x) = e^(−x) Σ from 2 on x^n/n!."""
    x = Fraction(rate) * Fraction(since_last)
    if x > 30:
        return value / rate * (1.0 - math.exp(-float(x)) * (1.0 + float(x)))
    term, total = x, Fraction(0)
    for n in range(2, 130):
        term = (term * x / n).limit_denominator(10**60)
        total += term
    return value / rate * math.exp(-float(x)) * float(total)


@settings(deadline=None)
@given(values, st.floats(1e-3, 1e2), st.floats(1e-3, 1e3))
def test_it_is_the_formula(value: float, rate: float, since_last: float) -> None:
    found, exact = float(worth(value, rate, since_last)), exact_worth(value, rate, since_last)
    assert math.isclose(found, exact, rel_tol=1e-9, abs_tol=1e-290)  # near that, numbers have few digits


@settings(deadline=None)
@given(values, rates, times, st.floats(1.0, 10.0))
def test_it_rises_with_time_and_has_its_bounds(value: float, rate: float, since_last: float, more: float) -> None:
    now, later = worth(value, rate, since_last), worth(value, rate, since_last * more)
    assert 0.0 <= now <= later * (1 + 1e-12)
    assert now <= value * min(1.0 / rate, rate * since_last**2 / 2) * (1 + 1e-12)


def test_nothing_is_worth_a_visit_that_never_changes_or_was_just_made() -> None:
    assert worth(1.0, 0.0, 10.0) == worth(1.0, 2.0, 0.0) == worth(0.0, 2.0, 1.0) == 0.0
    assert worth(3.0, 2.0, math.inf) == 1.5


def test_numbers_and_arrays_are_combined() -> None:
    table = worth(np.array([[1.0], [2.0]]), 0.5, np.array([1.0, 2.0, 3.0]))
    assert table.shape == (2, 3)
    assert table[1, 2] == worth(2.0, 0.5, 3.0)


@settings(deadline=None)
@given(st.lists(st.sampled_from([0.0, 0.1, 0.5, 0.5000001, 2.0, 7.0]), max_size=30), st.integers(0, 40))
def test_the_best_come_first_and_the_worthless_never(worths: list[float], most: int) -> None:
    order = sorted((place for place, one in enumerate(worths) if one > 0.0), key=lambda place: -worths[place])
    assert most_worth(np.array(worths), most).tolist() == order[:most]
