"""A live crawl at one moment, as plain values: what an engine tells and a view shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple


class HostLine(NamedTuple):
    """A host's record so far."""

    host: str
    good: int
    bad: int


class Snapshot(NamedTuple):
    """Cheap to make a few times a second. ``recent_*`` are of the last fetches, however many the engine looks at.

    ``types`` and ``troubles`` are (name, count) pairs or a mapping; ``hosts`` the best first. All names in them
    come from strangers' pages.
    """

    budget: int
    fetched: int = 0
    relevant: int = 0
    reward: float = 0.0
    recent_fetched: int = 0
    recent_relevant: int = 0
    pages_per_second: float = 0.0
    elapsed: float = 0.0  # seconds
    queued: int = 0  # candidates known and not fetched
    hosts_found: int = 0
    asleep: int = 0  # hosts that rest
    in_flight: int = 0
    statements: int = 0
    refused: int = 0
    types: Mapping[str, int] | Sequence[tuple[str, int]] = ()
    hosts: Sequence[HostLine] = ()
    troubles: Mapping[str, int] | Sequence[tuple[str, int]] = ()
    stage: str = ""  # what is going on besides fetching: "reading seeds", "finishing what is in flight"
    warning: str = ""  # what the user should know now
    requests: int | None = None  # made so far, if the budget is of them; None: it is of fetches

    @property
    def harvest_rate(self) -> float:
        return self.relevant / self.fetched if self.fetched else 0.0

    @property
    def recent_rate(self) -> float:
        return self.recent_relevant / self.recent_fetched if self.recent_fetched else 0.0

    @property
    def spent(self) -> int:
        """Of the budget."""
        return self.fetched if self.requests is None else self.requests

    @property
    def share(self) -> float:
        """Of the budget that is spent, from 0 to 1."""
        return min(1.0, self.spent / self.budget) if self.budget > 0 else 0.0

    @property
    def seconds_left(self) -> float | None:
        """At the present speed; None if nobody can tell."""
        left = max(0, self.budget - self.spent)
        a_second = self.pages_per_second * self.spent / max(1, self.fetched)
        return left / a_second if a_second > 0 else None
