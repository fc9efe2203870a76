"""What breadth-first order would have given for the same number of fetches: an estimate.

The order is followed over the links that the crawl saw. Of pages in it that were fetched, the outcome is known.
Of those that were not, it is guessed (``guesses``). The range goes from "none of them is relevant" to "they are
like all the pages that were fetched there". That is a range of assumptions, not a bound: what pages that were not
fetched link to is unknown too.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import orjson

from sundog.report.crawl.fetches import Fetches
from sundog.report.crawl.guesses import Guesses
from sundog.store import CrawlReader
from sundog.store.log import unpacked_ids, unpacked_links

SEEDED = "SELECT step, data FROM log WHERE event = 'seeded' ORDER BY step"
REFUSED = "SELECT o.candidate FROM outcomes o JOIN log l ON l.step = o.step WHERE l.event = 'refused'"
LINKS = "SELECT step, data FROM log WHERE step IN (SELECT value FROM json_each(?))"
AT_ONCE = 5_000
NONE = np.empty(0, np.int32)


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
        data = dict(self._reader.connection.execute(LINKS, (orjson.dumps(steps).decode(),)).fetchall())
        return np.concatenate([NONE, *[unpacked_links(data[step]).targets for step in steps]])

    def new(self, targets: Any) -> Any:
        fresh = targets[~self._seen[targets]]
        self._seen[fresh] = True
        return fresh[np.sort(np.unique(fresh, return_index=True)[1])]


def _seeds(reader: CrawlReader, fetches: Fetches) -> Iterator[tuple[int, Any]]:
    """Batches, each with the number of fetches before it."""
    for step, data in reader.connection.execute(SEEDED):
        yield int(np.searchsorted(fetches.rows["step"], step)), unpacked_ids(data)
