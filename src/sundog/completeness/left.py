"""How much is left, of a whole crawl and by host; and when it is worth asking again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np

from sundog.completeness.estimate import (
    Constants,
    Expected,
    Left,
    Pages,
    chances_of,
    constants_for,
    expect,
    interval,
    kinds_of,
    what_is_left_of,
)
from sundog.completeness.record import CrawlRecord
from sundog.frontier.facts import Facts


class Chances(Protocol):
    """A policy's chooser, as far as it is asked here."""

    def chances(self, candidates: Any) -> Any: ...


class Known(Protocol):
    """What knows the candidates' hosts and shapes."""

    @property
    def facts(self) -> Facts: ...


class LeftByHost(NamedTuple):
    all: Left
    found: int  # wanted pages that were fetched
    expected: Expected
    constants: Constants

    def is_at_most(self, share: float) -> bool:
        """Whether the interval says that no more than this share of the wanted pages is missing."""
        return self.all.share(self.found) <= share

    @property
    def without_hosts(self) -> LeftByHost:
        """All hosts as one."""
        return self._replace(expected=Expected(*(np.sum(part, keepdims=True) for part in self.expected)))

    def hosts(self, most: int) -> list[tuple[int, Left]]:
        """Those with most left first, by the estimate; those without any are left out."""
        total = self.expected.waiting + self.expected.hidden
        best = np.argsort(-total, kind="stable")[:most]
        return [(int(host), interval(self.expected.of(host), self.constants)) for host in best if total[host] > 0]


class WaitingPages(NamedTuple):
    """Of pages that wait: how likely each is wanted, and how likely if it is like the others of its kind."""

    candidates: Any
    likely: Any
    of_kind: Any


def left_by_host(record: CrawlRecord, policy: Chances, source: Known) -> LeftByHost:
    pages = _pages(record, policy, source)
    constants = constants_for(pages)
    expected = expect(pages, constants)
    return LeftByHost(interval(expected, constants), int(pages.wanted.sum()), expected, constants)


def waiting_pages(record: CrawlRecord, policy: Chances, source: Known) -> WaitingPages:
    pages = _pages(record, policy, source)
    if not len(pages.waiting):
        return WaitingPages(pages.waiting, np.empty(0), np.empty(0))
    kinds = kinds_of(pages)
    of_kind, _ = chances_of(pages, kinds)
    return WaitingPages(pages.waiting, what_is_left_of(of_kind, pages, kinds), of_kind)


def _pages(record: CrawlRecord, policy: Chances, source: Known) -> Pages:
    waiting = record.waiting
    return record.pages(source.facts, waiting, policy.chances(waiting) if len(waiting) else None)


def together(parts: Sequence[LeftByHost]) -> LeftByHost:
    """Of several crawls, of which each has hosts of its own."""
    expected = Expected(*map(np.concatenate, zip(*(part.expected for part in parts), strict=True)))
    constants = max(parts, key=lambda part: float(part.expected.waiting.sum())).constants
    return LeftByHost(interval(expected, constants), sum(part.found for part in parts), expected, constants)


def next_look(fetched: int) -> int:
    """At how many fetches it is worth asking again: looks get rarer as a crawl grows, so that they cost little.

    >>> next_look(0), next_look(90), next_look(10_000)
    (10, 100, 10200)
    """
    return fetched + max(10, fetched // 50)
