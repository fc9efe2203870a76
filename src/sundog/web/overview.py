"""A crawl's figures, read from its log as it grows: each look reads what is new."""

from __future__ import annotations

from array import array
from itertools import pairwise
from pathlib import Path
from threading import Lock
from time import monotonic
from typing import Any

from sundog.errors import SundogError
from sundog.store import SYNTAXES, open_readonly
from sundog.store.directory import DATABASE
from sundog.web.directories import Home

NEW = """SELECT step, event, at, value FROM log WHERE step > ? AND event IN
  ('fetched', 'failed', 'refused', 'looked', 'budgeted') ORDER BY step LIMIT ?"""
FOUND = f"SELECT coalesce(sum({' + '.join(SYNTAXES)}), 0) FROM outcomes WHERE step > ? AND step <= ?"
AT_ONCE = 50_000  # rows a look
SPARKS = 40
RECENT = 200
POINTS = 300  # of the harvest curve
SECONDS_BETWEEN = 0.5  # of two looks into the database


class Overview:
    """May be asked by several threads."""

    def __init__(self, home: Home) -> None:
        self._home = home
        self._lock = Lock()
        self._next = 0.0
        self._begin(None)

    def _begin(self, database: Any) -> None:
        self._database = database
        self.step = self.failed = self.refused = self.looked_at = self.statements = self.relevant = 0
        self.reward = 0.0
        self.budget: int | None = None
        self.moments = array("d")  # of the fetches
        self._sums = array("q", [0])  # relevant ones among the first so many
        self.loading = True
        self._seen: Any = None

    def update(self) -> None:
        """Read on; what cannot be read now stays as it was."""
        with self._lock:
            if monotonic() < self._next:
                return
            try:
                found = (self._home.directory / DATABASE).stat()
                if self._database != (found.st_dev, found.st_ino):  # another crawl of the same name
                    self._begin((found.st_dev, found.st_ino))
                seen = found.st_mtime_ns, _changed_at(self._home.directory / f"{DATABASE}-wal")
                if seen != self._seen or self.loading:
                    self._read_on()
                    self._seen = seen
                self._next = 0.0 if self.loading else monotonic() + SECONDS_BETWEEN
            except (OSError, SundogError):
                self.loading = False

    def _read_on(self) -> None:
        with open_readonly(self._home.directory) as reader:
            rows = reader.connection.execute(NEW, (self.step, AT_ONCE)).fetchall()
            self.loading = len(rows) == AT_ONCE
            if rows:
                ((statements,),) = reader.connection.execute(FOUND, (self.step, rows[-1][0]))
                self.statements += statements
        for _, event, at, value in rows:
            self._add(event, at, value)
        self.step = rows[-1][0] if rows else self.step

    def _add(self, event: str, at: float, value: float | None) -> None:
        if event == "budgeted":
            self.budget = int(value or 0)
        elif event == "refused":
            self.refused += 1
        elif event == "looked":
            self.looked_at += 1
        else:
            reward = value or 0.0
            self.failed += event == "failed"
            self.relevant += reward > 0
            self.reward += reward
            self._sums.append(self.relevant)
            self.moments.append(at)

    @property
    def fetched(self) -> int:
        return len(self._sums) - 1

    @property
    def recent(self) -> float | None:
        """The share of relevant pages among the last ones."""
        end, begin = self.fetched, max(0, self.fetched - RECENT)
        return (self._sums[end] - self._sums[begin]) / (end - begin) if end else None

    @property
    def sparkline(self) -> list[float]:
        """Shares of relevant pages in equal stretches, the oldest first."""
        return [
            round((self._sums[last] - self._sums[first]) / (last - first), 3)
            for first, last in pairwise(edges(self.fetched, SPARKS))
        ]

    def curve(self) -> list[tuple[int, int]]:
        """Fetched and relevant, from the beginning to now."""
        return [(end, self._sums[end]) for end in edges(self.fetched, POINTS)]


def _changed_at(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


def edges(size: int, stretches: int) -> list[int]:
    """
    >>> edges(10, 4), edges(2, 40), edges(0, 40)
    ([0, 2, 5, 7, 10], [0, 1, 2], [0])
    """
    count = min(size, stretches)
    return [number * size // count for number in range(count + 1)] if count else [0]
