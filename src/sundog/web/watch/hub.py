"""Sends events to all who watch; watchers of one crawl share one reader of its log."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing, suppress
from time import monotonic
from typing import Any

import orjson

from sundog.web.errors import BusyError
from sundog.web.runs.crawls import Crawls
from sundog.web.runs.directories import CrawlDirectory
from sundog.web.watch.crawl_events import CrawlEvents

SECONDS_BETWEEN_READS = 1.0
SECONDS_TO_READ_ON = 1.0  # before somebody is answered who does not watch
SECONDS_BETWEEN_HEARTBEATS = 15.0  # of silence, after which a comment shows that somebody is there
MOST_WATCHERS = 200
MOST_OF_ONE = 100  # watchers at one address
MOST_WAITING = 20  # messages to a browser that does not read; then it has to come again
MOST_KEPT = 16  # crawls whose counters are kept without a watcher


def message(event: str, data: Any) -> bytes:
    return b"event: %b\ndata: %b\n\n" % (event.encode(), orjson.dumps(data))


def _messages_of(events: dict[str, Any]) -> bytes:
    return b"".join(message(name, data) for name, data in events.items())


class _Watched:
    """A crawl that somebody watches."""

    def __init__(self, events: CrawlEvents) -> None:
        self.events = events
        self.lock = asyncio.Lock()
        self.queues: set[asyncio.Queue[bytes | None]] = set()
        self.task: asyncio.Task[None] | None = None
        self._first: bytes | None = None  # for all who come before something changes

    async def join(self) -> asyncio.Queue[bytes | None]:
        queue: asyncio.Queue[bytes | None] = asyncio.Queue(MOST_WAITING)
        async with self.lock:  # nothing is sent between the whole and the first change
            if self._first is None or not self.queues:
                self._first = _messages_of(await asyncio.to_thread(self._whole))
            queue.put_nowait(self._first)
            self.queues.add(queue)
        if self.task is None or self.task.done():
            self.task = asyncio.create_task(self._send_changes())
        return queue

    async def once(self) -> dict[str, Any]:
        async with self.lock:
            return await asyncio.to_thread(self._whole)

    async def vocabulary(self) -> dict[str, Any]:
        """Of as much of the log as can be read in a moment."""
        async with self.lock:
            end = monotonic() + SECONDS_TO_READ_ON
            while not self.queues:
                await asyncio.to_thread(self.events.update)
                if not self.events.is_behind or monotonic() > end:
                    break
            return await asyncio.to_thread(self.events.vocabulary)

    def _whole(self) -> dict[str, Any]:
        if not self.queues:  # what is new belongs to those who watch, and comes to them with the next update
            self.events.update()
        return self.events.whole()

    async def _send_changes(self) -> None:
        estimating: asyncio.Task[None] | None = None
        while self.queues:
            async with self.lock:
                is_gone = not self.events.crawl.home.is_dir()
                changed = {"gone": {}} if is_gone else await asyncio.to_thread(self.events.update)
                self._send(_messages_of(changed))
                self._first = None
            if is_gone:
                self._end()
                return
            fetched = self.events.fetched
            if self.events.bfs.is_due(fetched) and (estimating is None or estimating.done()):
                estimating = asyncio.create_task(asyncio.to_thread(self.events.bfs.update, fetched))
            await asyncio.sleep(0.05 if self.events.is_behind else SECONDS_BETWEEN_READS)

    def _send(self, text: bytes) -> None:
        for queue in list(self.queues) if text else ():
            try:
                queue.put_nowait(text)
            except asyncio.QueueFull:
                self.queues.discard(queue)
                _close(queue)

    def _end(self) -> None:
        for queue in self.queues:
            _close(queue)
        self.queues.clear()


def _close(queue: asyncio.Queue[bytes | None]) -> None:
    with suppress(asyncio.QueueEmpty):
        if queue.full():
            queue.get_nowait()
    queue.put_nowait(None)


class Hub:
    def __init__(self, crawls: Crawls) -> None:
        self._crawls = crawls
        self._watched: dict[str, _Watched] = {}
        self._watchers: Counter[str] = Counter()  # by address; also those who do not read, until they are cut off

    async def once(self, crawl: CrawlDirectory) -> dict[str, Any]:
        return await self._of(crawl).once()

    async def vocabulary(self, crawl: CrawlDirectory) -> dict[str, Any]:
        return await self._of(crawl).vocabulary()

    def _of(self, crawl: CrawlDirectory) -> _Watched:
        found = self._watched.get(crawl.id)
        if found is None:
            idle = [name for name, each in list(self._watched.items()) if not each.queues]
            for name in idle[: max(0, len(self._watched) - MOST_KEPT + 1)]:
                self._watched.pop(name, None)  # unless it was deleted just now
            found = self._watched[crawl.id] = _Watched(CrawlEvents(crawl, self._crawls))
        return found

    def forget(self, crawl: CrawlDirectory) -> None:
        """The crawl is deleted; who watches it gets the event `gone` with the next update."""
        self._watched.pop(crawl.id, None)

    def check_room(self, network: str) -> None:
        """``network`` is where a browser is that wants to watch."""
        if self._watchers[network] >= MOST_OF_ONE:
            raise BusyError(f"{MOST_OF_ONE} browsers at your address are watching: close one of them")
        if self._watchers.total() >= MOST_WATCHERS:
            raise BusyError(f"{MOST_WATCHERS} browsers are watching: close one of them")

    async def events(self, crawl: CrawlDirectory, network: str) -> AsyncIterator[bytes]:
        """Messages, for as long as the browser listens."""
        try:
            self.check_room(network)
        except BusyError:  # of many who came at once, each found room
            return
        self._watchers[network] += 1
        try:
            async with aclosing(_messages(self._of(crawl))) as messages:
                async for text in messages:
                    yield text
        finally:
            self._watchers[network] -= 1
            self._watchers += Counter()  # forgets those who have none left


async def _messages(watched: _Watched) -> AsyncGenerator[bytes, None]:
    queue = await watched.join()
    try:
        yield b"retry: 2000\n\n"
        while True:
            try:
                text = await asyncio.wait_for(queue.get(), SECONDS_BETWEEN_HEARTBEATS)
            except TimeoutError:
                text = b": still here\n\n"
            if text is None:
                return
            yield text
    finally:
        watched.queues.discard(queue)
