"""What pages that were not fetched would have been: probabilities that fit what random fetches have shown.

The judge's probabilities are recalibrated, p' = σ(α + β·logit p + γ·left + δ·new + ε·alone), by a logistic
regression with a prior at α = 0, β = 1. Random fetches count in full, for they are drawn from what waits. The
crawl's own choices are what it thought best: all together count as few. Pages that were left on hosts that were
asked are worse than they look, the more so the better the crawl has chosen: the prior of γ is at that
(``choosiness``). Hosts that nobody has asked may be others than those that were, the more so the fewer of their
pages are known: δ is for their pages, and ε for one by the number of these.

Where the judge has told the pages of the crawl no better than their mean does, it knows nothing of others: then
the mean of all fetches is every page's probability (``knowledge``).

Relevance is shared by the pages of a host and of a template, so those of an imputed world have random effects in
common, as strong as the pages of hosts were alike in the crawl; their means are not changed by them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from sundog.frontier.facts import COARSE
from sundog.replay.record import NOT_ASKED, Record

OWN_CHOICES = 20.0  # as many random fetches as all own choices together count
LEFT_BEHIND = 0.15  # γ for a crawl whose choices are better than what it leaves by 1, in logits
DEVIATIONS = np.array([0.5, 0.3, 0.6, 0.3, 1.0])  # of α to ε, before anything is known
KNOWN_HOST = 0.5  # random effects of hosts that were asked, and of templates, in those of new hosts
MOST_ALIKE = 0.8
OF_LOGISTIC = math.pi**2 / 3  # the variance of that distribution
SHRINK = 0.346  # of the logistic function, as a normal distribution: (16√3 / 15π)²
LOWEST = 1e-4
SEEN = ("expected", "is_left", "alone")  # of a fetch: what its calibration looks at
LARGE = 500.0


@dataclass(frozen=True)
class Calibration:
    """α to ε: the likeliest, and a matrix whose square is their covariance."""

    likeliest: Any
    spread: Any

    def drawn(self, rng: np.random.Generator) -> Any:
        return self.likeliest + self.spread @ rng.standard_normal(len(self.likeliest))


def calibrate(record: Record, weights: Any = 1.0) -> Calibration:
    """``weights``: of the random fetches, in their order."""
    known = [fetch for fetch in record.fetches if np.isfinite(fetch.expected)]
    before = np.array([0.0, 1.0, -LEFT_BEHIND * choosiness(record), 0.0, 0.0])
    is_random = np.array([fetch.is_random for fetch in known], bool)
    weight = np.full(len(known), min(1.0, OWN_CHOICES / max(1, int((~is_random).sum()))))
    weight[is_random] = weights
    x = design(*(np.array([getattr(fetch, name) for fetch in known], float) for name in SEEN))
    y = np.array([fetch.relevant for fetch in known], float)
    likeliest, covariance = regression(x, y, weight, before)
    return Calibration(likeliest, np.linalg.cholesky(covariance))


def choosiness(record: Record) -> float:
    """By how much the crawl's choices were better than what it left, in logits; 0 if they were not."""
    own = [fetch.expected for fetch in record.fetches if not fetch.is_random and np.isfinite(fetch.expected)]
    left = record.chances[np.isfinite(record.chances)]
    if not own or not len(left):
        return 0.0
    return max(0.0, float(logits(np.mean(own)) - logits(np.mean(left))))


def design(expected: Any, is_left: Any, alone: Any) -> Any:
    return np.column_stack([np.ones(len(expected)), logits(expected), is_left, alone > 0, alone])


def regression(x: Any, y: Any, weight: Any, before: Any) -> tuple[Any, Any]:
    """Newton's method; the covariance is that of the normal distribution with the same curvature there."""
    prior, theta = np.diag(DEVIATIONS**-2.0), np.array(before)
    for _ in range(50):
        p = 1.0 / (1.0 + np.exp(-x @ theta))
        slope = x.T @ (weight * (y - p)) - prior @ (theta - before)
        curvature = (x * (weight * p * (1.0 - p))[:, None]).T @ x + prior
        step = np.linalg.solve(curvature, slope)
        theta = theta + step * min(1.0, 1.0 / float(np.abs(step).max() + 1e-12))
        if np.abs(step).max() < 1e-9:
            break
    return theta, np.linalg.inv(curvature)


def knowledge(record: Record) -> float:
    """The probability that the judge knows more than the mean: by what both expected of each fetch before it."""
    known = [fetch for fetch in record.fetches if np.isfinite(fetch.expected)]
    y = np.array([fetch.relevant for fetch in known], float)
    means = (np.cumsum(y) - y + 1.0) / (np.arange(len(y)) + 2.0)  # of the fetches before
    gain = likelihood(np.array([fetch.expected for fetch in known]), y) - likelihood(means, y)
    return 1.0 / (1.0 + math.exp(-float(np.clip(gain, -LARGE, LARGE))))


