"""Whether a page is worth its fetch now, or a better one should be waited for.

A budget is of fetches, not of time. While the hosts that hold the data rest, the best page of the others is often
one that brings nothing; fetching it would spend the budget where the policy does not want it.
"""

from __future__ import annotations

import math

WINDOW = 30.0  # seconds: what comes later is not waited for


class Thrift:
    """Hosts asleep with what their best pages are worth.

    >>> thrift = Thrift(0.5)
    >>> thrift.asleep(1, until=10.0, worth=0.9)
    >>> thrift.wait(0.5, now=9.0), thrift.wait(0.1, now=9.0), thrift.wait(0.1, now=10.0)
    (None, 10.0, None)
    """

    def __init__(self, share: float) -> None:
        self._share = share
        self._hosts: dict[int, tuple[float, float]] = {}  # until, worth

    def asleep(self, host: int, until: float, worth: float) -> None:
        """``until`` is inf while a request is in flight. A worth that is nan is not waited for."""
        if self._share > 0 and worth > 0:
            self._hosts[host] = (until, worth)
        else:
            self._hosts.pop(host, None)

    def forget(self, host: int) -> None:
        self._hosts.pop(host, None)

    def wait(self, score: float, now: float) -> float | None:
        """Until when to wait rather than to fetch a page of this score; inf: the next landing, None: fetch it."""
        soonest: float | None = None
        for host, (until, worth) in list(self._hosts.items()):
            if until <= now:
                del self._hosts[host]
            elif self._share * worth > score and (until == math.inf or until - now <= WINDOW):
                soonest = until if soonest is None else min(soonest, until)
        return soonest
