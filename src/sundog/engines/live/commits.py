"""How often a crawl commits and shows its progress (``Commits``), and what it has cost so far (``Spending``)."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from sundog.engines.live.progress import Tally
from sundog.fetch.pace import Pace
from sundog.store import CrawlStore
from sundog.store.reader import SPENT

STEPS_A_COMMIT = 32
SECONDS_A_COMMIT = 0.25
SECONDS_A_SNAPSHOT = 0.25


class Commits:
    """Commits after some steps or some time; ``show`` is called a few times a second."""

    def __init__(
        self,
        store: CrawlStore,
        pace: Pace,
        spending: Spending,
        show: Callable[[float], None],
        clock: Callable[[], float],
    ) -> None:
        self._store, self._pace, self._spending, self._show, self._clock = store, pace, spending, show, clock
        self._changed_hosts: set[str] = set()  # whose pace has changed since the last commit
        self._steps = 0
        self._commit_at, self._show_at = math.inf, clock()

    @property
    def due(self) -> float:
        return min(self._commit_at, self._show_at)

    def host_changed(self, host: str) -> None:
        self._changed_hosts.add(host)

    def observed(self) -> None:
        self._steps += 1
        self.soon()

    def soon(self) -> None:
        """There is something to commit, within ``SECONDS_A_COMMIT``."""
        if self._commit_at == math.inf:
            self._commit_at = self._clock() + SECONDS_A_COMMIT

    def commit_if_due(self, *, force: bool = False) -> None:
        now = self._clock()
        if force or self._steps >= STEPS_A_COMMIT or now >= self._commit_at:
            for host in self._changed_hosts:
                self._store.save_host(host, self._pace.state(host))
            self._changed_hosts.clear()
            self._spending.save()
            self._store.commit()
            self._steps, self._commit_at = 0, math.inf
        if force or now >= self._show_at:
            self._store.advance_index()
            self._show(now)
            self._show_at = now + SECONDS_A_SNAPSHOT


class Spending:
    """What a crawl has cost, also before it was resumed; time counts from when this object is made.

    It is saved with every commit, so that a run that is killed counts like any other.
    """

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
        """Part of the next commit."""
        self._store.save(SPENT, self.so_far)
