"""Which hosts sleep in the session: those whose places are taken, and those whose pace says so."""

from __future__ import annotations

import math
from collections import Counter

from sundog.engines.live.flights import Flight
from sundog.engines.live.journal import Journal
from sundog.engines.live.thrift import Thrift
from sundog.fetch.pace import Pace


class Rests:
    def __init__(self, journal: Journal, pace: Pace, thrift: Thrift) -> None:
        self._journal, self._pace, self._thrift = journal, pace, thrift
        self._places = pace.manners.concurrency
        self._flying: Counter[str] = Counter()  # by host
        self._because_of_flights: set[int] = set()

    def may_fly(self, host: str, now: float) -> bool:
        return self._flying[host] < self._places and self._pace.rest_until(host, now) <= now

    def expect(self, flight: Flight) -> None:
        """It was in flight when the crawl was stopped: its host sleeps until it has landed."""
        self._because_of_flights.add(flight.decision.host_id)

    def took_off(self, flight: Flight, now: float) -> None:
        host, host_id = flight.host, flight.decision.host_id
        self._flying[host] += 1
        is_full, delay = self._flying[host] >= self._places, self._pace.delay(host)
        if is_full or delay > 0:
            self._because_of_flights.add(host_id)
            self.rest(host_id, math.inf if is_full else now + delay)

    def landed(self, flight: Flight, now: float) -> None:
        """The host sleeps as long as its pace says; or for ever, if it is given up."""
        host, host_id = flight.host, flight.decision.host_id
        self._flying[host] -= 1
        if not self._flying[host]:
            del self._flying[host]
        until = math.inf if self._pace.given_up(host) else self._pace.rest_until(host, now)
        if until > now or host_id in self._because_of_flights:
            self._because_of_flights.discard(host_id)
            self.rest(host_id, until)

    def rest(self, host_id: int, until: float) -> None:
        """Let a host sleep; what it would give is kept in mind, unless nobody knows that it will wake."""
        self._journal.rest(host_id, until)
        will_wake = host_id in self._because_of_flights or until < math.inf
        self._thrift.asleep(host_id, until, self._journal.session.worth(host_id) if will_wake else math.nan)
