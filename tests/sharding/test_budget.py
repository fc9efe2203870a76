"""Leases: whatever is lost, doubled, late or dead, not one fetch too many; and in the end not one too few."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from sundog.errors import UsageError
from sundog.model import Outlook
from sundog.sharding.budget import NO_PAGES, Amounts, BudgetPool, Grant, Lease, Report

PAGE = 10  # bytes of the largest page


def outlook(*levels: tuple[float, int], expected: int = 0, rank: float = np.inf) -> Outlook:
    """``expected``: more pages of the best worth; ``rank``: all are first visits."""
    worths, pages = [worth for worth, _ in levels], np.array([count for _, count in levels], np.int64)
    more = expected * (np.arange(len(pages)) == 0)
    return Outlook(np.array(worths), pages, pages + more, np.full(len(pages), rank))


class Shard:
    """What a shard keeps on disk; what dies with its process is not here."""

    def __init__(self, pages: int, worth: float, rank: float) -> None:
        self.lease, self.spent, self.pages = Lease(), Amounts(), pages
        self.worth, self.rank = worth, rank

    def report(self, capacity: int) -> Report:
        waiting = outlook((self.worth, self.pages), rank=self.rank) if self.pages else NO_PAGES
        return Report(self.lease, self.spent, waiting, capacity)

    def fetch(self, size: int, page_bytes: int) -> bool:
        if not self.pages or not self.lease.room(self.spent, page_bytes=page_bytes):
            return False
        self.pages -= 1
        self.spent = Amounts(self.spent.fetches + 1, self.spent.bytes + size)
        return True


class Leases(RuleBasedStateMachine):
    """A pool and shards, and a network that does what it likes with grants and reports."""

    @initialize(
        budget=st.integers(1, 40),
        limit=st.one_of(st.none(), st.integers(0, 300)),
        pages=st.lists(st.integers(0, 30), min_size=1, max_size=4),
    )
    def begin(self, budget: int, limit: int | None, pages: list[int]) -> None:
        self.budget, self.limit = budget, limit
        self.page_bytes = PAGE if limit is not None else 0
        self.shards = [
            Shard(count, worth=(3 * place % 4) / 4, rank=np.inf if place % 2 else float(place))
            for place, count in enumerate(pages)
        ]
        self.pool_number = 0
        self.grants: list[Grant] = []  # all that were ever sent: any may still arrive, several times
        self.reports: list[tuple[int, int, Report]] = []  # pool, shard, report: the same
        self.new_pool()

    @rule()
    def new_pool(self) -> None:
        """The old one is lost with all that it knew; its grants and reports to it are still on their way."""
        self.pool_number += 1
        self.pool = BudgetPool(
            len(self.shards), self.budget, number=self.pool_number, limit_bytes=self.limit, page_bytes=PAGE
        )

    @rule(which=st.integers(0, 3), capacity=st.integers(0, 9))
    def report(self, which: int, capacity: int) -> None:
        shard = which % len(self.shards)
        self.shards[shard].lease = self.shards[shard].lease.obeying(self.pool_number)
        self.reports.append((self.pool_number, shard, self.shards[shard].report(capacity)))

    @rule(which=st.integers(0, 1000))
    def a_report_arrives(self, which: int) -> None:
        if self.reports:
            pool, shard, report = self.reports[which % len(self.reports)]
            if pool == self.pool_number:
                self.pool.report(shard, report)

    @rule()
    def grant(self) -> None:
        self.grants += self.pool.grants()

    @rule(which=st.integers(0, 1000))
    def a_grant_arrives(self, which: int) -> None:
        if self.grants:
            grant = self.grants[which % len(self.grants)]
            shard = self.shards[grant.shard]
            shard.lease = shard.lease.after(grant)

    @rule(which=st.integers(0, 3), size=st.integers(0, PAGE), times=st.integers(1, 8))
    def fetch(self, which: int, size: int, times: int) -> None:
        for _ in range(times):
            self.shards[which % len(self.shards)].fetch(size, self.page_bytes)

    @rule(which=st.integers(0, 3))
    def give_back(self, which: int) -> None:
        shard = self.shards[which % len(self.shards)]
        shard.lease = shard.lease.lowered(shard.spent)

    @rule(which=st.integers(0, 3), pages=st.integers(1, 20))
    def find(self, which: int, pages: int) -> None:
        self.shards[which % len(self.shards)].pages += pages

    @invariant()
    def never_too_much(self) -> None:
        if not hasattr(self, "shards"):
            return
        assert sum(shard.spent.fetches for shard in self.shards) <= self.budget
        assert sum(shard.lease.most.fetches for shard in self.shards) <= self.budget
        if self.limit is not None:
            assert sum(shard.lease.most.bytes for shard in self.shards) <= self.limit

    def teardown(self) -> None:
        """When the network works again, all that can be fetched is fetched."""
        if not hasattr(self, "shards"):
            return
        for _ in range(4 * self.budget + 8):
            for number, shard in enumerate(self.shards):
                shard.lease = shard.lease.obeying(self.pool_number)
                self.pool.report(number, shard.report(capacity=5))
            for number in self.pool.recalls():
                self.shards[number].lease = self.shards[number].lease.lowered(self.shards[number].spent)
            for grant in self.pool.grants():
                self.shards[grant.shard].lease = self.shards[grant.shard].lease.after(grant)
            for shard in self.shards:
                while shard.fetch(PAGE, self.page_bytes):
                    self.never_too_much()
        spent, has_pages = self.pool.spent, any(shard.pages for shard in self.shards)
        assert self.pool.is_over or not has_pages
        if self.limit is None and has_pages:
            assert spent.fetches == self.budget


Leases.TestCase.settings = settings(max_examples=60, stateful_step_count=40, deadline=None)
TestLeases = Leases.TestCase


def pool_with(*outlooks: Outlook, budget: int, capacity: int = 10) -> BudgetPool:
    pool = BudgetPool(len(outlooks), budget)
    for shard, each in enumerate(outlooks):
        pool.report(shard, Report(Lease().obeying(1), Amounts(), each, capacity))
    return pool


def fetches(pool: BudgetPool) -> dict[int, int]:
    return {grant.shard: grant.most.fetches for grant in pool.grants()}


def test_the_best_pages_get_what_is_left() -> None:
    pool = pool_with(outlook((0.2, 50)), outlook((0.9, 6), (0.5, 50)), outlook((0.7, 3)), budget=10)
    assert fetches(pool) == {1: 7, 2: 3}  # the tenth best page is worth .5: those of the first shard can wait


def test_who_would_be_reached_anyway_need_not_wait() -> None:
    pool = pool_with(outlook((0.2, 50)), outlook((0.9, 6), (0.5, 50)), outlook((0.7, 3)), budget=1000)
    assert fetches(pool) == {0: 10, 1: 10, 2: 3}


def test_what_is_likely_to_be_found_counts() -> None:
    pool = pool_with(outlook((0.2, 50)), outlook((0.9, 10), expected=1000), budget=500)
    assert fetches(pool) == {1: 10}


def test_at_least_one_shard_has_enough_to_do() -> None:
    """What waits is worth less than what the budget is expected to reach; nobody would find that by waiting."""
    assert fetches(pool_with(outlook((0.9, 2), (0.2, 5), (0.1, 50), expected=1000), budget=500)) == {0: 10}
    pool = pool_with(outlook((0.9, 2), (0.2, 5), (0.1, 50), expected=1000), outlook((0.05, 50)), budget=500)
    assert fetches(pool) == {0: 10}


def test_a_grant_is_repeated_until_it_is_answered() -> None:
    pool = pool_with(outlook((0.5, 50)), budget=100)
    (grant,) = pool.grants()
    assert pool.grants() == [grant]
    assert pool.free.fetches == 90
    lease = grant.lease.after(grant)
    assert lease.after(grant) == lease  # a second time it says nothing
    pool.report(0, Report(lease, Amounts(4), outlook((0.5, 46)), 10))
    assert fetches(pool) == {}  # it has more than half of what it should have
    pool.report(0, Report(lease, Amounts(6), outlook((0.5, 44)), 10))
    assert fetches(pool) == {0: 16}


def test_nothing_is_granted_before_all_shards_obey() -> None:
    pool = BudgetPool(2, 100, number=7)
    pool.report(0, Report(Lease().obeying(7), Amounts(), outlook((0.5, 50)), 10))
    assert pool.grants() == []
    pool.report(1, Report(Lease(3, 5, Amounts(40)), Amounts(20), NO_PAGES, 10))  # obeys an older one
    assert pool.grants() == []
    pool.report(1, Report(Lease(3, 5, Amounts(40)).obeying(7), Amounts(20), NO_PAGES, 10))
    assert fetches(pool) == {0: 10}
    assert pool.recalls() == []  # there is enough for both


def test_who_has_no_pages_gives_back_what_others_need() -> None:
    pool = pool_with(outlook((0.2, 50)), NO_PAGES, budget=100)
    pool.report(1, Report(Lease(1, 2, Amounts(100)), Amounts(30), NO_PAGES, 10))
    assert pool.grants() == []
    assert pool.recalls() == [1]


def test_what_others_could_use_better_is_recalled() -> None:
    pool = pool_with(outlook((0.2, 50)), outlook((0.9, 50)), budget=100)
    pool.report(0, Report(Lease(1, 2, Amounts(100)), Amounts(30), outlook((0.2, 20)), 10))
    assert pool.grants() == []
    assert pool.recalls() == [0]


def test_a_shard_that_lost_its_log_begins_again() -> None:
    pool = pool_with(outlook((0.5, 50)), outlook((0.5, 50)), budget=100)
    for grant in pool.grants():
        pool.report(grant.shard, Report(grant.lease.after(grant), Amounts(10), outlook((0.5, 40)), 10))
    assert pool.spent == Amounts(20)
    pool.forget(0)
    pool.report(0, Report(Lease(), Amounts(), outlook((0.5, 50)), 10))
    assert pool.grants() == []
    pool.report(0, Report(Lease().obeying(1), Amounts(), outlook((0.5, 50)), 10))
    assert fetches(pool) == {0: 10, 1: 20}


def test_pages_worth_about_as_much_need_not_wait() -> None:
    pool = pool_with(outlook((0.9, 10), expected=1000), outlook((0.7, 50)), outlook((0.6, 50)), budget=500)
    assert fetches(pool) == {0: 10, 1: 10}


def test_as_many_first_visits_as_fetches_so_far_and_the_highest_ranks_first() -> None:
    many = [outlook((0.5, 10), rank=rank) for rank in (1.0, 3.0, 2.0)]
    assert fetches(pool_with(*many, budget=1000)) == {1: 10}  # as many as one of them could make
    pool = pool_with(*many, budget=1000)
    pool.report(0, Report(Lease(1, 2, Amounts(13)), Amounts(13), many[0], 10))
    assert fetches(pool) == {1: 10, 2: 3}


def test_bytes_need_the_largest_page() -> None:
    with pytest.raises(UsageError, match="largest page"):
        BudgetPool(1, 100, limit_bytes=1000)
