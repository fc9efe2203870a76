"""What a crawl that is one shard of several shares with the others. A crawl in one process has no company."""

from __future__ import annotations

from typing import Protocol

from sundog.engines.live.journal import Journal
from sundog.engines.live.left_watch import LeftWatch
from sundog.engines.live.rounds.round import RoundRequest
from sundog.fetch.address_pace import AddressPace
from sundog.sharding.budget import Amounts, Lease


class OneShard(Protocol):
    """A crawl, as its company sees it."""

    journal: Journal
    left: LeftWatch

    @property
    def used(self) -> Amounts:
        """Of the budget, with the most that what is in flight may cost."""
        ...

    @property
    def capacity(self) -> int:
        """How many fetches it could make in the next seconds."""
        ...

    def stop(self, reason: str) -> None: ...

    def wake(self) -> None:
        """There is something new to attend to."""
        ...

    def commit_soon(self) -> None: ...


class Company(Protocol):
    """Called by the crawl's own thread only."""

    @property
    def round(self) -> RoundRequest | None:
        """The round that all shards make; None: they crawl."""
        ...

    @property
    def lease(self) -> Lease:
        """What this shard may spend in all; more may be granted at any time."""
        ...

    def owns(self, url_or_host: str) -> bool: ...

    def address_pace(self, gap: float, most: int) -> AddressPace:
        """What keeps the limits of addresses, which hosts of other shards may share."""
        ...

    def no_seed(self, reason: str) -> None:
        """None of this shard's seeds can be reached: bad only if that is so everywhere."""
        ...

    def attend(self, live: OneShard) -> None:
        """In every round of the loop: take in what the others have sent."""
        ...

    def committed(self) -> None:
        """All that was taken in so far is safe."""
        ...

    def rests(self, reason: str) -> None:
        """Why this shard has nothing to do, until others send something; empty if it has."""
        ...
