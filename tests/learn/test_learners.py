"""Our learners against scikit-learn and river on the same stream of binary features."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from river import linear_model, optim
from sklearn.naive_bayes import MultinomialNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import LinearSVC

from sundog.learn import model as kernels
from sundog.learn import svm
from sundog.learn.model import KINDS, Model, new_model
from sundog.learn.neighbours import NEIGHBOURS, new_examples
from tests.kernels import exposed

learn, predict = exposed(kernels.learn), exposed(kernels.predict)

WIDTH = 60
ONLINE = [name for name in KINDS if name != "knn"]


@pytest.fixture
def stream(rng: np.random.Generator) -> list[tuple[Any, int]]:
    """Pages of 1 to 8 features, labelled by a noisy linear rule."""
    weights = rng.normal(size=WIDTH)
    pages = [np.sort(rng.choice(WIDTH, rng.integers(1, 9), replace=False)).astype(np.int32) for _ in range(400)]
    return [(page, int(weights[page].sum() + rng.normal() > 0)) for page in pages]


def as_dict(page: Any) -> dict[int, int]:
    return dict.fromkeys(page.tolist(), 1)


def as_row(page: Any) -> Any:
    row = np.zeros((1, WIDTH))
    row[0, page] = 1
    return row


def test_naive_bayes_is_scikit_learns(stream: list[tuple[Any, int]]) -> None:
    ours = new_model("naive-bayes", WIDTH)
    theirs = MultinomialNB(class_prior=[0.5, 0.5])
    for page, label in stream:
        learn(ours, page, len(page), float(label), 1.0)
        theirs.partial_fit(as_row(page), [label], classes=[0, 1])
    labels = [label for _, label in stream]
    prior = np.log((sum(labels) + 1) / (len(labels) - sum(labels) + 1))  # ours is smoothed, so it is added here
    for page, _ in stream[:100]:
        odds = np.diff(theirs.predict_joint_log_proba(as_row(page)))[0, 0] + prior
        assert predict(ours, page, len(page)) == pytest.approx(1 / (1 + np.exp(-odds)), rel=1e-9)


def test_logistic_regression_is_rivers(stream: list[tuple[Any, int]]) -> None:
    ours = new_model("logistic", WIDTH, rate=0.05)
    theirs = linear_model.LogisticRegression(optimizer=optim.SGD(0.05), intercept_lr=0.0)
    for page, label in stream:
        assert predict(ours, page, len(page)) == pytest.approx(
            theirs.predict_proba_one(as_dict(page))[True], abs=1e-9
        )
        learn(ours, page, len(page), float(label), 1.0)
        theirs.learn_one(as_dict(page), bool(label))


class FtrlFromThePaper:
    """Algorithm 1 of McMahan et al. (2013), a dictionary a coordinate."""

    def __init__(self, alpha: float, beta: float, ridge: float) -> None:
        self.alpha, self.beta, self.ridge = alpha, beta, ridge
        self.z: dict[int, float] = {}
        self.n: dict[int, float] = {}

    def weight(self, i: int) -> float:
        root = np.sqrt(self.n.get(i, 0.0))
        return -self.z.get(i, 0.0) / ((self.beta + root) / self.alpha + self.ridge)

    def predict(self, page: Any) -> float:
        return float(1 / (1 + np.exp(-sum(self.weight(i) for i in page.tolist()))))

    def learn(self, page: Any, label: int) -> None:
        gradient, weights = self.predict(page) - label, {i: self.weight(i) for i in page.tolist()}
        for i, weight in weights.items():
            n = self.n.get(i, 0.0)
            sigma = (np.sqrt(n + gradient**2) - np.sqrt(n)) / self.alpha
            self.z[i] = self.z.get(i, 0.0) + gradient - sigma * weight
            self.n[i] = n + gradient**2


def test_ftrl_is_the_papers_algorithm(stream: list[tuple[Any, int]]) -> None:
    ours, theirs = new_model("ftrl", WIDTH, rate=0.3), FtrlFromThePaper(0.3, 1.0, 1.0)
    for page, label in stream:
        assert predict(ours, page, len(page)) == pytest.approx(theirs.predict(page), rel=1e-9)
        learn(ours, page, len(page), float(label), 1.0)
        theirs.learn(page, label)


def accuracy(model: Model, stream: list[tuple[Any, int]]) -> float:
    hits = 0
    for page, label in stream:
        hits += (predict(model, page, len(page)) >= 0.5) == label
        learn(model, page, len(page), float(label), 1.0)
    return hits / len(stream)


@pytest.mark.parametrize("learner", ONLINE)
def test_a_learner_learns_and_a_frozen_one_does_not(learner: str, stream: list[tuple[Any, int]]) -> None:
    model = new_model(learner, WIDTH, rate=0.3)
    assert accuracy(model, stream) > 0.65
    frozen = model._replace(frozen=True)
    before = model.table.copy()
    accuracy(frozen, stream)
    assert np.array_equal(before, model.table)


@pytest.mark.parametrize("learner", ONLINE)
def test_prediction_is_pure(learner: str, stream: list[tuple[Any, int]]) -> None:
    model = new_model(learner, WIDTH)
    accuracy(model, stream[:50])
    table, numbers = model.table.copy(), model.numbers.copy()
    page = stream[0][0]
    assert predict(model, page, len(page)) == predict(model, page, len(page))
    assert np.array_equal(table, model.table)
    assert np.array_equal(numbers, model.numbers)


def test_a_graded_label_counts_by_its_share() -> None:
    page = np.array([1, 2], np.int32)
    model = new_model("naive-bayes", WIDTH)
    learn(model, page, 2, 0.25, 1.0)
    assert model.table[1, 1] == 0.25
    assert model.table[0, 1] == 0.75


def test_ftrl_with_one_rate_solves_the_papers_equation(stream: list[tuple[Any, int]]) -> None:
    """Equation 1, densely: z = Σ(g - σ·w), and every weight follows from it in every round."""
    alpha, lasso = 0.3, 2.0
    ours = new_model("ftrl-global", WIDTH, rate=alpha, lasso=lasso)
    z, weights = np.zeros(WIDTH), np.zeros(WIDTH)
    for t, (page, label) in enumerate(stream, 1):
        assert predict(ours, page, len(page)) == pytest.approx(1 / (1 + np.exp(-weights[page].sum())), rel=1e-9)
        gradient = np.zeros(WIDTH)
        gradient[page] = 2.0 * (1 / (1 + np.exp(-weights[page].sum())) - label)
        z += gradient - (np.sqrt(t) - np.sqrt(t - 1)) / alpha * weights
        weights = -np.sign(z) * np.maximum(np.abs(z) - lasso, 0) / (np.sqrt(t) / alpha)
        learn(ours, page, len(page), float(label), 2.0)
    assert np.allclose(ours.table[2], weights)
    assert np.any(weights == 0)


def test_the_support_vector_machine_finds_scikit_learns_optimum(stream: list[tuple[Any, int]]) -> None:
    ours = new_model("svm", WIDTH)
    for _ in range(200):
        for page, label in stream:
            learn(ours, page, len(page), float(label), 1.0)
    rows = np.concatenate([as_row(page) for page, _ in stream])
    sides = np.array([2 * label - 1 for _, label in stream])
    cost = 1 / (svm.RIDGE * len(stream))
    theirs = LinearSVC(loss="hinge", C=cost, fit_intercept=False, tol=1e-2, max_iter=100_000, random_state=0)
    theirs.fit(rows, sides)

    def objective(weights: Any) -> float:
        losses = np.maximum(0, 1 - sides * (rows @ weights))
        return float(svm.RIDGE / 2 * weights @ weights + losses.mean())

    assert objective(ours.numbers[svm.SCALE] * ours.table[0]) <= 1.2 * objective(theirs.coef_[0])


def test_nearest_neighbours_are_scikit_learns(stream: list[tuple[Any, int]]) -> None:
    pages, labels = [page for page, _ in stream], np.array([label for _, label in stream])
    ours = new_model("knn", WIDTH)._replace(examples=new_examples(pages[:300], labels[:300], WIDTH))
    rows = np.concatenate([as_row(page) for page in pages])
    theirs = KNeighborsClassifier(NEIGHBOURS, algorithm="brute").fit(rows[:300], labels[:300])
    compared = 0
    for page, row in zip(pages[300:], rows[300:], strict=True):
        distances = np.sort(theirs.kneighbors([row], NEIGHBOURS + 1)[0][0])
        if distances[-1] > distances[-2] + 1e-9:  # else it depends on which of equally near ones is taken
            assert predict(ours, page, len(page)) == pytest.approx(theirs.predict_proba([row])[0, 1])
            compared += 1
    assert compared > 5


def test_without_examples_nearest_neighbours_know_nothing() -> None:
    assert predict(new_model("knn", WIDTH), np.array([1, 2], np.int32), 2) == 0.5
