"""One page over HTTP: redirects, limits and checks are ours, connections are aiohttp's."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from types import TracebackType

import aiohttp
from yarl import URL

from sundog.fetch.addresses import names_private_address
from sundog.fetch.deadlines import Deadline, DeadlineTimer
from sundog.fetch.failures import trouble_of_exception
from sundog.fetch.fetch_attempt import FetchAttempt, Redirect, conditional_headers, read_answer
from sundog.fetch.resolver import CheckedResolver, LookUp, system_addresses
from sundog.fetch.target import Target, parse_target
from sundog.fetch.unpack import ACCEPT_ENCODING
from sundog.fetch.values import AGENT, Extras, Limits, Page, Trouble, check_agent, trouble

ACCEPT = "text/html,application/xhtml+xml,application/ld+json;q=0.9,text/turtle;q=0.9,*/*;q=0.5"
# By how surely a document can be read as it comes: JSON-LD may need contexts from elsewhere, pages may have RDFa.
ACCEPT_RDF = (
    "text/turtle,application/n-triples;q=0.95,application/n-quads;q=0.9,application/trig;q=0.9,"
    "application/rdf+xml;q=0.9,application/ld+json;q=0.8,text/n3;q=0.7,"
    "application/xhtml+xml;q=0.5,text/html;q=0.5,*/*;q=0.1"
)
DNS_CACHE_SECONDS = 300
NO_EXTRAS = Extras()
KEEP_ALIVE = 4.0  # many servers close after five, and a request that crosses the closing is lost
Check = Callable[[str], Awaitable[Trouble | None]]  # what is wrong with a redirect's target


class Fetcher:
    """Makes requests, as many at once as its callers do; keeps connections, but no cookies.

    ``connect_to`` sends every request as plain HTTP to that address, with Host and path as the URL has them.
    With a ``proxy`` names are looked up by the proxy, so private addresses are its business.
    ``clock`` gives the times in pages; it may be any clock that does not go back.
    """

    def __init__(
        self,
        *,
        limits: Limits | None = None,
        agent: str = AGENT,
        accept: str = ACCEPT,
        connect_to: tuple[str, int] | None = None,
        allow_private: bool = False,
        proxy: str | None = None,
        keep_alive: float = KEEP_ALIVE,
        look_up: LookUp = system_addresses,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        check_agent(agent)
        self.limits = limits or Limits()
        self.agent = agent
        self.accept = accept
        self.clock = clock
        self._connect_to = connect_to
        self._allow_private = allow_private
        self._proxy = proxy
        self._keep_alive = keep_alive
        self._look_up = look_up

    async def __aenter__(self) -> Fetcher:
        unguarded = self._allow_private or self._proxy is not None or self._connect_to is not None
        self._resolver = CheckedResolver(self._look_up, allow_private=unguarded)
        self._session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(
                resolver=self._resolver,
                ttl_dns_cache=DNS_CACHE_SECONDS,
                keepalive_timeout=self._keep_alive,
                limit=0,  # the caller counts
            ),
            headers={"User-Agent": self.agent, "Accept": self.accept, "Accept-Encoding": ACCEPT_ENCODING},
            cookie_jar=aiohttp.DummyCookieJar(),
            auto_decompress=False,
            max_line_size=self.limits.max_header_line,
            max_field_size=self.limits.max_header_line,
            max_headers=self.limits.max_headers,
            proxy=self._proxy,
        )
        # aiohttp would repeat a request at once when the connection is lost: too soon for a polite crawler,
        # and it would be a request that nobody has counted.
        self._session._retry_connection = False
        self._timeout = aiohttp.ClientTimeout(connect=self.limits.connect)
        self._timer = DeadlineTimer(self.limits)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._timer.close()
        await self._session.close()
        await self._resolver.close()

    async def fetch(
        self,
        url: str,
        *,
        check: Check | None = None,
        etag: str = "",
        last_modified: str = "",
        limits: Limits | None = None,
        extras: Extras = NO_EXTRAS,
    ) -> Page | Trouble:
        """The page, or why there is none.

        ``check`` is asked about the target of every redirect before it is followed, and may take its time
        there, for that host has a pace too. ``etag`` and ``last_modified`` make the request conditional.
        """
        limits = limits or self.limits
        attempt = FetchAttempt(url, limits, conditional_headers(etag, last_modified), extras)
        target = parse_target(url, max_length=limits.max_url)
        if isinstance(target, Trouble):
            return attempt.trouble(target)
        while True:
            result = self._refusal(target) or await self._ask(attempt, target)
            if isinstance(result, Page):
                return result
            if isinstance(result, Trouble):
                return attempt.trouble(result)
            moved = attempt.follow(target, result)
            if isinstance(moved, Trouble):
                return attempt.trouble(moved)
            target = moved
            objection = await check(target.href) if check else None
            if objection:
                return attempt.trouble(objection)

    def _refusal(self, target: Target) -> Trouble | None:
        if not self._allow_private and names_private_address(target.hostname):
            return trouble("private-address", target.hostname, was_asked=False)
        return None

    async def _ask(self, attempt: FetchAttempt, target: Target) -> Page | Trouble | Redirect:
        """One request; a redirect is not followed."""
        limits, deadline = attempt.limits, Deadline(self._timer, attempt.limits.total - attempt.spent)
        began = deadline.now()
        attempt.begin_hop(target.href, self.clock())
        response: aiohttp.ClientResponse | None = None
        try:
            with deadline:
                deadline.set(began + limits.first_byte, "timeout-first-byte")
                response = await self._send(attempt, target)
                attempt.answered(self.clock(), self._address(target))
                deadline.set(deadline.end, "timeout-total")
                return await read_answer(attempt, response, deadline, self.clock)
        except Exception as error:
            return trouble_of_exception(error)
        finally:
            attempt.spent += deadline.now() - began
            if response is not None:
                response.release()  # closes the connection if the body was not read to its end

    def _send(self, attempt: FetchAttempt, target: Target) -> Awaitable[aiohttp.ClientResponse]:
        limits, extras, headers = attempt.limits, attempt.extras, attempt.conditions
        if extras.headers:
            headers = {**headers, **extras.headers}
        if self._connect_to is None:
            address = URL(target.href, encoded=True)
        else:
            host, port = self._connect_to
            host = f"[{host}]" if ":" in host else host
            address = URL(f"http://{host}:{port}{target.path}", encoded=True)
            headers = {"Host": target.host, **headers}
        timeout = self._timeout_of(limits)
        if extras.form is None:
            ask = self._session.head if extras.head else self._session.get
            return ask(address, headers=headers or None, allow_redirects=False, timeout=timeout)
        headers = {"Content-Type": "application/x-www-form-urlencoded", **headers}
        return self._session.post(
            address, data=extras.form, headers=headers, allow_redirects=False, timeout=timeout
        )

    def _timeout_of(self, limits: Limits) -> aiohttp.ClientTimeout:
        """Only connecting is timed by aiohttp; the rest has deadlines of ours."""
        if limits is self.limits:
            return self._timeout
        return aiohttp.ClientTimeout(connect=limits.connect)

    def _address(self, target: Target) -> str:
        """Empty if it is not the host's own: hosts that share a proxy do not share a pace."""
        if self._connect_to is not None or self._proxy is not None:
            return ""
        return self._resolver.address_of(target.hostname) or target.hostname.strip("[]")
