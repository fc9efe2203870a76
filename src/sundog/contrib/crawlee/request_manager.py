"""A request manager: it takes requests from a crawler, and gives them back in the order of a policy."""

from __future__ import annotations

import logging
from collections import deque
from functools import wraps
from hashlib import blake2b
from pathlib import Path
from typing import Any

from crawlee import Request, RequestState
from crawlee.request_loaders import RequestManager
from crawlee.storage_clients.models import ProcessedRequest

from sundog.contrib.breadth_first import Range
from sundog.contrib.crawlee.open_pages import Handler, OpenPage
from sundog.contrib.job import Job, WaitingRequest
from sundog.contrib.policy_queue import Lease, PolicyQueue
from sundog.contrib.rewards import reward_of
from sundog.model import Failed, Fetched, Link, Outcome, Refused
from sundog.policies import DEFAULT

SEPARATOR = "\0"  # of a unique key and a name
logger = logging.getLogger(__name__)


class SundogRequestManager(RequestManager):
    """``ParselCrawler(request_manager=SundogRequestManager(budget=500))``, with ``@manager.handler`` on handlers.

    ``reward``: what a page is worth: ``items`` that its handler pushes, an objective, a class of items, or a
    function of the handler's context and the items. ``path``: a file in which the crawl is kept; the same file
    again goes on with it, also after a kill.
    """

    def __init__(
        self,
        *,
        policy: str = DEFAULT,
        budget: int | None = None,
        seed: int = 0,
        reward: Any = "items",
        path: str | Path | None = None,
        **parameters: Any,
    ) -> None:
        self._reward = reward_of(reward, "reward")
        self._path = Path(path) if path is not None else None
        self._options: dict[str, Any] = {"policy": policy, "budget": budget, "seed": seed, **parameters}
        self._begin()

    def _begin(self) -> None:
        self._job = Job(self._path) if self._path else None
        self._queue = PolicyQueue(**self._options, job=self._job)
        self._requests: dict[str, Request] = {}  # that wait, by name
        self._names: dict[str, str] = {}  # by unique key
        self._insisted: deque[str] = deque()
        self._again: deque[Request] = deque()
        self._pages: dict[str, OpenPage] = {}  # by unique key
        if self._job:
            self._take_up(self._job)

    @property
    def reward(self) -> float:
        """All that was found so far."""
        return self._queue.reward

    def reward_of_breadth_first(self) -> Range:
        """What breadth-first order would have found with as many requests: a guess, with a range."""
        return self._queue.reward_of_breadth_first()

    # -- handlers ------------------------------------------------------------------------------------

    def handler(self, function: Handler) -> Handler:
        """Tells what a handler pushes, and where its page leads."""

        @wraps(function)
        async def handle(context: Any) -> None:
            page = self._pages.get(context.request.unique_key)
            await (page.handle(function, context) if page else function(context))

        return handle

    # -- requests come -------------------------------------------------------------------------------

    async def add_request(self, request: str | Request, *, forefront: bool = False) -> ProcessedRequest:
        request = self._transform_request(request)
        key = request.unique_key
        if key in self._names:
            return _processed(key, was_known=True, was_handled=self._is_handled(key))
        name = self._names[key] = self._name(request)
        self._requests[name] = request
        if self._job:
            data = request.model_dump_json(by_alias=True).encode()
            self._job.keep(WaitingRequest(name, data, 0, forefront), [SEPARATOR.join((key, name)).encode()])
        if forefront:
            self._insisted.appendleft(name)
        elif (found := self._page_with(request.url)) is not None:
            lease, link = found
            self._queue.found(lease, link._replace(url=name))
        else:
            self._queue.offer(name)
        return _processed(key, was_known=False, was_handled=False)

    async def reclaim_request(self, request: Request, *, forefront: bool = False) -> ProcessedRequest | None:
        if request.unique_key not in self._pages:
            return None
        (self._again.appendleft if forefront else self._again.append)(request)
        return _processed(request.unique_key, was_known=True, was_handled=False)

    # -- requests go ---------------------------------------------------------------------------------

    async def fetch_next_request(self) -> Request | None:
        if self._again:
            return self._again.popleft()
        lease = self._next_lease()
        if lease is None:
            return None
        request = self._requests.pop(lease.name)
        self._pages[request.unique_key] = OpenPage(lease)
        return request

    def _next_lease(self) -> Lease | None:
        while not self._queue.is_spent:
            answer = self._queue.take(self._insisted.popleft()) if self._insisted else self._queue.choose(0.0)
            if not isinstance(answer, Lease):
                if answer is not None:  # nothing waits
                    return None
            elif answer.name in self._requests:
                return answer
            else:
                self._queue.settle(answer, Failed("its request is lost"))
        return None

    async def mark_request_as_handled(self, request: Request) -> ProcessedRequest | None:
        page = self._pages.pop(request.unique_key, None)
        if page is None:
            return None
        self._queue.settle(page.lease, self._outcome(request, page))
        return _processed(request.unique_key, was_known=True, was_handled=True)

    def _outcome(self, request: Request, page: OpenPage) -> Outcome:
        if request.state is RequestState.SKIPPED:
            return Refused("skipped")
        if request.state is RequestState.ERROR:
            return Failed("failed")
        try:
            return Fetched(self._reward(page.scraped, page.items) if page.scraped else 0.0)
        except Exception:
            logger.exception("the reward of %s failed, which counts as nothing", request.url)
            return Fetched(0.0)

    # -- counts --------------------------------------------------------------------------------------

    async def get_handled_count(self) -> int:
        return len(self._names) - len(self._requests) - len(self._pages)

    async def get_total_count(self) -> int:
        return len(self._names)

    async def is_empty(self) -> bool:
        if self._again:
            return False
        return self._queue.is_spent or not (self._insisted or self._queue.waiting)

    async def is_finished(self) -> bool:
        return not self._pages and await self.is_empty()

    async def drop(self) -> None:
        """All is forgotten, the file too."""
        if self._job and self._path:
            self._job.close()
            for ending in ("", "-wal", "-shm", "-lock"):
                self._path.with_name(self._path.name + ending).unlink(missing_ok=True)
        self._begin()

    async def purge(self) -> None:
        await self.drop()

    # -- internals -----------------------------------------------------------------------------------

    def _name(self, request: Request) -> str:
        """Its URL, if no other request has the same."""
        if request.method == "GET" and self._queue.is_new(request.url):
            return request.url
        name = f"{request.url}#{blake2b(request.unique_key.encode(), digest_size=8).hexdigest()}"
        self._queue.is_new(name)
        return name

    def _page_with(self, url: str) -> tuple[Lease, Link] | None:
        """crawlee does not tell whose handler adds a request: it is a page that links there."""
        for page in reversed(self._pages.values()):
            if page.links is not None and page.links.has(url):
                return page.lease, page.links.link_to(url)
        return None

    def _is_handled(self, key: str) -> bool:
        return key not in self._pages and self._names[key] not in self._requests

    def _take_up(self, job: Job) -> None:
        for seen in job.seen():
            key, _, name = seen.decode().rpartition(SEPARATOR)
            self._names[key] = name
        for name, data, _, insisted in job.waiting():
            self._requests[name] = Request.model_validate_json(data)
            if insisted:
                self._insisted.append(name)
            else:
                self._queue.offer(name)


def _processed(key: str, *, was_known: bool, was_handled: bool) -> ProcessedRequest:
    return ProcessedRequest(unique_key=key, was_already_present=was_known, was_already_handled=was_handled)
