"""Every deterministic policy of the paper makes the choices that a scan over all hosts and pages makes."""

from __future__ import annotations

import pytest

from sundog import simulate
from sundog.engines.simulate import rewards_of
from sundog.worlds.static import StaticWorld
from tests.policies.hosts.reference import Reference

DETERMINISTIC = ["bfs", "oracle", "naive-bayes", "success-rate", "negative-bad", "good-best", "success-best"]


@pytest.mark.parametrize("policy", DETERMINISTIC)
def test_choices_are_those_of_the_naive_scan(policy: str, small_world: StaticWorld) -> None:
    rewards = rewards_of(small_world, "any")
    run = simulate(small_world, policy, budget=250, objective="any")
    assert run.trace.pages.tolist() == Reference(small_world, rewards.tolist(), policy).run(250)
