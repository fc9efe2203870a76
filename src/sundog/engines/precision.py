"""How far a policy's choice falls behind the best one while the crawl follows the oracle: the paper's figure 3.

Two sessions see the same crawl. At each step the policy names what it would take, and then takes what the oracle
takes.

A node that the policy names wrongly is not crawled for it. If it is given back, it may be named again at every
step: the oracle never takes a worthless one while others are left. The shortfall is then the best node's whole
score, for any policy, and says nothing about its other estimates. So it is set aside, as a crawl of the
policy's own would be done with it, until the oracle takes it; ``again`` gives it back instead.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from sundog.engines.simulate import begin, check_budget, parse_start, rewards_of
from sundog.model import Decision, Fetched
from sundog.session import CrawlSession
from sundog.worlds.static import StaticWorld


@dataclass(frozen=True)
class Precision:
    """For each step, the actual score of the page that the policy would have taken, and the frontier's best."""

    policy: str
    chosen: Any  # float64
    best: Any  # float64
    nodes: Any  # int64: the nodes that the policy would have taken

    def named(self, begin: int, end: int) -> int:
        """How many different nodes the policy named in these steps."""
        return len(np.unique(self.nodes[begin:end]))

    @property
    def shortfall(self) -> Any:
        return self.best - self.chosen

    def rolling(self, window: int = 1000) -> Any:
        """The mean shortfall of the last ``window`` steps, at each step; at the beginning, of those so far."""
        total = np.concatenate([[0.0], np.cumsum(self.shortfall)])
        end = np.arange(1, len(total))
        begin = np.maximum(0, end - window)
        return (total[end] - total[begin]) / (end - begin)


def estimator_precision(
    world: StaticWorld,
    policy: str,
    *,
    budget: int,
    objective: str = "score",
    start: str | None = None,
    seed: int = 0,
    again: bool = False,
    **parameters: Any,
) -> Precision:
    """Follow the oracle for ``budget`` steps and ask ``policy`` at each what it would have done.

    ``again``: what was named wrongly may be named again.
    """
    rewards = rewards_of(world, objective)
    check_budget(budget, world)
    beginning = parse_start(start, world)

    def begun(name: str, steps: int, **settings: Any) -> CrawlSession:
        session = CrawlSession(
            policy=name, budget=steps, seed=seed, source=world, truth=rewards, propensities=False, **settings
        )
        begin(session, world, rewards, beginning, seed)
        return session

    oracle, asked = begun("oracle", budget), begun(policy, 2 * budget, **parameters)
    return _followed(oracle, asked, budget, world, rewards, again=again)


def _followed(
    oracle: CrawlSession, asked: CrawlSession, budget: int, world: StaticWorld, rewards: Any, *, again: bool
) -> Precision:
    aside: dict[int, Decision] = {}
    chosen, best, nodes = np.zeros(budget), np.zeros(budget), np.zeros(budget, np.int64)
    for step in range(budget):
        answer, led = asked.next_decision(), oracle.next_decision()
        if not isinstance(answer, Decision) or not isinstance(led, Decision):
            chosen, best, nodes = chosen[:step], best[:step], nodes[:step]
            break
        chosen[step], best[step] = rewards[answer.candidate], rewards[led.candidate]
        nodes[step] = answer.candidate
        if again or chosen[step] == best[step]:
            asked.give_back(answer)
        else:
            aside[answer.candidate] = answer
        outcome = Fetched(rewards.item(led.candidate), world.links_of(led.candidate))
        oracle.observe(led, outcome)
        known = led.candidate in aside
        asked.observe(aside.pop(led.candidate) if known else asked.lease(led.candidate), outcome)
    return Precision(asked.policy.name, chosen, best, nodes)
