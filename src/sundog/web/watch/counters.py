"""Exploration and exploitation, as everybody can check: was a page of a host that had given something before?

Hosts of a crawl: their records, what is expected of them, and whether they were left in peace.

What a crawl has found and what went wrong, counted as it comes.
"""

from __future__ import annotations

import math
import re
from array import array
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import orjson

from sundog.rdf.namespaces import shortened
from sundog.report.crawl.findings import NOT_KEPT, without_numbers
from sundog.report.crawl.hosts import TOLERANCE
from sundog.store import CrawlReader
from sundog.syntaxes import STORED
from sundog.urls.hosts import host_of
from sundog.web.results.reading import Outcome
from sundog.web.runs.crawls import equal_edges

STRETCHES = 60


class Exploration:
    """Grows with the pages, in the order in which they came in."""

    def __init__(self) -> None:
        self._sums = array("q", [0])  # pages of hosts without a find, among the first so many

    def add(self, *, is_trial: bool) -> None:
        self._sums.append(self._sums[-1] + is_trial)

    def told(self) -> list[tuple[int, int]]:
        """Ends of equal stretches of the crawl, and how many of their pages were of hosts that had given nothing.

        >>> some = Exploration()
        >>> for is_trial in (True, True, False, True):
        ...     some.add(is_trial=is_trial)
        >>> some.told()
        [(1, 1), (2, 1), (3, 0), (4, 1)]
        """
        pairs = pairwise(equal_edges(len(self._sums) - 1, STRETCHES))
        return [(last, self._sums[last] - self._sums[first]) for first, last in pairs]


HOSTS_SHOWN = 100
WIDTH = 1.645  # standard deviations to each side: about nine in ten


class Record:
    __slots__ = ("asked_at", "bad", "failed", "gap", "good")

    def __init__(self) -> None:
        self.good = self.bad = self.failed = 0
        self.asked_at = -math.inf
        self.gap = math.inf  # the shortest between two requests


class HostRecords:
    """Grows with the outcomes."""

    def __init__(self, delay: float) -> None:
        self._delay = delay
        self._records: dict[str, Record] = {}
        self._crawl_delays: dict[str, float] = {}
        self.exploration = Exploration()

    def add(self, outcome: Outcome) -> None:
        if outcome.event == "refused":
            return
        record = self._records.setdefault(host_of(outcome.url), Record())
        self.exploration.add(is_trial=not record.good)
        is_good = outcome.reward > 0
        record.good += is_good
        record.bad += not is_good
        record.failed += outcome.event == "failed"
        if outcome.decided_at >= record.asked_at:
            record.gap = min(record.gap, outcome.decided_at - record.asked_at)
            record.asked_at = outcome.decided_at

    def read_delays(self, reader: CrawlReader) -> None:
        """What hosts have asked for themselves."""
        for host, state in reader.host_states().items():
            if isinstance(state, list) and len(state) > 2 and isinstance(state[2], int | float):
                self._crawl_delays[host] = float(state[2])

    def told(self, queues: Sequence[Any]) -> dict[str, Any]:
        """``queues`` are from ``live.json``: host, pages that wait, until when it sleeps."""
        waiting = {str(host): (queued, until) for host, queued, until in queues}
        best = sorted(self._records.items(), key=lambda item: (-item[1].good, item[1].bad))[:HOSTS_SHOWN]
        lines = [self._line(host, record, waiting) for host, record in best]
        unseen = [host for host in waiting if host not in self._records]
        lines += [self._line(host, Record(), waiting) for host in unseen[: HOSTS_SHOWN - len(lines)]]
        return {"hosts": lines, "count": len(self._records), "politeness": self._politeness()}

    def _line(self, host: str, record: Record, waiting: Mapping[str, tuple[int, float | None]]) -> dict[str, Any]:
        queued, until = waiting.get(host, (None, None))
        return {
            "host": host,
            "good": record.good,
            "bad": record.bad,
            "failed": record.failed,
            "posterior": posterior(record.good, record.bad),
            "queued": queued,
            "asleep_until": until,
            "gap": round(record.gap, 3) if math.isfinite(record.gap) else None,
            "delay": self._delay_of(host),
        }

    def _delay_of(self, host: str) -> float:
        return max(self._delay, self._crawl_delays.get(host, 0.0))

    def _politeness(self) -> dict[str, Any]:
        again = [
            (record.gap, delay)
            for host, record in self._records.items()
            if math.isfinite(record.gap) and (delay := self._delay_of(host)) > 0
        ]
        too_soon = sum(gap < delay - TOLERANCE for gap, delay in again)
        return {"kept": not too_soon, "asked_again": len(again), "too_soon": too_soon}


