"""Pages of the Web: fetched, or taken from a cache if they are visited again by another path."""

from __future__ import annotations

import math
from collections.abc import Awaitable, Sequence
from functools import partial
from typing import NamedTuple

from sundog.engines.live.gate import redirect_trouble
from sundog.engines.live.page_failures import at_stage
from sundog.engines.live.pages.intake import Intake
from sundog.engines.live.pages.page_cache import PageCache
from sundog.engines.live.pages.reading import OF_SITEMAPS, PageContexts, Reading
from sundog.engines.live.patterns.reading import PatternTask
from sundog.engines.live.worlds.context import WorldContext
from sundog.engines.live.worlds.world import Observation
from sundog.extract.page_signs import page_signs
from sundog.fetch.link_headers import context_of_json
from sundog.fetch.sitemaps import SITEMAP_LIMITS
from sundog.fetch.values import Limits, Page, Trouble
from sundog.files import write_whole
from sundog.model import Failed, Fetched, Link, LinkBatch, Step
from sundog.spec.linked_data import dump_limits_of, may_be_dump
from sundog.store import Exchange, PageRecord, PatternFindings, RenderChoice
from sundog.store.directory import SCREENSHOTS
from sundog.store.versions import latest_version, redirects_of, validators_of
from sundog.urls.hosts import host_of
from sundog.urls.identity import identity
from sundog.urls.revisits import is_repetition, is_revisit, without_mark

UNREAD = Reading({}, {}, (), (), (), b"")
LISTINGS = (".xml", ".xml.gz", ".rss", ".atom")


def open_world(context: WorldContext) -> Web:
    spec, wiring, patterns = context.spec, context.wiring, context.live_patterns
    intake = Intake(spec, context.store, wiring.link_filter, context.judge, patterns)
    return Web(context, intake)


class PageVisit(NamedTuple):
    """``was_asked``: for this very visit; else the page is one that another visit has brought."""

    page: Page
    reading: Reading
    was_asked: bool = True
    plain: Page | None = None  # if the page was rendered
    render: RenderChoice | None = None
    screenshot: bytes = b""


