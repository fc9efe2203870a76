"""How the worlds of this package ask: one request after the other, as many as a visit needs and the budget has.

A request that the server puts off is no failure of the node. If it is a visit's first one, the visit is undone and
the node waits with the others, for another may be better by then. Later ones wait for their window and are made
again.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

from sundog.engines.live.graph.ledger import Ledger
from sundog.fetch.fetcher import NO_EXTRAS
from sundog.fetch.polite import PoliteFetcher
from sundog.fetch.robots import origin_of
from sundog.fetch.values import Extras, Page, Trouble
from sundog.spec import CrawlSpec


class Undone(NamedTuple):
    """The request was not answered; the visit is to be made again later."""


class Asking:
    """``allowed`` is how many requests the whole crawl may make."""

    def __init__(
        self,
        spec: CrawlSpec,
        polite: PoliteFetcher,
        ledger: Ledger,
        allowed: Callable[[], float] = lambda: math.inf,
    ) -> None:
        self._polite, self._ledger, self._allowed = polite, ledger, allowed
        self._limits = replace(spec.limits, types=None)
        self._retries, self._patience = spec.following.retries, spec.patience
        self._put_off: Counter[str] = Counter()

    @property
    def is_spent(self) -> bool:
        return self._ledger.made >= self._allowed()

    async def first(self, node: str, url: str, extras: Extras = NO_EXTRAS) -> Page | Trouble | Undone:
        """The first request of a visit to the node."""
        if self.is_spent:
            return Undone()
        result = await self._polite.fetch(url, limits=self._limits, extras=extras)
        if isinstance(result, Trouble) and result.kind == "rate-limited":
            self._put_off[node] += 1
            if self._put_off[node] <= self._retries:
                return Undone()
        self._put_off.pop(node, None)
        return result

    async def further(self, url: str, extras: Extras = NO_EXTRAS) -> Page | str:
        """One more request of a visit, or why there is none: what came before it counts all the same."""
        for _ in range(self._retries + 1):
            if self.is_spent:
                return "cut: no request was left"
            clock, host = self._polite.fetcher.clock, origin_of(url).partition("://")[2]
            if self._polite.pace.rest_until(host, clock()) - clock() > self._patience:
                return "cut: the server would have to rest too long"
            result = await self._polite.fetch(url, limits=self._limits, extras=extras)
            if isinstance(result, Page):
                return result
            if result.kind != "rate-limited":
                break
        return f"cut: {result}"
