"""What a crawl has cost so far, with its parts before it was resumed. It is kept with every commit, so that a part
that is killed counts like any other."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sundog.engines.live.tally import Tally
from sundog.store import CrawlStore

SPENT = "spent"  # the name of the state in the store


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
