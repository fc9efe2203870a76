"""Every fetch of a crawl, as arrays in the order of the outcomes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from sundog.engines.trace import Trace
from sundog.report.crawl.sites import Sites
from sundog.store import SYNTAXES, CrawlReader

# From the small table to the large one: rows of the log hold all links, and only their heads are read so.
FETCHES = f"""SELECT o.step, o.candidate, l.event, l.at, coalesce(l.value, 0.0), d.at,
    coalesce(json_extract(d.data, '$[0]'), -1.0), coalesce(o.seconds, -1.0), {" + ".join(SYNTAXES)},
    u.depth, u.url
  FROM outcomes o JOIN log l ON l.step = o.step JOIN log d ON d.step = o.decided
    JOIN urls u ON u.id = o.candidate
  WHERE l.event <> 'refused' ORDER BY o.step"""
PAUSE = 600.0  # seconds
ROW = np.dtype(
    [
        ("step", "i8"),
        ("candidate", "i8"),
        ("failed", "?"),
        ("at", "f8"),
        ("reward", "f8"),
        ("decided_at", "f8"),
        ("estimate", "f8"),
        ("seconds", "f8"),
        ("statements", "i8"),
        ("depth", "i4"),
        ("host", "i4"),
        ("part", "i4"),
    ]
)


@dataclass(frozen=True)
class Fetches:
    """``rows`` has the fields of ``ROW``; hosts and parts are numbers of ``sites``. What is unknown is -1."""

    rows: Any
    sites: Sites

    def __len__(self) -> int:
        return len(self.rows)

    @cached_property
    def relevant(self) -> Any:
        return self.rows["reward"] > 0

    @cached_property
    def clock(self) -> Any:
        """Seconds of crawling before each outcome. Longer pauses, as before a resume, count as ``PAUSE``."""
        if not len(self):
            return np.zeros(0)
        moments = np.concatenate([self.rows["decided_at"][:1], self.rows["at"]])
        return np.cumsum(np.clip(np.diff(moments), 0.0, PAUSE))

    @property
    def seconds(self) -> float:
        return float(self.clock[-1]) if len(self) else 0.0

    def trace(self) -> Trace:
        """As a simulation would have left it; the hosts are those that were asked by then."""
        first = np.zeros(len(self), int)
        first[np.unique(self.rows["host"], return_index=True)[1]] = 1
        nothing = np.zeros(len(self), np.int64)
        return Trace(self.rows["candidate"], self.rows["reward"], self.rows["estimate"], nothing, np.cumsum(first))


def read_fetches(reader: CrawlReader) -> Fetches:
    sites = Sites()

    def rows() -> Iterator[tuple[Any, ...]]:
        for step, candidate, event, *figures, url in reader.connection.execute(FETCHES):
            yield step, candidate, event == "failed", *figures, *sites.enter(url)

    return Fetches(np.fromiter(rows(), ROW), sites)
