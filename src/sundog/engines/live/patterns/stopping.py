"""Stop patterns: whether the crawl has enough, and how many more visits it can use."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from sundog.engines.live.patterns.crawl_graph import CrawlGraph
from sundog.model import STOP_PATTERN
from sundog.patterns.definitions import Patterns, StopPattern

MEMORY = 0.95  # what a page's yield weighs, against that of the page after it
FIRST_GUESS = 8.0  # pages with an item each, which the first real ones are averaged with
MOST_BRING = 0.5  # items a page
LEAST_YIELD = 1e-6  # items a page


class Stopping:
    """Asked after every page; ``reason`` is the name of the first pattern that holds."""

    def __init__(self, patterns: Patterns, graph: CrawlGraph) -> None:
        self._patterns, self._graph = patterns.stop, graph
        self._shapes = {each.name: _shape(each.page) for each in patterns.stop if each.page}
        self._met: set[str] = set()  # patterns whose page was fetched
        self._holding: set[str] = set()  # patterns whose query held, on the last page

    def fetched(self, url: str, holding: Collection[str] = ()) -> None:
        """A page came; ``holding`` are the patterns whose queries hold there."""
        self._met |= {name for name, shape in self._shapes.items() if shape.fullmatch(url)}
        self._holding = set(holding)

    def held(self, pattern: str) -> None:
        """Its query held on the last page before the crawl was resumed."""
        self._holding.add(pattern)

    def reason(self, seconds: float) -> str:
        for pattern in self._patterns:
            if self._holds(pattern, seconds):
                return f"{STOP_PATTERN} {pattern.name}"
        return ""

    def _holds(self, pattern: StopPattern, seconds: float) -> bool:
        graph = self._graph
        return (
            (pattern.seconds is None or seconds >= pattern.seconds)
            and (pattern.pages is None or graph.fetched >= pattern.pages)
            and (pattern.items is None or pattern.counted(graph.counts) >= pattern.items)
            and (pattern.dry is None or graph.dry >= pattern.dry)
            and (not pattern.page or pattern.name in self._met)
            and (not pattern.when or pattern.name in self._holding)
        )


def _shape(page: str) -> re.Pattern[str]:
    """``*`` stands for anything."""
    return re.compile(".*".join(map(re.escape, page.split("*"))), re.DOTALL)


class VisitsNeeded:
    """How many visits may be under way. Asked before every choice; only stop patterns that just count limit them.

    What is in flight when a crawl stops is finished, so needless visits bring more than was asked for. A stop
    pattern that counts pages needs as many visits as pages are left. One that counts items needs as many as bring
    the rest, if they bring what the last pages brought. Where most pages bring an item, each is expected to bring
    one at least: if all do, no visit is needless. Where few do, that would be too careful: many visits look for
    items at once, and a few items too many may come.
    """

    def __init__(self, patterns: Patterns, graph: CrawlGraph) -> None:
        self._graph = graph
        self._counting = [_Counting(each) for each in patterns.stop if _only_counts(each)]

    def fetched(self, items: Mapping[str, Sequence[Any]]) -> None:
        """A page came, with these items by pattern."""
        for each in self._counting:
            each.fetched({name: len(found) for name, found in items.items()})

    @property
    def visits(self) -> float:
        """One at least: whether the crawl is to end is not decided here."""
        return max(1.0, min((each.visits(self._graph) for each in self._counting), default=math.inf))


class _Counting:
    """One stop pattern, and how many of its items pages have brought of late."""

    def __init__(self, pattern: StopPattern) -> None:
        self._pattern = pattern
        self._items = self._pages = FIRST_GUESS

    def fetched(self, items: Mapping[str, int]) -> None:
        self._items = self._items * MEMORY + self._pattern.counted(items)
        self._pages = self._pages * MEMORY + 1.0

    def visits(self, graph: CrawlGraph) -> float:
        """All conditions must hold, so the one that needs most of them says how many."""
        pages, items = self._pattern.pages, self._pattern.items
        needed = 0.0 if pages is None else float(pages - graph.fetched)
        if items is None:
            return needed
        left = items - self._pattern.counted(graph.counts)
        return max(needed, math.floor(left / self._expected))

    @property
    def _expected(self) -> float:
        """Items of the next page."""
        mean = self._items / self._pages
        return max(mean, 1.0) if mean > MOST_BRING else max(mean, LEAST_YIELD)


def _only_counts(pattern: StopPattern) -> bool:
    others = (pattern.seconds, pattern.dry, pattern.page or None, pattern.when or None)
    return all(each is None for each in others)
