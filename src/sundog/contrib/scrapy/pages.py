"""The requests of one crawl that are out, and what has come of each so far.

A request is *out* while the downloader has it; redirects and retries of it come back to the scheduler, with the
same number in their ``meta``, and are it still. It is *open* while its callback runs, items of it are in pipelines
or requests of it on their way to the scheduler. Then it is settled. One that has failed is settled when its
errback is through, for that may ask for more. A request that neither came back nor failed (a middleware swallowed
it) is lost, and settled too.
"""

from __future__ import annotations

import logging
import time
from collections import Counter
from collections.abc import Container
from dataclasses import dataclass, field
from enum import Enum
from itertools import count
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from scrapy import Request
from scrapy.http import Response

from sundog.contrib.page_links import PageLinks
from sundog.contrib.policy_queue import Lease, PolicyQueue
from sundog.contrib.rewards import Reward, ScrapedPage
from sundog.contrib.scrapy.unread import UnreadPages
from sundog.model import Failed, Fetched, Outcome

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

KEY = "_sundog"  # of Request.meta
logger = logging.getLogger(__name__)


class State(Enum):
    OUT = "out"
    BACK = "back"  # as a redirect or a retry, which waits to go out again
    OPEN = "open"


@dataclass(eq=False)
class OpenPage:
    number: int
    lease: Lease
    request: Request  # as it is now: redirects change it
    slot: str
    state: State = State.OUT
    response: Response | None = None
    items: list[Any] = field(default_factory=list)  # that came through the pipelines
    items_in_pipelines: int = 0
    requests_on_their_way: set[int] = field(default_factory=set)  # from its callback to the scheduler, by id
    is_exhausted: bool = False
    failure: Outcome | None = None
    fingerprints: list[bytes] = field(default_factory=list)  # of where redirects led
    targets: list[str] = field(default_factory=list)  # the same as requests of the job, by name
    unfiltered: Counter[bytes] = field(default_factory=Counter)  # fingerprints of what its callback insisted on


