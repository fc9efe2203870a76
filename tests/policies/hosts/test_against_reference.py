"""Every deterministic policy of the paper makes the choices that a scan over all hosts and pages makes."""

from __future__ import annotations

import pytest

from sundog import simulate
from sundog.engines.simulate import rewards_of
from sundog.policies.hosts.strategies import BANDITS, STRATEGIES
from sundog.policies.hosts.strategy import Strategy
from sundog.worlds.static import StaticWorld
from tests.policies.hosts.reference import Reference

DETERMINISTIC = ["bfs", "oracle", "naive-bayes", "success-rate", "negative-bad", "good-best", "success-best"]
BUDGET = 120  # the scan over everything takes seconds for more


@pytest.mark.parametrize("policy", DETERMINISTIC)
def test_choices_are_those_of_the_naive_scan(policy: str, small_world: StaticWorld) -> None:
    rewards = rewards_of(small_world, "any")
    run = simulate(small_world, policy, budget=BUDGET, objective="any")
    assert run.trace.pages.tolist() == Reference(small_world, rewards.tolist(), policy).run(BUDGET)


@pytest.mark.parametrize("strategy", [each for each in BANDITS if not each.draw], ids=lambda each: each.name)
def test_every_strategy_ranks_by_its_record(strategy: Strategy, small_world: StaticWorld) -> None:
    rewards = rewards_of(small_world, "any")
    run = simulate(small_world, strategy.name, budget=BUDGET, objective="any")
    reference = Reference(small_world, rewards.tolist(), strategy.name, strategy)
    assert run.trace.pages.tolist() == reference.run(BUDGET)


@pytest.mark.parametrize("strategy", STRATEGIES, ids=lambda each: each.name)
def test_a_key_that_changes_with_the_best_score_follows_it(strategy: Strategy) -> None:
    changes = strategy.key(3.0, 2.0, 0.5) != strategy.key(3.0, 2.0, 0.25)
    assert not changes or strategy.follows_best
