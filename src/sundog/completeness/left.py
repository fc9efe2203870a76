"""How much is left, of a whole crawl and by host; and when it is worth asking again."""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

import numpy as np

from sundog.completeness.estimate import Constants, Expected, Left, constants_for, expect, interval
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

    def hosts(self, most: int) -> list[tuple[int, Left]]:
        """Those with most left first, by the estimate; those without any are left out."""
        total = self.expected.waiting + self.expected.hidden
        best = np.argsort(-total, kind="stable")[:most]
        return [(int(host), interval(self.expected.of(host), self.constants)) for host in best if total[host] > 0]


def left_by_host(record: CrawlRecord, policy: Chances, source: Known) -> LeftByHost:
    waiting = record.waiting
    pages = record.pages(source.facts, waiting, policy.chances(waiting) if len(waiting) else None)
    constants = constants_for(pages)
    expected = expect(pages, constants)
    return LeftByHost(interval(expected, constants), int(pages.wanted.sum()), expected, constants)


def next_look(fetched: int) -> int:
    """At how many fetches it is worth asking again: looks get rarer as a crawl grows, so that they cost little.

    >>> next_look(0), next_look(90), next_look(10_000)
    (10, 100, 10200)
    """
    return fetched + max(10, fetched // 50)
