"""Which known pages to visit next: ours, what other crawlers do, and the optimum, which is told the rates.

A policy is asked in turns: it chooses among all pages, and learns which of the chosen had changed.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from sundog.revisits.hints import HintTrust
from sundog.revisits.index import most_worth, worth
from sundog.revisits.rates import ChangeRates
from sundog.revisits.siblings import TemplateNews, template_by_template


class Known(NamedTuple):
    """What is known of pages, as arrays by page: their places in chains, and what each is worth."""

    template: Any
    host: Any
    value: Any
    true_rate: Any  # only policies that say so look at it
    per_day: float  # visits that all pages get together


class RevisitPolicy:
    """Chooses by a score of all pages; all were visited at time 0."""

    summary = ""

    def __init__(self, known: Known) -> None:
        self.known = known
        self.visited = np.zeros(len(known.host))

    def choose(self, now: float, most: int, claimed: Any) -> Any:
        """At most so many pages; ``claimed``: by page, whether a hint says that it has changed since then."""
        return most_worth(self.scores(now, claimed), most)

    def learn(self, pages: Any, now: float, changed: Any, claimed: Any) -> None:
        """What was found at these pages, and what hints had said of them."""
        self.visited[pages] = now

    def scores(self, now: float, claimed: Any) -> Any:
        raise NotImplementedError


class Uniform(RevisitPolicy):
    summary = "all pages in turn"

    def scores(self, now: float, claimed: Any) -> Any:
        return now - self.visited


class Learning(RevisitPolicy):
    """What policies share that learn rates."""

    def __init__(self, known: Known) -> None:
        super().__init__(known)
        self.rates = ChangeRates()
        self.chain = (np.arange(len(known.host)), known.template, known.host)
        self._rate = self.rates.rates(*self.chain)
        self._learned_at = 0

    def learn(self, pages: Any, now: float, changed: Any, claimed: Any) -> None:
        chain = pages, self.known.template[pages], self.known.host[pages]
        self.rates.observe_many(*chain, now - self.visited[pages], changed)
        self._rate[pages] = self.rates.rates(*chain)
        super().learn(pages, now, changed, claimed)

    def present_rates(self) -> Any:
        """Of all pages; those of pages not visited change only when much was learned."""
        if self.rates.observations > self._learned_at * 1.02 + 10:
            self._learned_at = self.rates.observations
            self._rate = self.rates.rates(*self.chain)
        return self._rate


class Proportional(Learning):
    summary = "as often as pages seem to change"

    def scores(self, now: float, claimed: Any) -> Any:
        return (now - self.visited) * self.present_rates()


class WithoutHints(Learning):
    summary = "as sundog, deaf to hints"

    def __init__(self, known: Known) -> None:
        super().__init__(known)
        self.news = TemplateNews(known.template)
        self._spread = template_by_template(known.template)

    def choose(self, now: float, most: int, claimed: Any) -> Any:
        """Of equals, those of all templates in turn: that teaches most."""
        return self._spread[most_worth(self.scores(now, claimed)[self._spread], most)]

    def learn(self, pages: Any, now: float, changed: Any, claimed: Any) -> None:
        expected = self._rate[pages] * (now - self.visited[pages])
        self.news.learn(self.news.heard(self.visited[pages], pages), expected, changed)
        super().learn(pages, now, changed, claimed)
        self.news.observe(pages, now, changed)
        self.rates.alike = self.news.alike

    def scores(self, now: float, claimed: Any) -> Any:
        return self.known.value * self.rates.worths(*self.chain, self.since(now, claimed))

    def since(self, now: float, claimed: Any) -> Any:
        """Days since the last visit, as they count after what is known besides."""
        return now - self.visited


class Sundog(WithoutHints):
    summary = "by the index, with learned rates and learned trust in hints"

    def __init__(self, known: Known) -> None:
        super().__init__(known)
        self.trust = HintTrust()

    def learn(self, pages: Any, now: float, changed: Any, claimed: Any) -> None:
        super().learn(pages, now, changed, claimed)
        self.trust.observe(self.known.host[pages], claimed[pages], changed)

    def since(self, now: float, claimed: Any) -> Any:
        return self.trust.since(self.known.host, self.present_rates(), super().since(now, claimed), claimed)


class ToldHints(Sundog):
    summary = "as sundog, told that every hint is true"

    def __init__(self, known: Known) -> None:
        super().__init__(known)
        every = np.arange(int(known.host.max()) + 1).repeat(2)
        told = np.tile([True, False], len(every) // 2)
        for _ in range(1000):
            self.trust.observe(every, told, told)


class ToldRates(RevisitPolicy):
    summary = "by the index, told the true rates"

    def scores(self, now: float, claimed: Any) -> Any:
        return worth(self.known.value, self.known.true_rate, now - self.visited)


class Optimum(RevisitPolicy):
    summary = "told the true rates: each page at its own best interval"

    def __init__(self, known: Known) -> None:
        super().__init__(known)
        self.interval = best_intervals(known.value, known.true_rate, known.per_day)

    def scores(self, now: float, claimed: Any) -> Any:
        return (now - self.visited) / self.interval


class Intervals(RevisitPolicy):
    """Each page has an interval, shorter after a change and longer after none; what is due longest comes first."""

    def __init__(self, known: Known) -> None:
        super().__init__(known)
        self.first = len(known.host) / known.per_day
        self.interval = np.full(len(known.host), self.first)

    def learn(self, pages: Any, now: float, changed: Any, claimed: Any) -> None:
        super().learn(pages, now, changed, claimed)
        self.interval[pages] = np.clip(self.after(self.interval[pages], changed), 1 / 24, 365.0)

    def scores(self, now: float, claimed: Any) -> Any:
        return 1e9 + now - (self.visited + self.interval)

    def after(self, interval: Any, changed: Any) -> Any:
        raise NotImplementedError


class Nutch(Intervals):
    summary = "Nutch's adaptive interval: × 0.8 after a change, × 1.2 after none"

    def after(self, interval: Any, changed: Any) -> Any:
        return interval * np.where(changed, 0.8, 1.2)


class StormCrawler(Intervals):
    summary = "StormCrawler's adaptive interval: halfway back to an hour after a change, × 1.5 after none"

    def after(self, interval: Any, changed: Any) -> Any:
        return np.where(changed, (interval + 1 / 24) / 2, interval * 1.5)


REVISIT_POLICIES: dict[str, Callable[[Known], RevisitPolicy]] = {
    "sundog": Sundog,
    "without-hints": WithoutHints,
    "uniform": Uniform,
    "proportional": Proportional,
    "nutch": Nutch,
    "stormcrawler": StormCrawler,
    "told-hints": ToldHints,
    "told-rates": ToldRates,
    "optimum": Optimum,
}


def best_intervals(value: Any, rate: Any, per_day: float) -> Any:
    """The days between visits that keep most value up to date, if all pages get so many visits a day.

    Infinite for pages that are better left alone. The worth of a visit at the end of the interval is the same for
    all pages that are visited; that common worth is found by halving.

    >>> best_intervals([1.0, 1.0, 1.0], [0.1, 0.5, 40.0], 0.5).round(1).tolist()
    [5.2, 3.2, inf]
    """
    value, rate = np.asarray(value, float), np.asarray(rate, float)
    with np.errstate(divide="ignore", over="ignore"):
        high = float(np.max(value / rate, initial=0.0, where=rate > 0))
    low = 0.0
    for _ in range(60):
        price = (low + high) / 2
        low, high = (price, high) if (1.0 / _intervals_at(price, value, rate)).sum() > per_day else (low, price)
    return _intervals_at(high, value, rate)


def _intervals_at(price: float, value: Any, rate: Any) -> Any:
    """When the worth of each page reaches the price, by halving logarithms; never above μ/Δ."""
    shortest, longest = np.full(len(rate), math.log(1e-4)), np.full(len(rate), math.log(1e6))
    for _ in range(50):
        middle = (shortest + longest) / 2
        below = worth(value, rate, np.exp(middle)) < price
        shortest, longest = np.where(below, middle, shortest), np.where(below, longest, middle)
    interval = np.exp(longest)
    return np.where(worth(value, rate, 1e6) < price, math.inf, interval)
