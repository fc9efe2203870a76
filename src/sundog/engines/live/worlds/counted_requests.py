"""Requests of worlds whose nodes take several: each is counted before it leaves, within budget and windows.

Invariant: the store knows when each request was made: so a crawl that was killed and is resumed
keeps within its windows and its budget of requests as if nothing had happened. That costs a commit for
every request, about a millisecond: nothing where a few requests are allowed in a second.
"""

from __future__ import annotations

import asyncio
import math
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import NamedTuple

from sundog.errors import NoSpaceError
from sundog.fetch.fetcher import NO_EXTRAS
from sundog.fetch.pace import Pace
from sundog.fetch.polite import PoliteFetcher
from sundog.fetch.values import Extras, Page, Trouble
from sundog.spec import CrawlSpec
from sundog.store import CrawlStore
from sundog.store.reader import REQUESTS
from sundog.urls.hosts import host_of


class Ledger:
    """How many requests were made."""

    def __init__(self, store: CrawlStore) -> None:
        self.made = int(store.state(REQUESTS, 0))
        self._store = store

    def on_request(self, host: str, pace: Pace) -> None:
        """A request to the host is made now; its pace knows already."""
        self.made += 1
        self._store.save(REQUESTS, self.made)
        self._store.save_host(host, pace.state(host))
        with suppress(NoSpaceError):  # it is kept, and the crawl pauses at its next commit
            self._store.commit()


class NotAsked(NamedTuple):
    """The node was not answered for: it was put off, or there was no request left. Visit it again later."""


class NodeRequests:
    """One request after the other, as many as a visit needs and the budget has: ``most`` in the whole crawl.

    A request that the server puts off is no failure of the node. If it is a visit's first one, nothing was asked
    and the node waits with the others, for another may be better by then. Later ones wait for their window and are
    made again.
    """

    def __init__(
        self,
        spec: CrawlSpec,
        polite: PoliteFetcher,
        ledger: Ledger,
        most: Callable[[], float] = lambda: math.inf,
    ) -> None:
        self._polite, self._ledger, self._most = polite, ledger, most
        self._limits = replace(spec.limits, types=None)
        self._retries, self._patience = spec.following.retries, spec.patience
        self._put_off: Counter[str] = Counter()
        self.idle = 0  # visits

    @property
    def made(self) -> int:
        return self._ledger.made

    async def first(self, node: str, url: str, extras: Extras = NO_EXTRAS) -> Page | Trouble | NotAsked:
        """The first request of a visit to the node."""
        if await self._wait_until_allowed(url):
            return NotAsked()
        result = await self._polite.fetch(url, limits=self._limits, extras=extras)
        if isinstance(result, Trouble) and result.kind == "rate-limited":
            self._put_off[node] += 1
            if self._put_off[node] <= self._retries:
                return NotAsked()
        self._put_off.pop(node, None)
        return result

    async def further(self, url: str, extras: Extras = NO_EXTRAS) -> Page | str:
        """One more request of a visit, or why there is none: what came before it counts all the same."""
        why = ""
        for _ in range(self._retries + 1):
            if obstacle := await self._wait_until_allowed(url):
                return f"cut: {obstacle}"
            result = await self._polite.fetch(url, limits=self._limits, extras=extras)
            if isinstance(result, Page):
                return result
            why = str(result)
            if result.kind != "rate-limited":
                break
        return f"cut: {why}"

    async def _wait_until_allowed(self, url: str) -> str:
        """Wait until the server may be asked; returns why it may not be asked any more."""
        clock, host = self._polite.fetcher.clock, host_of(url)
        while self.made < self._most():
            rest = self._polite.pace.rest_until(host, clock()) - clock()
            if rest <= 0:
                return ""
            if rest > self._patience:
                return "the server would have to rest too long"
            self.idle += 1
            try:
                await asyncio.sleep(rest)
            finally:
                self.idle -= 1
        return "no request was left"
