"""Requests that wait, in memory or in a job's file, and the order of those that the policy does not choose."""

from __future__ import annotations

import heapq
import logging
import pickle
from itertools import count

from scrapy import Request, Spider
from scrapy.utils.request import request_from_dict

from sundog.contrib.job import Job, WaitingRequest

logger = logging.getLogger(__name__)


class WaitingRequests:
    """By name. A request that cannot be pickled (its callback is no method of the spider) stays in memory."""

    def __init__(self, spider: Spider, job: Job | None) -> None:
        self._spider, self._job = spider, job
        self._in_memory: dict[str, Request] = {}

    def put(self, name: str, request: Request, insisted: bool) -> bool:
        """Whether it would survive the process."""
        if self._job is None:
            self._in_memory[name] = request
            return False
        try:
            data = pickle.dumps(request.to_dict(spider=self._spider), protocol=4)
        except (ValueError, pickle.PicklingError, AttributeError, TypeError) as error:
            logger.warning("%s is kept in memory only, and is lost if the job stops: %s", request, error)
            self._in_memory[name] = request
            return False
        self._job.keep(WaitingRequest(name, data, request.priority, insisted))
        return True

    def get(self, name: str) -> Request | None:
        """None if it was never put: a link that another run has seen, and whose request could not be kept."""
        request = self._in_memory.get(name)
        if request is None and self._job is not None and (data := self._job.data(name)) is not None:
            return request_from_dict(pickle.loads(data), spider=self._spider)
        return request

    def forget(self, name: str) -> None:
        self._in_memory.pop(name, None)


class ByPriority:
    """Names, the highest priority first, then the oldest."""

    def __init__(self) -> None:
        self._heap: list[tuple[int, int, str]] = []
        self._numbers = count()

    def __len__(self) -> int:
        return len(self._heap)

    def push(self, name: str, priority: int) -> None:
        heapq.heappush(self._heap, (-priority, next(self._numbers), name))

    def pop(self) -> str:
        return heapq.heappop(self._heap)[2]

    def first(self, most: int) -> list[tuple[int, int, str]]:
        return heapq.nsmallest(most, self._heap)

    def remove(self, entry: tuple[int, int, str]) -> None:
        self._heap.remove(entry)
        heapq.heapify(self._heap)

    def pop_all_of_first(self) -> list[str]:
        """Those of the highest priority."""
        highest = self._heap[0][0]
        names = []
        while self._heap and self._heap[0][0] == highest:
            names.append(self.pop())
        return names
