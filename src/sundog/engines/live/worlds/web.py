"""Pages that will be visited again by another path: the server need not be asked for each.

Pages of the Web: fetched, read here or by a worker, judged by the objective.
"""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Sequence
from typing import NamedTuple

from sundog.engines.live.pages.intake import Intake
from sundog.engines.live.pages.reading import OF_SITEMAPS, Reading
from sundog.engines.live.pages.workers import Read
from sundog.engines.live.patterns.live_patterns import LivePatterns
from sundog.engines.live.worlds.world import Observation
from sundog.fetch.polite import PoliteFetcher
from sundog.fetch.sitemaps import SITEMAP_LIMITS
from sundog.fetch.values import Limits, Page, Trouble
from sundog.model import Failed, Fetched, Link, LinkBatch, Step
from sundog.spec import CrawlSpec
from sundog.spec.linked_data import dump_limits_of, may_be_dump
from sundog.store import Exchange, Finds
from sundog.urls.hosts import host_of

MOST_BYTES = 64_000_000


class PageCache:
    """The pages used last, up to so many bytes.

    >>> cache = PageCache(most=10)
    >>> cache.get("http://a.example/") is None
    True
    """

    def __init__(self, most: int = MOST_BYTES) -> None:
        self._most, self._bytes = most, 0
        self._pages: OrderedDict[str, Page] = OrderedDict()

    def __contains__(self, url: str) -> bool:
        return url in self._pages

    def get(self, url: str) -> Page | None:
        if url in self._pages:
            self._pages.move_to_end(url)
        return self._pages.get(url)

    def put(self, url: str, page: Page) -> None:
        if url in self._pages or len(page.body) > self._most:
            return
        self._pages[url] = page
        self._bytes += len(page.body)
        while self._bytes > self._most:
            self._bytes -= len(self._pages.popitem(last=False)[1].body)


LISTINGS = (".xml", ".xml.gz", ".rss", ".atom")


class PageVisit(NamedTuple):
    page: Page
    reading: Reading


class Web:
    """The world of most crawls."""

    requests = None
    waiting = 0

    def __init__(
        self,
        spec: CrawlSpec,
        polite: PoliteFetcher,
        intake: Intake,
        read: Read,
        steering: LivePatterns | None = None,
    ) -> None:
        self._spec, self._polite, self._intake, self._read = spec, polite, intake, read
        self._dump_limits = dump_limits_of(spec)
        self._steering = steering
        self._cache = PageCache()

    @property
    def needed(self) -> float:
        return self._steering.need.visits if self._steering else math.inf

    async def visit(self, url: str, candidate: int) -> PageVisit | Trouble:
        steering = self._steering
        result = self._cache.get(url) or await self._polite.fetch(url, limits=self._limits_of(url))
        if not isinstance(result, Page):
            return result
        if steering is None:
            return PageVisit(result, await self._read(result, None))
        if steering.comes_again(candidate):
            self._cache.put(url, result)
        return PageVisit(result, await self._read(result, steering.task(candidate)))

    def is_at_hand(self, url: str) -> bool:
        return url in self._cache

    def _limits_of(self, url: str) -> Limits | None:
        """Dumps and sitemaps are larger than pages, and come with all kinds of types."""
        if self._dump_limits is not None and may_be_dump(url):
            return self._dump_limits
        return SITEMAP_LIMITS if url.endswith(LISTINGS) or "/sitemap" in url else None

    def take_in(self, url: str, visit: PageVisit, depth: int, candidate: int) -> Observation:
        """Pages of which nothing is kept, such as those that say noindex, are not kept as a whole either."""
        arrival = self._intake.page(visit.page, visit.reading, depth, candidate)
        if not self._spec.warc or arrival.statements is None:
            return arrival
        return arrival._replace(exchange=exchange_of(visit.page, self._polite.fetcher.agent))

    def settled(self, candidate: int, arrival: Observation, step: Step) -> str:
        steering = self._steering
        if steering is None:
            return ""
        match step.outcome:
            case Fetched(_, LinkBatch() as links):
                targets = links.targets.tolist()
                steering.observed(candidate, targets, (arrival.finds or Finds()).with_targets(targets))
            case Failed():
                steering.failed()
        return steering.enough

    def offers(self, origin: str, now: float) -> Sequence[Link]:
        """Sitemaps that robots.txt names; link patterns know of no others than their own links."""
        if self._steering is not None and self._steering.chooses_links:
            return ()
        rules = self._polite.robots.known(origin, now) if self._polite.robots else None
        if not (rules and rules.sitemaps and self._spec.following.sitemaps):
            return ()
        links = [Link(sitemap, tag_path=OF_SITEMAPS) for sitemap in rules.sitemaps]
        return self._intake.admission.admit(links, 1)


def exchange_of(page: Page, agent: str) -> Exchange:
    """What goes to the WARC file."""
    headers = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in page.raw_headers]
    request = [("Host", host_of(page.url)), ("User-Agent", agent)]
    via = {"redirected-from": page.asked} if page.asked != page.url else {}
    return Exchange(page.url, page.asked_at, "GET", request, page.status, "", headers, page.body, via)
