"""Models of hosts: every estimate is that of an obvious program, and the mixture keeps its bound."""

from __future__ import annotations

import math
import random
import re
from collections import defaultdict
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sundog import CrawlSession, Decision, Fetched, Link
from sundog.frontier.arrays import RATED
from sundog.policies.hosts.appraise import EXPECTED
from sundog.policies.hosts.beliefs import VISITED, learn_scales, mixed, new_beliefs
from sundog.policies.hosts.freshness import FEW_ANEW, FEW_HOSTS, MANY_RATINGS, MOST_ANEW, is_news
from sundog.policies.hosts.local_model import learn_local, local_odds, new_local_model
from sundog.urls.tokens import find_numbers
from tests.kernels import exposed
from tests.policies.hosts.test_sundog import HostRecord

PAGES = [
    f"http://a.example/{year}/{one}-{two}-post/"
    for one in ("red", "green", "blue", "black", "white", "brown", "pink")
    for two in ("fox", "owl", "elk", "hen", "cat", "dog")
    for year in (2009, 2011, 2012)
]
SEEDS = 90
SCALES = [0, 0.25, 0.5, 0.75, 1, 1.5, 2]


class Weight:
    """FTRL-proximal for one feature, written again: α = .2, β = λ₂ = 1."""

    def __init__(self) -> None:
        self.z = self.squares = self.value = 0.0

    def learn(self, gradient: float) -> None:
        root = math.sqrt(self.squares + gradient**2)
        self.z += gradient - (root - math.sqrt(self.squares)) / 0.2 * self.value
        self.squares += gradient**2
        self.value = -self.z / ((1 + root) / 0.2 + 1)


class Naive:
    """One host whose pages are all of one template; dictionaries, and nothing is remembered from one rating to
    the next."""

    def __init__(self) -> None:
        self.record = HostRecord()
        self.weights: dict[Any, Weight] = defaultdict(Weight)
        self.parents: dict[str, set[str]] = defaultdict(set)
        self.first: dict[str, tuple[str, bool]] = {}  # the page that led here, and whether it was relevant
        self.losses = [0.0] * len(SCALES)

    def features(self, page: str) -> list[Any]:
        tokens = [re.sub(r"\d+", "0", token) for token in re.findall(r"\w+", page.split("example")[1])]
        found: list[Any] = [*tokens, *pairwise(tokens)]
        found.append(("year", page.split("/")[3]))
        doublings = len(self.parents[page]).bit_length()
        found += [("parents", doublings), ("parents of this shape", doublings)]
        if page in self.first:
            parent, relevant = self.first[page]
            beside = parent.split("/")[3] == page.split("/")[3]
            found += [("from", beside, relevant), ("from any", beside)]
        return found

    def estimates(self, page: str) -> list[float]:
        """By the records, and by records and so much of the model."""
        p = self.record.estimate()
        odds = sum(self.weights[feature].value for feature in self.features(page)) if self.record.outcomes else 0.0
        return [1 / (1 + math.exp(-math.log(p / (1 - p)) - scale * odds)) for scale in SCALES]

    def estimate(self, page: str) -> float:
        shares = [math.exp(-loss) for loss in self.losses]
        return sum(s * p for s, p in zip(shares, self.estimates(page), strict=True)) / sum(shares)

    def learn(self, page: str, outcome: float) -> None:
        estimates = self.estimates(page)
        if self.record.outcomes:
            for i, p in enumerate(estimates):
                self.losses[i] -= math.log(min(max(p if outcome else 1 - p, 0.001), 0.999))
        for feature in self.features(page):
            self.weights[feature].learn(estimates[SCALES.index(1.0)] - outcome)
        self.record.outcomes.append((outcome, 0.0))

    def link(self, parent: str, page: str, outcome: float) -> None:
        self.parents[page].add(parent)
        if len(self.parents[page]) == 1 and page not in PAGES[:SEEDS]:
            self.first[page] = parent, outcome > 0


def test_every_choice_and_estimate_is_that_of_the_obvious_program() -> None:
    rng = random.Random(3)
    session = CrawlSession(policy="sundog", budget=1000, classifier=False, group=False, explore=False)
    session.add(PAGES[:SEEDS])
    naive, waiting, done = Naive(), set(PAGES[:SEEDS]), set[str]()
    differing = 0
    while waiting:
        decision = session.next_decision()
        assert isinstance(decision, Decision)
        page = decision.url
        assert naive.estimate(page) == pytest.approx(max(map(naive.estimate, waiting)), rel=1e-4, abs=1e-6)
        assert decision.estimate == pytest.approx(naive.estimate(page), rel=1e-4, abs=1e-6)
        waiting.remove(page)
        outcome = float("2011" in page and "hen" not in page)
        naive.learn(page, outcome)
        done.add(page)
        linked = [one for one in rng.sample(PAGES, 9) if one not in done]
        for one in linked:
            naive.link(page, one, outcome)
        session.observe(decision, Fetched(outcome, [Link(one) for one in linked]))
        waiting.update(linked)
        for one in sorted(waiting)[::7]:
            explained = session.explain(session.source.find(one)).estimate
            assert explained == pytest.approx(naive.estimate(one), rel=1e-4, abs=1e-6)
            differing += abs(explained - naive.record.estimate()) > 0.01
    assert len(naive.record.outcomes) > 120
    assert differing > 500


