"""What a running crawl offers to its world."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

from sundog.engines.live.pages.contexts import FetchedContexts
from sundog.engines.live.pages.reader import Read
from sundog.engines.live.patterns.live_patterns import LivePatterns
from sundog.engines.live.rendering.rendering import Rendering
from sundog.engines.live.wiring import Wiring
from sundog.engines.live.worlds.counted_requests import Ledger, NodeRequests
from sundog.objectives import Judge, Objective
from sundog.session import CrawlSession
from sundog.spec import CrawlSpec
from sundog.store import CrawlStore


class WorldContext(NamedTuple):
    """``ledger`` is there for worlds that count requests, ``live_patterns`` for crawls with patterns, ``contexts``
    for those that fetch contexts of JSON-LD, ``rendering`` for those that render pages."""

    spec: CrawlSpec
    objective: Objective
    judge: Judge
    store: CrawlStore
    session: CrawlSession
    wiring: Wiring
    read: Read
    ledger: Ledger | None
    live_patterns: LivePatterns | None
    contexts: FetchedContexts | None = None
    rendering: Rendering | None = None

    def node_requests(self, most: Callable[[], float] = lambda: math.inf) -> NodeRequests:
        """``most``: how many requests the whole crawl may make."""
        assert self.ledger is not None
        return NodeRequests(self.spec, self.wiring.polite, self.ledger, most)

    @property
    def max_depth(self) -> float:
        """Links of nodes so far away from the seeds are not followed."""
        depth = self.spec.scope.max_depth
        return math.inf if depth is None else depth
