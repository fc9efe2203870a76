"""Costs: the score of a choice is its worth over the expected cost, which is that of an obvious program."""

from __future__ import annotations

import math
from collections import defaultdict

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sundog import CrawlSession, Decision, Fetched, Link
from sundog.errors import SundogError, UsageError

KINDS = ("news", "item", "list")


class Ledger:
    """What fetches have cost, kept for all, by host, and by host and first folder."""

    def __init__(self) -> None:
        self.paid: dict[tuple[str, ...], list[float]] = defaultdict(list)

    def charge(self, url: str, cost: float) -> None:
        for group in self.groups(url):
            self.paid[group].append(cost)

    def groups(self, url: str) -> list[tuple[str, ...]]:
        host, kind = url.split("/")[2:4]
        return [(), (host,), (host, kind), (host, kind, "fine")]

    def relative(self, url: str) -> float:
        everything = self.paid[()]
        if not sum(everything):
            return 1.0
        mean = cost = sum(everything) / len(everything)
        for group in self.groups(url)[1:]:
            cost = (sum(self.paid[group]) + 2 * cost) / (len(self.paid[group]) + 2)
        return min(max(cost / mean, 0.05), 20.0)


@settings(max_examples=20, deadline=None)
@given(st.lists(st.floats(0, 1e6, width=32), min_size=30, max_size=30), st.integers(0, 2**20))
def test_a_score_is_the_worth_over_the_expected_cost(costs: list[float], chance: int) -> None:
    pages = [f"http://{host}.example/{kind}/{i}" for i in range(9) for host in "ab" for kind in KINDS]
    session, ledger = CrawlSession(budget=60), Ledger()
    session.add(["http://a.example/news/77"])
    for step, cost in enumerate(costs):
        decision = session.next_decision()
        assert isinstance(decision, Decision)
        worth = decision.estimate + decision.parts["exploration"]
        assert decision.score == pytest.approx(worth / ledger.relative(decision.url), rel=1e-4)
        links = [Link(url) for url in pages] if step == 0 else []
        session.observe(decision, Fetched(float(chance >> step % 20 & 1), links))
        session.charge(decision.candidate, cost)
        ledger.charge(decision.url, cost)


def test_equal_costs_change_no_choice() -> None:
    def chosen(cost: float | None) -> list[str]:
        session = CrawlSession(budget=40)
        session.add([f"http://{host}.example/{kind}/{i}" for i in range(9) for host in "abc" for kind in KINDS])
        urls = []
        while isinstance(decision := session.next_decision(), Decision):
            urls.append(decision.url)
            session.observe(decision, Fetched(float("item" in decision.url)))
            if cost is not None:
                session.charge(decision.candidate, cost)
        return urls

    assert chosen(None) == chosen(4096.0)


def test_a_cost_is_a_number_and_comes_after_the_outcome() -> None:
    session = CrawlSession(budget=2)
    session.add(["http://a.example/"])
    decision = session.next_decision()
    assert isinstance(decision, Decision)
    with pytest.raises(SundogError, match="no outcome yet"):
        session.charge(decision.candidate, 1.0)
    session.observe(decision, Fetched(1.0))
    for wrong in (-1.0, math.inf, math.nan):
        with pytest.raises(UsageError, match="a number from 0 on"):
            session.charge(decision.candidate, wrong)


def test_policies_that_know_no_costs_take_them() -> None:
    for policy in ("bfs", "thompson", "nh-n", "ldcoc", "sb-classifier"):
        session = CrawlSession(policy=policy, budget=2)
        session.add(["http://a.example/"])
        decision = session.next_decision()
        assert isinstance(decision, Decision)
        session.observe(decision, Fetched(1.0))
        session.charge(decision.candidate, 7.0)