def likelihood(p: Any, y: Any) -> float:
    """Its logarithm."""
    p = np.clip(p, LOWEST, 1.0 - LOWEST)
    return float(np.log(np.where(y > 0, p, 1.0 - p)).sum())


def logits(p: Any) -> Any:
    p = np.clip(p, LOWEST, 1.0 - LOWEST)
    return np.log(p / (1.0 - p))


def likeness(record: Record) -> float:
    """How much more alike the pages of a host are than others: the correlation within hosts, from 0 to 1."""
    hosts = record.catalog.facts.host[[fetch.page for fetch in record.fetches]]
    relevant = np.array([fetch.relevant for fetch in record.fetches], float)
    off = relevant - relevant.mean()
    counts, sums, squares = (np.bincount(hosts, weights) for weights in (None, off, off**2))
    several = counts > 1
    variance = float(squares[several].sum())
    if not variance:
        return 0.0
    pairs = (sums[several] ** 2 - squares[several]) / (counts[several] - 1)
    return float(np.clip(pairs.sum() / variance, 0.0, MOST_ALIKE))


def deviation_of_hosts(alike: float) -> float:
    """Of a normal effect in logits that makes pages so much alike.

    >>> deviation_of_hosts(0.0), round(deviation_of_hosts(0.5), 2)
    (0.0, 1.81)
    """
    return math.sqrt(alike / (1.0 - alike) * OF_LOGISTIC)


class World(NamedTuple):
    """``relevant``: of the pages that were not asked. ``chances``: of other pages that are like these."""

    relevant: Any
    chances: Any


class Imputation:
    def __init__(self, record: Record, calibration: Calibration) -> None:
        self.calibration = calibration
        self.knowledge = knowledge(record)
        self._found, self._fetches = record.found, len(record.fetches)
        self._is_open = (record.kind == NOT_ASKED) & np.isfinite(record.chances)
        self.pages = np.flatnonzero(self._is_open)
        size, facts = len(record.kind), record.catalog.facts
        self._host = facts.host[:size]
        asked = np.zeros(record.catalog.hosts, bool)
        asked[self._host[record.kind != NOT_ASKED]] = True
        alone = np.where(asked, 0.0, 1.0 / np.maximum(1, np.bincount(self._host, minlength=len(asked))))[
            self._host
        ]
        self._design = design(expectations(record), asked[self._host] & self._is_open, alone)
        keys = np.column_stack([self._host, facts.shape[:size, COARSE]]) if size else [[0, 0]]
        self._template = np.unique(keys, axis=0, return_inverse=True)[1].reshape(-1)[:size]
        self._of_new_hosts = deviation_of_hosts(likeness(record))
        self._deviation = np.where(asked, KNOWN_HOST, 1.0) * self._of_new_hosts

    def likely(self) -> Any:
        """The probability of each page that was not asked; nan of others."""
        judged = sigmoid(self._design @ self.calibration.likeliest)
        mean = (self._found + 1) / (self._fetches + 2)
        return np.where(self._is_open, self.knowledge * judged + (1.0 - self.knowledge) * mean, np.nan)

    def drawn(self, rng: np.random.Generator) -> Any:
        """Whether each of those pages is relevant, in one world that fits what is known."""
        return self.world(rng).relevant

    def world(self, rng: np.random.Generator) -> World:
        chances = self._judged(rng) if rng.random() < self.knowledge else self._alike(rng)
        return World(self._is_open & (rng.random(len(chances)) < chances), chances)

    def _alike(self, rng: np.random.Generator) -> Any:
        return np.full(len(self._is_open), rng.beta(self._found + 1, self._fetches - self._found + 1))

    def _judged(self, rng: np.random.Generator) -> Any:
        score = self._design @ self.calibration.drawn(rng)
        by_host = self._deviation[self._host]
        by_template = KNOWN_HOST * self._of_new_hosts
        wider = np.sqrt(1.0 + SHRINK * (by_host**2 + by_template**2))
        effects = by_host * rng.standard_normal(len(self._deviation))[self._host]
        templates = int(self._template.max(initial=-1)) + 1
        effects += by_template * rng.standard_normal(templates)[self._template]
        return sigmoid(wider * score + effects)


def expectations(record: Record) -> Any:
    """The judge's probability of every page: of those that were fetched, what it expected before."""
    expected = record.chances.copy()
    for fetch in record.fetches:
        expected[fetch.page] = fetch.expected
    mean = (record.found + 1) / (len(record.fetches) + 2)
    return np.where(np.isnan(expected), mean, expected)


def sigmoid(x: Any) -> Any:
    return 1.0 / (1.0 + np.exp(-x))
