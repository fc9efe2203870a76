"""Pages of the Web: fetched, read here or by a worker, judged by the objective."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import NamedTuple

from sundog.engines.live.intake import Arrival, Intake
from sundog.engines.live.linked_data import dump_limits_of, is_file_of_rdf
from sundog.engines.live.reading import OF_SITEMAPS, Reading
from sundog.fetch.polite import PoliteFetcher
from sundog.fetch.robots import origin_of
from sundog.fetch.sitemaps import SITEMAP_LIMITS
from sundog.fetch.values import Limits, Page, Trouble
from sundog.model import Link
from sundog.spec import CrawlSpec
from sundog.store import Exchange

LISTINGS = (".xml", ".xml.gz", ".rss", ".atom")

Read = Callable[[Page], Awaitable[Reading]]


class PageVisit(NamedTuple):
    page: Page
    reading: Reading


class Web:
    """The world of most crawls."""

    requests = None
    waiting = 0

    def __init__(self, spec: CrawlSpec, polite: PoliteFetcher, intake: Intake, read: Read) -> None:
        self._spec, self._polite, self._intake, self._read = spec, polite, intake, read
        self._dump_limits = dump_limits_of(spec)

    async def visit(self, url: str) -> PageVisit | Trouble:
        result = await self._polite.fetch(url, limits=self._limits_of(url))
        return PageVisit(result, await self._read(result)) if isinstance(result, Page) else result

    def _limits_of(self, url: str) -> Limits | None:
        """Dumps and sitemaps are larger than pages, and come with all kinds of types."""
        if self._dump_limits is not None and is_file_of_rdf(url):
            return self._dump_limits
        return SITEMAP_LIMITS if url.endswith(LISTINGS) or "/sitemap" in url else None

    def take_in(self, url: str, visit: PageVisit, depth: int) -> Arrival:
        """Pages of which nothing is kept, such as those that say noindex, are not kept as a whole either."""
        arrival = self._intake.page(visit.page, visit.reading, depth)
        if not self._spec.warc or arrival.statements is None:
            return arrival
        return arrival._replace(exchange=exchange_of(visit.page, self._polite.fetcher.agent))

    def offers(self, origin: str, now: float) -> Sequence[Link]:
        """Sitemaps that robots.txt names."""
        rules = self._polite.robots.known(origin, now) if self._polite.robots else None
        if not (rules and rules.sitemaps and self._spec.following.sitemaps):
            return ()
        links = [Link(sitemap, tag_path=OF_SITEMAPS) for sitemap in rules.sitemaps]
        return self._intake.admission.admit(links, 1)


def exchange_of(page: Page, agent: str) -> Exchange:
    """What goes to the WARC file."""
    headers = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in page.raw_headers]
    request = [("Host", origin_of(page.url).partition("://")[2]), ("User-Agent", agent)]
    via = {"redirected-from": page.asked} if page.asked != page.url else {}
    return Exchange(page.url, page.asked_at, "GET", request, page.status, "", headers, page.body, via)
