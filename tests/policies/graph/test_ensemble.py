"""The ensemble's choices are always somebody's best, and it ends up with the better estimator."""

from __future__ import annotations

import numpy as np
import pytest

from sundog import CrawlSession, Decision, Fetched, Link, simulate
from sundog.policies.graph.ensemble import Credit, EnsembleChooser
from sundog.worlds.static import Links, Pages, StaticWorld, Strings
from tests.policies.graph.test_exactness import world_of


def static_world(seed: int, size: int = 3000, links: int = 30_000, rich_links: bool = True) -> StaticWorld:
    """Rich nodes link to rich ones; the links' own scores say so (``rich_links``), or are noise."""
    rng = np.random.default_rng(seed)
    scores = np.where(rng.random(size) < 0.2, 1 + rng.exponential(1, size), 0.0)
    sources = np.sort(rng.integers(size, size=links))
    rich = rng.permutation(np.flatnonzero(scores > 0))
    follows = rng.random(links) < 0.3 * (scores[sources] > 0) * (not rich_links)
    targets = np.where(follows, rng.choice(rich, links), rng.integers(size, size=links)).astype(np.int32)
    link_scores = scores[targets] * (rng.random(links) < 0.3) if rich_links else rng.exponential(1, links)
    urls = [f"http://graph.example/{i}".encode() for i in range(size)]
    strings = Strings(np.frombuffer(b"".join(urls), np.uint8), np.cumsum([0, *map(len, urls)]))
    starts = np.searchsorted(sources, np.arange(size + 1))
    return StaticWorld(
        "graph", Pages(np.arange(size), strings, {"score": scores}), Links(starts, targets, scores=link_scores)
    )


def found(world: StaticWorld, policy: str, seed: int) -> float:
    return simulate(world, policy, budget=600, objective="score", start="random:20", seed=seed).reward


@pytest.mark.parametrize("rich_links", [True, False])
def test_it_is_about_as_good_as_the_best_of_its_estimators(rich_links: bool) -> None:
    world = static_world(5, rich_links=rich_links)
    mean = {
        policy: np.mean([found(world, policy, seed) for seed in range(5)])
        for policy in ("nh-n", "nh-e", "lnh-sum", "lnh-max", "random", "ensemble")
    }
    best = max(value for policy, value in mean.items() if policy != "ensemble")
    assert mean["ensemble"] > 0.92 * best
    assert mean["ensemble"] > 1.2 * mean["random"]


def test_the_same_seed_gives_the_same_crawl() -> None:
    world = static_world(6)
    runs = [
        simulate(world, "ensemble", budget=300, objective="score", start="random:20", seed=3, q=0.8, zeta=0.2)
        for _ in range(2)
    ]
    assert runs[0].trace.pages.tolist() == runs[1].trace.pages.tolist()


@pytest.mark.parametrize("refresh", [1, 5])
def test_every_choice_is_the_best_of_the_estimator_that_is_followed(refresh: int) -> None:
    world = world_of(11, 200, 3, grid=True)
    session = CrawlSession(policy="ensemble", budget=150, refresh=refresh)
    chooser = session.chooser
    assert isinstance(chooser, EnsembleChooser)
    session.add([world.url(node) for node in (0, 1, 2)])
    for _ in range(120):
        followed = chooser.followed
        decision = session.next_decision()
        if not isinstance(decision, Decision):
            break
        assert chooser._agreed[decision.candidate][followed]
        assert decision.score == pytest.approx(decision.estimate)
        session.observe(decision, world.page(int(decision.url.rpartition("/")[2])))


def test_credit_fades_so_that_another_can_take_over() -> None:
    credit = Credit(2)
    for _ in range(500):
        credit.give([True, False], 2.0)
    assert credit.best([0, 1]) == 0
    for _ in range(500):
        credit.give([True, False], 0.5)
        credit.give([False, True], 1.0)
    assert credit.best([0, 1]) == 1
    assert credit.best([0]) == 0


def test_the_first_is_the_favourite_until_another_has_shown_more() -> None:
    credit = Credit(3)
    for _ in range(20):
        credit.give([True, False, False], 1.0)
        assert credit.best([0, 1, 2]) == 0
    for _ in range(3):
        credit.give([False, True, False], 1.0)
    assert credit.worth(2) < credit.worth(1) < credit.worth(0)
    for _ in range(5):
        credit.give([False, True, False], 3.0)
    assert credit.best([0, 1, 2]) == 1


def test_what_is_in_flight_is_credited_once() -> None:
    session = CrawlSession(policy="ensemble", budget=10)
    session.add([f"http://a.example/{i}" for i in range(5)])
    chooser = session.chooser
    assert isinstance(chooser, EnsembleChooser)
    first, second = session.next_decision(), session.next_decision()
    assert isinstance(first, Decision)
    assert isinstance(second, Decision)
    session.give_back(first)
    session.observe(second, Fetched(1.0, [Link("http://a.example/x")]))
    assert not chooser._agreed
