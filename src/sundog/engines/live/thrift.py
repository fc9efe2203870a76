"""Whether a page is worth its fetch now, or a better one should be waited for.

A budget is of fetches, not of time. While the hosts that hold the data rest, the best page of the others is often
one that brings nothing; fetching it would spend the budget where the policy does not want it.
"""

from __future__ import annotations

import heapq
import math

WINDOW = 30.0  # seconds: what comes later is not waited for


class Thrift:
    """Hosts asleep with what their best pages are worth. Only when a page is to wait are all of them looked at.

    >>> thrift = Thrift(0.5)
    >>> thrift.asleep(1, until=10.0, worth=0.9)
    >>> thrift.wait(0.5, now=9.0), thrift.wait(0.1, now=9.0), thrift.wait(0.1, now=10.0)
    (None, 10.0, None)
    """

    def __init__(self, share: float) -> None:
        self._share = share
        self._hosts: dict[int, tuple[float, float]] = {}  # until, worth
        self._best: list[tuple[float, int]] = []  # a heap of (-worth, host), with some that are so no longer

    def asleep(self, host: int, until: float, worth: float) -> None:
        """``until`` is inf while a request is in flight. A worth that is nan is not waited for."""
        if self._share > 0 and worth > 0:
            self._hosts[host] = (until, worth)
            heapq.heappush(self._best, (-worth, host))
            if len(self._best) > 4 * len(self._hosts) + 64:
                self._best = [(-known[1], each) for each, known in self._hosts.items()]
                heapq.heapify(self._best)
        else:
            self._hosts.pop(host, None)

    def wait(self, score: float, now: float) -> float | None:
        """Until when to wait rather than to fetch a page of this score; inf: the next landing, None: fetch it."""
        if self._share * self._highest(now) <= score:
            return None
        better = [
            until
            for until, worth in self._hosts.values()
            if self._share * worth > score and (until == math.inf or now < until <= now + WINDOW)
        ]
        return min(better, default=None)

    def _highest(self, now: float) -> float:
        """The worth of the best host that still sleeps."""
        while self._best:
            worth, host = -self._best[0][0], self._best[0][1]
            known = self._hosts.get(host)
            if known is not None and known[1] == worth and known[0] > now:
                return worth
            heapq.heappop(self._best)
            if known is not None and known[0] <= now:
                del self._hosts[host]
        return 0.0
