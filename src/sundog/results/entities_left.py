"""How many entities are on wanted pages that were not fetched: as many a page as the last ones have brought."""

from __future__ import annotations

import math
from collections.abc import Sequence

from sundog.completeness.estimate import Left
from sundog.entities.database import open_entities
from sundog.store import CrawlReader

FIRST_SEEN = """SELECT page, count(*) FROM (SELECT page, min(id) FROM things GROUP BY entity) GROUP BY page"""
RELEVANT = "SELECT subject FROM log WHERE event = 'fetched' AND value > 0 ORDER BY step DESC"
LATE_SHARE, LEAST = 10, 10  # the last tenth of the relevant pages, ten at least
ENDS = 1.645  # of a 90% interval, in standard deviations
TO_MAKE_ENTITIES = 5.0  # seconds


def entities_left(reader: CrawlReader, pages: Left) -> Left | None:
    """None if there are no entities, or if their tables cannot be made in a few seconds."""
    relevant = [page for (page,) in reader.connection.execute(RELEVANT)]
    with open_entities(reader.directory, seconds=TO_MAKE_ENTITIES, merge=False) as (database, behind):
        if behind:
            return None
        brought = dict(database.connection.execute(FIRST_SEEN).fetchall())
    late = relevant[: max(LEAST, len(relevant) // LATE_SHARE)]
    return on_pages(pages, [brought.get(page, 0) for page in late]) if brought and late else None


def on_pages(pages: Left, brought: Sequence[int]) -> Left:
    """``brought``: how many entities that no page had before each of the last wanted pages has brought.

    The interval is that of the pages, wider by what so few of them can say of the others: the more, the more
    these differ. If they have brought none, the others may still have some.

    >>> [round(value) for value in on_pages(Left(10.0, 5.0, 20.0), [3] * 1000)]
    [30, 15, 60]
    >>> [round(value, 1) for value in on_pages(Left(10.0, 5.0, 20.0), [0] * 10)]
    [0.0, 0.0, 6.1]
    """
    n, total = len(brought), sum(brought)
    mean = total / n
    spread = sum((each - mean) ** 2 for each in brought) / n
    clumps = max(1.0, spread / mean) if total else 1.0
    error = ENDS * math.sqrt(clumps / (total + 0.5))
    middle = math.log1p(pages.estimate)
    low, high = (
        math.expm1(middle + sign * math.hypot(error, math.log1p(end) - middle)) * (total + 0.5) / n
        for sign, end in ((-1, pages.low), (1, pages.high))
    )
    estimate = mean * pages.estimate
    return Left(estimate, min(estimate, max(0.0, low)), max(estimate, high))
