"""A crawl of a static world whose steps are taken many at a time: what it is given, and what it tells."""

from __future__ import annotations

from typing import Any, NamedTuple

from sundog.model import LinkBatch

BATCH = 1024  # links that are offered at once: bounds the room that must be reserved for it
HOSTS_EVERY = 16  # fetches between two counts of the hosts
# cells of the sums
RELEVANT, REWARD, HIGHEST_REWARD, UNFINISHED = range(4)
SUMS = 4


class StaticPages(NamedTuple):
    """What fetches bring: of page i the links are ``targets[starts[i]:starts[i + 1]]``."""

    rewards: Any  # float64[pages]
    near: Any  # float64[pages]
    starts: Any  # int64[pages + 1]
    targets: Any  # int32[links]
    anchors: Any  # int32[links], or empty
    paths: Any

    def links_of(self, page: int) -> LinkBatch:
        low, high = int(self.starts[page]), int(self.starts[page + 1])
        return LinkBatch(self.targets[low:high], self.anchors[low:high], self.paths[low:high])


class Choices(NamedTuple):
    """What was chosen at each step, in order."""

    pages: Any  # int32[budget]
    estimates: Any  # float64[budget]
    select_ns: Any  # int64[budget]
    hosts: Any  # int32: hosts known, at every 16th step
