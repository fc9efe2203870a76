"""What became of the pages that sitemaps list: how many were fetched, refused and why, failed, or still wait."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from sundog.store import CrawlReader
from sundog.store.database import CHOSEN, LATEST, as_ids, knows_rounds, plain_errors
from sundog.store.directory import DATABASE
from sundog.store.events import unpacked_links

LISTED = "sitemap url"  # the tag path of links that sitemaps have
OF_ROBOTS = "robots"  # how reasons of refusals by robots.txt begin
TEXT_OF = "SELECT id FROM texts WHERE text = ?"
LISTINGS = """SELECT o.candidate, l.data FROM outcomes o JOIN log l ON l.step = o.step WHERE l.event = 'fetched'
  AND (o.content_type LIKE '%xml%' OR o.content_type LIKE 'text/plain%' OR o.content_type IS NULL)
  ORDER BY l.step"""
NEW_IN_LISTINGS = f"""SELECT l.data FROM revisits r JOIN log l ON l.step = r.step
  WHERE r.candidate IN {CHOSEN} AND l.data IS NOT NULL ORDER BY l.step"""
ENDS = f"""SELECT l.event, o.duplicate_of, l.data FROM outcomes o JOIN log l ON l.step = o.step
  WHERE l.event IN ('fetched', 'failed', 'refused', 'revisited') AND o.candidate IN {CHOSEN} AND {LATEST}"""
AT_ONCE = 50_000


class SitemapPages(NamedTuple):
    """Pages that sitemaps list, as far as they are in the crawl's scope, each once."""

    listed: int
    fetched: int
    elsewhere: int  # they led to pages that were fetched under other names
    robots: int  # refused by robots.txt
    refused: int  # for other reasons
    failed: int
    waiting: int

    def __str__(self) -> str:
        """
        >>> str(SitemapPages(53_386, 52_513, 0, 0, 0, 873, 0))
        '53,386 listed in sitemaps: 52,513 fetched, 873 failed (see refusals and pages in crawl.db)'
        """
        words = {
            "fetched": self.fetched,
            "the same as others": self.elsewhere,
            "refused by robots.txt": self.robots,
            "refused": self.refused,
            "failed": self.failed,
            "not fetched": self.waiting,
        }
        parts = ", ".join(f"{count:,} {word}" for word, count in words.items() if count)
        named = " (see refusals and pages in crawl.db)" if self.robots or self.refused or self.failed else ""
        return f"{self.listed:,} listed in sitemaps: {parts}{named}"


def sitemap_pages(reader: CrawlReader) -> SitemapPages | None:
    """None if no sitemap was read."""
    with plain_errors(reader.directory / DATABASE):
        path = reader.connection.execute(TEXT_OF, (LISTED,)).fetchone()
        if path is None:
            return None
        listed = _listed(reader, int(path[0]))
        ends: Counter[str] = Counter()
        for begin in range(0, len(listed), AT_ONCE):
            ends.update(_ends(reader, listed[begin : begin + AT_ONCE]))
    return SitemapPages(len(listed), **_by_field(ends, len(listed))) if len(listed) else None


def _listed(reader: CrawlReader, path: int) -> np.ndarray:
    """Also what later rounds have found in them."""
    found, listings = [np.empty(0, np.int32)], []
    for listing, data in reader.connection.execute(LISTINGS):
        if len(targets := _targets(data, path)):
            found.append(targets)
            listings.append(listing)
    if knows_rounds(reader.connection):
        rows = reader.connection.execute(NEW_IN_LISTINGS, (as_ids(listings),))
        found += [_targets(data, path) for (data,) in rows]
    return np.unique(np.concatenate(found))


def _targets(data: str, path: int) -> Any:
    links = unpacked_links(data)
    return links.targets[links.paths == path] if len(links.paths) else links.targets[:0]


def _ends(reader: CrawlReader, candidates: np.ndarray) -> Counter[str]:
    ends: Counter[str] = Counter()
    for event, same_as, reason in reader.connection.execute(ENDS, (as_ids(candidates.tolist()),)):
        if event == "failed":
            ends["failed" if same_as is None else "elsewhere"] += 1
        elif event == "refused":
            ends["robots" if str(reason or "").startswith(OF_ROBOTS) else "refused"] += 1
        else:
            ends["fetched"] += 1
    return ends


def _by_field(ends: Mapping[str, int], listed: int) -> dict[str, int]:
    counts = {name: ends.get(name, 0) for name in ("fetched", "elsewhere", "robots", "refused", "failed")}
    return {**counts, "waiting": listed - sum(counts.values())}
