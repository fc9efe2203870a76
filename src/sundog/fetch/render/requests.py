"""What a rendered page may ask for, and who answers: never the browser, always our own fetcher.

So each request passes the rules of every other request: private addresses by the resolver that connects, the
host's pace, limits of time and size, credentials and cookies. Frames are pages: the scope and robots.txt hold for
them. Scripts and data must come from hosts that the caller lets them come from.
"""

from __future__ import annotations

import time
from collections import Counter, OrderedDict
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from sundog.fetch.polite import PoliteFetcher
from sundog.fetch.render.trackers import is_tracker
from sundog.fetch.render.values import RenderLimits, Traffic
from sundog.fetch.values import Extras, Limits, Page, Trouble, trouble
from sundog.urls.hosts import host_of, registered_domain, without_port

if TYPE_CHECKING:
    from playwright.async_api import Page as Tab
    from playwright.async_api import Request, Route

Rule = Callable[[str], str | None]  # why a URL may not be asked; None: it may
READ: Final = ("script", "xhr", "fetch")  # kinds of requests that bring data; frames are documents
EMPTY: Final = ("stylesheet",)  # scripts may wait for them, but nothing is read from them
SHOWN_ONLY: Final = (
    "image",
    "media",
    "font",
    "texttrack",
    "manifest",
    "ping",
    "eventsource",
    "websocket",
    "cspreport",
)
KEPT_SCRIPTS: Final = 50_000_000  # bytes; pages of a site share their scripts
MOST_REFUSALS: Final = 200  # of a page; one that asks for more floods us
LONGEST_POST: Final = 64_000  # bytes
LONGEST_ARRIVAL: Final = 3.0  # seconds that an answer may take to its page; else nobody may want it any more
_NOT_PASSED_ON: Final = frozenset(
    "content-encoding content-length transfer-encoding connection set-cookie refresh strict-transport-security "
    "alt-svc link report-to nel".split()
)
_SENT: Final = ("accept", "content-type", "origin", "referer", "x-requested-with", "apollo-require-preflight")


class Scripts:
    """Scripts that were fetched, for the pages after; the oldest go first."""

    def __init__(self, most: int = KEPT_SCRIPTS) -> None:
        self._pages: OrderedDict[str, Page] = OrderedDict()
        self._most, self._size = most, 0

    def get(self, url: str) -> Page | None:
        if url in self._pages:
            self._pages.move_to_end(url)
        return self._pages.get(url)

    def keep(self, url: str, page: Page) -> None:
        if url not in self._pages and len(page.body) <= self._most // 10:
            self._pages[url] = page
            self._size += len(page.body)
        while self._size > self._most:
            _, gone = self._pages.popitem(last=False)
            self._size -= len(gone.body)


class PageRules:
    """``may_frame`` is asked about documents in frames, ``may_ask`` about everything else."""

    def __init__(self, polite: PoliteFetcher, may_frame: Rule, may_ask: Rule, scripts: Scripts) -> None:
        self.polite, self.may_frame, self.may_ask, self.scripts = polite, may_frame, may_ask, scripts


