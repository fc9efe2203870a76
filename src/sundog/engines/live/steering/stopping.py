"""Stop patterns: whether the crawl has what it wants."""

from __future__ import annotations

import re
from collections.abc import Collection

from sundog.engines.live.steering.graph import CrawlGraph
from sundog.spec.patterns import Patterns, StopPattern


class Stopping:
    """Asked after every page; ``reason`` is the name of the first pattern that holds."""

    def __init__(self, patterns: Patterns, graph: CrawlGraph) -> None:
        self._patterns, self._graph = patterns.stop, graph
        self._shapes = {each.name: _shape(each.page) for each in patterns.stop if each.page}
        self._met: set[str] = set()  # patterns whose page was fetched
        self._said: set[str] = set()  # patterns whose query held, on the last page

    def fetched(self, url: str, said: Collection[str] = ()) -> None:
        """A page came; ``said`` are the patterns whose queries hold there."""
        self._met |= {name for name, shape in self._shapes.items() if shape.fullmatch(url)}
        self._said = set(said)

    def said(self, pattern: str) -> None:
        """Its query held on the last page before the crawl was resumed."""
        self._said.add(pattern)

    def reason(self, seconds: float) -> str:
        for pattern in self._patterns:
            if self._holds(pattern, seconds):
                return f"stop pattern {pattern.name}"
        return ""

    def _holds(self, pattern: StopPattern, seconds: float) -> bool:
        graph = self._graph
        return (
            (pattern.seconds is None or seconds >= pattern.seconds)
            and (pattern.pages is None or graph.fetched >= pattern.pages)
            and (pattern.items is None or pattern.counted(graph.counts) >= pattern.items)
            and (pattern.dry is None or graph.dry >= pattern.dry)
            and (not pattern.page or pattern.name in self._met)
            and (not pattern.when or pattern.name in self._said)
        )


def _shape(page: str) -> re.Pattern[str]:
    """``*`` stands for anything."""
    return re.compile(".*".join(map(re.escape, page.split("*"))), re.DOTALL)