class Web:
    """The world of most crawls."""

    requests = None
    idle = 0

    def __init__(self, context: WorldContext, intake: Intake) -> None:
        self._spec, self._polite, self._intake, self._read = (
            context.spec,
            context.wiring.polite,
            intake,
            context.read,
        )
        self._store, self._session, self._gate = context.store, context.session, context.wiring.gate
        self._dump_limits = dump_limits_of(context.spec)
        self._patterns, self._contexts, self._rendering = (
            context.live_patterns,
            context.contexts,
            context.rendering,
        )
        self._cache = PageCache()
        self._catalog = context.session.source
        if self._rendering is not None:
            self._rendering.session = context.session

    @property
    def most_in_flight(self) -> float:
        needed = self._patterns.visits_needed if self._patterns else math.inf
        return min(1, needed) if self._spec.world_kind.one_at_a_time else needed

    async def visit(self, url: str, candidate: int) -> PageVisit | Trouble:
        patterns, was_asked = self._patterns, False

        def fetch() -> Awaitable[Page | Trouble]:
            nonlocal was_asked
            was_asked = True
            if self._session.is_revisit(candidate):
                return self._fetch_again(url, candidate)
            return self._polite.fetch(url, limits=self._limits_of(url))

        by_path = patterns is not None and patterns.may_come_by_other_paths(candidate)
        result = await (self._cache.get(url, fetch) if by_path else fetch())
        if not isinstance(result, Page):
            return result
        if result.not_modified:
            return PageVisit(result, UNREAD, was_asked)
        with at_stage("read", result):
            task = None if patterns is None else patterns.task(candidate)
            reading = await self._reading(result, task)
        if self._rendering is None:
            return PageVisit(result, reading, was_asked)
        with at_stage("render", result):
            found = await self._rendering.visit(
                candidate,
                result,
                reading,
                lambda page: self._reading(page, task),
                is_known=self._session.is_revisit(candidate),
            )
        if found is None:
            return PageVisit(result, reading, was_asked)
        plain = result if found.page is not result else None
        return PageVisit(found.page, found.reading, was_asked, plain, found.choice, found.screenshot)

    async def _fetch_again(self, url: str, candidate: int) -> Page | Trouble:
        """If the server says so, the page is as it was. It may lead where it led before, or to what is new."""
        known = validators_of(self._store, candidate)
        led_to = {identity(each) for each in redirects_of(self._store, latest_version(self._store, candidate))}

        def may_follow(name: str) -> bool:
            return name in led_to or name == url or not self._gate.was_asked(name)

        return await self._polite.fetch(
            url,
            etag=known.etag,
            last_modified=known.last_modified,
            limits=self._limits_of(url),
            redirect_filter=lambda target, _: redirect_trouble(
                self._intake.link_filter, target, may_follow, self._gate.owns
            ),
        )

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
        if visit.page.not_modified:
            record = PageRecord(status=visit.page.status, size=0)
            return Observation(Fetched(0.0), record)
        with at_stage("intake", visit.page):
            observation = self._intake.page(
                visit.page, visit.reading, depth, candidate, self._first_visit(url, candidate)
            )
            if visit.render is not None and not self._session.is_revisit(candidate):
                observation = self._with_choice(observation, visit.render)
            if visit.screenshot:
                folder = self._store.directory / SCREENSHOTS
                folder.mkdir(exist_ok=True)
                write_whole(folder / f"{candidate}.jpg", visit.screenshot)
            if self._session.is_revisit(candidate):
                observation = observation._replace(look=partial(page_signs, visit.page.body))
            if not (self._spec.warc and visit.was_asked) or observation.statements is None:
                return observation
            return observation._replace(exchange=self._exchange(visit))

    def _first_visit(self, url: str, candidate: int) -> int:
        """The one without a browser, of a page that is visited again with one."""
        if self._rendering is None or self._patterns is not None or not self._rendering.has_gained:
            return candidate
        return candidate if self._catalog.url(candidate) == url else self._catalog.find(url)

    def _with_choice(self, observation: Observation, choice: RenderChoice) -> Observation:
        """If rendering has paid, pages like this one that were not rendered are visited again."""
        observation, outcome = observation._replace(render=choice), observation.outcome
        if self._rendering is None or self._patterns is not None or not isinstance(outcome, Fetched):
            return observation
        again = self._rendering.second_visits(choice)
        if not again or isinstance(outcome.links, LinkBatch):
            return observation
        return observation._replace(outcome=outcome._replace(links=[*outcome.links, *again]))

    def _exchange(self, visit: PageVisit) -> Exchange:
        """With the rendered page, if there is one, and what that cost."""
        exchange = exchange_of(visit.plain or visit.page, self._polite.fetcher.agent)
        if visit.plain is None or visit.render is None:
            return exchange
        about = {
            "rendered": visit.render.why.removeprefix("rendered: "),
            "renderTimeMs": f"{1_000 * visit.render.seconds:.0f}",
            "renderRequests": str(visit.render.requests),
        }
        return exchange._replace(
            rendered=visit.page.body,
            rendered_at=visit.page.finished_at,
            metadata={**exchange.metadata, **about},
        )

    def after_step(self, candidate: int, observation: Observation, step: Step) -> str:
        if self._rendering is not None and observation.render is not None:
            self._rendering.learned(observation.render)
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
    about = {"fetchTimeMs": f"{1_000 * (page.finished_at - page.asked_at):.0f}"}  # as other archivers call it
    if page.asked != page.url:
        about["redirected-from"] = page.asked
    return Exchange(page.url, page.asked_at, "GET", request, page.status, "", headers, page.body, about)
