"""Fetcher, robots.txt and pace together; ``fetch_one`` gets a single page as politely.

Invariant: no request leaves before the rest of its host and of each of its addresses is over, none that robots.txt
forbids or the scope excludes, wherever the URL came from.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence

from sundog.errors import SundogError
from sundog.fetch.fetcher import NO_EXTRAS, Check, Fetcher
from sundog.fetch.pace import Manners, Pace, Verdict, verdict_of
from sundog.fetch.rate_limits import UNKNOWN_WAIT, remaining_by
from sundog.fetch.robots import ROBOTS_LIMITS, Robots, Rules
from sundog.fetch.values import AGENT, TROUBLE_KINDS, Extras, Limits, Page, Trouble, trouble
from sundog.urls.hosts import host_of, origin_of

WITHOUT_COOKIES = Extras(cookies=False)  # robots.txt says the same to everybody
LONGEST_TURN = 30.0  # seconds that a redirect waits for its host
RedirectFilter = Callable[[str, str], Trouble | None]


def steady_clock() -> Callable[[], float]:
    """Seconds since 1970, which do not jump when somebody sets the machine's clock."""
    offset = time.time() - time.monotonic()
    return lambda: time.monotonic() + offset


class Turn:
    """A request that was let go: where it counts until it has ended."""

    __slots__ = ("addresses", "host", "was_sent")

    def __init__(self, host: str, addresses: Sequence[str]) -> None:
        self.host, self.addresses, self.was_sent = host, addresses, False


