"""Choices on their way, and those that are to be tried again.

What is in the air: the tasks of a crawl that wait for servers, and what they have brought.
"""

from __future__ import annotations

import asyncio
import heapq
from collections import deque
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any, NamedTuple

from sundog.engines.live.pages.head_requests import HeadRequests
from sundog.engines.live.worlds.world import World
from sundog.fetch.polite import PoliteFetcher
from sundog.fetch.values import Trouble, trouble
from sundog.model import Decision
from sundog.urls.hosts import host_of
from sundog.urls.revisits import is_revisit, without_mark

BACK_OFF = 2.0  # seconds before the first retry; each further one takes twice as long
LONGEST_WAIT = 20.0  # of a retry: it holds a part of the budget


class PendingFetch(NamedTuple):
    """``attempt`` counts from 0, ``why`` is what ended the last one. ``is_look``: it asks for headers only."""

    decision: Decision
    url: str
    host: str
    attempt: int = 0
    why: Trouble | None = None
    is_look: bool = False

    @classmethod
    def of(cls, decision: Decision, *, is_look: bool = False) -> PendingFetch:
        """A further visit of a page is no look, whatever is wanted: the page is known."""
        url = without_mark(decision.url)
        return cls(decision, url, host_of(url), is_look=is_look and not is_revisit(decision.url))

    @property
    def is_repeated(self) -> bool:
        """A further visit of a page."""
        return is_revisit(self.decision.url)

    def again(self, why: Trouble) -> PendingFetch:
        return self._replace(attempt=self.attempt + 1, why=why)

    def back_off(self, why: Trouble, rest: float) -> float:
        """Seconds before it may be tried again, if its host rests so long."""
        return max(BACK_OFF * 2.0**self.attempt, why.retry_after or 0.0, rest)


class Retries:
    """Flights by the time from which on they may be made.

    >>> decision = Decision(7, 0, *[0.0] * 7, source=None)
    >>> later = Retries()
    >>> later.put_off(PendingFetch(decision, "http://a.example/", "a.example"), 5.0)
    >>> later.due, later.take(4.0), later.take(5.0).host
    (5.0, None, 'a.example')
    """

    def __init__(self) -> None:
        self._heap: list[tuple[float, int, PendingFetch]] = []

    def __len__(self) -> int:
        return len(self._heap)

    @property
    def due(self) -> float | None:
        return self._heap[0][0] if self._heap else None

    def put_off(self, flight: PendingFetch, until: float) -> None:
        heapq.heappush(self._heap, (until, flight.decision.candidate, flight))

    def take(self, now: float) -> PendingFetch | None:
        """The first one, if it is due."""
        return heapq.heappop(self._heap)[2] if self._heap and self._heap[0][0] <= now else None


class InFlight:
    """Its length is the number of tasks. ``news`` is set whenever one has ended.

    Tasks only leave what they brought: the crawl's own loop takes it in, so that nothing else happens meanwhile.
    """

    def __init__(self, world: World[Any], looks: HeadRequests, polite: PoliteFetcher, news: asyncio.Event) -> None:
        self._world, self._looks, self._polite, self._news = world, looks, polite, news
        self._tasks: set[asyncio.Task[None]] = set()
        self.landed: deque[tuple[PendingFetch, Any]] = deque()  # a visit, a trouble, or None if it was not made
        self.ruled: deque[PendingFetch] = deque()  # their robots.txt is known now

    def __len__(self) -> int:
        return len(self._tasks)

    @property
    def is_clear(self) -> bool:
        """Nothing is under way, and nothing waits to be taken in."""
        return not (self._tasks or self.landed or self.ruled)

    def fly(self, flight: PendingFetch) -> None:
        self._start(self._fly(flight))

    def ask_for_rules(self, flight: PendingFetch) -> None:
        self._start(self._ask_for_rules(flight))

    def drop(self) -> None:
        """Wait for nothing any more."""
        for task in self._tasks:
            task.cancel()
        self._news.set()

    async def clear(self) -> None:
        """Drop all, and wait until they have ended."""
        self.drop()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._has_ended)

    def _has_ended(self, task: asyncio.Task[None]) -> None:
        """Its place is free before anybody hears of it; else nothing would be launched there until more news."""
        self._tasks.discard(task)
        self._news.set()

    async def _fly(self, flight: PendingFetch) -> None:
        try:
            result = await (
                self._looks.look(flight.url)
                if flight.is_look
                else self._world.visit(flight.url, flight.decision.candidate)
            )
        except Exception as error:  # nothing of a single page may end the crawl
            result = trouble("other", f"{type(error).__name__}: {error}"[:200])
        self.landed.append((flight, result))

    async def _ask_for_rules(self, flight: PendingFetch) -> None:
        with suppress(Exception):  # the gate sees that there are none
            await self._polite.rules(flight.url)
        self.ruled.append(flight)
