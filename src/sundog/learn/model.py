"""The state of a learner as kernels see it, and the dispatch to the learner's own two functions."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from sundog._jit import inner
from sundog.learn import ftrl, ftrl_global, logistic, naive_bayes, neighbours, svm
from sundog.learn.neighbours import Examples, new_examples

NONE, NAIVE_BAYES, FTRL, LOGISTIC, FTRL_GLOBAL, SVM, KNN = 0, 1, 2, 3, 4, 5, 6
KINDS = {
    "naive-bayes": NAIVE_BAYES,
    "ftrl": FTRL,
    "logistic": LOGISTIC,
    "ftrl-global": FTRL_GLOBAL,
    "svm": SVM,
    "knn": KNN,
}
NUMBERS = 8
ROWS = 4


class Model(NamedTuple):
    """``table`` has up to four numbers a feature, ``numbers`` the rest; each learner says which."""

    kind: int
    frozen: bool
    table: Any  # float64[ROWS, width]
    numbers: Any  # float64[NUMBERS]
    examples: Examples  # of knn alone; it learns nothing more


def new_model(learner: str | None, width: int, *, rate: float = 0.1, lasso: float = 0.0) -> Model:
    """An empty model of the named learner for feature indices below ``width``."""
    kind = NONE if learner is None else KINDS[learner]
    numbers = np.zeros(NUMBERS)
    numbers[0] = rate
    if kind == FTRL_GLOBAL:
        numbers[ftrl_global.LASSO] = lasso
    examples = new_examples([], [], width if kind == KNN else 1)
    return Model(kind, False, np.zeros((ROWS, width if kind else 1)), numbers, examples)


@inner
def predict(model: Any, features: Any, count: int) -> float:
    """The probability that a page with these features is relevant; changes nothing."""
    if model.kind == NAIVE_BAYES:
        return naive_bayes.predict(model.table, model.numbers, features, count)
    if model.kind == FTRL or model.kind == FTRL_GLOBAL:
        return ftrl.predict(model.table, model.numbers, features, count)
    if model.kind == LOGISTIC:
        return logistic.predict(model.table, model.numbers, features, count)
    if model.kind == SVM:
        return svm.predict(model.table, model.numbers, features, count)
    if model.kind == KNN:
        return neighbours.predict(model.examples, features, count)
    return 0.5


@inner
def learn(model: Any, features: Any, count: int, label: float, weight: float) -> None:
    """Take in one page; ``label`` may be graded in [0, 1]."""
    if model.frozen:
        return
    if model.kind == NAIVE_BAYES:
        naive_bayes.learn(model.table, model.numbers, features, count, label, weight)
    elif model.kind == FTRL:
        ftrl.learn(model.table, model.numbers, features, count, label, weight)
    elif model.kind == LOGISTIC:
        logistic.learn(model.table, model.numbers, features, count, label, weight)
    elif model.kind == FTRL_GLOBAL:
        ftrl_global.learn(model.table, model.numbers, features, count, label, weight)
    elif model.kind == SVM:
        svm.learn(model.table, model.numbers, features, count, label, weight)
