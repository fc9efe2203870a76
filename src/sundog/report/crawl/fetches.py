"""Every fetch of a crawl, read from its log as arrays; and what the charts show of its speed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from sundog.engines.runs import Trace
from sundog.report.chart_data import Row, equal_edges, short
from sundog.store import CrawlReader
from sundog.store.database import COUNTS_SUM
from sundog.store.rounds import last_round
from sundog.urls.hosts import split_host

# From the small table to the large one: rows of the log hold all links, and only their heads are read so.
# Pages count when they come first; their statements are those of the latest version.
FETCHES = f"""SELECT f.step, f.candidate, l.event, l.at, coalesce(l.value, 0.0), d.at,
    coalesce(json_extract(d.data, '$[0]'), -1.0), coalesce(f.seconds, -1.0), {COUNTS_SUM},
    u.depth, u.url
  FROM outcomes f JOIN log l ON l.step = f.step JOIN log d ON d.step = f.decided
    JOIN urls u ON u.id = f.candidate JOIN outcomes o ON o.step = {{version}}
  WHERE l.event IN ('fetched', 'failed') ORDER BY f.step"""
ONLY_VERSION = "f.step"
LATEST_VERSION = "(SELECT max(e.step) FROM outcomes e WHERE e.candidate = f.candidate)"
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
SPEED_BINS = 60
SECONDS_WINDOWS = 40
PERCENTILES = {"median": 50, "90 %": 90, "99 %": 99}
MINUTE, HOUR = 60.0, 3600.0


class Sites:
    """Numbers hosts and parts as they come."""

    def __init__(self) -> None:
        self._hosts: dict[str, int] = {}
        self._parts: dict[str, int] = {}
        self.host_of_part: list[int] = []

    @property
    def hosts(self) -> list[str]:
        return list(self._hosts)

    def enter(self, url: str) -> tuple[int, int]:
        host, part = host_and_part(url)
        number = self._hosts.setdefault(host, len(self._hosts))
        place = self._parts.setdefault(part, len(self._parts))
        if place == len(self.host_of_part):
            self.host_of_part.append(number)
        return number, place

    def find(self, url: str) -> tuple[int, int]:
        """As ``enter``, but -1 for what did not come."""
        host, part = host_and_part(url)
        return self._hosts.get(host, -1), self._parts.get(part, -1)


def host_and_part(url: str) -> tuple[str, str]:
    """The host, as the views of ``crawl.db`` have it, and the host with the first directory of the path.

    >>> [host_and_part(f"http://a.example{rest}")[1] for rest in ("/shop/1?x=2/3", "/shop", "", "?q")]
    ['a.example/shop/', 'a.example/', 'a.example/', 'a.example/']
    """
    host, rest = split_host(url)
    path = rest.partition("#")[0].partition("?")[0]
    first, slash, _ = path.removeprefix("/").partition("/")
    return host, f"{host}/{first}/" if slash else f"{host}/"


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
    query = FETCHES.format(version=LATEST_VERSION if last_round(reader) else ONLY_VERSION)

    def rows() -> Iterator[tuple[Any, ...]]:
        for step, candidate, event, *figures, url in reader.connection.execute(query):
            yield step, candidate, event == "failed", *figures, *sites.enter(url)

    return Fetches(np.fromiter(rows(), ROW), sites)


def unit_of(seconds: float) -> tuple[str, float]:
    """What to measure a crawl in.

    >>> unit_of(90)[0], unit_of(1_800)[0], unit_of(40_000)[0]
    ('seconds', 'minutes', 'hours')
    """
    if seconds < 3 * MINUTE:
        return "seconds", 1.0
    return ("minutes", MINUTE) if seconds < 3 * HOUR else ("hours", HOUR)


def speed_rows(fetches: Fetches) -> list[Row]:
    """Pages a second in equal stretches of time."""
    end, bins = fetches.seconds, min(SPEED_BINS, len(fetches) // 5)
    if end <= 0 or bins < 2:
        return []
    counts, bounds = np.histogram(fetches.clock, bins, (0.0, end))
    width, unit = float(bounds[1]), unit_of(end)[1]
    return [
        {"at": short((left + width / 2) / unit), "speed": short(count / width)}
        for left, count in zip(bounds, counts, strict=False)
    ]


def seconds_rows(fetches: Fetches) -> list[Row]:
    """Percentiles of the seconds a page in equal stretches of fetches."""
    rows: list[Row] = []
    for first, last in pairwise(equal_edges(len(fetches), SECONDS_WINDOWS)):
        taken = _known(fetches.rows["seconds"][first:last])
        if len(taken):
            found = np.percentile(taken, list(PERCENTILES.values()))
            span = {"at": (first + last) / 2, "span": f"{first + 1:,}–{last:,}"}
            rows += [
                {**span, "series": name, "seconds": short(max(value, 1e-4))}
                for name, value in zip(PERCENTILES, found, strict=True)
            ]
    return rows


def percentiles(fetches: Fetches) -> dict[str, float]:
    """Of the whole crawl; empty if no time is known."""
    taken = _known(fetches.rows["seconds"])
    if not len(taken):
        return {}
    wanted = {**PERCENTILES, "longest": 100}
    found = np.percentile(taken, list(wanted.values()))
    return dict(zip(wanted, map(float, found), strict=True))


def _known(seconds: Any) -> Any:
    return seconds[seconds >= 0]
