"""Where the pages of a crawl are read: in processes of their own, or in the crawl's if the spec asks for that."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, nullcontext
from functools import partial
from typing import TYPE_CHECKING, Protocol

from sundog.engines.live.pages.reader_messages import PageToRead, Setup
from sundog.engines.live.pages.reader_pool import Readers
from sundog.engines.live.pages.reading import NO_CONTEXTS, DumpCaps, PageContexts, Reading, is_dump, read
from sundog.engines.live.patterns.reading import PatternReader, PatternTask
from sundog.fetch.robots import robot_name
from sundog.fetch.values import Page
from sundog.patterns.runner import Plan
from sundog.processes.serve import MEMORY_TO_READ_PAGES

if TYPE_CHECKING:
    from sundog.engines.live.in_hand import InHand
    from sundog.objectives import Objective
    from sundog.spec import CrawlSpec

SECONDS_TO_READ = 20.0  # for a page; ten times what an extractor gives itself, for machines that are busy
MEMORY_FOR_DUMPS = 2 << 30  # bytes
# Of a page that the crawl's own process reads: the whole crawl waits for it.
LONGEST_IN_LOOP = 256_000  # bytes
SECONDS_IN_LOOP = 0.4  # for an extractor


class Read(Protocol):
    """Reads a page, with the patterns of a task and the remote contexts that there are."""

    async def __call__(
        self, page: Page, task: PatternTask | None, contexts: PageContexts = NO_CONTEXTS
    ) -> Reading: ...


def reader_count(spec: CrawlSpec) -> int:
    """As many as the spec asks for, or one for each core that the crawl itself leaves."""
    return len(os.sched_getaffinity(0)) - 1 if spec.workers is None else spec.workers


@asynccontextmanager
async def reader(
    spec: CrawlSpec, objective: Objective, plan: Plan | None = None, in_hand: InHand | None = None
) -> AsyncIterator[Read]:
    """How the pages of a crawl are read. ``plan``: patterns to apply as well.

    ``in_hand`` is told which page the crawl's own process reads, and knows those that have killed it.
    """
    options = _options(spec, objective)
    count = reader_count(spec)
    pages = Readers(count, MEMORY_TO_READ_PAGES, Setup(options, plan))
    dumps = Readers(1, MEMORY_FOR_DUMPS, Setup(options, plan))  # which take long; and what the loop does not read
    patterns = PatternReader(plan) if plan and not count else None
    turn = asyncio.Lock()

    async def read_page(page: Page, task: PatternTask | None, contexts: PageContexts = NO_CONTEXTS) -> Reading:
        seconds = SECONDS_TO_READ + (plan.seconds * len(task.names) if plan and task else 0.0)
        request = PageToRead(page.body, page.url, page.content_type, task, seconds, contexts)
        if spec.reads_dumps and is_dump(page.body, spec.limits.max_bytes):
            return await dumps.read(request._replace(seconds=seconds + spec.rdf.dump_seconds))
        if count:
            return await pages.read(request)
        if len(page.body) > LONGEST_IN_LOOP or (in_hand and in_hand.deaths(page.asked)):
            return await dumps.read(request)
        async with turn:
            await asyncio.sleep(0)  # several pages may have come at once: the loop goes round between them
            return read_here(request, page.asked)

    def read_here(page: PageToRead, asked: str) -> Reading:
        with in_hand.holding(asked) if in_hand else nullcontext():
            return applied(page)

    def applied(page: PageToRead) -> Reading:
        reading = options(page.body, page.url, page.content_type, page.contexts, seconds=SECONDS_IN_LOOP)
        if patterns and page.task:
            return patterns.applied(reading, page.body, page.url, page.content_type, page.task)
        return reading

    try:
        yield read_page
    finally:
        pages.close()
        dumps.close()
        if patterns:
            patterns.close()


def _options(spec: CrawlSpec, objective: Objective) -> Callable[..., Reading]:
    """Links are scored whatever the policy reads: an export of the crawl is a world for other policies."""
    from sundog.spec.linked_data import follow_of

    rdf = spec.rdf
    dump = DumpCaps(rdf.dump_bytes, rdf.dump_unpacked, rdf.dump_statements, rdf.dump_seconds)
    return partial(
        read,
        max_bytes=spec.limits.max_bytes,
        with_text=objective.needs_text,
        text_score=objective.text_score,
        follow=follow_of(spec),
        dump=dump if spec.reads_dumps else None,
        robot=robot_name(spec.user_agent),
    )
