"""What worlds of nodes behind one host have in common."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from sundog.engines.live.worlds.counted_requests import NodeRequests
from sundog.engines.live.worlds.world import Observation
from sundog.fetch.values import Page
from sundog.model import Link, Step
from sundog.store import PageRecord

MOST_FAULTS = 20  # kept of one visit


class NodeWorld:
    """Every node is asked for, all links come with nodes, and nothing but the budget ends the crawl.

    Links of nodes ``max_depth`` away from the seeds are not followed.
    """

    most_in_flight = math.inf

    def __init__(self, node_requests: NodeRequests, max_depth: float) -> None:
        self._node_requests, self._max_depth = node_requests, max_depth

    @property
    def idle(self) -> int:
        return self._node_requests.idle

    @property
    def requests(self) -> int | None:
        """The budget is of nodes."""
        return None

    def is_cached(self, name: str) -> bool:
        return False

    def after_step(self, candidate: int, observation: Observation, step: Step) -> str:
        return ""

    def extra_links(self, origin: str, now: float) -> Sequence[Link]:
        return ()


@dataclass(kw_only=True)
class NodeVisit:
    """Status, size, time and faults of one node's answers."""

    status: int = 0
    content_type: str = ""
    size: int = 0
    seconds: float = 0.0
    pages: int = 0  # that could be read
    faults: list[tuple[str, str]] = field(default_factory=list)

    def add(self, page: Page) -> None:
        self.size += len(page.body)
        self.seconds += page.finished_at - page.asked_at

    def record(self, other_keys: Sequence[bytes] = (), faults: Sequence[tuple[str, str]] = ()) -> PageRecord:
        """What is kept of it; ``faults`` are added to its own."""
        return PageRecord(
            status=self.status,
            content_type=self.content_type,
            size=self.size,
            seconds=self.seconds,
            other_keys=other_keys,
            faults=[*self.faults[:MOST_FAULTS], *faults],
        )
