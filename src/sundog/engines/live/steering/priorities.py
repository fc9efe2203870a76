"""What link patterns put before all else: the policy's choice stands, unless a page of a higher priority waits."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

import numpy as np

from sundog.model import Decision
from sundog.session import CrawlSession
from sundog.spec.patterns import Patterns

LOOKED_AT = 256  # of the candidates that are equal, those found first


class Priorities:
    """Candidates with a priority above 0 that were not fetched yet."""

    def __init__(self, patterns: Patterns) -> None:
        self._of_pattern = {each.name: each.priority for each in patterns.link if each.priority > 0}
        self._of: dict[int, float] = {}
        self._waiting: dict[float, dict[int, None]] = {
            priority: {} for priority in sorted(set(self._of_pattern.values()), reverse=True)
        }

    def __bool__(self) -> bool:
        return bool(self._of_pattern)

    def offer(self, pattern: str, candidates: Iterable[int]) -> None:
        """A link pattern led to these."""
        priority = self._of_pattern.get(pattern, 0.0)
        for candidate in candidates if priority else ():
            before = self._of.get(candidate, 0.0)
            if priority > before:
                self._of[candidate] = priority
                self._waiting[priority][candidate] = None
                self._waiting.get(before, {}).pop(candidate, None)

    def better(self, chosen: Decision, session: CrawlSession) -> int | None:
        """A page of a higher priority that may be fetched now: the one that the policy estimates highest."""
        for priority, waiting in self._waiting.items():
            if priority <= self._of.get(chosen.candidate, 0.0):
                return None
            ready = _ready(waiting, session)
            if ready:
                return ready[int(session.estimate(np.array(ready, np.int32)).argmax())]
        return None


def _ready(waiting: dict[int, None], session: CrawlSession) -> list[int]:
    """Those that may be fetched now, among the first; what waits no longer is forgotten."""
    first = list(islice(waiting, LOOKED_AT))
    for candidate in first:
        if not session.is_waiting(candidate):
            del waiting[candidate]
    return [candidate for candidate in first if session.may_be_chosen(candidate)]
