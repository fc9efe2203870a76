"""The requests of a crawl, counted before each one leaves.

Invariant: what the store has says of every request that it was made, and when: so a crawl that was killed and is
resumed keeps within its windows and its budget of requests as if nothing had happened. That costs a commit a
request, about a millisecond, which nobody feels who may ask a few times a second.
"""

from __future__ import annotations

from sundog.fetch.pace import Pace
from sundog.store import CrawlStore

STATE = "requests"


class Ledger:
    def __init__(self, store: CrawlStore) -> None:
        self.made = int(store.state(STATE, 0))
        self._store = store

    def leaving(self, host: str, pace: Pace) -> None:
        """A request to the host is made now; its pace knows already."""
        self.made += 1
        self._store.save(STATE, self.made)
        self._store.save_host(host, pace.state(host))
        self._store.commit()
