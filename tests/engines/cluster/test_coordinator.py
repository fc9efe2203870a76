"""The budget is never overshot and always spent, whoever dies; the end is found, and not too soon."""

from __future__ import annotations

import random

import pytest

from sundog.engines.cluster.coordinator import Coordinator
from sundog.engines.cluster.messages import Order, Report
from sundog.model import BUDGET_SPENT, FRONTIER_EMPTY


class Shard:
    """What a shard has committed, and what it would lose if it were killed."""

    def __init__(self, pages: int) -> None:
        self.pages, self.lease, self.spent, self.order, self.life = pages, 0, 0, 0, 0
        self.heard: list[Order] = []

    def work(self, chance: random.Random) -> None:
        while self.heard:
            order = self.heard.pop(0)
            if order.incarnation == str(self.life):
                self.lease = max(order.lease, self.spent) if order.lease < self.lease else order.lease
                self.order = order.number
        done = min(chance.randrange(20), self.lease - self.spent, self.pages)
        self.spent, self.pages = self.spent + done, self.pages - done

    def die(self) -> None:
        self.heard.clear()
        self.life, self.order = self.life + 1, 0

    def report(self) -> Report:
        rest = "" if self.pages and self.spent < self.lease else BUDGET_SPENT if self.pages else FRONTIER_EMPTY
        return Report(str(self.life), self.order, self.lease, True, self.spent, rest)


@pytest.mark.parametrize("seed", range(40))
def test_the_budget_is_spent_exactly(seed: int) -> None:
    chance = random.Random(seed)
    shards = [Shard(chance.randrange(200)) for _ in range(chance.randrange(1, 6))]
    budget = chance.randrange(1, 400)
    everything = sum(shard.pages for shard in shards)
    coordinator = Coordinator(len(shards), budget)
    for _ in range(2_000):
        if chance.random() < 0.02:
            coordinator = Coordinator(len(shards), budget)  # the driver died, and its shards with it
            for shard in shards:
                shard.die()
        reports = {number: shard.report() for number, shard in enumerate(shards) if chance.random() < 0.9}
        for number, order in coordinator.round(reports).items():
            if chance.random() < 0.1:
                shards[number].die()
            shards[number].heard.append(order)
        for shard in shards:
            shard.work(chance)
        assert sum(shard.lease for shard in shards) <= budget
        assert sum(shard.spent for shard in shards) <= budget
        if coordinator.stopping:
            break
    assert sum(shard.spent for shard in shards) == min(budget, everything)
    assert coordinator.stopping == (BUDGET_SPENT if budget < everything else FRONTIER_EMPTY)


def test_nothing_is_granted_before_all_shards_have_been_heard() -> None:
    coordinator = Coordinator(2, 100)
    assert coordinator.round({0: Report("a", 0, 60, True, 60, BUDGET_SPENT)}) == {}
    orders = coordinator.round({1: Report("b", 0, 30, True, 30, BUDGET_SPENT)})
    assert orders
    assert max(order.lease for order in orders.values()) <= 40


def test_links_on_their_way_are_waited_for() -> None:
    """Both have nothing to do, but one has sent something that the other has not committed yet."""
    coordinator = Coordinator(2, 100)
    idle = Report("a", 0, 10, True, 10, FRONTIER_EMPTY)
    for _ in range(5):
        coordinator.round({0: idle._replace(pending=1), 1: idle})
        assert not coordinator.stopping
    coordinator.round({0: idle._replace(sent=1), 1: idle._replace(received=1)})
    assert not coordinator.stopping  # it may have begun to work on it
    coordinator.round({0: idle._replace(sent=1), 1: idle._replace(received=1)})
    assert coordinator.stopping == FRONTIER_EMPTY
