"""The policies of the Anthelion paper as one would write them first: dictionaries and scans over everything.

Slow and obvious; the product must make the very same choices.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict

from sundog.policies.hosts.strategy import Strategy
from sundog.urls.tokens import java_hash
from sundog.worlds.static import StaticWorld

HASHES = 10_000
WIDTH = HASHES + 32


def url_features(url: str) -> list[int]:
    tokens: list[int] = []
    for token in re.split(r"[^0-9A-Za-z\u0080-\U0010ffff]+", url):
        if len(token) >= 3:
            value = java_hash("[NUMBER]" if token.isdigit() else token)
            if value not in tokens:
                tokens.append(value)
    return [token % HASHES for token in tokens]


def step(count: int) -> int:
    return count if count < 3 else 3 if count < 6 else 4


class NaiveBayes:
    def __init__(self) -> None:
        self.pages, self.tokens = [0, 0], [0, 0]
        self.counts: list[dict[int, int]] = [defaultdict(int), defaultdict(int)]

    def predict(self, features: list[int]) -> float:
        odds = math.log((self.pages[1] + 1) / (self.pages[0] + 1))
        odds -= len(features) * math.log((self.tokens[1] + WIDTH) / (self.tokens[0] + WIDTH))
        for f in features:
            odds += math.log((self.counts[1][f] + 1) / (self.counts[0][f] + 1))
        return 1 / (1 + math.exp(-odds))

    def learn(self, features: list[int], label: bool) -> None:
        self.pages[label] += 1
        self.tokens[label] += len(features)
        for f in features:
            self.counts[label][f] += 1


class Reference:
    """One crawl. Hosts are ranked by formulas of its own, or by those of a ``strategy``."""

    def __init__(
        self, world: StaticWorld, rewards: list[float], policy: str, strategy: Strategy | None = None
    ) -> None:
        self.world, self.rewards, self.policy, self.strategy = world, rewards, policy, strategy
        self.classifier = NaiveBayes()
        self.good: dict[str, int] = defaultdict(int)
        self.bad: dict[str, int] = defaultdict(int)
        self.host_number: dict[str, int] = {}
        self.order: dict[int, int] = {}
        self.score: dict[int, float] = {}
        self.parents: dict[int, list[int]] = defaultdict(lambda: [0, 0])
        self.seen: set[int] = set()
        self.crawled: list[int] = []

    def host(self, page: int) -> str:
        return self.world.url(page).split("/")[2]

    def features(self, page: int) -> list[int]:
        bad, good = self.parents[page]
        relations = [step(good), 5 + step(bad), 10 + (good > 0), 12 + (bad > 0)]
        return url_features(self.world.url(page)) + [HASHES + one for one in relations]

    def estimate(self, page: int) -> float:
        if self.policy == "bfs":
            return -self.order[page]
        if self.policy == "oracle":
            return self.rewards[page]
        return self.classifier.predict(self.features(page))

    def discover(self, page: int, parent: int | None) -> None:
        if page in self.seen:
            return
        if page not in self.order:
            self.order[page] = len(self.order)
            self.host_number.setdefault(self.host(page), len(self.host_number))
        if parent is not None:
            self.parents[page][self.rewards[parent] > 0] += 1
        if page not in self.score:  # as in the paper, a page is rated once, when it is found
            self.score[page] = self.estimate(page)

    def best_page(self, host: str) -> int:
        pages = [page for page in self.score if self.host(page) == host]
        return min(pages, key=lambda page: (-self.score[page], self.order[page]))

    def rank(self, host: str) -> tuple[float, int]:
        page = self.best_page(host)
        good, bad, best = self.good[host], self.bad[host], self.score[page]
        if self.strategy:
            by_host = self.strategy.ties == "host"
            key = self.strategy.key(float(good), float(bad), best)
            return -key, self.host_number[host] if by_host else self.order[page]
        key = {
            "success-rate": (good + 1) / (bad + 1),
            "negative-bad": -bad,
            "good-best": good * best,
            "success-best": (good + 1) / (bad + 1) * best,
        }.get(self.policy, best)
        by_host = self.policy in ("success-rate", "negative-bad", "success-best")
        return -key, self.host_number[host] if by_host else self.order[page]

    def run(self, budget: int) -> list[int]:
        self.discover(0, None)
        while self.score and len(self.crawled) < budget:
            page = self.best_page(min({self.host(page) for page in self.score}, key=self.rank))
            self.fetch(page)
        return self.crawled

    def fetch(self, page: int) -> None:
        label = self.rewards[page] > 0
        del self.score[page]
        self.seen.add(page)
        self.crawled.append(page)
        (self.good if label else self.bad)[self.host(page)] += 1
        self.classifier.learn(self.features(page), label)
        for target in dict.fromkeys(self.world.links_of(page).targets.tolist()):
            self.discover(target, page)
