"""Stop patterns that count, and how much is left: of the whole crawl, so the driver looks and shards do not.

What a page says (``page``, ``when``) is seen by the shard that has the page. Such patterns stay with the shards,
and one that holds in one of them ends all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

from sundog.engines.cluster.messages import Report
from sundog.engines.cluster.whole import whole_left
from sundog.model import LITTLE_LEFT, STOP_PATTERN
from sundog.patterns.definitions import Patterns, StopPattern


def counts_only(pattern: StopPattern) -> bool:
    """
    >>> counts_only(StopPattern(name="enough", items=500)), counts_only(StopPattern(name="end", page="*/end"))
    (True, False)
    """
    return not pattern.page and not pattern.when


def patterns_of_shards(patterns: Patterns) -> Patterns:
    """Without those that the driver looks at."""
    kept = replace(patterns, stop=tuple(each for each in patterns.stop if not counts_only(each)))
    return kept if kept else Patterns()


class WholeStop:
    """Asked in every round with the counts of all shards: a crawl ends a round after a pattern holds.

    >>> stop = WholeStop(Patterns(stop=(StopPattern(name="enough", items=5), StopPattern(name="dry", dry=10))))
    >>> stop.reason(8, {"kettle": 4}, 1.0), stop.reason(9, {"kettle": 5}, 2.0)
    ('', 'stop pattern enough')
    >>> stop = WholeStop(Patterns(stop=(StopPattern(name="dry", dry=10),)))
    >>> [stop.reason(pages, {"kettle": items}, 1.0) for pages, items in ((5, 1), (14, 1), (15, 2), (24, 2))]
    ['', '', '', '']
    >>> stop.reason(25, {"kettle": 2}, 1.0)
    'stop pattern dry'
    """

    def __init__(self, patterns: Patterns, left: float | None = None, shards: int = 1) -> None:
        """``left``: it ends when at most this share of the wanted pages is missing."""
        self._patterns = [each for each in patterns.stop if counts_only(each)]
        self._left, self._shards = left, shards
        self._items = self._pages = 0  # when the last item was found

    def reason_in(self, reports: Mapping[int, Report], seconds: float) -> str:
        """Why the crawl is over; empty if it goes on."""
        items: Counter[str] = Counter()
        for report in reports.values():
            items.update(report.items)
        pages = sum(report.snapshot.fetched for report in reports.values() if report.snapshot)
        return self.reason(pages, items, seconds) or (LITTLE_LEFT if self._is_little_left(reports) else "")

    def _is_little_left(self, reports: Mapping[int, Report]) -> bool:
        """What is on its way to a shard waits in none: then nobody knows."""
        if self._left is None or len(reports) < self._shards or any(each.pending for each in reports.values()):
            return False
        left = whole_left(reports)
        return left is not None and left.is_at_most(self._left)

    def reason(self, pages: int, items: Mapping[str, int], seconds: float) -> str:
        """``seconds`` are those that the crawl has taken, also before it was resumed."""
        if (found := sum(items.values())) != self._items:
            self._items, self._pages = found, pages
        for pattern in self._patterns:
            if self._holds(pattern, pages, items, seconds):
                return f"{STOP_PATTERN} {pattern.name}"
        return ""

    def _holds(self, pattern: StopPattern, pages: int, items: Mapping[str, int], seconds: float) -> bool:
        return (
            (pattern.seconds is None or seconds >= pattern.seconds)
            and (pattern.pages is None or pages >= pattern.pages)
            and (pattern.items is None or pattern.counted(items) >= pattern.items)
            and (pattern.dry is None or pages - self._pages >= pattern.dry)
        )
