"""What an engine meets: scores that are none, parallel links, draws among the nearly best, sleepers, growth."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import numpy as np
import pytest

from sundog import CrawlSession, Decision, Fetched, Link, SundogError, simulate
from sundog.errors import UsageError
from sundog.policies.graph.chooser import GraphChooser
from sundog.policies.graph.presets import GraphPolicy
from sundog.policies.graph.ranking import ASIDE
from sundog.policies.presets import POLICIES
from tests.policies.graph.test_ensemble import static_world

A = "http://a.example/"
EXPLORERS = [name for name, policy in POLICIES.items() if isinstance(policy, GraphPolicy) and not policy.foresees]


def begun(policy: str, links: list[Link], reward: float = 1.0, **parameters: Any) -> CrawlSession:
    """A session whose first page had these links."""
    session = CrawlSession(policy=policy, budget=1000, **parameters)
    session.add([A])
    session.observe(choose(session), Fetched(reward, links))
    return session


def choose(session: CrawlSession, now: float = 0.0) -> Decision:
    decision = session.next_decision(now)
    assert isinstance(decision, Decision)
    return decision


@pytest.mark.parametrize("policy", EXPLORERS)
@pytest.mark.parametrize("score", [math.nan, -1.0, math.inf])
def test_a_link_score_that_is_no_number_from_0_on_is_refused(policy: str, score: float) -> None:
    session = CrawlSession(policy=policy, budget=5)
    session.add([A])
    with pytest.raises(SundogError, match=f"http://b.example/ has a score of {score}"):
        session.observe(choose(session), Fetched(1.0, [Link("http://b.example/", score=score)]))


def test_parallel_links_are_one_with_the_highest_score_and_loops_are_none() -> None:
    target = A + "x"
    links = [Link(target, score=1.0), Link(A, score=9.0), Link(target, score=3.0), Link(target, score=2.0)]
    assert choose(begun("nh-e", links)).score == 3.0
    assert choose(begun("nh-n", links, reward=2.0)).score == 2.0
    assert choose(begun("nh-ne", links, reward=2.0)).score == 6.0


def test_opic_divides_cash_among_links() -> None:
    links = [Link(A + "x", score=1.0), Link(A + "y", score=3.0)]
    assert choose(begun("opic", links)).score == pytest.approx(0.5 / 2)  # of one unit, which was given on
    assert choose(begun("opic", links, weights="edge")).score == pytest.approx(0.75 / 2)
    assert choose(begun("opic", links, weights="node")).score == pytest.approx(0.5 / 2)


@pytest.mark.parametrize(("zeta", "expected"), [(0.0, 1), (0.5, 11), (1.0, 40)])
@pytest.mark.parametrize("sleeper", [False, True])
def test_altered_greedy_draws_uniformly_among_the_nearly_best(zeta: float, expected: int, sleeper: bool) -> None:
    """One node of score 2, ten of 1, the others 0; all equally often, also while a host sleeps."""
    links = [Link(f"{A}{i}", score=2.0 if i == 0 else float(i <= 10)) for i in range(40)]
    session = begun("nh-e", [*links, Link("http://b.example/", score=5.0)], q=0, zeta=zeta, seed=4)
    other = choose(session)
    if zeta == 0.0:
        assert other.url == "http://b.example/"
    while other.host != "b.example":
        session.give_back(other)
        other = choose(session)
    if sleeper:
        session.give_back(other)
        session.rest(other.host_id, math.inf)
    drawn: Counter[str] = Counter()
    for _ in range(40 * expected):
        decision = choose(session)
        drawn[decision.url] += 1
        session.give_back(decision)
    assert len(drawn) == expected
    assert max(abs(count - 40) for count in drawn.values()) < 35


@pytest.mark.parametrize("policy", EXPLORERS)
def test_what_was_set_aside_comes_back_with_what_was_learned_since(policy: str) -> None:
    session = begun(policy, [Link(f"http://b.example/{i}", score=1.0) for i in range(3)] + [Link(A + "y")])
    chooser = session.chooser
    assert isinstance(chooser, GraphChooser)
    host = int(session.source.facts.host[1])
    session.rest(host, 5.0)
    decision = choose(session)
    assert decision.url == A + "y"
    session.observe(decision, Fetched(2.0, [Link("http://b.example/2", score=2.0)]))
    assert not isinstance(session.next_decision(4.0), Decision)
    assert {choose(session, 5.0).host for _ in range(3)} == {"b.example"}
    assert not any((each.ranking.ranked["where"] == ASIDE).any() for each in chooser.estimators)


@pytest.mark.parametrize("policy", EXPLORERS)
def test_a_world_and_a_growing_catalog_give_the_same_crawl(policy: str) -> None:
    world = static_world(2, size=400, links=4000)
    run = simulate(world, policy, budget=120, objective="score", start="0")
    session = CrawlSession(policy=policy, budget=120)
    session.add([world.url(0)])
    pages = []
    for _ in range(120):
        decision = choose(session)
        page = int(decision.url.rpartition("/")[2])
        pages.append(page)
        batch = world.links_of(page)
        links = [
            Link(world.url(target), score=score)
            for target, score in zip(batch.targets.tolist(), batch.scores.tolist(), strict=True)
        ]
        session.observe(decision, Fetched(float(world.pages.score()[page]), links))
    assert pages == run.trace.pages.tolist()


@pytest.mark.parametrize("policy", EXPLORERS)
@pytest.mark.parametrize("delay", [0, 10])
def test_the_same_seed_gives_the_same_crawl(policy: str, delay: int) -> None:
    world = static_world(1, size=500, links=5000)
    options: dict[str, Any] = {
        "budget": 200,
        "objective": "score",
        "delay": delay,
        "q": 0.7,
        "zeta": 0.3,
        "seed": 9,
    }
    one, two = (simulate(world, policy, start="random:5", **options) for _ in range(2))
    assert one.trace.pages.tolist() == two.trace.pages.tolist()
    assert one.fetched == 200


@pytest.mark.parametrize("policy", EXPLORERS)
def test_estimates_and_explanations_change_nothing(policy: str) -> None:
    session = begun(policy, [Link(f"{A}{i}", score=float(i)) for i in range(5)])
    session.observe(choose(session), Fetched(1.0))
    first = choose(session)
    session.give_back(first)
    assert session.explain(first.candidate).score == first.score
    assert np.isfinite(session.estimate(range(6))).all()
    assert choose(session).candidate == first.candidate


def test_on_one_host_random_is_uniform_over_the_frontier() -> None:
    """The paper's baseline: a uniform host, then a uniform page, is a uniform node if there is one host."""
    drawn: Counter[str] = Counter()
    session = begun("random", [Link(f"{A}{i}") for i in range(10)])
    for _ in range(1000):
        decision = choose(session)
        drawn[decision.url] += 1
        session.give_back(decision)
    assert len(drawn) == 10
    assert max(abs(count - 100) for count in drawn.values()) < 50


