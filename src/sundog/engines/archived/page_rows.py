"""What a world says of an archived page: read as a crawl reads it, in processes of their own."""

from __future__ import annotations

import os
from functools import cache

from sundog.archives.warc import LIMITS, ArchivedPage
from sundog.engines.archived.world_builder import PageRow
from sundog.engines.live.pages.reader import SECONDS_TO_READ
from sundog.engines.live.pages.reader_messages import PageToRead, Setup
from sundog.engines.live.pages.reader_pool import Readers
from sundog.engines.live.pages.reading import NO_CONTEXTS, PageContexts, Reading, read
from sundog.extract.robot_tags import robot_tags
from sundog.fetch.robots import robot_name
from sundog.fetch.values import AGENT
from sundog.model import Link
from sundog.processes.serve import MEMORY_TO_READ_PAGES
from sundog.scope.link_filter import LinkFilter
from sundog.scope.scope import Scope

ROBOT = robot_name(AGENT)


@cache
def _link_filter() -> LinkFilter:
    """Of a crawl of the whole Web, one for each process."""
    return LinkFilter(Scope(), nofollow=True)


def read_without_statements(
    body: bytes, url: str, content_type: str, contexts: PageContexts = NO_CONTEXTS
) -> Reading:
    """Counts, types, and the links that a crawl would follow; statements would only have to be sent around."""
    reading = read(body, url, content_type, contexts, max_bytes=LIMITS.max_bytes, with_text=False, robot=ROBOT)
    links = _link_filter().admit(reading.links, 1) if reading.tags.may_follow else []
    kept = [Link(link.url, link.anchor, link.tag_path or link.property) for link in links]
    return reading._replace(statements={}, faults=(), links=kept)


def page_readers(workers: int | None) -> Readers:
    """So many processes; one for each core if nobody says how many."""
    count = len(os.sched_getaffinity(0)) if workers is None else workers
    return Readers(max(1, count), MEMORY_TO_READ_PAGES, Setup(read_without_statements, None))


async def row_of(page: ArchivedPage, readers: Readers) -> tuple[PageRow, list[Link]]:
    """A page that asks not to be kept has links only, one that asks not to be followed has none, as in a crawl."""
    plain = PageRow(page.status, page.content_type[:200], len(page.body), page.seconds, page.at)
    if page.status >= 400:
        return plain, []
    request = PageToRead(page.body, page.url, page.content_type, None, SECONDS_TO_READ)
    reading = await readers.read(request)
    headers = [value.decode("latin-1") for name, value in page.headers if name.lower() == b"x-robots-tag"]
    tags = robot_tags(headers, ROBOT)
    links = list(reading.links) if tags.may_follow else []
    if not (reading.tags.may_index and tags.may_index):
        return plain, links
    return plain._replace(counts=reading.counts, types=reading.types), links
