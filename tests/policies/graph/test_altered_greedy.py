"""Altered greedy as the paper defines it, for every estimator: who may be chosen, and how often."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from scipy import stats

from sundog import CrawlSession, Decision
from sundog.frontier.arrays import QUEUED
from tests.policies.graph.test_chooser import EXPLORERS, choose
from tests.policies.graph.test_exactness import World, world_of

Q, ZETA, DRAWS = 0.4, 0.37, 1500


def explored(world: World, policy: str, steps: int) -> CrawlSession:
    """A crawl that has learned something."""
    settings = {"refresh": 1, **({"switch": 20} if policy == "hybrid" else {})}
    session = CrawlSession(policy=policy, budget=10_000, seed=5, q=Q, zeta=ZETA, **settings)
    session.add([world.url(node) for node in range(3)])
    for _ in range(steps):
        decision = choose(session)
        session.observe(decision, world.page(int(decision.url.rpartition("/")[2])))
    return session


def law(session: CrawlSession) -> dict[int, float]:
    """The definition: the best with probability q; else a uniform draw from those at most ζ·max below it."""
    waiting = [node for node in range(session.source.size) if session.chooser.state_of(node) == QUEUED]
    scores = dict(zip(waiting, session.estimate(waiting).tolist(), strict=True))
    highest = max(scores.values())
    near = [node for node, score in scores.items() if highest - score <= ZETA * abs(highest)]
    best = min(node for node in near if scores[node] == highest)  # ids are given in order of discovery
    return {node: (1 - Q) / len(near) + Q * (node == best) for node in near}


@pytest.mark.parametrize("policy", EXPLORERS)
@pytest.mark.parametrize("grid", [True, False])
def test_the_draws_have_the_law_of_the_definition(policy: str, grid: bool) -> None:
    session = explored(world_of(9, 250, 2, grid), policy, steps=60)
    drawn: Counter[int] = Counter()
    for _ in range(DRAWS):
        decision = session.next_decision()
        assert isinstance(decision, Decision)
        drawn[decision.candidate] += 1
        session.give_back(decision)
    expected = law(session)
    assert set(drawn) <= set(expected)
    if len(expected) > 1:
        seen = np.array([drawn[node] for node in expected])
        assert stats.chisquare(seen, DRAWS * np.array(list(expected.values()))).pvalue > 1e-4
    assert max(drawn, key=drawn.__getitem__) == max(expected, key=expected.__getitem__)