class PageRequests:
    """Answers the requests of one rendered page, whose plain version is there already."""

    def __init__(self, plain: Page, rules: PageRules, limits: RenderLimits) -> None:
        self._plain, self._rules, self._limits = plain, rules, limits
        self._sent = self._bytes = 0
        self._refused: Counter[str] = Counter()
        self._refusals = 0
        self._was_opened = False
        self.refuse_all: Callable[[], None] | None = None  # lets the browser itself refuse, which is cheaper
        self.moved_to = ""
        self.waiting = 0  # requests that were let go, and are not answered yet
        self._arriving: dict[Request, float] = {}  # that were answered then, which the page has not heard of
        self.last = time.monotonic()  # when one was begun or answered, or an answer arrived
        self._waited = self._wait_began = 0.0
        self.tab: Tab | None = None

    @property
    def waited(self) -> float:
        """Seconds in which at least one request waited for its host's turn or answer."""
        return self._waited + (time.monotonic() - self._wait_began if self.waiting else 0.0)

    @property
    def is_arriving(self) -> bool:
        """Whether an answer is on its way: on a busy machine it may take longer than a page is quiet."""
        longest = time.monotonic() - LONGEST_ARRIVAL
        return any(answered > longest for answered in self._arriving.values())

    def arrived(self, request: Request) -> None:
        """Playwright calls this when the page has an answer, or cannot have it."""
        if self._arriving.pop(request, None) is not None:
            self.last = time.monotonic()

    @property
    def traffic(self) -> Traffic:
        return Traffic(self._sent, self._bytes, tuple(self._refused.most_common(50)))

    async def answer(self, route: Route, request: Request) -> None:
        """Playwright calls this for every request of the context."""
        try:
            await self._answer(route, request)
        except Exception:  # the page is gone, or what it sent cannot be read: nothing is answered
            self._refused["not answered"] += 1
            with suppress(Exception):
                await route.abort("blockedbyclient")

    async def _answer(self, route: Route, request: Request) -> None:
        kind, url = request.resource_type, request.url
        if request.is_navigation_request():
            frame = request.frame
            if frame.page is not self.tab:
                await self._refuse(route, "another window")
            elif frame.parent_frame is None:
                await self._open(route, url)
            else:
                await self._pass(route, request, "frame", self._rules.may_frame)
        elif kind in EMPTY:
            await route.fulfill(status=200, content_type="text/css", body="")
        elif kind not in READ:
            await self._refuse(route, kind if kind in SHOWN_ONLY else "other kind")
        else:
            await self._pass(route, request, kind, self._rules.may_ask)

    async def _open(self, route: Route, url: str) -> None:
        """The page itself, once. A script that goes elsewhere is not followed: that is another page."""
        if self._was_opened or url.partition("#")[0] != self._plain.url.partition("#")[0]:
            self.moved_to = self.moved_to or url[:2_048]
            self._count_refusal("another page")
            await route.fulfill(status=204)  # the browser stays where it is; refused, it would show an error
            return
        self._was_opened = True
        await self._fulfil(route, self._plain)

    async def _pass(self, route: Route, request: Request, kind: str, rule: Rule) -> None:
        url = request.url
        if reason := self._objection(request, rule):
            await self._refuse(route, reason)
            return
        known = self._rules.scripts.get(url) if kind == "script" else None
        if known is not None:
            await self._fulfil(route, known)
            return
        self._sent += 1
        self._begin()
        try:
            found = await self._fetch(request, kind, rule)
        finally:
            self._end()
        if isinstance(found, Trouble):
            await self._refuse(route, found.kind)
            return
        self._bytes += len(found.body)
        if kind == "script" and found.status == 200:
            self._rules.scripts.keep(url, found)
        await self._fulfil(route, found)

    def _objection(self, request: Request, rule: Rule) -> str | None:
        url = request.url
        if not url.startswith(("http://", "https://")):
            return "not http"
        if is_tracker(without_port(host_of(url))):
            return "tracker"
        if self._sent >= self._limits.requests:
            return "too many requests"
        if self._bytes >= self._limits.bytes:
            return "too many bytes"
        if request.method not in ("GET", "POST") or (request.method == "POST" and not self._may_post(request)):
            return f"method {request.method[:10]}"
        return rule(url)

    def _may_post(self, request: Request) -> bool:
        """Queries to the site's own API, such as GraphQL; no forms."""
        here, there = (registered_domain(without_port(host_of(url))) for url in (self._plain.url, request.url))
        kind = request.headers.get("content-type", "")
        return here == there and "json" in kind and len(request.post_data_buffer or b"") <= LONGEST_POST

    async def _fetch(self, request: Request, kind: str, rule: Rule) -> Page | Trouble:
        def redirected(target: str, asked: str) -> Trouble | None:
            reason = rule(target)
            return trouble("redirect-out-of-scope", reason) if reason else None

        headers = {name: value for name, value in request.headers.items() if name in _SENT}
        limits = Limits(
            types=None,
            total=self._limits.seconds,
            first_byte=self._limits.seconds,
            max_bytes=max(1, self._limits.bytes - self._bytes),
        )
        form = request.post_data_buffer if request.method == "POST" else None
        extras = Extras(headers=headers, form=form or (b"" if request.method == "POST" else None))
        return await self._rules.polite.fetch(
            request.url, limits=limits, extras=extras, redirect_filter=redirected, is_page=kind == "frame"
        )

    async def _fulfil(self, route: Route, page: Page) -> None:
        headers = {name: value for name, value in page.headers.items() if name not in _NOT_PASSED_ON}
        if page.content_type:
            headers["content-type"] = page.content_type
        self.last = self._arriving[route.request] = time.monotonic()
        await route.fulfill(status=page.status, headers=headers, body=page.body)

    async def _refuse(self, route: Route, reason: str) -> None:
        self._count_refusal(reason)
        await route.abort("blockedbyclient")

    def _count_refusal(self, reason: str) -> None:
        if reason in self._refused or len(self._refused) < 50:
            self._refused[reason] += 1
        self._refusals += 1
        if self._refusals == MOST_REFUSALS and self.refuse_all is not None:
            self.refuse_all()

    def _begin(self) -> None:
        self.last = time.monotonic()
        if self.waiting == 0:
            self._wait_began = self.last
        self.waiting += 1

    def _end(self) -> None:
        self.last = time.monotonic()
        self.waiting -= 1
        if self.waiting == 0:
            self._waited += self.last - self._wait_began
