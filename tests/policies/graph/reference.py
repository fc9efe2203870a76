"""The obvious program: features in dictionaries, and a scan over the whole frontier for every choice."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence


def _mean(values: Sequence[float]) -> float:
    total = 0.0
    for value in values:  # in the order of the kernels, for sums of floats depend on it
        total += value
    return total / len(values)


def _total(values: Sequence[float]) -> float:
    total = 0.0
    for value in values:
        total += value
    return total


def _norm(values: Sequence[float]) -> float:
    return math.sqrt(_total([value * value for value in values]))


def _root(values: Sequence[float]) -> float:
    return _total(values) / math.sqrt(len(values))


AGGREGATES: dict[str, Callable[[Sequence[float]], float]] = {
    "sum": _total,
    "avg": _mean,
    "max": max,
    "norm": _norm,
    "root": _root,
}
SECOND = {"root": _total, "root-avg": _mean}  # of linear estimators: how page scores are summed up besides
Scores = dict[int, float]


class Reference:
    """Follows everything that happens in a crawl; ``scores`` rates the frontier with given coefficients."""

    def __init__(self, policy: str, aggregate: str, weights: str = "none", refresh: int = 1) -> None:
        self.policy, self.weights, self.refresh = policy, weights, refresh
        self.aggregate = AGGREGATES[aggregate.removesuffix("-avg")]
        self.second = None if policy.startswith("nh-") else SECOND.get(aggregate)
        self.order: list[int] = []
        self.place: dict[int, int] = {}
        self.queued: set[int] = set()
        self.leased: set[int] = set()
        self.asleep: set[int] = set()
        self.links: dict[int, list[tuple[float, float]]] = {}
        self.cash: dict[int, float] = {}
        self.all_cash = 0.0
        self.lessons: list[tuple[list[float], float]] = []
        self.linked_when_chosen: set[int] = set()
        self.seen: dict[int, list[float]] = {}
        self._ranked: dict[int, list[float]] = {}
        self._since = refresh

    def add(self, nodes: Sequence[int]) -> None:
        for node in nodes:
            if self._discover(node):
                self.cash[node] = 1.0

    def _discover(self, node: int) -> bool:
        if node in self.links:
            return False
        self.links[node] = []
        self.cash.setdefault(node, 0.0)
        self.place[node] = len(self.order)
        self.order.append(node)
        self.queued.add(node)
        return True

    def features(self, node: int) -> list[float]:
        """f_n, f_e, f_ne; what the policy does not look at is 0."""
        if self.policy == "opic":
            return [self.cash[node], 0.0, 0.0]
        pages = self.links[node]
        if not pages:
            return [0.0, 0.0, 0.0]
        columns = list(zip(*[(n, e, n * e) for n, e in pages], strict=True))
        if self.second:
            return [self.aggregate(columns[0]), _total(columns[1]) + _total(columns[2]), self.second(columns[0])]
        n, e, ne = (self.aggregate(values) for values in columns)
        counts = {"nh-n": (1, 0, 0), "nh-e": (0, 1, 0), "nh-ne": (0, 0, 1)}.get(self.policy, (1, 1, 1))
        return [x if count else 0.0 for x, count in zip((n, e, ne), counts, strict=True)]

    @property
    def waiting(self) -> set[int]:
        """A leased node is ranked too, for it may be given back."""
        return self.queued | self.leased

    def is_due(self, host_of: Callable[[int], int]) -> bool:
        ready = [node for node in self._ranked if node in self.queued and host_of(node) not in self.asleep]
        return self._since >= self.refresh or not ready

    def scores(self, c: Sequence[float], host_of: Callable[[int], int]) -> Scores:
        """Of the nodes that may be chosen now."""
        if self.is_due(host_of):
            self._ranked = {node: self.features(node) for node in self.order if node in self.waiting}
            self._since = 0
        self._since += 1
        return {
            node: c[0] * f[0] + c[1] * f[1] + c[2] * f[2]
            for node, f in self._ranked.items()
            if node in self.queued and host_of(node) not in self.asleep
        }

    def best(self, scores: Scores) -> int:
        return max(scores, key=lambda node: (scores[node], -self.place[node]))

    def lease(self, node: int) -> None:
        self.queued.remove(node)
        self.leased.add(node)
        self.seen[node] = self.features(node)
        if self.links[node]:
            self.linked_when_chosen.add(node)

    def give_back(self, node: int) -> None:
        self.queued.add(node)
        self.leased.remove(node)

    def take_in(self, page: int, reward: float, links: Sequence[tuple[int, float]]) -> None:
        if page in self.linked_when_chosen:
            self.lessons.append((self.seen[page], reward))
        self.leased.remove(page)
        merged: dict[int, float] = {}
        for target, score in links:
            if target != page:
                merged[target] = max(score, merged.get(target, 0.0))
        for target, score in merged.items():
            self._discover(target)
            self.links[target].append((reward, score))
        self._give_cash(page, list(merged))

    def _give_cash(self, page: int, targets: list[int]) -> None:
        places = {"none": None, "edge": 1, "node": 0, "both": 2}
        place = places[self.weights]
        shares = [
            1.0 if place is None else _total([(n, e, n * e)[place] for n, e in self.links[target]])
            for target in targets
        ]
        total = _total(shares)
        for target, share in zip(targets, shares, strict=True):
            part = share / total if total > 0 else 1.0 / len(targets)
            self.cash[target] += self.cash[page] * part
        self.all_cash += self.cash[page]
        self.cash[page] = 0.0


def near(scores: Scores, zeta: float, constant: float) -> set[int]:
    """Who may be chosen by altered greedy."""
    best = max(scores.values())
    lowest = min(best + constant - zeta * abs(best + constant) - constant, best)
    return {node for node, score in scores.items() if score >= lowest}
