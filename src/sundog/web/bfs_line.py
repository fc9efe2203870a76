"""The line beside the harvest curve: what breadth-first order would have found. It takes its time to estimate."""

from __future__ import annotations

from contextlib import suppress
from threading import Lock
from time import monotonic

import numpy as np

from sundog.errors import SundogError
from sundog.report.crawl.bfs import estimate_bfs
from sundog.report.crawl.fetches import read_fetches
from sundog.report.groups import edges
from sundog.store import open_readonly
from sundog.web.directories import Home

POINTS = 100
FEWEST = 20  # fetches
GROWTH = 1.5  # before it is estimated anew
SECONDS_BETWEEN = 5.0
SHARE = 0.01  # of a core that it may take; several crawls are watched at once
_one_at_a_time = Lock()

Point = tuple[int, float, float, float]


class BfsLine:
    def __init__(self, home: Home) -> None:
        self._home = home
        self._fetched, self._next = 0.0, 0.0
        self.points: list[Point] = []

    def is_due(self, fetched: int) -> bool:
        return fetched >= FEWEST and fetched >= GROWTH * self._fetched and monotonic() >= self._next

    def update(self, fetched: int) -> None:
        """For a thread. How long it took decides when it may be done again."""
        with _one_at_a_time:
            began = monotonic()
            with suppress(SundogError, ValueError, IndexError):
                self.points = _points(self._home)
            self._fetched = fetched
            self._next = monotonic() + max(SECONDS_BETWEEN, (monotonic() - began) / SHARE)


def _points(home: Home) -> list[Point]:
    with open_readonly(home.directory) as reader:
        reader.connection.execute("BEGIN")  # all of it as of one commit
        estimate = estimate_bfs(reader, read_fetches(reader))
    sums = [np.cumsum(each) for each in (estimate.least, estimate.likely, estimate.most)]
    ends = edges(len(estimate), POINTS)[1:].tolist()
    return [(0, 0.0, 0.0, 0.0), *((end, *(round(float(each[end - 1]), 2) for each in sums)) for end in ends)]
