"""Thompson sampling by classes and rungs has the law of the naive scan, and keeps its invariants."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy import special, stats

from sundog._jit import njit
from sundog.frontier.rng import new_rng
from sundog.frontier.thompson import beta, grid, sampling, state
from sundog.frontier.thompson.grid import BUCKETS, CELLS, UNIT
from sundog.frontier.thompson.sampling import Thompson, new_thompson, reserve
from tests.kernels import exposed

draw, propensity = exposed(sampling.draw), exposed(sampling.propensity)
enter, leave, size = exposed(sampling.enter), exposed(sampling.leave), exposed(sampling.size)
bucket_of, cell_of, cell_depth = (exposed(kernel) for kernel in (grid.bucket_of, grid.cell_of, grid.cell_depth))
least_alike, most_alike = exposed(grid.least_alike), exposed(grid.most_alike)
log_cdf = exposed(beta.log_cdf)

COUNTS = [0, 1, 2, 5, 9, 10, 30, 100, 1000, 10_000, 1_000_000]
Arm = tuple[int, int, float]


# --- the beta distribution


@pytest.mark.parametrize("good", COUNTS)
@pytest.mark.parametrize("bad", COUNTS)
def test_log_cdf_agrees_with_scipy_in_both_tails(good: int, bad: int) -> None:
    mean = (good + 1) / (good + bad + 2)
    thetas = [10.0**-k for k in range(1, 15)] + [1 - 10.0**-k for k in range(1, 9)]
    for theta in thetas + list(np.linspace(0.05, 0.95, 19)) + [mean, 0.9 * mean, mean + 0.01 * (1 - mean)]:
        lower = special.betainc(good + 1, bad + 1, theta)
        upper = special.betaincc(good + 1, bad + 1, theta)
        ours = log_cdf(theta, good, bad)
        if 1e-290 < lower < 0.5:
            assert ours == pytest.approx(math.log(lower), abs=1e-9)
        elif lower >= 0.5:
            assert -math.expm1(ours) == pytest.approx(upper, rel=1e-9, abs=1e-290)
        else:
            assert ours < -660


def test_log_cdf_at_and_beyond_the_ends() -> None:
    assert log_cdf(0.0, 3, 4) == -math.inf
    assert log_cdf(1.0, 3, 4) == 0.0


# --- the grids


@settings(deadline=None)
@given(st.integers(0, 2**31 - 1))
def test_a_bin_of_counts_holds_its_count_and_is_narrow(count: int) -> None:
    low, high = least_alike(count), most_alike(count)
    assert low <= count <= high <= low + max(0.0, 0.3 * math.sqrt(count))
    assert (least_alike(high), most_alike(low)) == (low, high)


@settings(deadline=None)
@given(st.floats(5e-324, 1.0))
def test_buckets_and_cells_exist_and_edges_are_not_below_best(best: float) -> None:
    assert 0 <= bucket_of(best) < BUCKETS
    cell = cell_of(best)
    assert 0 <= cell < CELLS
    assert cell_depth(cell) / UNIT <= -math.log(best) * (1 + 1e-15)


# --- the law


@njit
def _draws(t: Any, rng: Any, count: int) -> Any:
    arms, values = np.empty(count, np.int64), np.empty(count)
    for i in range(count):
        arms[i], values[i] = sampling.draw(t, rng)
    return arms, values


def _entered(arms: list[Arm], *, with_best: bool) -> Thompson:
    t = reserve(new_thompson(0, with_best=with_best), len(arms), len(arms))
    for arm, (good, bad, best) in enumerate(arms):
        enter(t, arm, good, bad, best)
    return t


def _naive(arms: list[Arm], count: int, seed: int) -> tuple[Any, Any]:
    """Winners and winning values of the scan."""
    random = np.random.default_rng(seed)
    winners, largest = np.zeros(count, np.int64), np.full(count, -1.0)
    for arm, (good, bad, best) in enumerate(arms):
        values = best * random.beta(good + 1, bad + 1, count)
        winners[values > largest] = arm
        np.maximum(values, largest, out=largest)
    return winners, largest


def _assert_same_counts(one: Any, other: Any) -> None:
    """Two-sample chi-square; arms that hardly ever win are taken together."""
    table = np.stack([one, other])
    rare = table.sum(0) < 40
    table = np.concatenate([table[:, ~rare], table[:, rare].sum(1, keepdims=True)], axis=1)
    table = table[:, table.sum(0) > 0]
    if table.shape[1] > 1:
        assert stats.chi2_contingency(table).pvalue > 1e-4


RANDOM = np.random.default_rng(7)
CONFIGURATIONS: dict[str, list[Arm]] = {
    "equal arms": [(2, 3, 1.0)] * 9 + [(0, 0, 1.0)] * 4,
    "small and large counts": [(0, 0, 1.0), (40, 40, 1.0), (47, 43, 1.0), (400, 390, 1.0), (3, 3, 1.0)],
    "few successes": [(0, 50, 1.0), (0, 70, 0.9), (1, 300, 0.8), (0, 1000, 0.5), (20, 10_000, 1.0)],
    "extreme counts": [(10**6, 10**3, 1.0), (10**6, 10**3 + 20, 1.0), (50_000, 40, 1.0), (9, 0, 0.9995)],
    "saturated": [(0, 0, 1 - 1e-9), (3, 0, 1.0), (0, 1, 1 - 1e-7), (5, 1, 1.0), (5, 2, 1e-300), (0, 0, 0.0)],
    "tiny": [(0, 0, 1e-12), (3, 2, 1.1e-12), (0, 9, 3e-12), (50, 60, 1.5e-12), (1, 1, 0.0)],
    "mixed": [(0, 0, 0.5), (3, 4, 0.8), (0, 2, 1.0), (40, 40, 0.7), (1000, 900, 0.6), (2, 1, 0.999)],
    "many": [
        (int(RANDOM.integers(0, n + 1)), int(n), float(RANDOM.beta(0.5, 0.5)))
        for n in RANDOM.geometric(0.05, 400) - 1
    ],
    "clumped": [(i % 3, i % 5, 0.3 + 1e-5 * (i % 7)) for i in range(500)] + [(0, 0, 0.301)],
}


@pytest.mark.parametrize("with_best", [False, True])
@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_winners_and_values_have_the_law_of_the_scan(name: str, with_best: bool) -> None:
    arms = [(good, bad, best if with_best else 1.0) for good, bad, best in CONFIGURATIONS[name]]
    count = 20_000 if len(arms) > 100 else 100_000
    winners, values = _draws(_entered(arms, with_best=with_best), new_rng(11), count)
    naive_winners, naive_values = _naive(arms, count, 12)
    assert stats.ks_2samp(values, naive_values).pvalue > 1e-4
    _assert_same_counts(np.bincount(winners, minlength=len(arms)), np.bincount(naive_winners, minlength=len(arms)))


def test_without_best_the_factor_is_ignored() -> None:
    t = _entered([(1, 1, 0.0), (1, 1, 1.0)], with_best=False)
    winners, _ = _draws(t, new_rng(1), 20_000)
    assert winners.mean() == pytest.approx(0.5, abs=0.02)


def test_if_every_best_is_zero_the_choice_is_uniform() -> None:
    t = _entered([(i, 2 * i, 0.0) for i in range(5)] + [(1, 1, math.nan)], with_best=True)
    winners, values = _draws(t, new_rng(1), 30_000)
    assert stats.chisquare(np.bincount(winners, minlength=6)).pvalue > 1e-4
    assert not values.any()
    assert propensity(t, 3) == pytest.approx(1 / 6)


def test_nothing_in_play_gives_no_arm() -> None:
    t = new_thompson(3, with_best=True)
    assert draw(t, new_rng(1)) == (-1, 0.0)
    enter(t, 2, 5, 5, 0.5)
    assert draw(t, new_rng(1))[0] == 2
    leave(t, 2)
    leave(t, 2)
    assert draw(t, new_rng(1)) == (-1, 0.0)
    assert propensity(t, 2) == 0.0


def test_hopeless_arms_neither_hang_nor_crash() -> None:
    t = _entered([(0, 2**31 - 1, 5e-324), (0, 2**31 - 1, 1e-310)], with_best=True)
    winners, _ = _draws(t, new_rng(1), 100)
    assert set(winners) <= {0, 1}


@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_propensity_is_close_to_the_frequency(name: str) -> None:
    arms = CONFIGURATIONS[name]
    t = _entered(arms, with_best=True)
    winners, _ = _draws(t, new_rng(5), 50_000)
    frequencies = np.bincount(winners, minlength=len(arms)) / 50_000
    ours = np.array([propensity(t, arm) for arm in range(len(arms))])
    assert np.abs(ours - frequencies).max() < 0.05
    assert ours.sum() == pytest.approx(1.0, abs=0.1)


# --- the invariants

ARMS = 12
MOVES = st.lists(
    st.tuples(
        st.integers(0, ARMS - 1),
        st.booleans(),
        st.sampled_from([0, 0, 1, 2, 40, 41, 300]),
        st.sampled_from([0, 0, 1, 2, 50, 51, 900]),
        st.sampled_from([0.0, 1e-200, 1e-3, 0.3, 0.3001, 0.9, 1.0 - 1e-9, 1.0]),
    ),
    max_size=60,
)


def _tree_nodes(t: Thompson, node: int) -> list[int]:
    found = [node]
    for child in t.children[node]:
        if child >= 0:
            assert t.nodes[child]["up"] == node
            found += _tree_nodes(t, int(child))
    return found


def _assert_invariants(t: Thompson, expected: dict[int, Arm]) -> None:
    assert size(t) == len(expected)
    members: dict[int, list[int]] = {}
    for arm in range(ARMS):
        seat = t.seats[arm]
        assert (seat["class_"] >= 0) == (arm in expected)
        if arm in expected:
            assert (seat["good"], seat["bad"], seat["best"]) == expected[arm]
            members.setdefault(int(seat["class_"]), []).append(arm)
            record = t.classes[seat["class_"]]
            assert t.slots[record["start"] + seat["place"]] == arm
    assert t.totals[state.CLASSES_LIVE] == len(members)
    for c, arms in members.items():
        assert t.classes[c]["size"] == len(arms)
    _assert_sums(t, members)
    _assert_weights(t, expected)


def _assert_sums(t: Thompson, members: dict[int, list[int]]) -> None:
    with_node = {c for c in members if t.classes[c]["node"] >= 0}
    seen: set[int] = set()
    for bucket in np.flatnonzero(t.buckets["count"]):
        tree = t.buckets[bucket]
        nodes = _tree_nodes(t, int(tree["root"]))
        assert sorted(t.nodes["position"][nodes]) == list(range(tree["count"]))
        classes = [int(c) for c in t.nodes["class_"][nodes]]
        seen.update(classes)
        direct = sum(t.classes[c]["size"] * t.rows[t.nodes[t.classes[c]["node"]]["shape"]] for c in classes)
        np.testing.assert_allclose(t.sums[tree["root"]], direct, rtol=1e-13)
        assert tree["top"] >= max(t.seats[arm]["best"] for c in classes for arm in members[c])
    assert seen == with_node
    assert t.totals[state.NODES_LIVE] == len(with_node)


def _assert_weights(t: Thompson, expected: dict[int, Arm]) -> None:
    total = sum(good + 1 for good, bad, best in expected.values() if bad == 0 and best > 0)
    i, weight = len(t.cells) - 1, 0
    while i > 0:
        weight += int(t.cells[i]["weight"])
        i -= i & -i
    assert weight == total


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(MOVES, st.booleans())
def test_members_sizes_and_sums_are_right_after_any_moves(moves: list[Any], with_best: bool) -> None:
    t, expected = new_thompson(1, with_best=with_best), {}
    for arm, enters, good, bad, best in moves:
        t = reserve(t, ARMS, 1)
        if enters:
            enter(t, arm, good, bad, best)
            expected[arm] = (good, bad, best if with_best else 1.0)
        else:
            leave(t, arm)
            expected.pop(arm, None)
    t = reserve(t, ARMS, 1)
    _assert_invariants(t, expected)
    if expected:
        assert draw(t, new_rng(3))[0] in expected


@njit
def _exploit(t: Any, arm: int, good: int, bad: int, moves: int) -> None:
    for i in range(moves):
        sampling.enter(t, arm, good + i - i // 5, bad + i // 5, 0.5 + 0.4 * math.sin(i))


def test_one_exploited_arm_does_not_fill_the_memory() -> None:
    t = _entered([(i, i, 0.5) for i in range(ARMS)], with_best=True)
    for _ in range(500):
        t = reserve(t, ARMS, 100)
        _exploit(t, 0, int(t.seats[0]["good"]), int(t.seats[0]["bad"]), 100)
    assert sum(array.nbytes for array in (t.classes, t.nodes, t.sums, t.shapes, t.rows, t.slots)) < 2e7
    _assert_invariants(t, {a: (int(s["good"]), int(s["bad"]), float(s["best"])) for a, s in enumerate(t.seats)})


def test_growing_keeps_every_arm() -> None:
    t, expected = new_thompson(0, with_best=True), 3000
    random = np.random.default_rng(2)
    for arm in range(expected):
        t = reserve(t, arm + 1, 1)
        enter(t, arm, int(random.integers(500)), int(random.integers(500)), random.random())
    assert size(t) == expected
    assert t.classes["size"][t.seats["class_"][:expected]].min() >= 1
    for arm in range(expected):
        t = reserve(t, expected, 1)
        leave(t, arm)
    assert size(t) == t.totals[state.CLASSES_LIVE] == t.totals[state.SHAPES_USED] == 0
    assert not t.cells["weight"].any()


def test_draws_repeat_with_the_seed_and_change_nothing() -> None:
    t = _entered(CONFIGURATIONS["many"], with_best=True)
    before = [array.copy() for array in (t.seats, t.classes, t.slots, t.nodes, t.sums, t.cells, t.totals)]
    first, second = _draws(t, new_rng(9), 500), _draws(t, new_rng(9), 500)
    np.testing.assert_array_equal(first, second)
    for array, copy in zip((t.seats, t.classes, t.slots, t.nodes, t.sums, t.cells, t.totals), before, strict=True):
        np.testing.assert_array_equal(array, copy)
