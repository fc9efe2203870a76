"""A crawl from within an event loop: await it for its summary, iterate over it for its progress, control it.

It runs in a thread, with an event loop of its own: what else the caller's loop does cannot make servers wait, and
the other way round.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Generator, Sequence
from concurrent.futures import Future
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from sundog.engines.live.control.crawl_control import CrawlControl
from sundog.engines.live.progress import Snapshot
from sundog.engines.live.run import crawl, resume
from sundog.engines.live.summary import Summary
from sundog.spec import CrawlSpec


def acrawl(
    spec: CrawlSpec, directory: Path | str, *, folder: Path | str = ".", learn_from: Sequence[Path | str] = ()
) -> RunningCrawl:
    """Begin a crawl; ``await`` what this returns for its summary. Call it within a running event loop.

    ``async for snapshot in acrawl(…)`` tells how far it is; ``async with acrawl(…) as running`` ends it with its
    block, also after an exception. The words are those of ``crawl``.
    """
    return RunningCrawl(
        lambda control, watch: crawl(
            spec, directory, folder=folder, watch=watch, control=control, learn_from=learn_from
        )
    )


def aresume(directory: Path | str, *, budget: int | None = None) -> RunningCrawl:
    """Go on with a crawl; the same as ``acrawl`` otherwise."""
    return RunningCrawl(lambda control, watch: resume(directory, budget=budget, watch=watch, control=control))


class RunningCrawl:
    """``stop``, ``cancel`` and ``set_budget`` as those of ``CrawlControl``.

    If a task is cancelled that awaits it, the crawl is: it ends at once, with a summary, and can be resumed.
    """

    def __init__(self, run: Callable[[CrawlControl, Callable[[Snapshot], None]], Summary]) -> None:
        self._loop = asyncio.get_running_loop()
        self._control = CrawlControl()
        self.stop, self.cancel, self.set_budget = (
            self._control.stop,
            self._control.cancel,
            self._control.set_budget,
        )
        self._latest: Snapshot | None = None  # who is slow sees the last one only
        self._news = asyncio.Event()
        self._done: Future[Summary] = Future()
        self._summary = asyncio.wrap_future(self._done)
        self._summary.add_done_callback(self._ended)
        threading.Thread(target=self._run, args=(run,), name="sundog crawl", daemon=True).start()

    def _run(self, run: Callable[[CrawlControl, Callable[[Snapshot], None]], Summary]) -> None:
        try:
            self._done.set_result(run(self._control, self._watch))
        except BaseException as error:
            self._done.set_exception(error)

    def _watch(self, snapshot: Snapshot) -> None:
        """In the crawl's thread."""
        self._loop.call_soon_threadsafe(self._show, snapshot)

    def _show(self, snapshot: Snapshot) -> None:
        self._latest = snapshot
        self._news.set()

    def _ended(self, summary: asyncio.Future[Summary]) -> None:
        if not summary.cancelled():
            summary.exception()  # who does not await it hears nothing of it
        self._news.set()

    def __await__(self) -> Generator[Any, None, Summary]:
        return self._finished().__await__()

    async def _finished(self) -> Summary:
        try:
            return await asyncio.shield(self._summary)
        except asyncio.CancelledError:
            self.cancel()
            await asyncio.wait([self._summary])
            raise

    async def __aiter__(self) -> AsyncIterator[Snapshot]:
        """How far it is, whenever that has changed, until its end; an exception that ends it is raised."""
        while not self._summary.done() or self._latest is not None:
            await self._news.wait()
            self._news.clear()
            if self._latest is not None:
                latest, self._latest = self._latest, None
                yield latest
        self._summary.result()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None:
            await self
        else:
            self.cancel()
            await asyncio.wait([self._summary])
