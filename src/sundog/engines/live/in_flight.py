"""Fetches under way, and those that are to be tried again."""

from __future__ import annotations

import asyncio
import heapq
from collections import deque
from collections.abc import Callable, Coroutine, Iterable
from typing import Any, NamedTuple

from sundog.engines.live.page_failures import StageError, at_stage
from sundog.engines.live.pages.head_requests import HeadRequests
from sundog.engines.live.worlds.world import World
from sundog.fetch.polite import PoliteFetcher
from sundog.fetch.resolver import MOST_LOOK_UPS
from sundog.fetch.values import Trouble
from sundog.model import Decision
from sundog.urls.hosts import host_of
from sundog.urls.revisits import is_revisit, without_mark

FIRST_RETRY_WAIT = 2.0  # seconds; each further one takes twice as long
LONGEST_RETRY_WAIT = 20.0  # seconds: while it waits, it holds a part of the budget
SLOW_LOOK_UP = 1.0  # seconds: then it holds no place any more, so slow name servers do not keep others waiting


class PendingFetch(NamedTuple):
    """A choice on its way to an outcome: ``attempt`` counts from 0. ``is_head``: it asks for headers only."""

    decision: Decision
    url: str
    host: str
    attempt: int = 0
    last_trouble: Trouble | None = None
    is_head: bool = False
    is_known: bool = False  # a page of an earlier round

    @classmethod
    def of(cls, decision: Decision, *, is_head: bool = False, is_known: bool = False) -> PendingFetch:
        """A page that is visited again is known, so nobody asks for its headers first."""
        url = without_mark(decision.url)
        is_head = is_head and not is_known and not is_revisit(decision.url)
        return cls(decision, url, host_of(url), is_head=is_head, is_known=is_known)

    @property
    def is_revisit(self) -> bool:
        return self.is_known or is_revisit(self.decision.url)

    def retried(self, trouble: Trouble) -> PendingFetch:
        """The attempt after one that ended with this trouble."""
        return self._replace(attempt=self.attempt + 1, last_trouble=trouble)

    def retry_delay(self, trouble: Trouble, rest: float) -> float:
        """Seconds until it may be tried again, if its host rests for ``rest`` seconds."""
        return max(FIRST_RETRY_WAIT * 2.0**self.attempt, trouble.retry_after or 0.0, rest)


GoOn = Callable[[PendingFetch, float], None]


class InFlight:
    """The tasks that wait for servers; its length is the number of places that they hold.

    A task only leaves its result in ``done``, ``names_known`` or ``robots_known`` and wakes the crawl's loop: so
    results are handled one at a time. A result is a visit, a trouble, an error of this page, or None if it was not
    made.
    """

    def __init__(self, world: World[Any], head_requests: HeadRequests, polite: PoliteFetcher) -> None:
        self._world, self._head_requests, self._polite = world, head_requests, polite
        self._tasks: set[asyncio.Task[None]] = set()
        self._awake = asyncio.Event()
        self.done: deque[tuple[PendingFetch, Any]] = deque()  # with its result
        self.names_known: deque[tuple[PendingFetch, GoOn]] = deque()  # their host was looked up, perhaps in vain
        self.robots_known: deque[tuple[PendingFetch, StageError | None]] = deque()  # their robots.txt was read
        self._slow_look_ups = 0

    def __len__(self) -> int:
        return len(self._tasks) - min(self._slow_look_ups, MOST_LOOK_UPS)

    @property
    def is_empty(self) -> bool:
        """Nothing is under way, and nothing waits to be taken in."""
        return not (self._tasks or self.done or self.names_known or self.robots_known)

    def start(self, pending: PendingFetch) -> None:
        self._run(self._fetch(pending))

    def start_robots(self, pending: PendingFetch) -> None:
        """Read the robots.txt that says whether it may be fetched."""
        self._run(self._fetch_robots(pending))

    def start_look_up(self, pending: PendingFetch, go_on: GoOn) -> None:
        """Look up where its host is; then the loop is to ``go_on``."""
        self._run(self._look_up(pending, go_on))

    def cancel(self) -> None:
        """Wait for nothing any more."""
        for task in self._tasks:
            task.cancel()
        self.wake()

    async def close(self) -> None:
        """Cancel all, and wait until they have ended."""
        self.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def wake(self) -> None:
        """End the wait, or the next one."""
        self._awake.set()

    async def wait(self, moments: Iterable[float], now: float) -> None:
        """Until a task has ended, somebody calls ``wake``, or the first of these moments has come."""
        if self._awake.is_set():
            await asyncio.sleep(0)  # to wait for what is there already would give nobody a turn
        else:
            alarm = asyncio.get_running_loop().call_later(max(0.0, min(moments) - now), self.wake)
            await self._awake.wait()
            alarm.cancel()
        self._awake.clear()

    def _run(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._has_ended)

    def _has_ended(self, task: asyncio.Task[None]) -> None:
        """Its place is free before the loop wakes; else it would stay empty until the next wake."""
        self._tasks.discard(task)
        self.wake()

    async def _fetch(self, pending: PendingFetch) -> None:
        result: Any
        try:
            with at_stage("fetch"):
                result = await (
                    self._head_requests.ask(pending.url)
                    if pending.is_head
                    else self._world.visit(pending.url, pending.decision.candidate)
                )
        except StageError as error:
            result = error
        self.done.append((pending, result))

    async def _fetch_robots(self, pending: PendingFetch) -> None:
        failed: StageError | None = None
        try:
            with at_stage("robots"):
                await self._polite.rules(pending.url)
        except StageError as error:
            failed = error
        self.robots_known.append((pending, failed))

    async def _look_up(self, pending: PendingFetch, go_on: GoOn) -> None:
        is_slow = False

        def leave_place() -> None:
            nonlocal is_slow
            is_slow = True
            self._slow_look_ups += 1
            self.wake()

        alarm = asyncio.get_running_loop().call_later(SLOW_LOOK_UP, leave_place)
        try:
            await self._polite.fetcher.find_ahead(pending.host)
        finally:
            alarm.cancel()
            self._slow_look_ups -= is_slow
        self.names_known.append((pending, go_on))


class Retries:
    """Fetches by the time from which on they may be tried again.

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

    def put_off(self, pending: PendingFetch, until: float) -> None:
        heapq.heappush(self._heap, (until, pending.decision.candidate, pending))

    def take(self, now: float) -> PendingFetch | None:
        """The first one, if it is due."""
        return heapq.heappop(self._heap)[2] if self._heap and self._heap[0][0] <= now else None
