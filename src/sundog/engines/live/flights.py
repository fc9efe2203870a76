"""Choices on their way, and those that are to be tried again."""

from __future__ import annotations

import heapq
from typing import NamedTuple

from sundog.engines.live.steering.marks import bare, is_marked
from sundog.fetch.robots import host_of
from sundog.fetch.values import Trouble
from sundog.model import Decision

BACK_OFF = 2.0  # seconds before the first retry; each further one takes twice as long
LONGEST_WAIT = 20.0  # of a retry: it holds a part of the budget


class Flight(NamedTuple):
    """``attempt`` counts from 0, ``why`` is what ended the last one. ``is_look``: it asks for headers only."""

    decision: Decision
    url: str
    host: str
    attempt: int = 0
    why: Trouble | None = None
    is_look: bool = False

    @classmethod
    def of(cls, decision: Decision, *, is_look: bool = False) -> Flight:
        """A further visit of a page is no look, whatever is wanted: the page is known."""
        url = bare(decision.url)
        return cls(decision, url, host_of(url), is_look=is_look and not is_marked(decision.url))

    @property
    def is_repeated(self) -> bool:
        """A further visit of a page."""
        return is_marked(self.decision.url)

    def again(self, why: Trouble) -> Flight:
        return self._replace(attempt=self.attempt + 1, why=why)

    def back_off(self, why: Trouble, rest: float) -> float:
        """Seconds before it may be tried again, if its host rests so long."""
        return max(BACK_OFF * 2.0**self.attempt, why.retry_after or 0.0, rest)


class Retries:
    """Flights by the time from which on they may be made.

    >>> decision = Decision(7, 0, *[0.0] * 7, source=None)
    >>> later = Retries()
    >>> later.put_off(Flight(decision, "http://a.example/", "a.example"), 5.0)
    >>> later.due, later.take(4.0), later.take(5.0).host
    (5.0, None, 'a.example')
    """

    def __init__(self) -> None:
        self._heap: list[tuple[float, int, Flight]] = []

    def __len__(self) -> int:
        return len(self._heap)

    @property
    def due(self) -> float | None:
        return self._heap[0][0] if self._heap else None

    def put_off(self, flight: Flight, until: float) -> None:
        heapq.heappush(self._heap, (until, flight.decision.candidate, flight))

    def take(self, now: float) -> Flight | None:
        """The first one, if it is due."""
        return heapq.heappop(self._heap)[2] if self._heap and self._heap[0][0] <= now else None
