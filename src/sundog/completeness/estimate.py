"""How many wanted pages a crawl has not fetched, with a 90% interval: those that wait, and those not discovered.

**What waits.** A page's chance of being wanted comes from the records of its kind: all, host, coarse and fine URL
shape, each shrunk toward the one above. A policy that fetches the best first leaves what is worse than its record:
so where the policy has a chance of its own, the lowest of the two counts, and of the share of wanted pages in any
last stretch of the host's fetches. Pages of a kind are wanted together or not at all: with n fetches of the kind,
the sum over its N pages is a beta-binomial, which comes in clumps of about 1 + (N − 1)/(n + 3) pages. The variance
of clumps that hardly any crawl would see says nothing about the ends of an interval, and counts less.

**What was not discovered.** What a fetch has discovered is worth what was found there, and where it still waits
what is expected. The last fetches of each kind say what its next one will discover, shrunk toward the last fetches
of all; and in all no more than if discovery went on as it does now, for as long as it has.

The interval is that of a log-normal for one page more than the estimate. ``Constants`` were chosen on half of the
real sites that ``python -m benchmarks left`` measures.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

STRENGTH = 2.0  # fetches that the record above is worth
LEAST_STRETCH = 10  # fetches that say how much is wanted of what the policy likes best now
LATE_SHARE = 10  # the last tenth of the fetches, ten at least, says what is still discovered
LAST_COARSE, LAST_FINE = 20, 10  # fetches of a kind that say what its next one discovers


class Constants(NamedTuple):
    found_yield: float  # how much is discovered of what the last fetches promise
    waiting_error: float  # relative: of what waits
    hidden_error: float  # the same of what was not discovered
    seen_clumps: float  # with fewer clumps to expect, their variance counts in proportion
    low: float  # the interval's ends, in standard deviations
    high: float


BEST_FIRST = Constants(0.7, 0.3, 1.05, 0.3, -4.2, 2.8)  # for policies with chances of their own
ANY_ORDER = Constants(0.7, 0.3, 1.05, 0.3, -4.2, 4.0)


class Pages(NamedTuple):
    """What a crawl knows of its pages.

    ``fetched`` are candidates in the order of their ends, ``wanted`` says what they proved to be. ``chances`` are
    the policy's, of the ``waiting`` ones; None: it has none. By candidate: ``found_by`` is the place in
    ``fetched`` of the page that led there first, negative for seeds; ``host``, ``coarse``, ``fine`` are its kinds.
    """

    fetched: Any
    wanted: Any
    waiting: Any
    chances: Any
    found_by: Any
    host: Any
    coarse: Any
    fine: Any


class Expected(NamedTuple):
    """What is to come, by host: wanted pages that wait, and those that nothing has led to yet."""

    waiting: Any
    variance: Any  # of the first
    clumps: Any  # in how many of them they come
    hidden: Any

    def of(self, host: int) -> Expected:
        return Expected(*(part[host : host + 1] for part in self))


class Left(NamedTuple):
    """Wanted pages that were not fetched: the estimate, and the ends of a 90% interval."""

    estimate: float
    low: float
    high: float

    def share(self, found: int) -> float:
        """The most that may be missing, as a share of all wanted pages; 1 while none was found.

        >>> round(Left(1.0, 0.0, 2.0).share(98), 2), Left(0.0, 0.0, 0.0).share(0)
        (0.02, 1.0)
        """
        return self.high / (found + self.high) if found else 1.0

    def __str__(self) -> str:
        """
        >>> str(Left(37.4, 12.2, 61.0)), str(Left(0.2, 0.0, 0.4))
        ('about 37 wanted pages left (12 to 61)', 'no wanted page left')
        """
        return self.of("wanted page left", "wanted pages left") if round(self.high) else "no wanted page left"

    def of(self, one: str, more: str) -> str:
        """
        >>> Left(1137.4, 12.2, 2061.0).of("entity", "entities")
        'about 1,137 entities (12 to 2,061)'
        """
        low, middle, high = (f"{round(value):,}" for value in (self.low, self.estimate, self.high))
        return f"about {middle} {one if middle == '1' else more} ({low} to {high})"

    @classmethod
    def read(cls, told: Any) -> Left | None:
        """From JSON. A file that somebody may have edited is believed where it can be.

        >>> Left.read({"estimate": 2, "low": 1, "high": 3}), Left.read({"estimate": "many"}), Left.read(None)
        (Left(estimate=2.0, low=1.0, high=3.0), None, None)
        """
        try:
            return cls(*(float(told[name]) for name in cls._fields))
        except (KeyError, TypeError, ValueError):
            return None

    def as_json(self) -> dict[str, float]:
        """Whole pages, where there are some."""
        return {name: round(value, 2) if value < 10 else round(value) for name, value in self._asdict().items()}


def constants_for(pages: Pages) -> Constants:
    return ANY_ORDER if pages.chances is None else BEST_FIRST


def interval(expected: Expected, chosen: Constants) -> Left:
    """
    >>> interval(Expected(0.0, 0.0, 0.0, 0.0), BEST_FIRST)
    Left(estimate=0.0, low=0.0, high=0.0)
    """
    waiting, variance, clumps, hidden = (float(np.sum(part)) for part in expected)
    variance *= min(1.0, clumps / chosen.seen_clumps)
    variance += hidden + (chosen.waiting_error * waiting) ** 2 + (chosen.hidden_error * hidden) ** 2
    plus_one = 1.0 + waiting + hidden
    spread = math.sqrt(math.log1p(variance / plus_one**2))
    low, high = (max(0.0, plus_one * math.exp(end * spread) - 1.0) for end in (chosen.low, chosen.high))
    return Left(waiting + hidden, low, high)


def expect(pages: Pages, chosen: Constants) -> Expected:
    """By host, up to the last one that is known."""
    if not len(pages.waiting):
        return Expected(*np.zeros((4, 1)))
    kinds = kinds_of(pages)
    of_kind, fetches = chances_of(pages, kinds)
    chances = what_is_left_of(of_kind, pages, kinds)
    fine = kinds.fine[len(pages.fetched) :]
    clump = 1.0 + (np.bincount(fine)[fine] - 1.0) / (fetches + STRENGTH + 1.0)
    hidden = chosen.found_yield * discoveries(pages, kinds, chances)
    parts = (chances, chances * (1.0 - chances) * clump, chances / clump, hidden)
    return Expected(*(np.bincount(pages.host[pages.waiting], part) for part in parts))


class Kinds(NamedTuple):
    """Small numbers for host, coarse and fine kind of every page: of those fetched, then of those that wait."""

    host: Any
    coarse: Any
    fine: Any


def kinds_of(pages: Pages) -> Kinds:
    known = np.concatenate([pages.fetched, pages.waiting])
    host = pages.host[known].astype(np.uint64)
    shapes = (host << np.uint64(32) | shape[known].astype(np.uint64) for shape in (pages.coarse, pages.fine))
    return Kinds(*(np.unique(each, return_inverse=True)[1] for each in (host, *shapes)))


def chances_of(pages: Pages, kinds: Kinds) -> tuple[Any, Any]:
    """Of the waiting pages: the chance of being wanted, and how many fetches of the fine kind say so."""
    n, wanted = len(pages.fetched), pages.wanted.astype(float)
    chances: Any = np.full(len(pages.waiting), (wanted.sum() + 0.5) / (n + 1.0))
    fetches: Any = 0
    for kind in kinds:
        size, of_waiting = int(kind.max()) + 1, kind[n:]
        fetches = np.bincount(kind[:n], minlength=size)[of_waiting]
        good = np.bincount(kind[:n], wanted, size)[of_waiting]
        chances = (good + STRENGTH * chances) / (fetches + STRENGTH)
    return chances, fetches


def what_is_left_of(chances: Any, pages: Pages, kinds: Kinds) -> Any:
    """The chances of the waiting pages' kinds, less what a policy has taken that fetches the best first."""
    if pages.chances is None:
        return chances
    return np.minimum(np.minimum(chances, pages.chances), late_rates(pages.wanted, kinds.host))


