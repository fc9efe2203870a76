from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sundog.errors import UsageError
from sundog.revisits.rates import FASTEST, FIRST, GRID, SLOWEST, ChangeRates

visits = st.lists(st.tuples(st.floats(0.05, 50.0), st.booleans()), max_size=12)


def most_likely(observed: list[tuple[float, bool]]) -> float:
    """Σ over changed I/(e^(ΔI) − 1) = Σ over unchanged I, with one imaginary half of each; by bisection."""
    low, high = 1e-6, 1e6
    for _ in range(200):
        rate = math.sqrt(low * high)
        imaginary = [(1.0, True, 0.5), (1.0, False, 0.5)]
        slope = sum(
            share * (interval / math.expm1(min(rate * interval, 700.0)) if changed else -interval)
            for interval, changed, share in [*((*one, 1.0) for one in observed), *imaginary]
        )
        low, high = (rate, high) if slope > 0 else (low, rate)
    return rate


def expected_rate(observed: list[tuple[float, bool]]) -> float:
    """The one page's rate in plain Python, if nothing is known of its template."""
    chances = FIRST.copy()
    for interval, changed in observed:
        unchanged = np.exp(-GRID * interval)
        chances *= (1.0 - unchanged) if changed else unchanged
    return float(np.exp(np.sum(chances * np.log(GRID)) / chances.sum()))


@given(visits)
@settings(max_examples=50, deadline=None)
def test_a_rate_is_that_of_its_visits(observed: list[tuple[float, bool]]) -> None:
    rates = ChangeRates()
    rates._next_sweep = 10**9  # what is expected stays the first
    for interval, changed in observed:
        rates.observe((0, 0, 0), interval, changed)
    assert math.isclose(rates.rate((0, 0, 0)), expected_rate(observed), rel_tol=0.1)
    assert SLOWEST <= rates.rate((0, 0, 0)) <= FASTEST


@pytest.mark.parametrize("true", [0.01, 0.1, 0.7, 4.0])
def test_with_many_visits_it_is_the_most_likely_one(true: float) -> None:
    draw = np.random.default_rng(1)
    rates, observed = ChangeRates(), []
    for interval in (draw.uniform(0.2, 2.0, 400) / true).tolist():
        changed = bool(draw.random() < 1 - math.exp(-true * interval))
        observed.append((interval, changed))
        rates.observe((0, 0, 0), interval, changed)
    assert math.isclose(rates.rate((0, 0, 0)), most_likely(observed), rel_tol=0.06)
    assert math.isclose(rates.rate((0, 0, 0)), true, rel_tol=0.25)


def test_a_page_seen_once_has_the_rate_of_its_template() -> None:
    rates = ChangeRates()
    before = rates.rate((7, 0, 0))
    for page in range(5):
        for _ in range(10):
            rates.observe((page, 0, 0), 1.0, True)
            rates.observe((page + 100, 1, 0), 1.0, False)
    fast, slow = rates.rate((7, 0, 0)), rates.rate((7, 1, 0))
    assert slow < 0.1 < 1.0 < fast
    assert slow < before < fast
    assert slow < rates.rate((7, 2, 0)) < fast, "an unknown template is like the host's"
    assert slow < rates.rate((7, -1, -1)) < fast


def test_a_template_of_equals_is_believed_more_than_a_mixed_one() -> None:
    """A page of each changes at its only visit: in the mixed template it may be one of the fast."""
    rates = ChangeRates()
    for page in range(40):
        for _ in range(6):
            rates.observe((page, 0, 0), 1.0, False)
            rates.observe((page + 100, 1, 1), 1.0, page % 2 == 0)
    for chain in ((50, 0, 0), (150, 1, 1)):
        rates.observe(chain, 1.0, True)
    assert rates.rate((50, 0, 0)) < rates.rate((150, 1, 1)) / 3


@given(st.lists(st.tuples(st.integers(0, 9), st.floats(0.1, 20.0), st.booleans()), min_size=1, max_size=30))
@settings(max_examples=30, deadline=None)
def test_many_at_once_are_the_same_as_one_by_one(observed: list[tuple[int, float, bool]]) -> None:
    one_by_one, at_once = ChangeRates(), ChangeRates()
    for page, interval, changed in observed:
        one_by_one._next_sweep = 10**9
        one_by_one.observe((page, page // 3, page // 6), interval, changed)
    pages, intervals, changes = (np.array(column) for column in zip(*observed, strict=True))
    at_once._next_sweep = 10**9
    at_once.observe_many(pages, pages // 3, pages // 6, intervals, changes)
    one_by_one.sweep()
    at_once.sweep()
    every = np.arange(10)
    found = at_once.rates(every, every // 3, every // 6)
    assert np.allclose(found, one_by_one.rates(every, every // 3, every // 6), rtol=1e-4)
    assert np.allclose(found, [one_by_one.rate((page, page // 3, page // 6)) for page in range(10)], rtol=1e-4)


def test_to_ask_changes_nothing() -> None:
    rates = ChangeRates()
    rates.observe((0, 0, 0), 2.0, True)
    before = rates.rate((0, 0, 0))
    rates.rates([5, 0], [3, -1], [9, -1])
    assert rates.rate((0, 0, 0)) == before


@pytest.mark.parametrize("interval", [-1.0, math.nan, math.inf])
def test_times_that_are_none_are_refused(interval: float) -> None:
    with pytest.raises(UsageError, match="days from 0"):
        ChangeRates().observe((0, 0, 0), interval, True)


def test_no_time_says_nothing_and_unknown_numbers_are_refused() -> None:
    rates = ChangeRates()
    before = rates.rate((0, 0, 0))
    rates.observe((0, 0, 0), 0.0, True)
    assert math.isclose(rates.rate((0, 0, 0)), before, rel_tol=0.01)
    with pytest.raises(UsageError, match="number from 0"):
        rates.observe((-1, 0, 0), 1.0, True)
