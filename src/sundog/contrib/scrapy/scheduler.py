"""The scheduler: it takes requests from the engine, and gives them back in the order of a policy.

What a spider insists on (a priority above 0, ``dont_filter``) goes first, by priority; the policy chooses among
the rest; what has a priority below 0 comes when nothing else is left. Redirects and retries go out next.
"""

from __future__ import annotations

import gc
import logging
import math
import time
from collections import deque
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from scrapy import Request, Spider, signals
from scrapy.core.scheduler import BaseScheduler
from scrapy.settings import BaseSettings
from scrapy.utils.job import job_dir

from sundog.contrib.job import Job
from sundog.contrib.page_links import PageLinks
from sundog.contrib.policy_queue import Lease, PolicyQueue
from sundog.contrib.rewards import Reward, reward_of
from sundog.contrib.scrapy.engine_calls import EngineCalls
from sundog.contrib.scrapy.pages import OpenPage, pages_of
from sundog.contrib.scrapy.seen import SeenRequests
from sundog.contrib.scrapy.slots import Slots
from sundog.contrib.scrapy.waiting import ByPriority, BySlot, WaitingRequests
from sundog.errors import UsageError
from sundog.model import Failed, Link, Wait
from sundog.policies import DEFAULT
from sundog.policies.presets import find_policy

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

JOB_FILE = "sundog.db"
SECONDS_BETWEEN_LOOKS = 1.0  # for requests that were lost
logger = logging.getLogger(__name__)


class Options(NamedTuple):
    policy: str
    budget: int | None
    seed: int
    reward: Reward


def options_of(settings: BaseSettings) -> Options:
    """What a project has set; an error if that is wrong."""
    policy = settings.get("SUNDOG_POLICY", DEFAULT)
    find_policy(policy).check_foresight()
    return Options(
        policy,
        _whole_number(settings, "SUNDOG_BUDGET"),
        _whole_number(settings, "SUNDOG_SEED") or 0,
        reward_of(settings.get("SUNDOG_REWARD", "items"), "SUNDOG_REWARD"),
    )


