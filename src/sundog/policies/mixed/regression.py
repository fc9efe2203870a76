"""A page's reward as a linear function of its neighbours, of the scores of links to it, and of words.

reward ≈ a·Σn/√k + b·Σe + c·Σne + d·Σn + w₁ + w₂ + … + constant, with k pages that lead there, their rewards n and
the scores e of their links. The words w are the features of `sundog`'s classifier: of the URL, the link's text and
tag path. All coefficients are learned by a Kalman filter from a normal prior. Among the few of the neighbourhood
all covariances are kept, of words only the variances: they are many and rare.

Pages are ranked by the frontier of `policies.hosts`, with hosts as arms. A page is rated when it is found or gets
a link, before it wins, and in turn with all others: a rank may be some choices old, but not the rating of a page
that is chosen.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from sundog._jit import inner, int64, njit
from sundog._view import view
from sundog.frontier import queues
from sundog.frontier.arrays import QUEUED
from sundog.policies.hosts.choice import nominate_next
from sundog.policies.hosts.estimator import gather
from sundog.policies.hosts.ranking import settle

FEW = 5  # Σn/√k, Σe, Σne, Σn/10 and 1
# What is believed before the first lesson; chosen on half of the keywords of `benchmarks.keywords`.
PRIOR_MEAN = (0.3, 0.5, 0.3, 0.0, 0.0)
PRIOR_VARIANCE = (0.01, 0.01, 0.01, 0.01, 0.3)
WORD_VARIANCE = 0.03
NOISE, LESSONS = range(2)  # cells of ``Regression.numbers``
FIRST_LESSONS, MOST_LESSONS = 20.0, 200.0  # what the first guess of the noise counts for, and what is remembered
FAR = 10.0  # times the noise: one surprise does not change it by more
TRIES = 32  # ratings before a choice is taken as it is
SWEPT = 64  # pages that are rated anew at each choice


class Regression(NamedTuple):
    mean: Any  # float64[FEW]
    covariance: Any  # float64[FEW, FEW]
    words: Any  # float64[2, width]: weights, then variances
    numbers: Any  # float64[2]: the variance of what is not explained, and lessons
    x: Any  # float64[2, FEW]: scratch: a page's features, and the covariance times them
    cursor: Any  # int64[1]: of the sweep


def new_regression(width: int) -> Regression:
    words = np.zeros((2, width))
    words[1] = WORD_VARIANCE
    return Regression(
        np.array(PRIOR_MEAN),
        np.diag(PRIOR_VARIANCE),
        words,
        np.array([1.0, FIRST_LESSONS]),
        np.zeros((2, FEW)),
        np.zeros(1, np.int64),
    )


@njit
def ratings(s: Any, nodes: Any, m: Any, candidates: Any, out: Any) -> None:
    """The present rating of each candidate; changes nothing but ``out``. ``s`` is a ``State`` of `policies.hosts`,
    ``nodes`` those of the graph."""
    v = view(s)
    for i in range(len(candidates)):
        out[i] = _rating(v, nodes, m, int64(candidates[i]))


@njit
def learn(s: Any, nodes: Any, m: Any, candidate: int, reward: float) -> None:
    """One lesson. A page that no other led to teaches nothing: it is not known what its features would be."""
    if nodes[candidate].pages > 0:
        _learn(view(s), nodes, m, candidate, reward)


@njit
def best_rated(s: Any, nodes: Any, m: Any, queue: Any, queued: int) -> int:
    """The page that is rated best, once its rating is current; -1 if no host is awake."""
    v = view(s)
    _sweep(v, nodes, m, queue, queued)
    for _ in range(TRIES):
        candidate = nominate_next(v)
        if candidate < 0 or not _rate_anew(v, nodes, m, candidate):
            return candidate
    return nominate_next(v)


@inner
def _few(nodes: Any, candidate: int, x: Any) -> None:
    known = nodes[candidate]
    x[0] = known.sum_n / math.sqrt(max(1.0, float(known.pages)))
    x[1], x[2], x[3], x[4] = known.sum_e, known.sum_ne, 0.1 * known.sum_n, 1.0


@inner
def _rating(v: Any, nodes: Any, m: Any, candidate: int) -> float:
    """What the page should be worth; its features are left in the scratch arrays."""
    x, rating = m.x[0], 0.0
    _few(nodes, candidate, x)
    for i in range(FEW):
        rating += m.mean[i] * x[i]
    for i in range(gather(v.f, v.facts, v.plan, candidate, v.features)):
        rating += m.words[0, v.features[i]]
    return rating


@inner
def _learn(v: Any, nodes: Any, m: Any, candidate: int, reward: float) -> None:
    surprise = reward - _rating(v, nodes, m, candidate)
    count = gather(v.f, v.facts, v.plan, candidate, v.features)
    x, gain = m.x[0], m.x[1]
    total = m.numbers[NOISE]
    for i in range(FEW):
        gain[i] = 0.0
        for j in range(FEW):
            gain[i] += m.covariance[i, j] * x[j]
    for i in range(FEW):
        total += x[i] * gain[i]
    for i in range(count):
        total += m.words[1, v.features[i]]
    for i in range(FEW):
        m.mean[i] += gain[i] * surprise / total
        for j in range(FEW):
            m.covariance[i, j] -= gain[i] * gain[j] / total
    for i in range(count):
        variance = m.words[1, v.features[i]]
        m.words[0, v.features[i]] += variance * surprise / total
        m.words[1, v.features[i]] = variance * (1.0 - variance / total)
    m.numbers[LESSONS] = min(m.numbers[LESSONS] + 1.0, MOST_LESSONS)
    square = min(surprise * surprise, FAR * m.numbers[NOISE])
    m.numbers[NOISE] += (square - m.numbers[NOISE]) / m.numbers[LESSONS]


@inner
def _rate_anew(v: Any, nodes: Any, m: Any, candidate: int) -> bool:
    """Whether the rating is lower than it was."""
    old, new = v.f.candidates[candidate].score, _rating(v, nodes, m, candidate)
    if new != old:
        v.f.candidates[candidate].score = new
        queues.reorder(v.f, candidate)
        settle(v.f, v.t, v.h, v.plan, int64(v.f.candidates[candidate].arm))
    return new < old


@inner
def _sweep(v: Any, nodes: Any, m: Any, queue: Any, queued: int) -> None:
    """Some of the pages that wait, in turn: one whose rating should have risen is found within a lap."""
    for _ in range(min(SWEPT, queued)):
        m.cursor[0] = (m.cursor[0] + 1) % queued
        candidate = int64(queue[m.cursor[0]])
        if v.f.candidates[candidate].state == QUEUED:
            _rate_anew(v, nodes, m, candidate)
