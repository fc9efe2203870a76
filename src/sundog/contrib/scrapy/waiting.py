"""Requests that wait, in memory or in a job's file, and the order of those that the policy does not choose."""

from __future__ import annotations

import heapq
import logging
import math
import pickle
from itertools import count

from scrapy import Request, Spider
from scrapy.utils.request import request_from_dict

from sundog.contrib.job import Job, WaitingRequest
from sundog.contrib.scrapy.pages import KEY
from sundog.contrib.scrapy.slots import Slots

Entry = tuple[int, int, str]  # negative priority, number, name
logger = logging.getLogger(__name__)


class WaitingRequests:
    """By name. A request that cannot be pickled (its callback is no method of the spider) stays in memory."""

    def __init__(self, spider: Spider, job: Job | None) -> None:
        self._spider, self._job = spider, job
        self._in_memory: dict[str, Request] = {}

    def put(self, name: str, request: Request, insisted: bool, seen: list[bytes]) -> None:
        """``seen``: what tells it from others when the job goes on."""
        if not self.keep(name, request, insisted, seen):
            self._in_memory[name] = request

    def keep(self, name: str, request: Request, insisted: bool, seen: list[bytes]) -> bool:
        """In the job's file, if there is one."""
        if self._job is None:
            return False
        try:
            values = request.to_dict(spider=self._spider)
            values["meta"] = {key: value for key, value in request.meta.items() if key != KEY}
            data = pickle.dumps(values, protocol=4)
        except (ValueError, pickle.PicklingError, AttributeError, TypeError) as error:
            logger.warning("%s is kept in memory only, and is lost if the job stops: %s", request, error)
            return False
        self._job.keep(WaitingRequest(name, data, request.priority, insisted), seen)
        return True

    def get(self, name: str) -> Request | None:
        """None if it is lost: another run could not keep it, or its callback is no method of the spider now."""
        request = self._in_memory.get(name)
        if request is None and self._job is not None and (data := self._job.data(name)) is not None:
            try:
                return request_from_dict(pickle.loads(data), spider=self._spider)
            except Exception as error:  # whatever a class of the project's raises
                logger.error("%s was kept, but cannot be made again, and is left out: %s", name, error)
        return request

    def forget(self, name: str) -> None:
        self._in_memory.pop(name, None)


class ByPriority:
    """Names, the highest priority first, then the oldest."""

    def __init__(self) -> None:
        self._heap: list[Entry] = []
        self._numbers = count()

    def __len__(self) -> int:
        return len(self._heap)

    def push(self, name: str, priority: int) -> None:
        heapq.heappush(self._heap, (-priority, next(self._numbers), name))

    def pop_all_of_first(self) -> list[str]:
        """Those of the highest priority."""
        highest = self._heap[0][0]
        names = []
        while self._heap and self._heap[0][0] == highest:
            names.append(heapq.heappop(self._heap)[2])
        return names


class BySlot:
    """Names, the highest priority first, then the oldest, of those whose downloader slot has room.

    A slot without room is not looked at again before it has some: to find the next is not slower with many slots.
    """

    def __init__(self) -> None:
        self._numbers = count()
        self._of_slot: dict[str, list[Entry]] = {}
        self._heads: list[tuple[Entry, str]] = []  # of slots that may have room; may be out of date
        self._full: set[str] = set()  # until another request of theirs comes in
        self._resting: dict[str, float] = {}  # when they may be asked again
        self._wakes: list[tuple[float, str]] = []
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def push(self, name: str, priority: int, slot: str) -> None:
        entry = -priority, next(self._numbers), name
        waiting = self._of_slot.setdefault(slot, [])
        heapq.heappush(waiting, entry)
        self._count += 1
        if waiting[0] is entry:
            self._show(slot)

    def pop(self, slots: Slots, now: float) -> str | None:
        """None if no slot has room; ``next_wake`` says when one that rests has."""
        self._wake(slots, now)
        while self._heads:
            entry, slot = heapq.heappop(self._heads)
            waiting = self._of_slot.get(slot)
            if not waiting or waiting[0] is not entry or slot in self._full or slot in self._resting:
                continue
            if wait := slots.wait(slot, now):
                self._sleep(slot, now + wait)
                continue
            heapq.heappop(waiting)
            self._count -= 1
            if waiting:
                self._show(slot)
            else:
                del self._of_slot[slot]
            return entry[2]
        return None

    @property
    def next_wake(self) -> float:
        return self._wakes[0][0] if self._wakes else math.inf

    def _show(self, slot: str) -> None:
        heapq.heappush(self._heads, (self._of_slot[slot][0], slot))

    def _sleep(self, slot: str, until: float) -> None:
        if until == math.inf:
            self._full.add(slot)
        else:
            self._resting[slot] = until
            heapq.heappush(self._wakes, (until, slot))

    def _wake(self, slots: Slots, now: float) -> None:
        while self._wakes and self._wakes[0][0] <= now:
            _, slot = heapq.heappop(self._wakes)
            del self._resting[slot]
            self._show(slot)
        for slot in [slot for slot in self._full if slots.wait(slot, now) < math.inf]:
            self._full.remove(slot)
            self._show(slot)