class Scheduler(BaseScheduler):
    def __init__(self, crawler: Crawler) -> None:
        settings = crawler.settings
        directory = job_dir(settings)
        assert crawler.stats is not None
        self._crawler, self._stats = crawler, crawler.stats
        self._job = Job(Path(directory) / JOB_FILE) if directory else None
        options = options_of(settings)
        self._queue = PolicyQueue(policy=options.policy, budget=options.budget, seed=options.seed, job=self._job)
        self._pages = pages_of(crawler)
        self._pages.queue, self._pages.reward = self._queue, options.reward
        self._seen = SeenRequests(crawler, self._job)
        self._again: deque[OpenPage] = deque()  # redirects and retries
        self._insisted, self._later = BySlot(), ByPriority()
        self._waiting_hosts: dict[str, set[int]] = {}  # by the slot that has no room for them
        self._next_look = 0.0
        self._places = settings.getint("CONCURRENT_REQUESTS")
        _keep_loaded_code()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Scheduler:
        return cls(crawler)

    def open(self, spider: Spider) -> Any:
        self._requests = WaitingRequests(spider, self._job)
        self._slots = Slots(self._crawler, self._pages.slots)
        self._engine = EngineCalls(self._crawler)
        self._spider = spider
        self._crawler.signals.connect(self._spider_closed, signals.spider_closed)
        if self._crawler.settings.getint("DEPTH_PRIORITY"):
            logger.warning("DEPTH_PRIORITY gives requests a priority, which goes before the policy's choice")
        if self._job:
            self._take_up(self._job)
        return self._seen.custom.open() if self._seen.custom else None

    def close(self, reason: str) -> Any:
        self._pages.close()
        self._engine.cancel()
        if self._job:
            self._job.close()
        return self._seen.custom.close(reason) if self._seen.custom else None

    # -- requests come -------------------------------------------------------------------------------

    def enqueue_request(self, request: Request) -> bool:
        page = self._pages.comes_back(request)
        if page is not None:
            return self._enqueue_again(page)
        found = self._pages.found_on(request)
        is_new = self._enqueue_new(request, found)
        if found:
            self._pages.has_arrived(found[0])
        if is_new:
            self._stats.inc_value("scheduler/enqueued")
        elif not request.dont_filter:
            self._seen.log(request, self._spider)
        return is_new

    def _enqueue_new(self, request: Request, found: tuple[OpenPage, PageLinks] | None) -> bool:
        seen = self._seen.admit(request, found[0] if found else None)
        if seen is None:
            return False
        name, insists = self._name(request), _insists(request)
        self._requests.put(name, request, insists, seen)
        self._follow_custom_filter()
        if insists:
            self._insisted.push(name, request.priority, self._slots.key_of(request))
        elif request.priority < 0:
            self._later.push(name, request.priority)
        elif found is not None:
            open_page, links = found
            self._queue.found(open_page.lease, _link(request, links)._replace(url=name))
        else:
            self._queue.offer(name)
        return True

    def _enqueue_again(self, page: OpenPage) -> bool:
        """A redirect to a page that is known ends here, as it does with Scrapy's own scheduler."""
        fingerprint = self._seen.fingerprint(page.request)
        if not page.request.dont_filter and fingerprint not in page.fingerprints:
            if not self._seen.is_new(page.request, fingerprint):
                self._pages.settle(page, Failed("leads to a page that is known"))
                return False
            page.fingerprints.append(fingerprint)
            self._keep_target(page, fingerprint)
        self._again.append(page)
        return True

    def _keep_target(self, page: OpenPage, fingerprint: bytes) -> None:
        """Others that lead there are turned down from now on: it must not depend on this page alone."""
        if self._job:
            name = self._name(page.request)
            self._requests.keep(name, page.request, _insists(page.request), [fingerprint])
            self._follow_custom_filter()
            page.targets.append(name)

    def _follow_custom_filter(self) -> None:
        """It knows the request from now on, and may have written that."""
        if self._job and self._seen.custom:
            self._job.commit()

    def _name(self, request: Request) -> str:
        """Its URL, if no other request has the same."""
        if request.method == "GET" and self._queue.is_new(request.url):
            return request.url
        name = stem = f"{request.url}#{request.method}-{self._seen.fingerprint(request).hex()[:16]}"
        number = 1
        while not self._queue.is_new(name):
            number += 1
            name = f"{stem}-{number}"
        return name

    # -- requests go ---------------------------------------------------------------------------------

    def has_pending_requests(self) -> bool:
        if self._again:
            return True
        return not self._queue.is_spent and bool(self._insisted or self._later or self._queue.waiting)

    def next_request(self) -> Request | None:
        now = time.monotonic()
        if now >= self._next_look:
            self._next_look = now + SECONDS_BETWEEN_LOOKS
            self._pages.end_lost(self._engine.in_progress)
            if self._job:
                self._job.commit()  # requests that no page led to
        self._pages.end_failed(self._engine.in_progress)
        self._wake_hosts(now)
        request = self._next_again(now)
        if request is None and not self._queue.is_spent:
            request = self._next_insisted(now) or self._next_chosen(now)
        if request is not None:
            self._stats.inc_value("scheduler/dequeued")
        return request

    def _next_again(self, now: float) -> Request | None:
        if not self._again:
            return None
        page = self._again.popleft()
        key = self._slots.key_of(page.request)
        self._slots.goes_out(key, now)
        self._pages.hand_out_again(page, key)
        return page.request

    def _next_insisted(self, now: float) -> Request | None:
        while self._insisted:
            name = self._insisted.pop(self._slots, now)
            if name is None:
                if self._insisted.next_wake < math.inf:
                    self._engine.call_at(self._insisted.next_wake, now)
                return None
            lease = self._queue.take(name)
            if lease is not None and (request := self._request(lease)) is not None:
                return self._hand_out(lease, request, now)
        return None

    def _next_chosen(self, now: float) -> Request | None:
        if (until := self._pages.unread.wait(self._places, now, self._engine.call_soon)) > now:
            self._engine.call_at(until, now)
            return None
        while True:
            answer = self._queue.choose(now)
            if not isinstance(answer, Lease):
                if self._later and not self._queue.waiting:
                    for name in self._later.pop_all_of_first():
                        self._queue.offer(name)
                    continue
                if isinstance(answer, Wait) and answer.until is not None:
                    self._engine.call_at(answer.until, now)
                return None
            request = self._request(answer)
            if request is None:
                continue
            key = self._slots.key_of(request)
            wait = self._slots.wait(key, now)
            if not wait:
                return self._hand_out(answer, request, now)
            self._queue.give_back(answer)
            self._sleep(answer.decision.host_id, key, now + wait)

    def _request(self, lease: Lease) -> Request | None:
        request = self._requests.get(lease.name)
        if request is None:
            self._queue.settle(lease, Failed("its request is lost"))
        return request

    def _hand_out(self, lease: Lease, request: Request, now: float) -> Request:
        key = self._slots.key_of(request)
        self._slots.goes_out(key, now)
        self._requests.forget(lease.name)
        self._pages.hand_out(lease, request, key)
        return request

    def _sleep(self, host: int, key: str, until: float) -> None:
        self._queue.session.rest(host, until)
        if until == math.inf:
            self._waiting_hosts.setdefault(key, set()).add(host)

    def _wake_hosts(self, now: float) -> None:
        for key in [key for key in self._waiting_hosts if self._slots.wait(key, now) < math.inf]:
            for host in self._waiting_hosts.pop(key):
                self._queue.session.rest(host, now)

    # -- a job that goes on, and its end -------------------------------------------------------------

    def _take_up(self, job: Job) -> None:
        count = 0
        for name, _, priority, insisted in job.waiting():
            count += 1
            self._queue.is_new(name)
            if insisted:
                request = self._requests.get(name)
                self._insisted.push(name, priority, self._slots.key_of(request) if request else "")
            elif priority < 0:
                self._later.push(name, priority)
            else:
                self._queue.offer(name)
        if self._queue.fetched or count:
            logger.info("The job goes on after %d pages; %d requests wait", self._queue.fetched, count)

    def _spider_closed(self) -> None:
        queue = self._queue
        breadth_first = queue.reward_of_breadth_first()
        self._stats.set_value("sundog/pages", queue.fetched)
        self._stats.set_value("sundog/in_flight", queue.in_flight)
        self._stats.set_value("sundog/reward", queue.reward)
        self._stats.set_value("sundog/reward_of_breadth_first", round(breadth_first.likely, 1))
        self._stats.set_value("sundog/reward_of_breadth_first/least", round(breadth_first.least, 1))
        self._stats.set_value("sundog/reward_of_breadth_first/most", round(breadth_first.most, 1))
        logger.info(
            "Sundog: %g found on %d pages; breadth-first order would have found %s", queue.reward,
            queue.fetched, breadth_first,
        )  # fmt: skip


@cache
def _keep_loaded_code() -> None:
    """Once a process: what is loaded by now stays, and the garbage collector need not look at it again and again.

    Numba's compiler is half of all objects of a spider's process.
    """
    gc.collect()
    gc.freeze()


def _link(request: Request, links: PageLinks) -> Link:
    anchor = request.meta.get("link_text")  # of the element that a link extractor took
    return links.link_to(request.url, anchor if isinstance(anchor, str) else None)


def _insists(request: Request) -> bool:
    return request.priority > 0 or request.dont_filter


def _whole_number(settings: Any, name: str) -> int | None:
    value = settings.get(name)
    if value is None:
        return None
    try:
        number = int(value)
    except (TypeError, ValueError):
        number = -1
    if number < 0:
        raise UsageError(f"{name} = {value!r}: a whole number from 0 on is expected")
    return number
