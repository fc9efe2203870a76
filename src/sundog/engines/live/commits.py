"""What a crawl has cost so far, with its parts before it was resumed. It is kept with every commit, so that a part
that is killed counts like any other.

When what has happened is committed, and when it is shown.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from sundog.engines.live.progress import Tally
from sundog.fetch.pace import Pace
from sundog.store import CrawlStore
from sundog.store.reader import SPENT


class Spending:
    """Time runs from when it is made."""

    def __init__(self, store: CrawlStore, tally: Tally, clock: Callable[[], float]) -> None:
        self.tally = tally
        self._store, self._clock = store, clock
        self._before = store.state(SPENT, {})
        self._began = clock()

    @property
    def seconds(self) -> float:
        before: float = self._before.get("seconds", 0.0)
        return before + self._clock() - self._began

    @property
    def so_far(self) -> dict[str, Any]:
        return {
            "seconds": round(self.seconds, 3),
            "bytes": self._before.get("bytes", 0) + self.tally.bytes,
            "retries": self._before.get("retries", 0) + self.tally.retries,
        }

    def save(self) -> None:
        """With the next commit."""
        self._store.save(SPENT, self.so_far)


STEPS_A_COMMIT = 32
SECONDS_A_COMMIT = 0.25
SECONDS_A_SNAPSHOT = 0.25


class Commits:
    """Commits after some steps or some time; ``look`` is called as often as somebody could look."""

    def __init__(
        self,
        store: CrawlStore,
        pace: Pace,
        spending: Spending,
        look: Callable[[float], None],
        clock: Callable[[], float],
    ) -> None:
        self._store, self._pace, self._spending, self._look, self._clock = store, pace, spending, look, clock
        self._touched: set[str] = set()  # hosts whose pace has changed since the last commit
        self._steps = 0
        self._commit_at, self._look_at = math.inf, clock()

    @property
    def due(self) -> float:
        return min(self._commit_at, self._look_at)

    def touched(self, host: str) -> None:
        self._touched.add(host)

    def stepped(self) -> None:
        self._steps += 1
        self.changed()

    def changed(self) -> None:
        """Something is to be committed, not now but soon."""
        if self._commit_at == math.inf:
            self._commit_at = self._clock() + SECONDS_A_COMMIT

    def keep(self, *, at_any_rate: bool = False) -> None:
        now = self._clock()
        if at_any_rate or self._steps >= STEPS_A_COMMIT or now >= self._commit_at:
            for host in self._touched:
                self._store.save_host(host, self._pace.state(host))
            self._touched.clear()
            self._spending.save()
            self._store.commit()
            self._steps, self._commit_at = 0, math.inf
        if at_any_rate or now >= self._look_at:
            self._store.catch_up()
            self._look(now)
            self._look_at = now + SECONDS_A_SNAPSHOT