class PoliteFetcher:
    """Waits for each host's turn. The clock is the fetcher's: let it be a ``steady_clock()``.

    ``redirect_filter`` is asked about every redirect, with its target and the URL that was asked first; it
    answers with a trouble that says why the target is not wanted, or None. ``on_request`` is called with the host
    before every request.
    """

    def __init__(
        self,
        fetcher: Fetcher,
        *,
        pace: Pace,
        robots: Robots | None,
        redirect_filter: RedirectFilter = lambda target, asked: None,
        on_request: Callable[[str], None] = lambda host: None,
    ) -> None:
        self.fetcher = fetcher
        self.pace = pace
        self.robots = robots
        self._redirect_filter = redirect_filter
        self._on_request = on_request
        self.on_rules: Callable[[str, Rules], None] = lambda origin, rules: None  # robots.txt was asked for
        self._asking: dict[str, asyncio.Task[Rules]] = {}

    async def fetch(
        self,
        url: str,
        *,
        etag: str = "",
        last_modified: str = "",
        limits: Limits | None = None,
        extras: Extras = NO_EXTRAS,
        redirect_filter: RedirectFilter | None = None,
        is_page: bool = True,
    ) -> Page | Trouble:
        """Like ``Fetcher.fetch``; what robots.txt forbids is a trouble that was not asked.

        ``redirect_filter`` is asked about redirects in place of the usual one. What is no page, but a part of one
        that was allowed, such as a script, needs no leave of robots.txt.
        """
        redirect_filter = redirect_filter or self._redirect_filter
        known = self._known_rules(url) if is_page else None  # as a rule they are, and nobody has to wait
        if is_page and (known is None or not known.allows(url)):
            objection = await self._forbidden(url)
            if objection:
                return objection

        async def objection_to(target: str) -> Trouble | None:
            wrong = redirect_filter(target, url) or self._must_rest(target)
            return wrong or (await self._forbidden(target) if is_page else None)

        return await self._request(
            url, objection_to, etag=etag, last_modified=last_modified, limits=limits, extras=extras
        )

    async def rules(self, url: str) -> Rules | None:
        """What robots.txt says to us at the URL's origin; asked for at most once at a time. None: not obeyed."""
        if self.robots is None:
            return None
        known = self._known_rules(url)
        if known is not None:
            return known
        origin = origin_of(url)
        asking = self._asking.get(origin)
        if asking is None:
            asking = self._asking[origin] = asyncio.create_task(self._ask_for_rules(self.robots, origin))
            asking.add_done_callback(lambda _: self._asking.pop(origin, None))
        return await asyncio.shield(asking)

    def _known_rules(self, url: str) -> Rules | None:
        return self.robots.known(origin_of(url), self.fetcher.clock()) if self.robots is not None else None

    async def _ask_for_rules(self, robots: Robots, origin: str) -> Rules:
        async def objection_to(target: str) -> Trouble | None:
            return self._must_rest(target)

        result = await self._request(
            f"{origin}/robots.txt", objection_to, limits=ROBOTS_LIMITS, extras=WITHOUT_COOKIES
        )
        rules = robots.learn(origin, result, self.fetcher.clock())
        self.pace.set_crawl_delay(host_of(origin), rules.crawl_delay)
        self.on_rules(origin, rules)
        return rules

    def _must_rest(self, url: str) -> Trouble | None:
        """A redirect to a host that rests for long is not followed: it would hold its place all the while."""
        now = self.fetcher.clock()
        rest = self.pace.rest_until(host_of(url), now) - now
        if rest <= LONGEST_TURN:
            return None
        return Trouble("rate-limited", "the host must rest", True, rest, was_asked=False, url=url)

    async def _forbidden(self, url: str) -> Trouble | None:
        rules = await self.rules(url)
        if rules is None or rules.allows(url):
            return None
        if rules.wait_until is None:
            return trouble("robots", "forbidden", was_asked=False)._replace(url=url)
        wait = max(0.0, rules.wait_until - self.fetcher.clock())
        return Trouble("robots", "no answer to robots.txt yet", True, wait, was_asked=False, url=url)

    async def _request(
        self,
        url: str,
        objection: Check,
        *,
        etag: str = "",
        last_modified: str = "",
        limits: Limits | None = None,
        extras: Extras = NO_EXTRAS,
    ) -> Page | Trouble:
        """One fetch whose hops each wait for their turn, and are each accounted for."""
        clock = self.fetcher.clock
        turn: Turn | None = None

        async def before_redirect(target: str) -> Trouble | None:
            nonlocal turn
            if turn is not None:
                self._end(turn, "good")
                turn = None
            found = await objection(target)
            if found is None:
                found, turn = await self._turn(host_of(target))
            return found

        def when_sent() -> None:
            if turn is not None and not turn.was_sent:
                turn.was_sent = True
                self.pace.addresses.sent(turn.addresses, clock())

        failure, turn = await self._turn(host_of(url))
        if failure is not None:
            return failure._replace(url=url, asked_at=clock())
        result: Page | Trouble | None = None
        try:
            result = await self.fetcher.fetch(
                url,
                check=before_redirect,
                etag=etag,
                last_modified=last_modified,
                limits=limits,
                extras=extras,
                when_sent=when_sent,
            )
            return result
        finally:
            if turn is not None:
                self._account(turn, result)

    async def _turn(self, host: str) -> tuple[Trouble, None] | tuple[None, Turn]:
        """Wait until the host may be asked where it is now, and take the place: nothing happens between the two.

        From there to the connection aiohttp awaits nothing either, so that goes to where the place was taken.
        """
        clock, pace = self.fetcher.clock, self.pace
        while True:
            is_known = self.locate(host)
            rest = pace.rest_until(host, clock()) - clock()
            if rest > 0:
                await asyncio.sleep(rest)
            elif is_known:
                break
            elif (failure := await self.fetcher.find(host)) is not None:
                if failure.was_asked:
                    pace.not_found(host, clock())
                return failure, None
        pace.started(host, clock())
        self._on_request(host)
        return None, Turn(host, pace.addresses_of(host))

    def locate(self, host: str) -> bool:
        """Tell the pace where the host is, if that is known now."""
        addresses = self.fetcher.addresses(host)
        if addresses is not None:
            self.pace.locate(host, addresses)
        return addresses is not None

    def _account(self, turn: Turn, result: Page | Trouble | None) -> None:
        if result is None:  # cancelled: it may have arrived
            self._end(turn, "good")
        elif isinstance(result, Page):
            rest = self._announced_rest(turn.host, result)
            self._end(turn, "good", answered_at=result.answered_at, retry_after=rest)
        elif result.was_asked:
            answered_at, retry_after = result.answered_at, result.retry_after
            self._end(turn, verdict_of(result), answered_at=answered_at, retry_after=retry_after)
        else:
            self.pace.cancelled(turn.host, turn.addresses)

    def _end(
        self, turn: Turn, verdict: Verdict, *, answered_at: float | None = None, retry_after: float | None = None
    ) -> None:
        self.pace.finished(
            turn.host,
            self.fetcher.clock(),
            verdict,
            answered_at=answered_at,
            retry_after=retry_after,
            addresses=turn.addresses,
            was_sent=turn.was_sent,
        )

    def _announced_rest(self, host: str, page: Page) -> float | None:
        """How long the server wants to be left alone, if by its own words it would not answer again."""
        left = remaining_by(page.raw_headers, time.time())
        if left is None or left.requests >= self.pace.in_flight(host):  # this one is still among them
            return None
        return left.seconds if left.seconds is not None else self.pace.manners.window or UNKNOWN_WAIT


def fetch_one(
    url: str,
    *,
    connect_to: tuple[str, int] | None = None,
    allow_private: bool = False,
    delay: float = 1.0,
    robots: bool = True,
    agent: str = AGENT,
    limits: Limits | None = None,
) -> Page:
    """The page, or a SundogError that says why there is none."""

    async def fetched() -> Page:
        fetcher = Fetcher(
            limits=limits, agent=agent, connect_to=connect_to, allow_private=allow_private, clock=steady_clock()
        )
        async with fetcher:
            polite = PoliteFetcher(
                fetcher, pace=Pace(Manners(delay=delay)), robots=Robots(agent) if robots else None
            )
            return page_or_error(url, await polite.fetch(url))

    return asyncio.run(fetched())


def page_or_error(url: str, result: Page | Trouble) -> Page:
    """The page, or a SundogError that says why there is none."""
    if isinstance(result, Page):
        return result
    hint = "; --allow-private lets it be asked" if result.kind == "private-address" else ""
    detail = f" ({result.detail})" if result.detail else ""
    raise SundogError(f"{url} cannot be had: {TROUBLE_KINDS[result.kind].meaning}{detail}{hint}")
