"""Pages of the Web: fetched, or taken from a cache if they are visited again by another path."""

from __future__ import annotations

import math
from collections.abc import Awaitable, Sequence
from typing import NamedTuple

from sundog.engines.live.page_failures import at_stage
from sundog.engines.live.pages.contexts import FetchedContexts
from sundog.engines.live.pages.intake import Intake
from sundog.engines.live.pages.page_cache import PageCache
from sundog.engines.live.pages.reader import Read
from sundog.engines.live.pages.reading import OF_SITEMAPS, PageContexts, Reading
from sundog.engines.live.patterns.live_patterns import LivePatterns
from sundog.engines.live.patterns.reading import PatternTask
from sundog.engines.live.worlds.context import WorldContext
from sundog.engines.live.worlds.world import Observation
from sundog.fetch.link_headers import context_of_json
from sundog.fetch.polite import PoliteFetcher
from sundog.fetch.sitemaps import SITEMAP_LIMITS
from sundog.fetch.values import Limits, Page, Trouble
from sundog.model import Failed, Fetched, Link, LinkBatch, Step
from sundog.spec import CrawlSpec
from sundog.spec.linked_data import dump_limits_of, may_be_dump
from sundog.store import Exchange, PatternFindings
from sundog.urls.hosts import host_of
from sundog.urls.revisits import is_repetition, is_revisit, without_mark

LISTINGS = (".xml", ".xml.gz", ".rss", ".atom")


def open_world(context: WorldContext) -> Web:
    spec, wiring, patterns = context.spec, context.wiring, context.live_patterns
    intake = Intake(spec, context.store, wiring.link_filter, context.judge, patterns)
    return Web(spec, wiring.polite, intake, context.read, patterns, context.contexts)


class PageVisit(NamedTuple):
    """``was_asked``: for this very visit; else the page is one that another visit has brought."""

    page: Page
    reading: Reading
    was_asked: bool = True


class Web:
    """The world of most crawls."""

    requests = None
    idle = 0

    def __init__(
        self,
        spec: CrawlSpec,
        polite: PoliteFetcher,
        intake: Intake,
        read: Read,
        patterns: LivePatterns | None = None,
        contexts: FetchedContexts | None = None,
    ) -> None:
        self._contexts = contexts
        self._spec, self._polite, self._intake, self._read = spec, polite, intake, read
        self._dump_limits = dump_limits_of(spec)
        self._patterns = patterns
        self._cache = PageCache()

    @property
    def most_in_flight(self) -> float:
        return self._patterns.visits_needed if self._patterns else math.inf

    async def visit(self, url: str, candidate: int) -> PageVisit | Trouble:
        patterns, was_asked = self._patterns, False

        def fetch() -> Awaitable[Page | Trouble]:
            nonlocal was_asked
            was_asked = True
            return self._polite.fetch(url, limits=self._limits_of(url))

        by_path = patterns is not None and patterns.may_come_by_other_paths(candidate)
        result = await (self._cache.get(url, fetch) if by_path else fetch())
        if not isinstance(result, Page):
            return result
        with at_stage("read", result):
            task = None if patterns is None else patterns.task(candidate)
            return PageVisit(result, await self._reading(result, task), was_asked)

    async def _reading(self, page: Page, task: PatternTask | None) -> Reading:
        """With its remote contexts, if they are fetched at all."""
        if self._contexts is None:
            return await self._read(page, task)
        linked = context_of_json(page.raw_headers)
        return await self._contexts.read(
            page.url, lambda documents: self._read(page, task, PageContexts(documents, linked))
        )

    def is_cached(self, name: str) -> bool:
        return is_revisit(name) and not is_repetition(name) and without_mark(name) in self._cache

    def _limits_of(self, url: str) -> Limits | None:
        """Dumps and sitemaps are larger than pages, and come with all kinds of types."""
        if self._dump_limits is not None and may_be_dump(url):
            return self._dump_limits
        return SITEMAP_LIMITS if url.endswith(LISTINGS) or "/sitemap" in url else None

    def observe(self, url: str, visit: PageVisit, depth: int, candidate: int) -> Observation:
        """Pages of which nothing is kept, such as those that say noindex, are not kept as a whole either; nor are
        those that another visit has brought."""
        with at_stage("intake", visit.page):
            observation = self._intake.page(visit.page, visit.reading, depth, candidate)
            if not (self._spec.warc and visit.was_asked) or observation.statements is None:
                return observation
            return observation._replace(exchange=exchange_of(visit.page, self._polite.fetcher.agent))

    def after_step(self, candidate: int, observation: Observation, step: Step) -> str:
        patterns = self._patterns
        if patterns is None:
            return ""
        match step.outcome:
            case Fetched(_, LinkBatch() as links):
                targets = links.targets.tolist()
                patterns.observed(
                    candidate, targets, (observation.findings or PatternFindings()).with_targets(targets)
                )
            case Failed():
                patterns.failed()
        return patterns.stop_reason

    def extra_links(self, origin: str, now: float) -> Sequence[Link]:
        """Sitemaps that robots.txt names; link patterns know of no others than their own links."""
        if self._patterns is not None and self._patterns.chooses_links:
            return ()
        rules = self._polite.robots.known(origin, now) if self._polite.robots else None
        if not (rules and rules.sitemaps and self._spec.following.sitemaps):
            return ()
        links = [Link(sitemap, tag_path=OF_SITEMAPS) for sitemap in rules.sitemaps]
        return self._intake.link_filter.admit(links, 1)


def exchange_of(page: Page, agent: str) -> Exchange:
    """What goes to the WARC file."""
    headers = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in page.raw_headers]
    request = [("Host", host_of(page.url)), ("User-Agent", agent)]
    via = {"redirected-from": page.asked} if page.asked != page.url else {}
    return Exchange(page.url, page.asked_at, "GET", request, page.status, "", headers, page.body, via)
