"""Q-learning as in deep-deep (TeamHG-Memex): a linear Q of links that learns from replayed experience, doubly.

Q estimates the reward of the page that a link leads to, plus γ times the best Q among that page's links. At every
outcome the online Q learns from a random sample of all experience. The target Q decides what is fetched; every 100
outcomes it becomes a copy of the online Q, and all that waits is rated again. With the probability ε a random page
of a random host is fetched; else a host is drawn by the softmax of its best page's Q, and that page is fetched.

Features are the character 3-grams to 5-grams of a link's text, hashed to 2²⁰, binary and of length 1, and whether
the link stays on its host; with ``features=url+link`` also the 4-grams and 5-grams of the URL.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from random import Random
from typing import Any, NamedTuple

import numpy as np

from sundog._jit import inner, int64, njit
from sundog.errors import UsageError
from sundog.frontier.arrays import longer
from sundog.model import LinkBatch
from sundog.policies.chooser import ESTIMATE, SCORE, Setup
from sundog.policies.parameters import LINK, URL
from sundog.policies.published.python_chooser import Found, Pools, PythonChooser, Ranked

WIDTH = 1 << 20  # hashed n-grams of texts, then as many of URLs; the last one: the link stays on its host
SAME_HOST = 2 * WIDTH
RATE, LASSO, INTERCEPT_RATE = 0.1, 1e-4, 0.01  # of scikit-learn's SGDRegressor(penalty="l1"), as deep-deep sets it
UNKNOWN_Q = 0.05  # before anything is learned
SWITCH = 100  # outcomes between two copies of the online Q
MOST_EXPERIENCE = 100_000
SEED_Q = 5.0
INTERCEPT, PENALTY = 0, 1  # cells of ``numbers``


class Vectors(NamedTuple):
    """Of links: vector i has ``values`` at ``features``, both from ``starts[i]`` to ``starts[i + 1]``."""

    starts: Any  # int64
    features: Any  # int32
    values: Any  # float64


class Experience(NamedTuple):
    """Of each outcome: the vector of its link, the reward, and where its page's links are in ``links``."""

    vector: Any  # int32
    reward: Any  # float64
    begin: Any  # int64
    end: Any  # int64


@inner
def _q(vectors: Any, weights: Any, intercept: float, vector: int) -> float:
    total = intercept
    for i in range(vectors.starts[vector], vectors.starts[vector + 1]):
        total += weights[vectors.features[i]] * vectors.values[i]
    return total


@njit
def q_of(vectors: Any, weights: Any, intercept: float, vector: int) -> float:
    return _q(vectors, weights, intercept, vector)


@inner
def _fit_one(vectors: Any, weights: Any, applied: Any, numbers: Any, vector: int, wanted: float) -> None:
    """A step of squared loss; the L1 penalty is cumulative (Tsuruoka et al., ACL'09)."""
    error = _q(vectors, weights, numbers[INTERCEPT], vector) - wanted
    begin, end = vectors.starts[vector], vectors.starts[vector + 1]
    for i in range(begin, end):
        weights[vectors.features[i]] -= RATE * error * vectors.values[i]
    numbers[INTERCEPT] -= RATE * error * INTERCEPT_RATE
    numbers[PENALTY] += RATE * LASSO
    for i in range(begin, end):
        feature = vectors.features[i]
        before = weights[feature]
        if before > 0.0:
            weights[feature] = max(0.0, before - (numbers[PENALTY] + applied[feature]))
        elif before < 0.0:
            weights[feature] = min(0.0, before + (numbers[PENALTY] - applied[feature]))
        applied[feature] += weights[feature] - before