def test_the_oracle_is_greedy_by_score() -> None:
    world = static_world(3, size=300, links=3000)
    scores = world.pages.score()
    run = simulate(world, "oracle", budget=100, objective="score", start="0")
    known, done = {0}, set()
    for page in run.trace.pages.tolist():
        assert scores[page] == max(scores[node] for node in known - done)
        done.add(page)
        known |= set(world.links_of(page).targets.tolist())


@pytest.mark.parametrize("first", ["n", "e", "ne"])
def test_the_papers_hybrid_is_its_pair(first: str) -> None:
    """As the neighbourhood estimator until the switch; with a switch at once, as the linear one."""
    world = static_world(4, size=400, links=3000)

    def pages(policy: str, **values: Any) -> list[int]:
        run = simulate(world, policy, budget=150, objective="score", start="0", **values)
        return [int(page) for page in run.trace.pages]

    before, after = pages(f"nh-{first}"), pages("hybrid-paper", first=first, switch=60)
    assert after[:60] == before[:60]
    assert after != before
    assert pages("hybrid-paper", first=first, switch=0) == pages("lnh-sum")
    assert pages("hybrid-paper", first=first) == before


@pytest.mark.parametrize(
    "setting",
    ["q=2", "zeta=-1", "refresh=0", "aggregate=mean", "weights=all", "switch=-1", "first=x", "d=0", "d=1"],
)
def test_parameters_are_checked(setting: str) -> None:
    name, _, value = setting.partition("=")
    of = {"weights": "opic", "aggregate": "nh-n", "first": "hybrid-paper", "d": "navigational-rank"}
    policy = of.get(name, "hybrid")
    with pytest.raises(UsageError, match=name):
        CrawlSession(policy=policy, budget=1, **{name: value})
