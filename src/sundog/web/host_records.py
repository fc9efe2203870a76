"""Hosts of a crawl: their records, what is expected of them, and whether they were left in peace."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from sundog.report.crawl.hosts import TOLERANCE
from sundog.scope.domains import host_of
from sundog.store import CrawlReader
from sundog.web.exploration import Exploration
from sundog.web.records import Outcome

SHOWN = 100
WIDTH = 1.645  # standard deviations to each side: about nine in ten


class Record:
    __slots__ = ("asked_at", "bad", "failed", "gap", "good")

    def __init__(self) -> None:
        self.good = self.bad = self.failed = 0
        self.asked_at = -math.inf
        self.gap = math.inf  # the shortest between two requests


class HostRecords:
    """Grows with the outcomes."""

    def __init__(self, delay: float) -> None:
        self._delay = delay
        self._records: dict[str, Record] = {}
        self._crawl_delays: dict[str, float] = {}
        self.exploration = Exploration()

    def add(self, outcome: Outcome) -> None:
        if outcome.event == "refused":
            return
        record = self._records.setdefault(host_of(outcome.url), Record())
        self.exploration.add(is_trial=not record.good)
        is_good = outcome.reward > 0
        record.good += is_good
        record.bad += not is_good
        record.failed += outcome.event == "failed"
        if outcome.decided_at >= record.asked_at:
            record.gap = min(record.gap, outcome.decided_at - record.asked_at)
            record.asked_at = outcome.decided_at

    def read_delays(self, reader: CrawlReader) -> None:
        """What hosts have asked for themselves."""
        for host, state in reader.host_states().items():
            if isinstance(state, list) and len(state) > 2 and isinstance(state[2], int | float):
                self._crawl_delays[host] = float(state[2])

    def told(self, queues: Sequence[Any]) -> dict[str, Any]:
        """``queues`` are from ``live.json``: host, pages that wait, until when it sleeps."""
        waiting = {str(host): (queued, until) for host, queued, until in queues}
        best = sorted(self._records.items(), key=lambda item: (-item[1].good, item[1].bad))[:SHOWN]
        lines = [self._line(host, record, waiting) for host, record in best]
        unseen = [host for host in waiting if host not in self._records]
        lines += [self._line(host, Record(), waiting) for host in unseen[: SHOWN - len(lines)]]
        return {"hosts": lines, "count": len(self._records), "politeness": self._politeness()}

    def _line(self, host: str, record: Record, waiting: Mapping[str, tuple[int, float | None]]) -> dict[str, Any]:
        queued, until = waiting.get(host, (None, None))
        return {
            "host": host,
            "good": record.good,
            "bad": record.bad,
            "failed": record.failed,
            "posterior": posterior(record.good, record.bad),
            "queued": queued,
            "asleep_until": until,
            "gap": round(record.gap, 3) if math.isfinite(record.gap) else None,
            "delay": self._delay_of(host),
        }

    def _delay_of(self, host: str) -> float:
        return max(self._delay, self._crawl_delays.get(host, 0.0))

    def _politeness(self) -> dict[str, Any]:
        again = [
            (record.gap, delay)
            for host, record in self._records.items()
            if math.isfinite(record.gap) and (delay := self._delay_of(host)) > 0
        ]
        too_soon = sum(gap < delay - TOLERANCE for gap, delay in again)
        return {"kept": not too_soon, "asked_again": len(again), "too_soon": too_soon}


def posterior(good: int, bad: int) -> list[float]:
    """Mean, low and high of the share of good pages, after a uniform prior; nine in ten lie between.

    >>> posterior(0, 0), posterior(9, 1)
    ([0.5, 0.025, 0.975], [0.833, 0.663, 1.0])
    """
    a, b = good + 1, bad + 1
    mean = a / (a + b)
    width = WIDTH * math.sqrt(a * b / ((a + b) ** 2 * (a + b + 1)))
    return [round(mean, 3), round(max(0.0, mean - width), 3), round(min(1.0, mean + width), 3)]