class Pages:
    """``queue`` and ``reward`` are set when the scheduler opens: middlewares are made before."""

    queue: PolicyQueue
    reward: Reward

    def __init__(self) -> None:
        self._open: dict[int, OpenPage] = {}
        self._failed: dict[OpenPage, None] = {}  # whose errbacks run
        self._numbers = count(1)
        self._found: dict[int, tuple[Request, OpenPage, PageLinks]] = {}  # by id of the request, which is kept
        self.slots: dict[str, int] = {}  # how many of each downloader slot are out
        self.unread = UnreadPages()

    def __len__(self) -> int:
        return len(self._open)

    # -- the scheduler -------------------------------------------------------------------------------

    def hand_out(self, lease: Lease, request: Request, slot: str) -> OpenPage:
        page = OpenPage(next(self._numbers), lease, request, slot)
        request.meta[KEY] = page.number
        self._open[page.number] = page
        self._goes_out(page, slot)
        return page

    def hand_out_again(self, page: OpenPage, slot: str) -> None:
        page.state = State.OUT
        self._goes_out(page, slot)

    def comes_back(self, request: Request) -> OpenPage | None:
        """The page that this request goes on with, if it is a redirect or a retry of one that is out.

        Spiders copy ``meta`` to other requests; by then the page is open.
        """
        page = self._open.get(request.meta.get(KEY, 0))
        if page is None or page.state is not State.OUT:
            request.meta.pop(KEY, None)
            return None
        self._comes_in(page)
        page.request, page.state = request, State.BACK
        return page

    def found_on(self, request: Request) -> tuple[OpenPage, PageLinks] | None:
        """The page that has led to a request, and its links."""
        _, page, links = self._found.pop(id(request), (None, None, None))
        if page is None or links is None:
            return None
        page.requests_on_their_way.discard(id(request))
        return page, links

    def has_arrived(self, page: OpenPage) -> None:
        """One of the requests of its callback."""
        if page.is_exhausted:
            self._settle_if_done(page)

    def end_failed(self, in_progress: Container[Request]) -> None:
        """Settle requests whose errbacks are through. ``in_progress``: what the engine is at work with."""
        for page in [page for page in self._failed if page.request not in in_progress]:
            self.settle(page, page.failure or Failed("lost"))

    def end_lost(self, in_progress: Container[Request]) -> None:
        """Settle all that the engine has no more: something swallowed it."""
        for page in list(self._open.values()):
            if page.state is not State.BACK and page.request not in in_progress:
                self.settle(page, self._outcome(page) if page.response else page.failure or Failed("lost"))

    def close(self) -> None:
        """Redirects and retries that wait to go out again are left to the next run."""
        self.end_lost(())
        for page in self._open.values():
            self.queue.give_back(page.lease)
        self._open.clear()

    # -- the middlewares and signals -----------------------------------------------------------------

    def page_of(self, request: Request | None) -> OpenPage | None:
        return self._open.get(request.meta.get(KEY, 0)) if request is not None else None

    def has_come(self, page: OpenPage, response: Response) -> None:
        self._comes_in(page)
        page.response, page.state = response, State.OPEN
        self.unread.add(page, time.monotonic())

    def leads_to(self, page: OpenPage, request: Request, links: PageLinks) -> None:
        page.requests_on_their_way.add(id(request))
        self._found[id(request)] = request, page, links

    def is_exhausted(self, page: OpenPage) -> None:
        page.is_exhausted = True
        self._settle_if_done(page)
        self.unread.remove(page)

    def item_ended(self, page: OpenPage) -> None:
        page.items_in_pipelines -= 1
        self._settle_if_done(page)

    def fails(self, request: Request, outcome: Outcome) -> None:
        """Nothing retries it. A request that was not handed out may have the number of one that was."""
        page = self.page_of(request)
        if page is None or page.request is not request or page.state is not State.OUT:
            return
        if request.errback is None:
            self.settle(page, outcome)
        else:
            self._comes_in(page)
            page.failure = outcome
            self._failed[page] = None

    def settle(self, page: OpenPage, outcome: Outcome) -> None:
        if self._open.pop(page.number, None) is None:
            return
        self._failed.pop(page, None)
        self.unread.remove(page)
        for request in page.requests_on_their_way:  # that something kept from the scheduler
            self._found.pop(request, None)
        self._comes_in(page)
        self.queue.settle(page.lease, outcome, page.targets)

    # -- internals -----------------------------------------------------------------------------------

    def _settle_if_done(self, page: OpenPage) -> None:
        if page.is_exhausted and page.items_in_pipelines <= 0 and not page.requests_on_their_way:
            self.settle(page, self._outcome(page))

    def _outcome(self, page: OpenPage) -> Outcome:
        response = page.response
        assert response is not None
        if response.status >= 400 and not page.items and not page.lease.links:
            return Failed(f"status {response.status}")
        try:
            reward = self.reward(_scraped(response), page.items)
        except Exception:
            logger.exception("SUNDOG_REWARD failed on %s, which counts as nothing", response.url)
            reward = 0.0
        return Fetched(reward)

    def _goes_out(self, page: OpenPage, slot: str) -> None:
        page.slot = slot
        self.slots[slot] = self.slots.get(slot, 0) + 1

    def _comes_in(self, page: OpenPage) -> None:
        if page.state is State.OUT:
            page.state = State.OPEN
            self.slots[page.slot] -= 1
            if not self.slots[page.slot]:
                del self.slots[page.slot]


def _scraped(response: Response) -> ScrapedPage:
    content_type = (response.headers.get(b"Content-Type") or b"").decode("latin-1")
    return ScrapedPage(response, response.url, lambda: response.body, content_type)


_pages: WeakKeyDictionary[Crawler, Pages] = WeakKeyDictionary()


def pages_of(crawler: Crawler) -> Pages:
    """One for each crawler: scheduler and middlewares are made apart from each other."""
    return _pages.setdefault(crawler, Pages())
