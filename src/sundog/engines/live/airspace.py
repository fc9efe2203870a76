"""What is in the air: the tasks of a crawl that wait for servers, and what they have brought."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any

from sundog.engines.live.flights import Flight
from sundog.engines.live.looks import Looks
from sundog.engines.live.world import World
from sundog.fetch.polite import PoliteFetcher
from sundog.fetch.values import trouble


class Airspace:
    """Its length is the number of tasks. ``news`` is set whenever one has ended.

    Tasks only leave what they brought: the crawl's own loop takes it in, so that nothing else happens meanwhile.
    """

    def __init__(self, world: World[Any], looks: Looks, polite: PoliteFetcher, news: asyncio.Event) -> None:
        self._world, self._looks, self._polite, self._news = world, looks, polite, news
        self._tasks: set[asyncio.Task[None]] = set()
        self.landed: deque[tuple[Flight, Any]] = deque()  # a visit, a trouble, or None if it was not made
        self.ruled: deque[Flight] = deque()  # their robots.txt is known now

    def __len__(self) -> int:
        return len(self._tasks)

    @property
    def is_clear(self) -> bool:
        """Nothing is under way, and nothing waits to be taken in."""
        return not (self._tasks or self.landed or self.ruled)

    def fly(self, flight: Flight) -> None:
        self._start(self._fly(flight))

    def ask_for_rules(self, flight: Flight) -> None:
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

    async def _fly(self, flight: Flight) -> None:
        try:
            result = await (
                self._looks.look(flight.url)
                if flight.is_look
                else self._world.visit(flight.url, flight.decision.candidate)
            )
        except Exception as error:  # nothing of a single page may end the crawl
            result = trouble("other", f"{type(error).__name__}: {error}"[:200])
        self.landed.append((flight, result))

    async def _ask_for_rules(self, flight: Flight) -> None:
        with suppress(Exception):  # the gate sees that there are none
            await self._polite.rules(flight.url)
        self.ruled.append(flight)
