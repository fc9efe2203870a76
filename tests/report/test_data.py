"""Windows, curves, calibration and the table, on numbers that can be checked by hand."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from sundog.report.chart_data import (
    POINTS,
    Bins,
    accuracy,
    brier,
    by_policy,
    curve_rows,
    equal_edges,
    estimates_probabilities,
    reliability_rows,
    window_rows,
)
from sundog.report.runs_table import summarise
from tests.report.fakes import run, trace


def test_windows_hold_the_share_of_relevant_pages_and_the_mean_selection_time() -> None:
    of = trace([1, 0, 0, 0, 2.5, 1], select_ns=[1000, 3000, 1, 1, 500, 500])
    rows = window_rows({"bfs": [of]}, count=3)
    assert [(row["at"], row["span"], row["share"]) for row in rows] == [
        (1.0, "1–2", 0.5),
        (3.0, "3–4", 0.0),
        (5.0, "5–6", 1.0),
    ]
    assert [row["select"] for row in rows] == [2.0, 0.001, 0.5]
    assert "accuracy" not in rows[0]


def test_windows_take_seeds_together() -> None:
    rows = window_rows({"sundog": [trace([1, 1]), trace([0, 1])]}, count=1)
    assert [row["share"] for row in rows] == [0.75]


def test_a_seed_that_ended_early_is_left_out_of_the_windows_after_its_end() -> None:
    rows = window_rows({"sundog": [trace([1, 1, 1, 1]), trace([0, 0])]}, count=2)
    assert [row["share"] for row in rows] == [0.5, 1.0]


def test_policies_share_windows_and_a_short_crawl_ends_where_it_ended() -> None:
    rows = window_rows({"a": [trace([1] * 100)], "b": [trace([0] * 55)]}, count=5)
    assert [row["span"] for row in rows if row["policy"] == "b"] == ["1–20", "21–40", "41–55"]


def test_windows_judge_estimates() -> None:
    of = trace([1, 0, 1, 0], estimates=[0.5, 0.4, 0.2, 0.9])
    (row,) = window_rows({"sundog": [of]}, count=1)
    assert row["accuracy"] == 0.5
    assert row["brier"] == pytest.approx((0.25 + 0.16 + 0.64 + 0.81) / 4)
    assert row["error"] == pytest.approx((0.5 + 0.4 + 0.8 + 0.9) / 4)  # four bins of one fetch each


def test_a_selection_time_of_nothing_has_no_place_on_a_logarithmic_axis() -> None:
    (row,) = window_rows({"bfs": [trace([1], select_ns=[0])]})
    assert row["select"] is None


def test_expected_calibration_error_weighs_bins_by_fetches() -> None:
    estimates = np.array([0.15, 0.15, 0.15, 0.15, 0.85])
    bins = Bins.of(estimates, np.array([True, False, False, False, True]))
    assert bins.error == pytest.approx(0.8 * abs(0.15 - 0.25) + 0.2 * abs(0.85 - 1))


def test_bins_of_parts_add_up_to_bins_of_the_whole() -> None:
    rng = np.random.default_rng(1)
    estimates, relevant = rng.random(100), rng.random(100) < 0.5
    parts = Bins.of(estimates[:30], relevant[:30]) + Bins.of(estimates[30:], relevant[30:])
    assert parts.error == pytest.approx(Bins.of(estimates, relevant).error)
    assert parts.count.sum() == 100


def test_the_ends_of_the_unit_interval_fall_into_the_first_and_the_last_bin() -> None:
    bins = Bins.of(np.array([0.0, 1.0]), np.array([False, True]))
    assert bins.count.tolist() == [1, 0, 0, 0, 0, 0, 0, 0, 0, 1]
    assert bins.error == 0


def test_accuracy_counts_one_half_as_yes() -> None:
    assert accuracy(np.array([0.5, 0.49]), np.array([True, True])) == 0.5
    assert brier(np.array([1.0, 0.0]), np.array([True, True])) == 0.5


def test_reliability_over_all_seeds_leaves_empty_bins_out() -> None:
    groups = {"ftrl": [trace([1, 0], estimates=[0.11, 0.13]), trace([1], estimates=[0.95])]}
    assert reliability_rows(groups) == [
        {"policy": "ftrl", "estimate": 0.12, "share": 0.5, "count": 2},
        {"policy": "ftrl", "estimate": 0.95, "share": 1.0, "count": 1},
    ]


@pytest.mark.parametrize("policy", ["bfs", "random", "oracle", "steered-oracle", "ldspider", "nh-n", "opic"])
def test_policies_without_classifier_are_not_judged(policy: str) -> None:
    assert not estimates_probabilities(policy, [trace([1])])


@pytest.mark.parametrize("estimate", [-0.1, 1.1, np.nan, np.inf])
def test_estimates_outside_the_unit_interval_are_not_judged(estimate: float) -> None:
    assert not estimates_probabilities("sundog", [trace([1]), trace([1], estimates=[estimate])])
    assert estimates_probabilities("sundog", [trace([1]), trace([])])
    assert not estimates_probabilities("sundog", [trace([])])


def test_curves_are_means_with_least_and_most_of_the_seeds() -> None:
    groups = {"a": [trace([1, 0, 1], hosts=[1, 5, 6]), trace([0, 0, 1], hosts=[3, 3, 4])]}
    rows = curve_rows(groups)
    assert [row["at"] for row in rows] == [0, 1, 2, 3]
    assert [row["relevant"] for row in rows] == [0, 0.5, 0.5, 1.5]
    assert [(row["relevant_lo"], row["relevant_hi"]) for row in rows] == [(0, 0), (0, 1), (0, 1), (1, 2)]
    assert [row["hosts"] for row in rows] == [2, 2, 4, 5]


def test_a_seed_that_ended_early_keeps_its_total() -> None:
    rows = curve_rows({"a": [trace([1, 1, 1, 1]), trace([1, 1])]})
    assert [row["relevant"] for row in rows] == [0, 1, 2, 2.5, 3]


def test_curves_of_one_seed_have_no_band_and_end_at_the_last_fetch() -> None:
    rows = curve_rows({"a": [trace([1] * 1001)], "b": [trace([1] * 10)]})
    last = {row["policy"]: row for row in rows}
    assert "relevant_lo" not in last["a"]
    assert (last["a"]["at"], last["a"]["relevant"], last["b"]["at"]) == (1001, 1001, 10)
    assert len([row for row in rows if row["policy"] == "a"]) == POINTS + 1


def test_empty_traces_give_no_rows() -> None:
    for groups in ({}, {"a": [trace([])]}):
        assert curve_rows(groups) == window_rows(groups) == reliability_rows(groups) == []
    assert {row["policy"] for row in window_rows({"a": [trace([])], "b": [trace([1])]})} == {"b"}


def test_the_table_sums_up_seeds() -> None:
    runs = [
        run("bfs", trace([1, 0, 0, 0])),
        run("sundog", trace([1, 1, 0, 0]), seed=1),
        run("sundog", trace([1, 1, 1, 1]), seed=2, stopped="frontier empty"),
    ]
    bfs, sundog = summarise(runs)
    assert (bfs.policy, bfs.times_bfs, bfs.spread) == ("bfs", 1.0, None)
    assert (sundog.seeds, sundog.harvest, sundog.times_bfs) == ((1, 2), 0.75, 3.0)
    assert sundog.spread == pytest.approx(np.std([0.5, 1.0], ddof=1))
    assert sundog.stopped == "budget (1), frontier empty (1)"
    assert (sundog.us_per_fetch, sundog.select_p50, sundog.peak_mb) == (250.0, 1.0, 102.0)


def test_without_bfs_or_with_a_bfs_that_found_nothing_there_is_no_ratio() -> None:
    assert summarise([run("sundog", trace([1]))])[0].times_bfs is None
    assert summarise([run("bfs", trace([0])), run("sundog", trace([1]))])[1].times_bfs is None


def test_policies_keep_their_order() -> None:
    assert list(by_policy([run(name, trace([1])) for name in ("b", "a", "b")])) == ["b", "a"]


@pytest.mark.parametrize(("fetched", "count"), [(0, 5), (1, 5), (230, 200), (1_000_003, 300)])
def test_windows_are_equal_to_one_fetch_and_none_is_empty(fetched: int, count: int) -> None:
    edges = equal_edges(fetched, count)
    assert (edges[0], edges[-1], len(edges)) == (0, fetched, min(fetched, count) + 1)
    widths = {last - first for first, last in pairwise(edges)}
    assert all(widths)
    assert max(widths, default=0) - min(widths, default=0) <= 1


def test_windows_are_not_rounded_down_by_floating_point() -> None:
    assert equal_edges(230, 200)[100] == 115  # though 100 * 1.15 is 114.99999999999999
