"""Every estimator chooses what a scan over the whole frontier would, whatever happens in between."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sundog import CrawlSession, Decision, Failed, Fetched, Finished, Link, Refused, Wait
from sundog.policies.graph.chooser import GraphChooser
from sundog.policies.graph.regression import RIDGE
from tests.policies.graph.reference import Reference, near

NEIGHBOURHOOD = [
    (f"nh-{feature}", {"aggregate": word})
    for feature in ("n", "e", "ne")
    for word in ("sum", "avg", "max", "norm", "root")
]
LINEAR: list[tuple[str, dict[str, Any]]] = [(f"lnh-{word}", {}) for word in ("sum", "max", "avg")]
HYBRID: list[tuple[str, dict[str, Any]]] = [
    ("hybrid", {"switch": 10, "aggregate": word}) for word in ("sum", "max", "norm", "root")
]
HYBRID += [("hybrid-paper", {"switch": 10, "first": word}) for word in ("n", "e", "ne")]
HYBRID += [("hybrid-paper", {"switch": 10, "aggregate": word}) for word in ("max", "avg")]
OPIC = [("opic", {"weights": word}) for word in ("none", "edge", "node", "both")]
EACH = [*NEIGHBOURHOOD, *LINEAR, *HYBRID, *OPIC]


class World(NamedTuple):
    """A graph of a few hosts; nodes are numbers, which end their URLs."""

    rewards: list[float]
    links: list[list[tuple[int, float]]]
    hosts: int

    def url(self, node: int) -> str:
        return f"http://h{node % self.hosts}.example/{node}"

    def page(self, node: int) -> Fetched:
        return Fetched(self.rewards[node], [Link(self.url(to), score=score) for to, score in self.links[node]])


def world_of(seed: int, size: int, hosts: int, grid: bool) -> World:
    """With parallel links, loops and many equal scores; ``grid``: all scores are small whole numbers."""
    rng = np.random.default_rng(seed)
    values = rng.integers(0, 4, size=size) if grid else rng.exponential(2, size) * (rng.random(size) < 0.6)
    links = []
    for _ in range(size):
        count = int(rng.integers(0, 12))
        scores = rng.integers(0, 3, count) if grid else rng.exponential(1, count) * (rng.random(count) < 0.4)
        links.append(list(zip(rng.integers(size, size=count).tolist(), map(float, scores), strict=True)))
    return World([float(value) for value in values], links, hosts)


class Driver:
    """One session and the reference beside it."""

    def __init__(self, world: World, policy: str, seed: int, **parameters: Any) -> None:
        self.world = world
        self.session = CrawlSession(policy=policy, budget=10_000, seed=seed, **parameters)
        assert isinstance(self.session.chooser, GraphChooser)
        self.chooser = self.session.chooser
        self.zeta = parameters.get("zeta", 0.1)
        self.greedy = parameters.get("q", 1) == 1
        self.reference = Reference(
            policy,
            parameters.get("aggregate", policy.removeprefix("lnh-") if policy.startswith("lnh") else "sum"),
            parameters.get("weights", "none"),
            parameters.get("refresh", 1),
        )
        self.leased: list[Decision] = []
        self.now = 0.0

    def node(self, url: str) -> int:
        return int(url.rpartition("/")[2])

    def add(self, nodes: Sequence[int]) -> None:
        self.session.add([self.world.url(node) for node in nodes])
        self.reference.add(nodes)

    def host(self, node: int) -> int:
        return node % self.world.hosts

    def choose(self) -> bool:
        answer = self.session.next_decision(self.now)
        ready = [node for node in self.reference.queued if self.host(node) not in self.reference.asleep]
        if not isinstance(answer, Decision):
            assert not ready
            assert isinstance(answer, Wait | Finished)
            return False
        c = self.chooser.estimators[0].ranking.coefficients.tolist()
        scores = self.reference.scores(c, self.host)
        node = self.node(answer.url)
        if self.greedy:
            assert node == self.reference.best(scores)
        assert node in near(scores, 0.0 if self.greedy else self.zeta, c[3])
        if self.reference.policy != "opic":
            assert answer.score == pytest.approx(scores[node] + c[3])
        self.reference.lease(node)
        self.leased.append(answer)
        return True

    def deliver(self, decision: Decision, what: str = "page") -> None:
        node = self.node(decision.url)
        if what == "back":
            self.session.give_back(decision)
            self.reference.give_back(node)
        elif what == "refused":
            self.session.observe(decision, Refused("robots"))
        elif what == "failed":
            self.session.observe(decision, Failed("timeout"))
            self.reference.take_in(node, 0.0, [])
        else:
            self.session.observe(decision, self.world.page(node))
            self.reference.take_in(node, self.world.rewards[node], self.world.links[node])

    def rest(self, host: int, seconds: float) -> None:
        known = [decision.host_id for decision in self.leased if self.host(self.node(decision.url)) == host]
        if known:
            self.session.rest(known[0], self.now + seconds)
            self.reference.asleep.add(host)
            self.awake_at[host] = self.now + seconds

    awake_at: dict[int, float]

    def tick(self) -> None:
        self.now += 1.0
        for host in [host for host, until in self.awake_at.items() if until <= self.now]:
            del self.awake_at[host]
            self.reference.asleep.discard(host)

    def run(self, rng: np.random.Generator, steps: int, most_in_flight: int, troubles: bool) -> None:
        self.awake_at = {}
        for _ in range(steps):
            self.tick()
            chosen = len(self.leased) < most_in_flight and self.choose()
            if self.leased and troubles and rng.random() < 0.3:
                self.rest(self.host(self.node(self.leased[-1].url)), float(rng.integers(1, 8)))
            if self.leased and (not chosen or rng.random() < 0.7):
                decision = self.leased.pop(int(rng.integers(len(self.leased))))
                kinds, chances = ["page", "back", "refused", "failed"], [0.7, 0.1, 0.1, 0.1]
                self.deliver(decision, str(rng.choice(kinds, p=chances)) if troubles else "page")


@pytest.mark.parametrize(("policy", "parameters"), EACH, ids=lambda value: str(value))
@given(
    seed=st.integers(0, 10_000),
    hosts=st.integers(1, 4),
    most_in_flight=st.integers(1, 6),
    refresh=st.sampled_from([1, 1, 2, 7]),
    q=st.sampled_from([1, 1, 0.5]),
    zeta=st.sampled_from([0.0, 0.3, 2.0]),
    grid=st.booleans(),
)
@settings(max_examples=12, deadline=None)
def test_choices_are_those_of_the_full_scan(
    policy: str,
    parameters: dict[str, Any],
    seed: int,
    hosts: int,
    most_in_flight: int,
    refresh: int,
    q: float,
    zeta: float,
    grid: bool,
) -> None:
    world = world_of(seed, 120, hosts, grid)
    driver = Driver(world, policy, seed, refresh=refresh, q=q, zeta=zeta, **parameters)
    driver.add([0, 1, 2])
    driver.run(np.random.default_rng(seed), 220, most_in_flight, troubles=seed % 2 == 0)


@pytest.mark.parametrize("policy", ["lnh-sum", "lnh-max", "lnh-avg"])
@pytest.mark.parametrize("late", [1, 5])
def test_coefficients_are_those_of_least_squares(policy: str, late: int) -> None:
    driver = Driver(world_of(7, 300, 2, False), policy, 0)
    driver.add([0, 1, 2])
    driver.run(np.random.default_rng(1), 200, late, troubles=False)
    driver.session.give_back(driver.session.next_decision())  # refreshes the coefficients
    x = np.array([[*features, 1.0] for features, _ in driver.reference.lessons])
    y = np.array([reward for _, reward in driver.reference.lessons])
    expected = np.linalg.solve(x.T @ x + RIDGE * np.eye(4), x.T @ y)
    assert driver.chooser.estimators[0].ranking.coefficients == pytest.approx(expected, rel=1e-6, abs=1e-9)
