"""Reads pages here, or in worker processes if the spec asks for some."""

from __future__ import annotations

import asyncio
import multiprocessing
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING

from sundog.engines.live.pages.reading import DumpCaps, Reading, is_dump, read
from sundog.engines.live.patterns.reading import PatternReader, PatternTask, read_with_patterns
from sundog.fetch.robots import robot_name
from sundog.fetch.values import Page
from sundog.patterns.runner import Plan
from sundog.processes.serve import MEMORY_TO_READ_PAGES, end_with_parent, limit_this_process

if TYPE_CHECKING:  # a worker imports this module, and needs none of these
    from sundog.objectives import Objective
    from sundog.spec import CrawlSpec

Read = Callable[[Page, PatternTask | None], Awaitable[Reading]]
PAGES_A_WORKER = 5_000  # then it is replaced: what leaks in parsers is gone with it


@asynccontextmanager
async def reader(spec: CrawlSpec, objective: Objective, plan: Plan | None = None) -> AsyncIterator[Read]:
    """Links are scored only if the policy reads their scores. ``plan``: patterns to apply as well."""
    from sundog.policies.presets import find_policy
    from sundog.spec.linked_data import follow_of

    options = partial(
        read,
        max_bytes=spec.limits.max_bytes,
        with_text=objective.needs_text,
        text_score=objective.text_score if find_policy(spec.policy).reads_link_scores else None,
        follow=follow_of(spec),
        dump=dump_caps_of(spec),
        robot=robot_name(spec.user_agent),
    )
    workers = _Workers(spec.workers or 1)  # which start when there is something to do
    patterns = PatternReader(plan) if plan and not spec.workers else None

    async def read_page(page: Page, task: PatternTask | None) -> Reading:
        """A dump takes long, so it is always read there: the crawl itself must not stand still."""
        if spec.workers or (spec.reads_dumps and is_dump(page.body, spec.limits.max_bytes)):
            work = partial(read_with_patterns, options, plan, task) if plan and task else options
            return await workers.run(work, page)
        reading = options(page.body, page.url, page.content_type)
        if patterns and task:
            return patterns.applied(reading, page.body, page.url, page.content_type, task)
        return reading

    try:
        yield read_page
    finally:
        workers.close()
        if patterns:
            patterns.close()


class ReaderDiedError(Exception):
    """Two workers died of one page."""


class _Workers:
    """A page whose worker dies is tried once more, for it may have been another page's fault; then it fails."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._pool = self._new_pool()

    async def run(self, options: Callable[..., Reading], page: Page) -> Reading:
        with suppress(BrokenProcessPool):
            return await self._submit(options, page)
        try:
            return await self._submit(options, page)
        except BrokenProcessPool:
            raise ReaderDiedError(
                f"it cannot be read, perhaps not within {MEMORY_TO_READ_PAGES >> 20:,} MB of memory"
            ) from None

    async def _submit(self, options: Callable[..., Reading], page: Page) -> Reading:
        pool = self._pool
        try:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(pool, options, page.body, page.url, page.content_type)
        except BrokenProcessPool:
            if pool is self._pool:
                pool.shutdown(wait=False)
                self._pool = self._new_pool()
            raise

    def _new_pool(self) -> ProcessPoolExecutor:
        """Spawned, not forked: a fork of a process with threads and compiled kernels may hang."""
        return ProcessPoolExecutor(
            self._count,
            mp_context=multiprocessing.get_context("spawn"),
            initializer=_start_worker,
            initargs=(MEMORY_TO_READ_PAGES,),
            max_tasks_per_child=PAGES_A_WORKER,
        )

    def close(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)


def _start_worker(memory: int) -> None:
    """Ctrl-C reaches the whole process group; the crawl decides what it means."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    limit_this_process(memory, keep_hard=True)  # patterns have processes of their own, and a limit
    end_with_parent()


def dump_caps_of(spec: CrawlSpec) -> DumpCaps | None:
    if not spec.reads_dumps:
        return None
    rdf = spec.rdf
    return DumpCaps(rdf.dump_bytes, rdf.dump_unpacked, rdf.dump_statements, rdf.dump_seconds)
