from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sundog.engines.rounds import TURNS, simulate_rounds
from sundog.errors import SundogError, UsageError
from sundog.revisits.policies import REVISIT_POLICIES, best_intervals
from sundog.worlds.changing import ChangingWorld, load_changing, times_of
from sundog.worlds.synthetic.changing import CHANGING, generate_changing
from sundog.worlds.synthetic.web import write


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> ChangingWorld:
    directory = tmp_path_factory.mktemp("worlds") / "changing"
    write(generate_changing("changing-sitemaps", pages=600, hosts=20, seed=3), directory)
    return load_changing(directory)


def freshness(world: ChangingWorld, visits: dict[int, list[float]], day: int) -> float:
    """In plain Python: the share of a day on which the last visit is the last word, as turns see it."""
    fresh = 0.0
    for page in range(world.size):
        changes = world.changes.at[world.changes.first[page] : world.changes.first[page + 1]].tolist()
        for turn in range(TURNS):
            now = day + turn / TURNS
            seen = max([0.0, *(at for at in visits.get(page, []) if at <= now)])
            stale_from = min([at for at in changes if at > seen], default=np.inf)
            fresh += min(max(stale_from - now, 0.0), 1 / TURNS)
    return fresh / world.size


def tiny() -> ChangingWorld:
    pages, at = np.array([0, 0, 1, 2]), np.array([0.26, 1.9, 0.5, 5.0])
    zeros = np.zeros(3, np.int32)
    none = times_of(np.empty(0, np.int64), np.empty(0), 3)
    return ChangingWorld(
        "tiny", zeros, zeros, np.array([1.0, 2.0, 3.0]), np.full(3, 0.3), times_of(pages, at, 3), none, 9
    )


def test_freshness_is_that_of_a_plain_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        np.random, "default_rng", lambda seed: type("Zero", (), {"random": staticmethod(lambda: 0.0)})
    )
    world, visits = tiny(), {}
    original = REVISIT_POLICIES["uniform"].learn  # type: ignore[attr-defined]

    def note(self: Any, pages: Any, now: float, changed: Any, claimed: Any) -> None:
        for page in pages.tolist():
            visits.setdefault(page, []).append(now)
        original(self, pages, now, changed, claimed)

    monkeypatch.setattr(REVISIT_POLICIES["uniform"], "learn", note)
    run = simulate_rounds(world, "uniform", rounds=3, budget=2)
    for day, one in enumerate(run.rounds):
        assert one.fresh_pages == pytest.approx(freshness(world, visits, day))
        assert one.visits == 2
    assert run.rounds[0].fresh_pages < 1.0


@pytest.mark.parametrize("policy", list(REVISIT_POLICIES))
def test_every_policy_spends_its_budget_and_repeats_itself(policy: str, world: ChangingWorld) -> None:
    runs = [simulate_rounds(world, policy, rounds=4, budget=100, seed=2) for _ in range(2)]
    assert runs[0].rounds == runs[1].rounds
    assert all(one.visits <= 100 for one in runs[0].rounds)
    assert runs[0].rounds[-1].visits > 50
    assert all(0.0 < one.fresh_pages < 1.0 and one.stale_days >= 0.0 for one in runs[0].rounds)


def test_true_rates_are_better_than_none_and_hints_better_still(world: ChangingWorld) -> None:
    fresh = {
        policy: simulate_rounds(world, policy, rounds=20, budget=120).mean("fresh_pages", 10)
        for policy in ("sundog", "told-rates", "optimum", "uniform", "proportional")
    }
    assert fresh["told-rates"] > 0.98 * fresh["optimum"]
    assert fresh["optimum"] > fresh["uniform"] > fresh["proportional"]
    assert fresh["sundog"] > fresh["uniform"]


def test_entities_can_be_weighed(world: ChangingWorld) -> None:
    by_pages, by_entities = (
        simulate_rounds(world, "told-rates", rounds=10, budget=60, weigh=weigh) for weigh in ("pages", "entities")
    )
    assert by_entities.mean("fresh_entities") > by_pages.mean("fresh_entities")
    assert by_entities.mean("fresh_pages") < by_pages.mean("fresh_pages")


