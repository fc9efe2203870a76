"""Estimates and intervals on crawls that are made up, so that what is left is known."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sundog.completeness.estimate import (
    ANY_ORDER,
    BEST_FIRST,
    Expected,
    Left,
    Pages,
    constants_for,
    discoveries,
    expect,
    interval,
    kinds_of,
    late_rates,
)


def made(
    fetched: list[tuple[int, bool]], waiting: list[int], *, chances: Any = None, found_by: Any = None
) -> Pages:
    """A crawl of one host; pages are given by their kinds."""
    kinds = np.array([kind for kind, _ in fetched] + waiting, np.uint32)
    n = len(kinds)
    return Pages(
        np.arange(len(fetched)),
        np.array([good for _, good in fetched], bool),
        np.arange(len(fetched), n),
        None if chances is None else np.asarray(chances, float),
        np.full(n, -1) if found_by is None else np.asarray(found_by),
        np.zeros(n, np.int32),
        kinds // 10,
        kinds,
    )


def told(pages: Pages) -> Left:
    return interval(expect(pages, constants_for(pages)), constants_for(pages))


def test_kinds_that_were_always_wanted_count_and_others_do_not() -> None:
    seen = [(1, True)] * 50 + [(20, False)] * 50
    left = told(made(seen, [1] * 30 + [20] * 300))
    assert 27 < left.estimate < 42
    assert left.low <= 30 <= left.high


def test_a_kind_that_nobody_has_seen_makes_the_interval_wide() -> None:
    seen = [(1, True)] * 50 + [(20, False)] * 50
    known, unknown = told(made(seen, [1] * 40)), told(made(seen, [30] * 80))
    assert unknown.high - unknown.low > 3 * (known.high - known.low)


def test_nothing_that_waits_is_nothing_left() -> None:
    assert told(made([(1, True)] * 5, [])) == Left(0.0, 0.0, 0.0)


def test_the_policy_may_only_lower_a_chance() -> None:
    seen = [(1, True), (1, False)] * 20
    own = told(made(seen, [1] * 40, chances=[1.0] * 40))
    lower = told(made(seen, [1] * 40, chances=[0.01] * 40))
    assert own.estimate == pytest.approx(20, abs=2)
    assert lower.estimate == pytest.approx(0.4)


def test_after_a_drought_what_waits_is_worth_no_more_than_what_was_fetched_last() -> None:
    seen = [(1, True)] * 100 + [(20, False)] * 99
    pages = made(seen, [1] * 50, chances=[0.9] * 50)
    assert told(pages).estimate == pytest.approx(50 / 100)
    assert told(pages._replace(chances=None)).estimate > 40


def test_droughts_are_those_of_a_host() -> None:
    wanted = np.array([True] * 20 + [False] * 20)
    hosts = np.array([0] * 20 + [1] * 20 + [0, 1, 2])
    assert late_rates(wanted, hosts).tolist() == [1.0, 1 / 21, 1.0]


def test_pages_that_still_lead_to_new_ones_promise_more() -> None:
    """A chain: each list has led to three items and the next list."""
    fetched: list[tuple[int, bool]] = []
    found_by = []
    for at in range(30):
        fetched += [(10, False), *[(20, True)] * 3]
        found_by += [4 * (at - 1) if at else -1, 4 * at, 4 * at, 4 * at]
    pages = made(fetched, [10], found_by=[*found_by, 4 * 29])
    assert discoveries(pages, kinds_of(pages), np.zeros(1)).sum() == pytest.approx(2.7, abs=0.5)
    dry = made(fetched, [10], found_by=[-1] * 121)
    assert discoveries(dry, kinds_of(dry), np.zeros(1)).sum() == 0


@given(
    st.floats(0, 1e5),
    st.floats(0, 1e9),
    st.floats(0, 1e4),
    st.floats(0, 1e5),
    st.sampled_from([BEST_FIRST, ANY_ORDER]),
)
def test_the_estimate_lies_within_its_interval(
    waiting: float, variance: float, clumps: float, hidden: float, chosen: Any
) -> None:
    left = interval(Expected(waiting, variance, clumps, hidden), chosen)
    assert 0 <= left.low <= left.estimate + 1e-6 <= left.high + 2e-6
    assert 0 <= left.share(5) < 1


def test_hosts_add_up_and_each_has_an_interval() -> None:
    one, other = made([(1, True)] * 9, [1] * 4), made([(1, True)] * 9, [1] * 4)
    both = Pages(
        np.concatenate([one.fetched, other.fetched + 13]),
        np.concatenate([one.wanted, other.wanted]),
        np.concatenate([one.waiting, other.waiting + 13]),
        None,
        np.concatenate([one.found_by, other.found_by]),
        np.repeat([0, 1], 13),
        np.concatenate([one.coarse, other.coarse]),
        np.concatenate([one.fine, other.fine]),
    )
    expected = expect(both, ANY_ORDER)
    assert expected.waiting[0] == pytest.approx(expected.waiting[1])
    assert interval(expected.of(0), ANY_ORDER).estimate == pytest.approx(
        interval(expected, ANY_ORDER).estimate / 2
    )