@pytest.mark.parametrize(("hosts", "rated"), [(FEW_HOSTS + 1, 0), (1, MANY_RATINGS)])
def test_once_a_crawl_is_large_only_a_surprise_has_pages_rated_anew(hosts: int, rated: int) -> None:
    session, asks = CrawlSession(policy="sundog", budget=10), exposed(is_news)
    chooser = session.chooser
    frontier, hierarchy, plan = chooser._frontier, chooser._hierarchy, chooser._plan
    hierarchy.appraisal[EXPECTED] = 0.5
    assert all(asks(frontier, hierarchy, plan, outcome) for outcome in (0.0, 0.5, 1.0))
    frontier.totals[RATED], hierarchy.beliefs.numbers[VISITED] = rated, hosts
    assert [asks(frontier, hierarchy, plan, outcome) for outcome in (0.2, 0.3, 0.7, 0.8)] == [
        True,
        False,
        False,
        True,
    ]
    assert not asks(frontier, hierarchy, plan._replace(fresh=False), 1.0)


@pytest.mark.parametrize(("rated", "most"), [(0, MOST_ANEW), (MANY_RATINGS, FEW_ANEW)])
def test_so_many_pages_at_most_are_rated_anew_after_an_outcome(rated: int, most: int) -> None:
    session = CrawlSession(policy="sundog", budget=10)
    session.add([f"http://shop.example/{at % 7}/page-{at}" for at in range(2 * MOST_ANEW)])
    decision = session.next_decision()
    assert isinstance(decision, Decision)
    totals = session.chooser._frontier.totals
    totals[RATED] = rated
    session.observe(decision, Fetched(1.0, []))
    assert totals[RATED] == rated + most


mix, learn, numbers_of = exposed(mixed), exposed(learn_scales), exposed(find_numbers)
probabilities, odds_of_models = st.floats(0.05, 0.95), st.floats(-1.9, 1.9)


@given(st.lists(st.tuples(probabilities, odds_of_models, st.booleans()), max_size=60))
def test_the_mixture_loses_at_most_ln_7_more_than_the_best(
    outcomes: list[tuple[float, float, bool]],
) -> None:
    beliefs, total = new_beliefs(), 0.0
    for by_records, local, hit in outcomes:
        p = mix(beliefs, by_records, local)
        total -= math.log(p if hit else 1 - p)
        learn(beliefs, by_records, local, float(hit))
    assert total <= min(beliefs.scale_losses) + math.log(len(SCALES)) + 1e-6


def test_where_two_hosts_meet_the_older_lesson_is_forgotten() -> None:
    odds, learn = exposed(local_odds), exposed(learn_local)
    table, features, none = new_local_model(1), np.zeros(1, np.int32), np.zeros(0, np.float32)
    learn(table, none, 7, features, 1, -0.5)
    assert odds(table, none, 7, features, 1) > 0.0
    assert odds(table, none, 8, features, 1) == 0.0
    learn(table, none, 8, features, 1, 0.5)
    assert odds(table, none, 8, features, 1) < 0.0
    assert odds(table, none, 7, features, 1) == 0.0


def test_hosts_begin_with_the_weights_of_earlier_crawls_and_leave_them() -> None:
    odds, learn = exposed(local_odds), exposed(learn_local)
    table, features = new_local_model(64), np.array([3, 5], np.int32)
    prior = np.zeros(8, np.float32)
    prior[3] = 1.5
    assert odds(table, prior, 7, features, 2) == pytest.approx(1.5)
    learn(table, prior, 7, features, 2, 0.0)
    assert odds(table, prior, 7, features, 2) == pytest.approx(1.5), "a page that was expected changes nothing"
    before = 1.5
    for _ in range(30):
        learn(table, prior, 7, features, 2, 0.8)
        after = odds(table, prior, 7, features, 2)
        assert after < before
        before = after
    assert before < 0.5
    assert odds(table, prior, 8, features, 2) == pytest.approx(1.5), "another host"


@given(st.text("0123456789/-?=aé", max_size=40))
def test_numbers_of_a_url_are_its_first_short_ones(text: str) -> None:
    blob = np.frombuffer(text.encode() or b"/", np.uint8)
    found = np.full(2, 9, np.uint16)
    numbers_of(blob, 0, len(text.encode()), found)
    short = [int(run) + 1 for run in re.findall(r"\d+", text) if len(run) <= 4]
    assert found.tolist() == [*short, 0, 0][:2]
