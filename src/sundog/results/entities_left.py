"""How many entities are on wanted pages that were not fetched: as many a page as the last ones have brought."""

from __future__ import annotations

from sundog.completeness.estimate import Left
from sundog.entities.database import open_entities
from sundog.store import CrawlReader

FIRST_SEEN = """SELECT page, count(*) FROM (SELECT page, min(id) FROM things GROUP BY entity) GROUP BY page"""
LAST_RELEVANT = "SELECT subject FROM log WHERE event = 'fetched' AND value > 0 ORDER BY step DESC LIMIT ?"
LATE_SHARE, LEAST = 10, 10  # the last tenth of the relevant pages, ten at least


def new_entities_a_page(reader: CrawlReader, relevant: int, seconds: float) -> float | None:
    """How many entities that no page had before a relevant page has brought lately.

    None if there was none, or if their tables cannot be made in so many seconds.
    """
    late = reader.connection.execute(LAST_RELEVANT, (max(LEAST, relevant // LATE_SHARE),)).fetchall()
    with open_entities(reader.directory, seconds=seconds) as (database, behind):
        if behind or not late:
            return None
        brought = dict(database.connection.execute(FIRST_SEEN).fetchall())
    return float(sum(brought.get(page, 0) for (page,) in late)) / len(late)


def entities_left(left: Left, a_page: float) -> Left:
    """
    >>> entities_left(Left(10.0, 5.0, 20.0), 1.5)
    Left(estimate=15.0, low=7.5, high=30.0)
    """
    return Left(*(a_page * pages for pages in left))