@njit
def fit(
    vectors: Any, experience: Any, links: Any, sample: Any, gamma: float,
    online: Any, applied: Any, numbers: Any, target: Any, target_intercept: float,
    known: Any, known_in: Any, now: int,
) -> None:  # fmt: skip
    """Learn from a sample of outcomes. Of a page's links the online Q names the best, the target Q says its worth.

    ``known[v]`` is the online Q of vector v if ``known_in[v]`` is ``now``: many pages have the same links."""
    wanted = np.empty(len(sample))
    for i in range(len(sample)):
        one, best, highest = sample[i], -1, -np.inf
        for at in range(experience.begin[one], experience.end[one]):
            vector = int64(links[at])
            if known_in[vector] != now:
                known[vector], known_in[vector] = _q(vectors, online, numbers[INTERCEPT], vector), now
            if known[vector] > highest:
                best, highest = vector, known[vector]
        wanted[i] = experience.reward[one]
        if best >= 0:
            wanted[i] += gamma * _q(vectors, target, target_intercept, best)
    numbers[PENALTY] = 0.0
    for i in range(len(sample)):
        _fit_one(vectors, online, applied, numbers, int64(experience.vector[sample[i]]), wanted[i])
    for one in sample:  # the penalty begins anew with each sample
        vector = int64(experience.vector[one])
        for i in range(vectors.starts[vector], vectors.starts[vector + 1]):
            applied[vectors.features[i]] = 0.0


class LinearQ:
    """Vectors of links by number, the weights of both Qs, and the experience from which they learn."""

    def __init__(self, gamma: float, replay: int) -> None:
        self._gamma, self._replay = gamma, replay
        self._vectors, self._count = Vectors(np.zeros(17, np.int64), np.zeros(1024, np.int32), np.zeros(1024)), 0
        self._known, self._known_in = np.zeros(16), np.zeros(16, np.int64)
        self._online, self._applied, self._target = (np.zeros(SAME_HOST + 1) for _ in range(3))
        self._numbers, self._target_intercept = np.zeros(2), UNKNOWN_Q
        self._experience = Experience(*(np.zeros(16, kind) for kind in (np.int32, float, np.int64, np.int64)))
        self._links, self._links_end = np.zeros(1024, np.int32), 0
        self._outcomes = 0

    def add(self, features: list[int], values: list[float]) -> int:
        """The number of a new vector."""
        number, begin = self._count, int(self._vectors.starts[self._count])
        end = begin + len(features)
        sizes = (number + 2, end, end)
        self._vectors = Vectors(*(longer(array, size) for array, size in zip(self._vectors, sizes, strict=True)))
        self._vectors.features[begin:end], self._vectors.values[begin:end] = features, values
        self._vectors.starts[number + 1] = end
        self._known, self._known_in = longer(self._known, number + 1), longer(self._known_in, number + 1)
        self._count += 1
        return number

    def target(self, vector: int) -> float:
        return float(q_of(self._vectors, self._target, self._target_intercept, vector))

    def observe(self, vector: int, reward: float, links: list[int], rng: Random) -> bool:
        """Learn from an outcome and from earlier ones; whether the target Q has changed."""
        begin, self._links_end = self._links_end, self._links_end + len(links)
        self._links = longer(self._links, self._links_end)
        self._links[begin : self._links_end] = links
        at = self._outcomes if self._outcomes < MOST_EXPERIENCE else rng.randrange(MOST_EXPERIENCE)
        self._experience = Experience(*(longer(array, at + 1) for array in self._experience))
        for array, value in zip(self._experience, (vector, reward, begin, self._links_end), strict=True):
            array[at] = value
        self._outcomes += 1
        size = min(self._outcomes, MOST_EXPERIENCE)
        sample = np.array(rng.sample(range(size), min(self._replay, size)), np.int64)
        fit(
            self._vectors, self._experience, self._links, sample, self._gamma,
            self._online, self._applied, self._numbers, self._target, self._target_intercept,
            self._known, self._known_in, self._outcomes,
        )  # fmt: skip
        if self._outcomes % SWITCH:
            return False
        self._target[:] = self._online
        self._target_intercept = float(self._numbers[INTERCEPT])
        return True


