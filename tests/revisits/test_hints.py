"""Whom to believe: sources of hints that are right, wrong, silent, or repeat each other."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sundog.revisits.hints import CHANGED, NOTHING, UNCHANGED, HintTrust


def test_the_source_that_told_most_is_heard() -> None:
    trust, rng = HintTrust(3), np.random.default_rng(1)
    for _ in range(200):
        changed = rng.random() < 0.3
        noise, half = rng.random() < 0.3, changed if rng.random() < 0.7 else rng.random() < 0.3
        trust.observe([0], [noise, half, changed], [changed])
    says = [[CHANGED, CHANGED, UNCHANGED], [UNCHANGED, UNCHANGED, CHANGED], [CHANGED, UNCHANGED, NOTHING]]
    since = trust.since([0] * 3, [0.1] * 3, [1.0] * 3, says)
    assert since[0] < 0.05  # the third is right always
    assert since[1] > 10.0
    assert since[0] < since[2] < 1.0  # where it says nothing, the second is heard


def test_a_source_that_repeats_another_counts_once() -> None:
    alone, twice = HintTrust(1), HintTrust(2)
    for number in range(40):
        said, changed = number % 4 == 0, number % 8 == 0
        alone.observe([0], [said], [changed])
        twice.observe([0], [said, said], [changed])
    for said in (CHANGED, UNCHANGED):
        assert alone.since([0], [0.1], [1.0], [said]) == twice.since([0], [0.1], [1.0], [said, said])


def test_hosts_are_believed_on_their_own() -> None:
    trust = HintTrust(1)
    for _ in range(30):
        trust.observe([3, 3], [CHANGED, UNCHANGED], [True, False])
    assert trust.since([2, 4, 900], [0.1] * 3, [1.0] * 3, [CHANGED] * 3).tolist() == [1.0] * 3
    assert trust.since([3], [0.1], [1.0], [CHANGED])[0] > 10.0


@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(-1, 1), st.integers(-1, 1), st.booleans()), max_size=40),
    st.floats(0.001, 100.0),
    st.just(0.0) | st.floats(1e-9, 1000.0),
)
def test_times_are_never_negative_nor_nan(
    visits: list[tuple[int, int, int, bool]], rate: float, since: float
) -> None:
    trust = HintTrust(2)
    for host, one, two, changed in visits:
        trust.observe([host], [one, two], [changed])
    says = [[one, two] for one in (-1, 0, 1) for two in (-1, 0, 1)]
    for host in range(5):
        found = trust.since([host] * 9, [rate] * 9, [since] * 9, says)
        assert np.all(np.isfinite(found) & (found >= 0.0))
        assert found[0] == since