def posterior(good: int, bad: int) -> list[float]:
    """Mean, low and high of the share of good pages, after a uniform prior; nine in ten lie between.

    >>> posterior(0, 0), posterior(9, 1)
    ([0.5, 0.025, 0.975], [0.833, 0.663, 1.0])
    """
    a, b = good + 1, bad + 1
    mean = a / (a + b)
    width = WIDTH * math.sqrt(a * b / ((a + b) ** 2 * (a + b + 1)))
    return [round(mean, 3), round(max(0.0, mean - width), 3), round(min(1.0, mean + width), 3)]


NAMES_SHOWN = 30
MOST_COUNTED = 20_000  # a site can invent any number of names; rare ones are forgotten
LONGEST = 200  # characters of a name
PREDICATE = re.compile(r"^\S+ <([^>\s]+)> ", re.MULTILINE)
STATEMENTS = "SELECT triples FROM statements WHERE id >= ? AND id < ?"


class FoundCounters:
    def __init__(self) -> None:
        self.types: Counter[str] = Counter()
        self.properties: Counter[str] = Counter()
        self.syntaxes: Counter[str] = Counter()
        self.troubles: Counter[str] = Counter()
        self.refusals: Counter[str] = Counter()
        self.faults: Counter[str] = Counter()

    def add(self, outcome: Outcome) -> None:
        self.types.update(outcome.type_names)
        for name, count in zip(STORED, outcome.counts, strict=True):
            if count:
                self.syntaxes[name] += count
        if outcome.event == "failed":
            self.troubles[outcome.trouble or "other"] += 1
        elif outcome.event == "refused":
            self.refusals[outcome.trouble or str(outcome.reason).partition(":")[0]] += 1
        for syntax, reason in orjson.loads(outcome.faults) if outcome.faults else ():
            if syntax != NOT_KEPT:
                self.faults[without_numbers(f"{syntax}: {reason}")[:LONGEST]] += 1
        for counter in (self.types, self.faults):
            _prune(counter)

    def read_properties(self, reader: CrawlReader, after: int, until: int) -> None:
        """Of the statements of these steps."""
        for (triples,) in reader.connection.execute(STATEMENTS, (8 * (after + 1), 8 * (until + 1))):
            self.properties.update(PREDICATE.findall(triples))
            _prune(self.properties)

    def told(self) -> dict[str, Any]:
        counters = {
            "types": self.types,
            "properties": self.properties,
            "syntaxes": self.syntaxes,
            "troubles": self.troubles,
            "refusals": self.refusals,
            "faults": self.faults,
        }
        return {name: _as_json(counter) for name, counter in counters.items()}


def _as_json(counter: Counter[str]) -> list[dict[str, Any]]:
    return [
        {"name": name[:LONGEST], "short": shortened(name)[:LONGEST], "count": count}
        for name, count in counter.most_common(NAMES_SHOWN)
    ]


def _prune(counter: Counter[str]) -> None:
    if len(counter) > 2 * MOST_COUNTED:
        kept = dict(counter.most_common(MOST_COUNTED))
        counter.clear()
        counter.update(kept)
