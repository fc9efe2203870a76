"""What a watcher sees counted: hosts and their records, exploration, types, properties, troubles."""

from __future__ import annotations

import math
import re
from array import array
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import orjson

from sundog.model import NOT_KEPT
from sundog.rdf.namespaces import MICROFORMATS, shortened, with_http
from sundog.report.chart_data import equal_edges
from sundog.results.politeness import ShortestGap, crawl_delays, judge
from sundog.store import CrawlReader
from sundog.syntaxes import STORED
from sundog.urls.hosts import host_of
from sundog.web.results.page_filters import fault_name
from sundog.web.results.reading import Outcome

STRETCHES = 60  # of a crawl, to see how it explores
HOSTS_SHOWN = 100
WIDTH = 1.645  # standard deviations to each side: about nine in ten
NAMES_SHOWN = 30
MOST_IN_VOCABULARY = 1_000  # types, and as many properties
MOST_COUNTED = 20_000  # a site can invent any number of names; rare ones are forgotten
LONGEST = 200  # characters of a name
PREDICATE = re.compile(r"^\S+ <([^>\s]+)> ", re.MULTILINE)
TROUBLE_WORDS = {
    "http-4xx": "HTTP 4xx: not there, or not for us",
    "http-5xx": "HTTP 5xx: the server failed",
    "rate-limited": "asked to come back later",
    "bad-url": "no address that can be asked",
    "private-address": "a private address",
    "robots": "robots.txt forbids it",
    "redirect-out-of-scope": "a redirect out of scope",
    "redirect-known": "a redirect to a page already asked",
    "redirect-elsewhere": "a redirect to a host of another shard",
    "redirect-loop": "a redirect in a circle",
    "too-many-redirects": "too many redirects",
    "bad-redirect": "a redirect to nowhere",
    "dns": "the host has no address",
    "connection-refused": "no connection",
    "connection-lost": "the connection broke off",
    "tls": "no secure connection",
    "timeout-connect": "no connection in time",
    "timeout-first-byte": "no answer in time",
    "timeout-total": "not complete in time",
    "too-slow": "too slow",
    "content-type": "neither a page nor data (its type)",
    "bad-header": "the answer is not HTTP",
    "bad-encoding": "the compression cannot be read",
    "bomb": "unpacks to far too much",
    "internal": "Sundog itself failed on it",
    "other": "something else",
    "duplicate": "the same as another page",
    "trap": "a trap: endless pages of one kind",
}


class Record:
    __slots__ = ("bad", "failed", "gap", "good")

    def __init__(self) -> None:
        self.good = self.bad = self.failed = 0
        self.gap = ShortestGap()  # between two requests


class HostRecords:
    """Pages of each host, what is expected of it, and whether it was left in peace. Grows with the outcomes."""

    def __init__(self, delay: float) -> None:
        self._delay = delay
        self._records: dict[str, Record] = {}
        self._crawl_delays: dict[str, float] = {}
        self.exploration = Exploration()

    def add(self, outcome: Outcome) -> None:
        """Pages count when they come first; a later round asks for them again."""
        if outcome.event == "refused":
            return
        record = self._records.setdefault(host_of(outcome.url), Record())
        if outcome.event == "revisited":
            record.gap.add(outcome.decided_at)
            return
        self.exploration.add(is_trial=not record.good)
        is_good = outcome.reward > 0
        record.good += is_good
        record.bad += not is_good
        record.failed += outcome.kind == "failed"
        record.gap.add(outcome.decided_at)

    def read_delays(self, reader: CrawlReader) -> None:
        """What hosts have asked for themselves."""
        self._crawl_delays |= crawl_delays(reader)

    def as_json(self, queues: Sequence[Any]) -> dict[str, Any]:
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
            "gap": round(gap, 3) if math.isfinite(gap := record.gap.seconds) else None,
            "delay": self._delay_of(host),
        }

    def _delay_of(self, host: str) -> float:
        return max(self._delay, self._crawl_delays.get(host, 0.0))

    def _politeness(self) -> dict[str, Any]:
        found = judge((record.gap.seconds, self._delay_of(host)) for host, record in self._records.items())
        return {"kept": not found.too_soon, **found._asdict()}


