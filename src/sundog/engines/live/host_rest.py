"""Which hosts sleep, and whether a page is fetched now or a better one of a sleeping host is waited for.

A budget is of fetches, not of time. While the hosts that hold the data rest, the best page of the others is often
one that brings nothing; fetching it would spend the budget against the policy's judgement.
"""

from __future__ import annotations

import heapq
import math
from collections import Counter

from sundog.engines.live.in_flight import PendingFetch
from sundog.engines.live.journal import Journal
from sundog.fetch.pace import Pace

LONGEST_WAIT = 30.0  # seconds: a host that rests longer is not waited for


class HostRest:
    """A host sleeps while it has as many requests as it may have, and as long as its pace says."""

    def __init__(self, journal: Journal, pace: Pace, worth_waiting: WorthWaiting) -> None:
        self._journal, self._pace, self._worth_waiting = journal, pace, worth_waiting
        self._places = pace.manners.concurrency
        self._asked_now: Counter[str] = Counter()  # requests in flight, by host
        self._until_answered: set[int] = set()  # hosts that sleep because of a request, and wake when it ends

    def may_ask(self, host: str, now: float) -> bool:
        return self._asked_now[host] < self._places and self._pace.rest_until(host, now) <= now

    def expect(self, pending: PendingFetch) -> None:
        """It was in flight when the crawl was stopped: its host sleeps until it has ended."""
        self._until_answered.add(pending.decision.host_id)

    def started(self, pending: PendingFetch, now: float) -> None:
        host, host_id = pending.host, pending.decision.host_id
        self._asked_now[host] += 1
        is_full, delay = self._asked_now[host] >= self._places, self._pace.delay(host)
        if is_full or delay > 0:
            self._until_answered.add(host_id)
            self.rest(host_id, math.inf if is_full else now + delay)

    def ended(self, pending: PendingFetch, now: float) -> None:
        """The host sleeps as long as its pace says; or for ever, if it is given up."""
        host, host_id = pending.host, pending.decision.host_id
        self._asked_now[host] -= 1
        if not self._asked_now[host]:
            del self._asked_now[host]
        until = math.inf if self._pace.given_up(host) else self._pace.rest_until(host, now)
        if until > now or host_id in self._until_answered:
            self._until_answered.discard(host_id)
            self.rest(host_id, until)

    def rest(self, host_id: int, until: float) -> None:
        """Let a host sleep. Its pages may be waited for, unless it is unknown when it wakes."""
        self._sleep(host_id, until, will_wake=host_id in self._until_answered or until < math.inf)

    def rest_in_line(self, host_id: int, until: float, now: float) -> None:
        """Let a host sleep until it is called, not before ``until``."""
        self._sleep(host_id, math.inf, will_wake=until <= now + LONGEST_WAIT)

    def _sleep(self, host_id: int, until: float, *, will_wake: bool) -> None:
        self._journal.rest(host_id, until)
        worth = self._journal.session.worth(host_id) if will_wake else math.nan
        self._worth_waiting.host_asleep(host_id, until, worth)


def shorten_rests(journal: Journal, pace: Pace, now: float, *, clock_was_ahead: bool) -> None:
    """No host sleeps for longer than any ever rests; after a clock that was ahead, as long as its pace says."""
    session = journal.session
    for host_id, until in session.asleep_for_a_time:
        host = session.source.host_name(host_id)
        latest = pace.rest_until(host, now) if clock_was_ahead else now + pace.longest_rest(host)
        if until > latest:
            journal.rest(host_id, latest)


class WorthWaiting:
    """Hosts asleep with what their best pages are worth: what is worth less than ``share`` of that waits.

    Only when a page is to wait are all hosts looked at.

    >>> hosts = WorthWaiting(0.5)
    >>> hosts.host_asleep(1, until=10.0, worth=0.9)
    >>> hosts.wait_until(0.5, now=9.0), hosts.wait_until(0.1, now=9.0), hosts.wait_until(0.1, now=10.0)
    (None, 10.0, None)
    """

    def __init__(self, share: float) -> None:
        self._share = share
        self._hosts: dict[int, tuple[float, float]] = {}  # until, worth
        self._best: list[tuple[float, int]] = []  # a heap of (-worth, host); some are outdated

    def host_asleep(self, host: int, until: float, worth: float) -> None:
        """``until`` is inf if something else will wake it. A worth that is nan is not waited for."""
        if self._share > 0 and worth > 0:
            self._hosts[host] = (until, worth)
            heapq.heappush(self._best, (-worth, host))
            if len(self._best) > 4 * len(self._hosts) + 64:
                self._best = [(-known[1], each) for each, known in self._hosts.items()]
                heapq.heapify(self._best)
        else:
            self._hosts.pop(host, None)

    def wait_until(self, score: float, now: float) -> float | None:
        """Until when to wait instead of fetching a page of this score; inf: something must end, None: fetch it."""
        if self._share * self._highest(now) <= score:
            return None
        better = [
            until
            for until, worth in self._hosts.values()
            if self._share * worth > score and (until == math.inf or now < until <= now + LONGEST_WAIT)
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