def late_rates(wanted: Any, host: Any) -> Any:
    """Of the waiting pages: the lowest share of wanted pages in any last stretch of their host's fetches.

    A crawler that fetches the best first leaves what is no better than what it has just fetched. In ``host`` those
    that were fetched come first.

    >>> late_rates(np.array([True] * 5 + [False] * 10), np.array([0] * 15 + [0, 1])).round(3).tolist()
    [0.091, 1.0]
    """
    n = len(wanted)
    lowest = np.ones(int(host.max()) + 1)
    if n:
        order = np.argsort(host[:n], kind="stable")[::-1]  # of each host the last fetch first
        good, groups = wanted[order].astype(float), host[:n][order]
        begins = np.flatnonzero(np.diff(groups, prepend=-1))
        lengths = np.diff(begins, append=n)
        fetches = np.arange(n) - np.repeat(begins, lengths) + 1.0
        total = np.cumsum(good)
        found = total - np.repeat(total[begins] - good[begins], lengths)
        rates = np.where(fetches >= LEAST_STRETCH, (found + 1.0) / (fetches + 1.0), 1.0)
        lowest[groups[begins]] = np.minimum.reduceat(rates, begins)
    return lowest[host[n:]]


def discoveries(pages: Pages, kinds: Kinds, chances: Any) -> Any:
    """How many wanted pages each waiting page will discover, as far as the last fetches say."""
    n = len(pages.fetched)
    if not n:
        return np.zeros(len(pages.waiting))
    finder = pages.found_by[np.concatenate([pages.fetched, pages.waiting])]
    worth = np.concatenate([pages.wanted.astype(float), chances])
    brought = np.bincount(finder[finder >= 0], worth[finder >= 0], n)
    late = brought[-max(LEAST_STRETCH, n // LATE_SHARE) :].mean()
    expected: Any = np.full(len(pages.waiting), late)
    for kind, last in ((kinds.coarse, LAST_COARSE), (kinds.fine, LAST_FINE)):
        size, of_waiting, recent = int(kind.max()) + 1, kind[n:], last_of_each(kind[:n], last)
        fetches = np.bincount(kind[recent], minlength=size)[of_waiting]
        found = np.bincount(kind[recent], brought[recent], size)[of_waiting]
        expected = (found + STRENGTH * expected) / (fetches + STRENGTH)
    return expected * min(1.0, n * late / max(expected.sum(), 1e-300))


def last_of_each(groups: Any, last: int) -> Any:
    """Places of the last so many of each group.

    >>> last_of_each(np.array([5, 6, 5, 5]), 2).tolist()
    [1, 2, 3]
    """
    order = np.argsort(groups, kind="stable")
    ends = np.searchsorted(groups[order], groups[order], side="right")
    return np.sort(order[ends - np.arange(len(groups)) <= last])
