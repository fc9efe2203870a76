"""Q-learning: its regression is that of scikit-learn, and its targets are those of deep-deep."""

from __future__ import annotations

import random

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from sklearn.linear_model import SGDRegressor

from sundog import CrawlSession, Decision, Fetched, Link
from sundog.errors import UsageError
from sundog.policies.published.q_learning import SWITCH, UNKNOWN_Q, LinearQ

WIDTH, GAMMA = 40, 0.4


def test_it_learns_as_deep_deep_does_with_scikit_learn() -> None:
    """Outcome by outcome: the same sample, the online Q's best link valued by the target Q, one partial fit."""
    chance = np.random.default_rng(1)
    rows = [np.sort(chance.choice(WIDTH, int(chance.integers(1, 6)), replace=False)) for _ in range(60)]
    matrix = np.zeros((60, WIDTH))
    for number, row in enumerate(rows):
        matrix[number, row] = len(row) ** -0.5
    ours = LinearQ(GAMMA, 20)
    for row in rows:
        ours.add(row.tolist(), [len(row) ** -0.5] * len(row))
    online = SGDRegressor(penalty="l1", learning_rate="constant", eta0=0.1, shuffle=False)
    target = lambda vector: UNKNOWN_Q  # noqa: E731
    rng, same, memory = random.Random(7), random.Random(7), []
    for step in range(1, 2 * SWITCH + 20):
        vector, reward = int(chance.integers(60)), float(chance.random() < 0.3)
        links = chance.choice(60, int(chance.integers(0, 5)), replace=False).tolist()
        changed = ours.observe(vector, reward, links, rng)
        memory.append((vector, reward, links))
        wanted = []
        sample = [memory[i] for i in same.sample(range(len(memory)), min(20, len(memory)))]
        for _, gain, following in sample:
            best = 0.0
            if following:
                scores = online.predict(csr_matrix(matrix[following])) if hasattr(online, "coef_") else [0.0]
                best = target(following[int(np.argmax(scores))])
            wanted.append(gain + GAMMA * best)
        online.partial_fit(csr_matrix(matrix[[one for one, _, _ in sample]]), wanted)
        assert changed == (step % SWITCH == 0)
        if changed:
            weights, intercept = online.coef_.copy(), float(online.intercept_[0])
            target = lambda vector, w=weights, b=intercept: float(matrix[vector] @ w) + b  # noqa: E731
        assert [ours.target(i) for i in range(60)] == pytest.approx([target(i) for i in range(60)], rel=1e-9)


def test_it_learns_to_go_through_pages_that_are_worth_nothing() -> None:
    """“archive” leads to wanted pages, “about” does not; neither is wanted itself."""
    session = CrawlSession(policy="q-learning", budget=600, seed=1, epsilon=0.1)
    session.add(["http://a.example/"])
    home = [Link(f"http://a.example/{kind}/{i}", anchor=kind) for i in range(200) for kind in ("archive", "about")]
    chosen = []
    while isinstance(decision := session.next_decision(), Decision):
        kind = decision.url.split("/")[3]
        links = [Link(f"{decision.url}/item", anchor="read the story")] if kind == "archive" else []
        links = home if not kind else links
        session.observe(decision, Fetched(float(decision.url.endswith("/item")), links))
        chosen.append(decision)
    assert {decision.score for decision in chosen[1:50]} == {UNKNOWN_Q}
    kinds = [decision.url.split("/")[3] for decision in chosen[SWITCH + 50 : 350]]
    assert kinds.count("archive") > 5 * kinds.count("about")


def test_propensities_are_those_of_the_two_draws() -> None:
    """With the probability ε a random page of a random host; else the best page of a host drawn by softmax."""
    session = CrawlSession(policy="q-learning", budget=9, seed=1)
    session.add([f"http://{host}.example/{page}" for host in "ab" for page in range(3)])
    first = {decision.url: decision.propensity for decision in _choices(session, 400)}
    assert first["http://a.example/0"] == pytest.approx(0.2 / 6 + 0.8 / 2)
    assert first["http://a.example/2"] == pytest.approx(0.2 / 6)
    assert sum(first.values()) == pytest.approx(1.0)


def _choices(session: CrawlSession, count: int) -> list[Decision]:
    chosen = []
    for _ in range(count):
        decision = session.next_decision()
        assert isinstance(decision, Decision)
        session.give_back(decision)
        chosen.append(decision)
    return chosen


def test_other_feature_sets_are_refused() -> None:
    with pytest.raises(UsageError, match="url and link"):
        CrawlSession(policy="q-learning", budget=9, features="parents")
