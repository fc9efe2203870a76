"""Whether hosts were left the time that they or we asked for, as the log has it: for the report and for the site.

A request follows the choice of its page at once, so the time between two choices of pages of a host is taken for
the time between two requests. Requests for robots.txt and for redirects are not in the log: a server's own log
remains the judge.
"""

from __future__ import annotations

import math
from array import array
from bisect import bisect
from collections.abc import Iterable
from typing import Any, NamedTuple

from sundog.fetch.pace import HostState
from sundog.store import CrawlReader

CRAWL_DELAY = HostState._fields.index("crawl_delay")
TOLERANCE = 0.005  # seconds: clocks are read a moment before and after


def is_too_soon(gap: float, delay: float) -> bool:
    """Whether a host was asked again before its delay was over."""
    return gap < delay - TOLERANCE


class Politeness(NamedTuple):
    """Hosts that were asked more than once and have a delay, and how many of them were asked too soon."""

    asked_again: int
    too_soon: int


def judge(hosts: Iterable[tuple[float, float]]) -> Politeness:
    """Of the shortest gap of each host, infinite if it was asked once, and its delay."""
    again = [(gap, delay) for gap, delay in hosts if math.isfinite(gap) and delay > 0]
    return Politeness(len(again), sum(is_too_soon(gap, delay) for gap, delay in again))


def crawl_delays(reader: CrawlReader) -> dict[str, float]:
    """What hosts have asked for themselves; ours counts if it is longer."""
    return {host: _crawl_delay(state) for host, state in reader.host_states().items()}


def _crawl_delay(state: Any) -> float:
    """From a host's stored state, a list or a mapping; what a store holds may be anything."""
    if isinstance(state, list) and len(state) > CRAWL_DELAY:
        state = {"crawl_delay": state[CRAWL_DELAY]}
    found = state.get("crawl_delay") if isinstance(state, dict) else None
    return float(found) if isinstance(found, int | float) else 0.0


class ShortestGap:
    """The shortest time between two moments that were added, in whatever order they come.

    >>> gap = ShortestGap()
    >>> for moment in (1.0, 4.0, 3.5):
    ...     gap.add(moment)
    >>> gap.seconds
    0.5
    """

    __slots__ = ("_moments", "seconds")

    def __init__(self) -> None:
        self._moments = array("d")
        self.seconds = math.inf

    def add(self, moment: float) -> None:
        moments = self._moments
        place = bisect(moments, moment)
        if place:
            self.seconds = min(self.seconds, moment - moments[place - 1])
        if place < len(moments):
            self.seconds = min(self.seconds, moments[place] - moment)
        moments.insert(place, moment)