def posterior(good: int, bad: int) -> list[float]:
    """Mean, low and high of the share of good pages, after a uniform prior; nine in ten lie between.

    >>> posterior(0, 0), posterior(9, 1)
    ([0.5, 0.025, 0.975], [0.833, 0.663, 1.0])
    """
    a, b = good + 1, bad + 1
    mean = a / (a + b)
    width = WIDTH * math.sqrt(a * b / ((a + b) ** 2 * (a + b + 1)))
    return [round(mean, 3), round(max(0.0, mean - width), 3), round(min(1.0, mean + width), 3)]


class Exploration:
    """Pages of hosts that had given nothing before. Grows with the pages, in the order in which they came in."""

    def __init__(self) -> None:
        self._sums = array("q", [0])  # pages of hosts without a find, among the first so many

    def add(self, *, is_trial: bool) -> None:
        self._sums.append(self._sums[-1] + is_trial)

    def as_json(self) -> list[tuple[int, int]]:
        """Ends of equal stretches of the crawl, and how many of their pages were of hosts that had given nothing.

        >>> some = Exploration()
        >>> for is_trial in (True, True, False, True):
        ...     some.add(is_trial=is_trial)
        >>> some.as_json()
        [(1, 1), (2, 1), (3, 0), (4, 1)]
        """
        pairs = pairwise(equal_edges(len(self._sums) - 1, STRETCHES))
        return [(last, self._sums[last] - self._sums[first]) for first, last in pairs]


class FoundCounters:
    """What was found and what went wrong. Grows with the outcomes."""

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
        if outcome.kind == "failed":
            self.troubles[outcome.trouble or "other"] += 1
        elif outcome.event == "refused":
            self.refusals[outcome.trouble or str(outcome.reason).partition(":")[0]] += 1
        for syntax, reason in orjson.loads(outcome.faults) if outcome.faults else ():
            if syntax != NOT_KEPT:
                self.faults[fault_name(syntax, reason)] += 1
        for counter in (self.types, self.faults):
            _prune(counter)

    def replace(self, reader: CrawlReader, before: Outcome) -> None:
        """There is a new version in its place."""
        self.types.subtract(before.type_names)
        self.syntaxes.subtract(dict(zip(STORED, before.counts, strict=True)))
        for _, triples in reader.statements_of(before.step, before.step):
            self.properties.subtract(PREDICATE.findall(triples))

    def read_properties(self, reader: CrawlReader, after: int, until: int) -> None:
        """Of the statements of these steps."""
        for _, triples in reader.statements_of(after + 1, until):
            self.properties.update(PREDICATE.findall(triples))
            _prune(self.properties)

    def vocabulary(self) -> dict[str, list[dict[str, Any]]]:
        """Types and properties by their IRIs as queries name them, the most frequent first."""
        return {"types": _iris(self.types), "properties": _iris(self.properties)}

    def as_json(self) -> dict[str, Any]:
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
        {"name": name[:LONGEST], "short": (TROUBLE_WORDS.get(name) or shortened(name))[:LONGEST], "count": count}
        for name, count in counter.most_common(NAMES_SHOWN)
        if count > 0
    ]


def _iris(counter: Counter[str]) -> list[dict[str, Any]]:
    """
    >>> _iris(Counter({"https://schema.org/name": 2, "http://schema.org/name": 3}))
    [{'name': 'http://schema.org/name', 'count': 5}]
    >>> _iris(Counter(["h-card"]))
    [{'name': 'http://microformats.org/profile/h-card', 'count': 1}]
    """
    found: Counter[str] = Counter()
    for name, count in counter.items():
        if len(name) <= LONGEST and count > 0:
            found[with_http(name) if ":" in name else f"{MICROFORMATS}{name}"] += count
    return [{"name": name, "count": count} for name, count in found.most_common(MOST_IN_VOCABULARY)]


def _prune(counter: Counter[str]) -> None:
    if len(counter) > 2 * MOST_COUNTED:
        kept = dict(counter.most_common(MOST_COUNTED))
        counter.clear()
        counter.update(kept)
