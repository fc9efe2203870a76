"""What a live crawl explores: pages of the Web, nodes behind an API, keywords of a search form."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeVar

from sundog.engines.live.intake import Arrival
from sundog.fetch.values import Trouble
from sundog.model import Link

V = TypeVar("V")


class World(Protocol[V]):
    """How a candidate becomes an outcome, in two parts: a visit takes its time, among others; what it brought is
    then taken in, one at a time, in the order of arrival."""

    async def visit(self, url: str) -> V | Trouble | None:
        """Ask and read. None: it could not be made now, and is to be made again later."""
        ...

    def take_in(self, url: str, visit: V, depth: int) -> Arrival:
        """What it is worth and what is kept of it; ``depth`` is where the candidate was found."""
        ...

    def offers(self, origin: str, now: float) -> Sequence[Link]:
        """Candidates that no page brings, told when the first one of an origin is asked."""
        ...

    @property
    def waiting(self) -> int:
        """How many visits only wait until they may ask again; nobody has to wait for them."""
        ...

    @property
    def requests(self) -> int | None:
        """How many were made, if the budget is of them; None: it is of candidates, which the session counts."""
        ...
