"""What breadth-first order would have found with the same number of fetches: an estimate.

The order is followed over the links that the crawl saw. Of pages in it that were fetched, the outcome is known.
Of those that were not, it is guessed (``Guesses``). The range goes from "none of them is relevant" to "they are
like all the pages that were fetched there". That is a range of assumptions, not a bound: what pages that were not
fetched link to is unknown too.

How a page is guessed: a policy takes the best of a site first. So what it left is taken to be like what it took
last, in the same part of the site, drawn towards that of the whole host. Hosts that were never asked are taken to
be like the first page of those that were.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np

from sundog.report.crawl.fetches import Fetches
from sundog.store import CrawlReader
from sundog.store.database import CHOSEN, as_ids
from sundog.store.events import unpacked_links

REFUSED = "SELECT o.candidate FROM outcomes o JOIN log l ON l.step = o.step WHERE l.event = 'refused'"
LINKS = f"SELECT step, data FROM log WHERE step IN {CHOSEN}"
AT_ONCE = 5_000
NONE = np.empty(0, np.int32)
LEAST_TRUST, MOST_TRUST = 1.0, 100.0  # fetches
URLS_AT_ONCE = 5_000


@dataclass(frozen=True)
class Estimate:
    """Of each fetch in breadth-first order: how likely it is relevant, from least to most."""

    least: Any
    likely: Any
    most: Any
    known: int  # how many of them the crawl has fetched itself

    def __len__(self) -> int:
        return len(self.likely)


def estimate_bfs(reader: CrawlReader, fetches: Fetches) -> Estimate:
    order = bfs_order(reader, fetches)
    fetched, first = np.unique(fetches.rows["candidate"], return_index=True)
    is_known = np.isin(order, fetched)
    truth = np.zeros(len(order))
    truth[is_known] = fetches.relevant[first[np.searchsorted(fetched, order[is_known])]]
    likely, most = truth.copy(), truth.copy()
    likely[~is_known], most[~is_known] = Guesses(reader, fetches).of(order[~is_known])
    return Estimate(truth, likely, np.maximum(most, likely), int(is_known.sum()))


def bfs_order(reader: CrawlReader, fetches: Fetches) -> Any:
    """Candidates in breadth-first order over the links seen, as many as were fetched.

    Candidates that no page brought, such as a sitemap's, come after as many fetches as they did in the crawl.
    What was refused costs nothing.
    """
    (size,) = reader.connection.execute("SELECT coalesce(max(id), -1) + 1 FROM urls").fetchone()
    refused = np.zeros(size, bool)
    refused[[candidate for (candidate,) in reader.connection.execute(REFUSED)]] = True
    links = _Links(reader, fetches, size)
    seeds = deque(_seeds(reader, fetches))
    queue, order, done = np.empty(0, np.int64), [np.empty(0, np.int64)], 0
    while done < len(fetches):
        while seeds and (seeds[0][0] <= done or not len(queue)):
            queue = np.append(queue, links.new(seeds.popleft()[1]))
        if not len(queue):
            break
        # All that is queued, or all up to the next seeds, can be taken at once: what it brings comes after it.
        until = min(seeds[0][0] if seeds else len(fetches), len(fetches))
        taken, queue = np.split(queue, [min(max(1, until - done), len(queue), AT_ONCE)])
        order.append(taken[~refused[taken]])
        done += len(order[-1])
        queue = np.append(queue, links.new(links.of(taken)))
    return np.concatenate(order)[: len(fetches)]


class _Links:
    """The links of fetched pages, each target once."""

    def __init__(self, reader: CrawlReader, fetches: Fetches, size: int) -> None:
        self._reader = reader
        self._step = np.zeros(size, np.int64)
        made = fetches.rows[~fetches.rows["failed"]][::-1]
        self._step[made["candidate"]] = made["step"]  # of several, the first
        self._seen = np.zeros(size, bool)

    def of(self, candidates: Any) -> Any:
        """The targets on these pages, in their order; none of pages that were not fetched."""
        steps = self._step[candidates]
        steps = steps[steps > 0].tolist()
        data = dict(self._reader.connection.execute(LINKS, (as_ids(steps),)).fetchall())
        return np.concatenate([NONE, *[unpacked_links(data[step]).targets for step in steps]])

    def new(self, targets: Any) -> Any:
        fresh = targets[~self._seen[targets]]
        self._seen[fresh] = True
        return fresh[np.sort(np.unique(fresh, return_index=True)[1])]


def _seeds(reader: CrawlReader, fetches: Fetches) -> Iterator[tuple[int, Any]]:
    """Batches, each with the number of fetches before it."""
    for step, candidates in reader.seeds():
        yield int(np.searchsorted(fetches.rows["step"], step)), candidates


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
        while some := list(islice(wanted, URLS_AT_ONCE)):
            for candidate, url in self._reader.urls_of(some).items():
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
