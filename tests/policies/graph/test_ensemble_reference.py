"""The ensemble beside the obvious program: each member scans the whole frontier, credits are summed up anew."""

from __future__ import annotations

import math

import numpy as np
import pytest

from sundog import CrawlSession, Decision
from sundog.policies.graph.ensemble import CURIOSITY, DOUBT, LESSONS, MEMORY, PRIOR
from sundog.policies.graph.regression import RIDGE
from tests.policies.graph.reference import Reference, Scores
from tests.policies.graph.test_exactness import World, world_of

NEIGHBOURS = [
    ("links-first", "root", (1e-9, 1.0, 0.0)),
    *(
        (policy, aggregate, (1.0,) * 3)
        for policy, aggregate in (("nh-n", "sum"), ("nh-e", "sum"), ("nh-n", "root"))
    ),
]
LINEAR = ["root", "root-avg", "avg"]


class NaiveEnsemble:
    """A reference for each member, and the list of all credits given so far: who agreed, and the reward."""

    def __init__(self) -> None:
        self.fixed = [(Reference(name, aggregate), c) for name, aggregate, c in NEIGHBOURS]
        self.linear = [Reference(f"lnh-{aggregate}", aggregate) for aggregate in LINEAR]
        self.members = [reference for reference, _ in self.fixed] + self.linear
        self.credits: list[tuple[list[bool], float]] = []
        self.agreed: dict[int, list[bool]] = {}
        self.choices = 0

    def rate(self) -> list[Scores]:
        """The frontier's nodes by each member."""
        coefficients = [c for _, c in self.fixed] + [_least_squares(each) for each in self.linear]
        return [each.scores(c, lambda _: 0) for each, c in zip(self.members, coefficients, strict=True)]

    def hope(self, member: int) -> float:
        weights = [(1 - 1 / MEMORY) ** age for age in range(len(self.credits))][::-1]
        everyone = sum(weights)
        if not everyone:
            return 0.0
        mean = sum(w * reward for w, (_, reward) in zip(weights, self.credits, strict=True)) / everyone
        square = sum(w * reward**2 for w, (_, reward) in zip(weights, self.credits, strict=True)) / everyone
        own = [(w, reward) for w, (agreed, reward) in zip(weights, self.credits, strict=True) if agreed[member]]
        count = sum(w for w, _ in own)
        expected = mean if member == 0 else DOUBT * mean
        worth = (sum(w * reward for w, reward in own) + PRIOR * expected) / (count + PRIOR)
        return worth + CURIOSITY * math.sqrt(max(square - mean * mean, 0.0)) / math.sqrt(count + 1)

    def choose(self) -> int:
        rated = self.rate()
        hopes = [self.hope(member) for member in range(len(rated) if self.choices >= LESSONS else len(self.fixed))]
        followed = next(i for i, hope in enumerate(hopes) if hope >= max(hopes) - 1e-10)
        node = self.members[followed].best(rated[followed])
        self.agreed[node] = [scores[node] >= max(scores.values()) for scores in rated]
        self.choices += 1
        for each in self.members:
            each.lease(node)
        return node

    def take_in(self, world: World, node: int) -> None:
        for each in self.members:
            each.take_in(node, world.rewards[node], world.links[node])
        self.credits.append((self.agreed.pop(node), world.rewards[node]))


def _least_squares(reference: Reference) -> list[float]:
    x = np.array([[*features, 1.0] for features, _ in reference.lessons]).reshape(-1, 4)
    y = np.array([reward for _, reward in reference.lessons])
    found: list[float] = np.linalg.solve(x.T @ x + RIDGE * np.eye(4), x.T @ y).tolist()
    return found


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("late", [1, 4])
def test_it_chooses_what_the_rescan_does_step_by_step(seed: int, late: int) -> None:
    """``late``: so many fetches are in flight."""
    world = world_of(seed, 300, 1, grid=False)
    session, naive = CrawlSession(policy="ensemble", budget=400), NaiveEnsemble()
    session.add([world.url(node) for node in (0, 1, 2)])
    for each in naive.members:
        each.add([0, 1, 2])
    rng, leased = np.random.default_rng(seed), list[Decision]()
    for _ in range(LESSONS + 60):
        while len(leased) < late and isinstance(decision := session.next_decision(), Decision):
            assert int(decision.url.rpartition("/")[2]) == naive.choose()
            leased.append(decision)
        decision = leased.pop(int(rng.integers(len(leased))))
        node = int(decision.url.rpartition("/")[2])
        session.observe(decision, world.page(node))
        naive.take_in(world, node)
