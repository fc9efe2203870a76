"""What a fetched page is worth and what is kept of it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from sundog.engines.live.page_failures import StageError, at_stage, trouble_of
from sundog.engines.live.pages.own_hints import own_hints
from sundog.engines.live.pages.reading import Reading, content_key
from sundog.engines.live.patterns.live_patterns import LivePatterns
from sundog.engines.live.worlds.world import Observation
from sundog.extract.robot_tags import RobotTags, robot_tags
from sundog.fetch.link_headers import rdf_links
from sundog.fetch.robots import robot_name
from sundog.fetch.values import Page, Trouble
from sundog.model import INTERNAL, NOT_KEPT, Failed, Fetched, Link, Refused
from sundog.objectives import Judge, Judgement, PageView
from sundog.scope.link_filter import LinkFilter
from sundog.spec import CrawlSpec
from sundog.store import CrawlStore, PageRecord, PatternFindings, Validators
from sundog.urls.hosts import host_of, registered_domain
from sundog.urls.identity import identity
from sundog.urls.iris import page_iri
from sundog.urls.references import LinkResolver

LONGEST_VALIDATOR = 256  # characters of what a server says, and is told again


class Intake:
    """Judges pages. Nothing is kept of a page that is one known already, or that asks for it."""

    def __init__(
        self,
        spec: CrawlSpec,
        store: CrawlStore,
        link_filter: LinkFilter,
        judge: Judge,
        patterns: LivePatterns | None = None,
    ) -> None:
        self._following = spec.following
        self._keeps_duplicates = spec.keeps_duplicates
        self._believes_canonical = not (spec.keeps_duplicates or spec.patterns.link)
        self._robot = robot_name(spec.user_agent)
        self._reads_link_headers = spec.prefers_rdf
        self._scope = link_filter.scope
        self._store = store
        self.link_filter = link_filter
        self._judge = judge
        self._patterns = patterns

    def page(self, page: Page, reading: Reading, depth: int, visit: int = -1, first: int = -1) -> Observation:
        """A page that came, found at ``depth``. If it is visited again, its statements are there already; not so
        with a browser, after a ``first`` visit without one."""
        key = self._key(page.url, reading.canonical)
        same_page, is_copy = self._known(key, reading.content_hash, visit, first)
        if self._patterns is not None and same_page is not None and self._patterns.is_one_page(visit, same_page):
            reading = reading._replace(statements={}, counts={}, types=())
            same_page, is_copy = None, False
        elif self._keeps_duplicates:
            same_page = None
        reason = self._not_kept(page, reading, same_page)
        with at_stage("links", page):
            links, places = self._links(page, reading, depth, visit, is_copy=is_copy)
        record = _record(page, reading, key, same_page, reason)
        found = reading.found
        findings = PatternFindings({} if reason else found.items, places, found.stops) if found else None
        if reason:
            return Observation(Fetched(0.0, links), record, findings=findings)
        items = {name: len(items) for name, items in found.items.items()} if found else {}
        errors: list[StageError] = []
        judgement = judged(self._judge, view_of(page.url, reading, items), errors.append)
        return Observation(
            Fetched(judgement.reward, links, judgement.near),
            record._replace(faults=[*record.faults, *judgement.faults]),
            reading.statements,
            judgement.answers,
            reading.types,
            findings,
            dates={identity(url) or url: at for url, at in reading.dates.items()},
            error=errors[0] if errors else None,
        )

    def _key(self, url: str, canonical: str) -> bytes:
        """Where duplicates are kept or link patterns choose pages, a page is itself, whatever it declares."""
        return page_key(url, canonical if self._believes_canonical else "")

    def _known(self, key: bytes, content_hash: bytes, visit: int, first: int) -> tuple[int | None, bool]:
        """The visit that has brought this page or its content, and whether it is the content. A page is no copy of
        itself, nor of one that has said the same before and says something else now."""
        seen, store = self._store.seen_content, self._store
        same_content = None if self._keeps_duplicates else seen(content_hash)
        if same_content not in (None, visit) and store.still_has(same_content, content_hash):
            return same_content, True
        same_page = seen(key)
        return None if same_page in (visit, first) else same_page, False

    def _not_kept(self, page: Page, reading: Reading, same: int | None) -> str:
        if same is not None:
            return "duplicate"
        if self._following.noindex and not (reading.tags.may_index and self._header_tags(page).may_index):
            return "noindex"
        if reading.language and not self._scope.holds_language(reading.language):
            return "language"
        return ""

    def _links(
        self, page: Page, reading: Reading, depth: int, visit: int, *, is_copy: bool
    ) -> tuple[list[Link], Mapping[str, list[int]]]:
        """What may be followed, and for each link pattern the places of its own among them.

        A page with the content of another has only the links of its headers.
        """
        if self._following.nofollow and not (reading.tags.may_follow and self._header_tags(page).may_follow):
            return [], {}
        if self._patterns is None or not self._patterns.chooses_links:
            found = () if is_copy else reading.links
            more = _header_links(page) if self._reads_link_headers else ()
            return self.link_filter.admit([*found, *more] if more else found, depth + 1), {}
        if is_copy or reading.found is None:
            return [], {}
        return self._patterns.choose_links(
            visit, reading.found, reading.links, lambda links: self.link_filter.admit(links, depth + 1)
        )

    def _header_tags(self, page: Page) -> RobotTags:
        headers = [value for name, value in page.raw_headers if name.lower() == b"x-robots-tag"]
        return robot_tags((value.decode("latin-1") for value in headers), self._robot)


def _record(page: Page, reading: Reading, key: bytes, same_page: int | None, not_kept: str) -> PageRecord:
    """What is kept of a page besides its statements; less, if there is a reason not to keep it."""
    faults = [(syntax, text[:500]) for syntax, text in reading.faults]
    if page.truncated:
        faults.append(("page", f"cut at {len(page.body):,} bytes"))
    if not_kept:
        faults.append((NOT_KEPT, not_kept))
    return PageRecord(
        status=page.status,
        final_url=page.url if page.url != page.asked else None,
        redirects=[hop.url for hop in page.redirects[1:]],
        content_type=page.content_type[:200],
        size=len(page.body),
        seconds=page.finished_at - page.asked_at,
        content_hash=reading.content_hash,
        other_keys=(key,),
        duplicate_of=same_page,
        counts={} if not_kept else reading.counts,
        types=() if not_kept else reading.types,
        faults=faults,
        validators=None if not_kept else _validators(page, reading),
        own_hints=own_hints(page, reading.statements),
    )


def _validators(page: Page, reading: Reading) -> Validators:
    """Of a page that was redirected, they are those of where it is."""
    headers = page.headers
    etag, last_modified = (headers.get(name, "")[:LONGEST_VALIDATOR] for name in ("etag", "last-modified"))
    text_hash = content_key([reading.text.encode("utf-8", "replace")]) if reading.text else b""
    is_whole = len(headers.get("etag", "")) <= LONGEST_VALIDATOR
    return Validators(etag if is_whole and not page.truncated else "", last_modified, text_hash)


def view_of(url: str, reading: Reading, items: Mapping[str, int]) -> PageView:
    """What an objective sees of a page; ``items`` are counts, by the data pattern that found them."""
    return PageView(url, reading.counts, reading.types, reading.statements, reading.text, reading.language, items)


def judged(judge: Judge, view: PageView, on_error: Callable[[StageError], object] = str) -> Judgement:
    """A page on which the objective fails is worth nothing, and the crawl goes on."""
    try:
        with at_stage("judge"):
            judgement = judge(view)
    except StageError as error:
        on_error(error)
        return Judgement(0.0, faults=((INTERNAL, str(error)),))
    if 0 <= judgement.reward < math.inf:
        return judgement
    return Judgement(0.0, faults=(("objective", f"a reward of {judgement.reward}"),))


def observation_of_trouble(trouble: Trouble, same_as: int | None = None) -> Observation:
    """Why no page came. What was never asked costs nothing. ``same_as`` is the candidate that has brought it."""
    reason = str(trouble)
    record = PageRecord(
        status=trouble.status or (trouble.redirected_with if trouble.stopped_before else None),
        trouble=trouble.kind,
        final_url=trouble.url if trouble.redirects and not trouble.stopped_before else None,
        redirects=[hop.url for hop in trouble.redirects[1:]],
        seconds=trouble.answered_at - trouble.asked_at if trouble.answered_at else None,
        duplicate_of=same_as,
    )
    outcome = Failed(reason, same_as) if trouble.was_asked else Refused(reason)
    return Observation(outcome, record, led_to=trouble.url if trouble.stopped_before else "")


def observation_of_error(error: StageError, status: int | None = None) -> Observation:
    """A page on which Sundog failed; ``status`` is what the server answered, if the error has no page."""
    observation = observation_of_trouble(trouble_of(error))
    record = observation.record
    return observation._replace(record=record._replace(status=record.status or status), error=error)


def known_page(trouble: Trouble, store: CrawlStore) -> int | None:
    """The candidate that has brought the page to which a redirect leads; None if that has not come yet."""
    if trouble.kind != "redirect-known":
        return None
    return store.seen_content(page_key(trouble.url))


def observation_of_refusal(reason: str) -> Observation:
    return Observation(Refused(reason), PageRecord(trouble=reason.partition(":")[0]))


def page_name(url: str, canonical: str) -> str:
    """The name of a page: the canonical URL that it declares, else its own.

    A canonical URL is ignored if it is a home page, which some sites declare on every page, or on another domain:
    else a page could make another site's page its duplicate.

    >>> page_name("http://a.example/x?sort=1", "http://a.example/x"), page_name("http://a.example/x", "http://a.example/")
    ('http://a.example/x', 'http://a.example/x')
    """
    own = identity(url) or url
    declared = identity(canonical) if canonical else None
    if declared is None or (declared.count("/") == 3 and declared.endswith("/")):
        return own
    here, there = host_of(own), host_of(declared)
    return declared if here == there or registered_domain(here) == registered_domain(there) else own


def page_key(url: str, canonical: str = "") -> bytes:
    """By which the store knows a page. Spellings that are one IRI, as ``[`` and ``%5B``, are one page: its
    statements could not be told apart."""
    return content_key([page_iri(page_name(url, canonical)).encode()])


def _header_links(page: Page) -> list[Link]:
    """RDF that a Link header leads to; pages found so have no text, so the relation is all that is known."""
    resolve = LinkResolver(page.url).resolve
    found = [(resolve(link.target), link.relation) for link in rdf_links(page.raw_headers)]
    return [Link(url, rel=relation) for url, relation in found if url is not None and url != page.url]