def test_best_intervals_spend_the_budget_and_cannot_be_bettered() -> None:
    draw = np.random.default_rng(5)
    value, rate = draw.uniform(0.5, 2.0, 200), np.exp(draw.normal(-2.0, 2.0, 200))
    interval = best_intervals(value, rate, 30.0)
    visits = 1.0 / interval

    def kept(visits: Any) -> float:
        with np.errstate(divide="ignore", invalid="ignore"):
            return float(np.sum(value * np.where(visits > 0, visits / rate * -np.expm1(-rate / visits), 0.0)))

    assert visits.sum() == pytest.approx(30.0, rel=0.02)
    for _ in range(200):
        other = np.maximum(0.0, visits * draw.uniform(0.7, 1.3, 200))
        assert kept(other * visits.sum() / other.sum()) <= kept(visits) * (1 + 1e-6)


def test_what_cannot_be_run_is_said(world: ChangingWorld, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="unknown policy 'sundg' of revisits; did you mean 'sundog'"):
        simulate_rounds(world, "sundg", rounds=2, budget=5)
    with pytest.raises(UsageError, match="known for 60 days, which is enough for 59"):
        simulate_rounds(world, "uniform", rounds=60, budget=5)
    with pytest.raises(SundogError, match=r"does not change: it has no changes\.parquet"):
        simulate_rounds(tmp_path, "uniform", rounds=2, budget=5)


@pytest.mark.parametrize("name", list(CHANGING))
def test_pages_change_as_often_as_their_rate_says(name: str, tmp_path: Path) -> None:
    web = generate_changing(name, pages=1500, hosts=30, seed=4)
    changes = web.changes
    assert changes is not None
    write(web, tmp_path)
    world = load_changing(tmp_path)
    numbers = np.diff(world.changes.first)
    assert np.array_equal(np.bincount(changes.change_page, minlength=1500), numbers)
    assert numbers.sum() == pytest.approx(changes.rate.sum() * 60, rel=0.15)
    again = generate_changing(name, pages=1500, hosts=30, seed=4).changes
    assert again is not None
    assert np.array_equal(again.change_at, changes.change_at)
    assert (len(world.hints.at) > 0) == (name == "changing-sitemaps")


def test_processes_are_what_they_are_called() -> None:
    weekdays, together = (
        generate_changing(name, pages=1500, hosts=30, seed=4).changes
        for name in ("changing-weekdays", "changing-together")
    )
    assert weekdays is not None
    assert together is not None
    days = np.bincount(weekdays.change_at.astype(int) % 7, minlength=7)
    assert days[5:].max() < 0.2 * days[:5].min()
    _, shared = np.unique(together.change_at, return_counts=True)
    assert shared.max() > 10


def test_the_command_tells_how_fresh_pages_are(tmp_path: Path) -> None:
    from typer.testing import CliRunner

    from sundog.cli.app import app

    runner = CliRunner()
    made = runner.invoke(
        app, ["synth", str(tmp_path / "w"), "--profile", "changing", "--pages", "400", "--hosts", "10"]
    )
    assert made.exit_code == 0, made.output
    asked = [
        "simulate",
        str(tmp_path / "w"),
        "--rounds",
        "3",
        "--budget",
        "40",
        "--policy",
        "sundog,uniform",
        "--json",
    ]
    done = runner.invoke(app, asked)
    assert done.exit_code == 0, done.output
    document = json.loads(done.stdout)
    assert [run["policy"] for run in document["runs"]] == ["sundog", "uniform"]
    assert len(document["runs"][0]["rounds"]) == 3
    assert document["world"]["pages"] == 400
    for wrong in (["--for", "jsonld"], ["--set", "wiegh=pages"], ["--set", "weigh=bytes"]):
        assert runner.invoke(app, [*asked, *wrong]).exit_code != 0
