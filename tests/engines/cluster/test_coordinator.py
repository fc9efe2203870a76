"""The budget is never overshot and always spent, whoever dies; the end is found, and not too soon."""

from __future__ import annotations

import random

import pytest

from sundog import CrawlSession, Decision, Fetched
from sundog.completeness.left import together
from sundog.engines.cluster.coordinator import Coordinator
from sundog.engines.cluster.membership import Standing
from sundog.engines.cluster.messages import Order, Report
from sundog.engines.cluster.whole_stop import WholeStop
from sundog.model import BUDGET_SPENT, FRONTIER_EMPTY, HOSTS_RESTING, LITTLE_LEFT
from sundog.patterns.definitions import Patterns
from sundog.sharding.budget import NO_PAGES, Amounts, Lease


class Shard:
    """What a shard has committed, and what it would lose if it were killed."""

    def __init__(self, pages: int) -> None:
        self.pages, self.lease, self.spent, self.life = pages, Lease(), 0, 0
        self.heard: list[Order] = []

    def work(self, chance: random.Random) -> None:
        while self.heard:
            order = self.heard.pop(0)
            if order.incarnation == str(self.life):
                lease = self.lease.obeying(order.pool)
                lease = lease if order.grant is None else lease.after(order.grant)
                self.lease = lease.lowered(Amounts(self.spent)) if order.gives_back else lease
        done = min(chance.randrange(20), self.lease.room(Amounts(self.spent)), self.pages)
        self.spent, self.pages = self.spent + done, self.pages - done

    def die(self) -> None:
        self.heard.clear()
        self.life += 1

    def report(self) -> Report:
        has_room = self.lease.room(Amounts(self.spent)) > 0
        rest = "" if self.pages and has_room else BUDGET_SPENT if self.pages else FRONTIER_EMPTY
        standing = Standing(self.lease, Amounts(self.spent), NO_PAGES, capacity=10, rest=rest)
        return Report(str(self.life), standing.budget, "log", True, rest)


@pytest.mark.parametrize("seed", range(40))
def test_the_budget_is_spent_exactly(seed: int) -> None:
    chance = random.Random(seed)
    shards = [Shard(chance.randrange(200)) for _ in range(chance.randrange(1, 6))]
    budget = chance.randrange(1, 400)
    everything = sum(shard.pages for shard in shards)
    coordinator = Coordinator(len(shards), budget)
    for _ in range(4_000):
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
        assert sum(shard.lease.most.fetches for shard in shards) <= budget
        assert sum(shard.spent for shard in shards) <= budget
        if coordinator.stopping:
            break
    assert sum(shard.spent for shard in shards) == min(budget, everything)
    assert coordinator.stopping == (BUDGET_SPENT if budget < everything else FRONTIER_EMPTY)


def report(life: str, spent: int, rest: str, *, pool: int = 0, leased: int | None = None) -> Report:
    lease = Lease(pool, 1, Amounts(spent if leased is None else leased))
    return Report(life, Standing(lease, Amounts(spent), NO_PAGES, 100, rest).budget, "log", True, rest)


def test_nothing_is_granted_before_all_shards_have_been_heard_and_obey() -> None:
    coordinator = Coordinator(2, 100)
    assert coordinator.round({0: report("a", 60, BUDGET_SPENT, pool=3)}) == {}
    orders = coordinator.round({1: report("b", 30, BUDGET_SPENT, pool=2)})
    assert {(order.pool, order.grant) for order in orders.values()} == {(4, None)}
    both = {0: report("a", 60, BUDGET_SPENT, pool=4), 1: report("b", 30, BUDGET_SPENT, pool=4)}
    grants = [order.grant for order in coordinator.round(both).values() if order.grant]
    assert grants
    assert sum(grant.most.fetches - grant.lease.most.fetches for grant in grants) <= 10


def test_links_on_their_way_are_waited_for() -> None:
    """Both have nothing to do, but one has sent something that the other has not committed yet."""
    coordinator = Coordinator(2, 100)
    idle = report("a", 10, FRONTIER_EMPTY, pool=1)
    for _ in range(5):
        coordinator.round({0: idle._replace(pending=1), 1: idle})
        idle = report("a", 10, FRONTIER_EMPTY, pool=2)
        assert not coordinator.stopping
    coordinator.round({0: idle._replace(sent=1), 1: idle._replace(received=1)})
    assert not coordinator.stopping  # it may have begun to work on it
    coordinator.round({0: idle._replace(sent=1), 1: idle._replace(received=1)})
    assert coordinator.stopping == FRONTIER_EMPTY


def test_who_rests_gives_back_to_those_who_could_go_on() -> None:
    coordinator = Coordinator(2, 100)
    resting, wanting = report("a", 10, HOSTS_RESTING, leased=100), report("b", 0, BUDGET_SPENT)
    coordinator.round({0: resting, 1: wanting})
    obeying = {0: report("a", 10, HOSTS_RESTING, pool=1, leased=100), 1: report("b", 0, BUDGET_SPENT, pool=1)}
    orders = coordinator.round(obeying)
    assert orders[0].gives_back
    given_back = report("a", 10, HOSTS_RESTING, pool=1)._replace()
    lease = given_back.budget.lease._replace(version=2)
    orders = coordinator.round({0: given_back._replace(budget=given_back.budget._replace(lease=lease))})
    orders = coordinator.round({1: obeying[1]})
    grant = orders[1].grant
    assert grant is not None
    assert grant.most.fetches == 1


def test_what_a_lost_disk_had_spent_counts_no_more() -> None:
    coordinator = Coordinator(1, 100)
    coordinator.round({0: report("a", 90, "", leased=100)})
    coordinator.round({0: report("a", 90, "", pool=1, leased=100)})
    assert coordinator.spent == 90
    coordinator.round({0: Report("b", Standing().budget)})  # it is not there yet
    anew = Report("b", Standing().budget, "another log", True, "")
    (order,) = coordinator.round({0: anew}).values()
    assert (order.pool, coordinator.spent) == (1, 0)


def test_how_much_is_left_of_the_whole_crawl() -> None:
    """The sum of what shards have left, with the interval of one crawl; unknown while links are on their way."""
    session = CrawlSession(policy="sundog", budget=100, tracks_left=True)
    session.add([f"http://{host}.example/{page}" for host in "ab" for page in range(20)])
    for _ in range(30):
        decision = session.next_decision()
        assert isinstance(decision, Decision)
        session.observe(decision, Fetched(float(decision.url < "http://b"), []))
    told = session.left()
    parts = [told._replace(expected=told.expected.of(0)), told._replace(expected=told.expected.of(1), found=0)]
    for whole in (together(parts), together([part.without_hosts for part in parts])):
        assert whole.all == pytest.approx(told.all)
        assert whole.found == told.found
    reports = {number: report("a", 0, "")._replace(left=part) for number, part in enumerate(parts)}
    share = told.all.share(told.found)
    stop = WholeStop(Patterns(), left=share + 0.001, shards=2)
    assert stop.reason_in(reports, 1.0) == LITTLE_LEFT
    assert not WholeStop(Patterns(), left=share - 0.001, shards=2).reason_in(reports, 1.0)
    assert not stop.reason_in({0: reports[0]}, 1.0)
    assert not stop.reason_in({**reports, 1: reports[1]._replace(left=None)}, 1.0)
    assert not stop.reason_in({**reports, 1: reports[1]._replace(pending=3)}, 1.0)
