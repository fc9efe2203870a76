"""How relevant pages are that were not fetched.

A policy takes the best of a site first. So what it left is taken to be like what it took last: in the same part of
the site, drawn towards that of the whole host. Hosts that were never asked are taken to be like the first page of
those that were.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np
import orjson

from sundog.report.crawl.fetches import Fetches
from sundog.store import CrawlReader

LEAST_TRUST, MOST_TRUST = 1.0, 100.0  # fetches
AT_ONCE = 5_000
URLS = "SELECT id, url FROM urls WHERE id IN (SELECT value FROM json_each(?))"


class Guesses:
    def __init__(self, reader: CrawlReader, fetches: Fetches) -> None:
        self._reader, self._sites = reader, fetches.sites
        self._late, self._all = means_of(fetches, late=True), means_of(fetches, late=False)

    def of(self, candidates: Any) -> tuple[Any, Any]:
        """Probabilities: as what was taken last, and as all that was taken."""
        hosts, parts = self._places(candidates)
        return self._late.guess(hosts, parts), self._all.guess(hosts, parts)

    def _places(self, candidates: Any) -> tuple[Any, Any]:
        """The numbers of their hosts and parts, -1 for those of which nothing was fetched."""
        places = np.full((len(candidates), 2), -1, np.int64)
        where = {candidate: place for place, candidate in enumerate(candidates.tolist())}
        wanted = iter(where)
        while some := list(islice(wanted, AT_ONCE)):
            for candidate, url in self._reader.connection.execute(URLS, (orjson.dumps(some).decode(),)):
                places[where[candidate]] = self._sites.find(url)
        return places[:, 0], places[:, 1]


@dataclass(frozen=True)
class Means:
    """Shares of relevant pages: of the whole, of hosts and of parts, each drawn towards the one above it."""

    whole: float
    by_host: Any
    by_part: Any

    def guess(self, hosts: Any, parts: Any) -> Any:
        of_host = np.append(self.by_host, self.whole)[hosts]  # the last one is number -1
        return np.where(parts < 0, of_host, np.append(self.by_part, 0.0)[parts])


def means_of(fetches: Fetches, *, late: bool) -> Means:
    """``late``: of each only the later half of its fetches, and of the whole the first page of each host."""
    hosts, parts, relevant = fetches.rows["host"], fetches.rows["part"], fetches.relevant
    top = relevant[np.unique(hosts, return_index=True)[1]] if late else relevant
    whole = float((top.sum() + 0.5) / (len(top) + 1))
    by_host = _drawn(hosts, relevant, np.full(len(fetches.sites.hosts), whole), late)
    towards = by_host[np.array(fetches.sites.host_of_part, int)]
    return Means(whole, by_host, _drawn(parts, relevant, towards, late))


def _drawn(numbers: Any, relevant: Any, towards: Any, late: bool) -> Any:
    """The mean of each number's values, drawn towards what is given for it."""
    trust = fetches_to_trust(numbers, relevant, towards)
    if late:
        kept = later_half(numbers, len(towards))
        numbers, relevant = numbers[kept], relevant[kept]
    sums = np.bincount(numbers, relevant, len(towards))
    return (sums + trust * towards) / (np.bincount(numbers, None, len(towards)) + trust)


def fetches_to_trust(numbers: Any, relevant: Any, towards: Any) -> float:
    """With how many fetches a mean of its own counts as much as what it is drawn towards.

    The less the means differ beyond what chance makes of few fetches, the more it takes: the moments of a
    beta-binomial law.
    """
    counts = np.bincount(numbers, None, len(towards))
    several = counts > 1
    if not several.any():
        return MOST_TRUST
    n, mean = counts[several], towards[several]
    sums = np.bincount(numbers, relevant, len(towards))[several]
    within = mean * (1 - mean)
    # Of pairs within a group: how much more often both are relevant than if they had nothing in common.
    pairs = (sums - n * mean) ** 2 - sums * (1 - mean) ** 2 - (n - sums) * mean**2
    shared = float((pairs / (n - 1)).sum() / (n * within).sum()) if (n * within).sum() > 0 else 0.0
    return float(np.clip(1 / shared - 1, LEAST_TRUST, MOST_TRUST)) if shared > 0 else MOST_TRUST


def later_half(numbers: Any, size: int) -> Any:
    """Where each number occurs for the second half of its times.

    >>> later_half(np.array([0, 1, 0, 0, 0]), 2).tolist()
    [1, 3, 4]
    """
    order = np.argsort(numbers, kind="stable")
    counts = np.bincount(numbers, None, size)
    rank = np.arange(len(numbers)) - np.repeat(np.cumsum(counts) - counts, counts)
    return np.sort(order[rank >= np.repeat(counts // 2, counts)])
