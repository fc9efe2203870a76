"""Seed experiments: relative scores and their intervals, precision against the oracle, subset scores."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

from sundog import load_world, simulate
from sundog.engines.experiment import half_width, relative_scores, student_t
from sundog.engines.precision import estimator_precision
from sundog.errors import UsageError
from sundog.worlds.static import StaticWorld
from sundog.worlds.synthetic import generate_graph, write


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> StaticWorld:
    directory: Path = tmp_path_factory.mktemp("worlds") / "keyword"
    write(generate_graph("keyword", pages=4_000, seed=5), directory)
    return load_world(directory)


def runs_of(graph: StaticWorld, policy: str, **options: Any) -> list[Any]:
    return [
        simulate(graph, policy, budget=200, objective="score", start="random:10", seed=seed, **options)
        for seed in range(4)
    ]


def test_scores_are_compared_run_by_run_at_each_step(graph: StaticWorld) -> None:
    bfs, oracle = runs_of(graph, "bfs"), runs_of(graph, "oracle")
    rows = relative_scores(bfs, oracle, [50, 200])
    assert [(row.policy, row.at, row.runs) for row in rows] == [("bfs", 50, 4), ("bfs", 200, 4)]
    for row in rows:
        ratios = [
            one.trace.rewards[: row.at].sum() / other.trace.rewards[: row.at].sum()
            for one, other in zip(bfs, oracle, strict=True)
        ]
        low, high = stats.t.interval(0.95, 3, np.mean(ratios), stats.sem(ratios))
        assert (row.mean, row.low, row.high) == pytest.approx((np.mean(ratios), low, high), abs=1e-3)
        assert 0 < row.mean < 1


def test_pages_may_be_counted_instead(graph: StaticWorld) -> None:
    bfs, oracle = runs_of(graph, "bfs")[:1], runs_of(graph, "oracle")[:1]
    (row,) = relative_scores(bfs, oracle, [200], "nonzero")
    assert row.mean == bfs[0].relevant / oracle[0].relevant
    assert (row.low, row.high) == (None, None)


def test_the_quantiles_are_students() -> None:
    for freedom in [*range(1, 40), 99, 1000]:
        assert student_t(freedom) == pytest.approx(stats.t.ppf(0.975, freedom), abs=1e-3)
    assert half_width([1.0, 1.0, 1.0]) == 0


def test_the_oracle_is_as_precise_as_itself_and_chance_is_not(graph: StaticWorld) -> None:
    options = {"budget": 150, "start": "random:10", "seed": 2}
    oracle, random = (estimator_precision(graph, name, **options) for name in ("oracle", "random"))
    followed = simulate(graph, "oracle", objective="score", **options)
    assert oracle.best.tolist() == random.best.tolist() == followed.trace.rewards.tolist()
    assert not oracle.shortfall.any()
    assert random.shortfall.min() >= 0
    assert (oracle.named(0, 150), estimator_precision(graph, "bfs", **options).named(0, 150) < 150) == (150, True)
    assert random.shortfall.mean() > 0.3
    rolling = random.rolling(50)
    assert rolling[0] == random.shortfall[0]
    assert rolling[-1] == pytest.approx(random.shortfall[-50:].mean())


def test_precision_ends_with_the_frontier(tmp_path: Path) -> None:
    (tmp_path / "g.txt").write_text("1 2\n2 1\n3 1\n")
    (tmp_path / "scores.tsv").write_text("2 1.5\n")
    found = estimator_precision(load_world(tmp_path), "bfs", budget=3)
    assert found.best.tolist() == [0, 1.5]


def test_a_score_of_sets_of_the_users_own(graph: StaticWorld) -> None:
    def best_ten(pages: Any, scores: Any) -> float:
        assert len(pages) == len(scores)
        return float(np.sort(scores)[-10:].sum())

    run = simulate(graph, "bfs", budget=300, objective="score", start="random:10", seed=1, subset_score=best_ten)
    assert run.scores[-1] == (300, np.sort(run.trace.rewards)[-10:].sum())
    assert [at for at, _ in run.scores] == [at for at, _ in run.curve]


def test_a_score_that_falls_is_refused(graph: StaticWorld) -> None:
    with pytest.raises(UsageError, match="subset_score fell from"):
        simulate(graph, "bfs", budget=50, objective="score", subset_score=lambda pages, scores: -len(pages))