class QLearning(PythonChooser):
    def __init__(self, values: Mapping[str, Any], setup: Setup) -> None:
        super().__init__(setup)
        self._sets: int = values["features"]
        if not self._sets or self._sets & ~(URL | LINK):
            raise UsageError("policy 'q-learning' has the feature sets url and link, joined by +")
        self._epsilon: float = values["epsilon"]
        self._q = LinearQ(values["gamma"], values["replay"])
        self._numbers: dict[tuple[int, bool, int], int] = {}  # of vectors, by text, same host and URL
        self._of: dict[int, int] = {}  # the vector of the link that led to a candidate; seeds have none
        self._ranked, self._pools = Ranked(), Pools()

    def _vector(self, parent: int, anchor: int, candidate: int) -> int:
        stays = self.host_of(parent) == self.host_of(candidate)
        key = (anchor if self._sets & LINK else -1, stays, candidate if self._sets & URL else -1)
        if key not in self._numbers:
            texts = [grams(self.text(anchor).lower(), 3, 5, 0)] if self._sets & LINK else []
            if self._sets & URL:
                texts.append(grams(self.source.url(candidate), 4, 5, WIDTH))
            features = [*(one for text in texts for one in text), *([SAME_HOST] if stays else [])]
            values = [*(len(text) ** -0.5 for text in texts for _ in text), *([1.0] if stays else [])]
            self._numbers[key] = self._q.add(features, values)
        return self._numbers[key]

    def found(self, new: list[Found]) -> None:
        for one in new:
            if one.parent >= 0:
                self._of[one.candidate] = self._vector(one.parent, one.anchor, one.candidate)

    def _rate(self, candidates: list[int]) -> list[float]:
        return [self._q.target(self._of[one]) if one in self._of else SEED_Q for one in candidates]

    def enter(self, candidate: int) -> None:
        host = self.host_of(candidate)
        self._ranked.add(candidate, host, self._rate([candidate])[0])
        self._pools.add(host, candidate, host)

    def leave(self, candidate: int) -> None:
        host = self.host_of(candidate)
        self._ranked.remove(candidate, host)
        self._pools.remove(host, candidate, host)

    def host_changed(self, host: int, asleep: bool) -> None:
        self._ranked.set_asleep(host, asleep)
        self._pools.set_asleep(host, asleep)

    def next_one(self) -> tuple[int, float]:
        hosts = np.flatnonzero(self._pools.awake > 0)
        if not len(hosts):
            return -1, 1.0
        chances = np.exp(self._ranked.tops[hosts] - self._ranked.tops[hosts].max())
        chances /= chances.sum()
        if self.rng.random() < self._epsilon:
            host = int(hosts[self.rng.randrange(len(hosts))])
            candidate = self._pools.draw(host, self.rng, self.is_awake)
        else:
            at = min(int(np.searchsorted(np.cumsum(chances), self.rng.random(), "right")), len(hosts) - 1)
            host = int(hosts[at])
            candidate = self._ranked.best_of(host)
        by_chance = self._epsilon / len(hosts) / int(self._pools.awake[host])
        if candidate != self._ranked.best_of(host):
            return candidate, by_chance
        at = int(np.searchsorted(hosts, host))
        return candidate, by_chance + (1.0 - self._epsilon) * float(chances[at])

    def learn(self, candidate: int, reward: float, links: LinkBatch) -> None:
        if candidate not in self._of:
            return
        anchors = links.anchors.tolist() if len(links.anchors) else [-1] * len(links.targets)
        pairs = zip(anchors, links.targets.tolist(), strict=True)
        vectors = [self._vector(candidate, anchor, target) for anchor, target in pairs]
        if self._q.observe(self._of[candidate], reward, list(dict.fromkeys(vectors)), self.rng):
            self._ranked.rate_all(self._rate, self.host_of)

    def estimate(self, candidates: Any) -> Any:
        return np.array(self._rate([int(one) for one in candidates]))

    def fill_parts(self, candidate: int) -> None:
        self.parts[SCORE] = self.parts[ESTIMATE] = self._rate([candidate])[0]


def grams(text: str, shortest: int, longest: int, offset: int) -> list[int]:
    """The hashed character n-grams of a text, each once.

    >>> len(grams("more", 3, 5, 0)), grams("no", 3, 5, 0)
    (3, [])
    """
    words = (text[at : at + n] for n in range(shortest, longest + 1) for at in range(len(text) - n + 1))
    return sorted({offset + zlib.crc32(word.encode()) % WIDTH for word in words})
