"""One page over HTTP: redirects, limits and checks are ours, connections are aiohttp's."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from functools import lru_cache
from types import TracebackType

import aiohttp
from yarl import URL

from sundog.fetch.addresses import counted_as, names_private_address
from sundog.fetch.connections import WHEN_SENT, request_class
from sundog.fetch.cookies import Cookies
from sundog.fetch.credentials import Credentials, patterns_of
from sundog.fetch.deadlines import Deadline, DeadlineTimer
from sundog.fetch.failures import trouble_of_exception, trouble_of_look_up
from sundog.fetch.fetch_attempt import FetchAttempt, Redirect, conditional_headers, read_answer
from sundog.fetch.resolver import CheckedResolver, LookUp, system_addresses
from sundog.fetch.target import Target, parse_target
from sundog.fetch.unpack import ACCEPT_ENCODING
from sundog.fetch.values import AGENT, Extras, Limits, Page, Trouble, check_agent, trouble
from sundog.urls.hosts import origin_of
from sundog.urls.identity import LONGEST

ACCEPT = "text/html,application/xhtml+xml,application/ld+json;q=0.9,text/turtle;q=0.9,*/*;q=0.5"
# By how surely a document can be read as it comes: JSON-LD may need contexts from elsewhere, pages may have RDFa.
ACCEPT_RDF = (
    "text/turtle,application/n-triples;q=0.95,application/n-quads;q=0.9,application/trig;q=0.9,"
    "application/rdf+xml;q=0.9,application/ld+json;q=0.8,text/n3;q=0.7,"
    "application/xhtml+xml;q=0.5,text/html;q=0.5,*/*;q=0.1"
)
NO_EXTRAS = Extras()
KEEP_ALIVE = 4.0  # many servers close after five, and a request that crosses the closing is lost
Check = Callable[[str], Awaitable[Trouble | None]]  # what is wrong with a redirect's target


class Fetcher:
    """Makes requests, as many at once as its callers do; keeps connections, and ``cookies`` only if told so.

    ``credentials`` are headers by origin: each hop of a fetch gets those of its own, and pages do not show them.

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
        credentials: Mapping[str, Credentials] | None = None,
        cookies: bool = False,
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
        unguarded = allow_private or proxy is not None or connect_to is not None
        self._resolver = CheckedResolver(look_up, allow_private=unguarded)
        self._credentials = credentials or {}
        self._secrets = frozenset[bytes]().union(*(each.secrets for each in self._credentials.values()))
        self._cookies = Cookies() if cookies else None

    async def __aenter__(self) -> Fetcher:
        self._session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(
                resolver=self._resolver,
                use_dns_cache=False,  # the resolver has one, from which requests are counted by address, too
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
            request_class=request_class(self._resolver),
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
        when_sent: Callable[[], None] | None = None,
    ) -> Page | Trouble:
        """The page, or why there is none.

        ``check`` is asked about the target of every redirect before it is followed, and may take its time
        there, for that host has a pace too. ``etag`` and ``last_modified`` make the request conditional.
        ``when_sent`` is called whenever a request has left.
        """
        WHEN_SENT.set(when_sent)
        limits = limits or self.limits
        attempt = FetchAttempt(url, limits, conditional_headers(etag, last_modified), extras, self._secrets)
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

    def addresses(self, host: str) -> tuple[str, ...] | None:
        """Where the host, with or without a port, may be asked: requests count at each; None: ``find`` it first.

        Empty with a proxy or ``connect_to``, which are nobody's own address, and if nobody will be asked at all.
        """
        if self._connect_to is not None or self._proxy is not None:
            return ()
        name = _name_of(host)
        if not name or self._is_private(name):
            return ()
        if name[-1:].isdigit() or name.startswith("["):  # an address, as parsed URLs have them
            return (counted_as(name.strip("[]")),)
        found = self._resolver.known(name)
        return found.counted if found is not None else None

    async def find(self, host: str) -> Trouble | None:
        """Look its name up, as far as that is needed; or why it has no address."""
        if self.addresses(host) is not None:
            return None
        name = _name_of(host)
        try:
            async with asyncio.timeout(self.limits.connect):
                await self._resolver.find(name)
        except OSError as error:
            return trouble_of_look_up(error)
        return None

    def is_to_be_found(self, host: str) -> bool:
        """Whether ``find`` would take its time."""
        return self.addresses(host) is None and not self._resolver.has_failed(_name_of(host))

    async def find_ahead(self, host: str) -> None:
        """Look its name up before somebody needs it; if that fails, the next to ``find`` it learns so at once."""
        try:
            async with asyncio.timeout(self.limits.connect):
                await self._resolver.find(_name_of(host))
        except OSError as error:
            self._resolver.note_failure(_name_of(host), error)

    def _refusal(self, target: Target) -> Trouble | None:
        if self._is_private(target.hostname):
            return trouble("private-address", target.hostname, was_asked=False)
        return None

    def _is_private(self, hostname: str) -> bool:
        return not self._allow_private and names_private_address(hostname)

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
                if self._cookies is not None and attempt.extras.cookies:
                    self._take_cookies(self._cookies, attempt, response, target)
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
        if extras.accept:
            headers = {**headers, "Accept": extras.accept}
        if extras.headers:
            headers = {**headers, **extras.headers}
        if self._credentials or self._cookies is not None:
            headers = {**headers, **self._own_headers(attempt, target)}
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

    def _own_headers(self, attempt: FetchAttempt, target: Target) -> Mapping[str, str]:
        """Of this host alone; the attempt is told, so that nothing of them is kept."""
        headers: Mapping[str, str] = {}
        origin = origin_of(target.href)
        if found := self._credentials.get(origin):
            headers = found.headers
            attempt.has_secrets()
            attempt.hint = "the spec's credentials for this host were sent"
        elif origin.replace("http:", "https:") in self._credentials:
            attempt.hint = "the spec's credentials for this host are sent by https only"
        if self._cookies is not None and attempt.extras.cookies and "cookie" not in map(str.lower, headers):
            sent = self._cookies.sent_to(target)
            attempt.has_secrets(patterns_of(sent.secrets))
            headers = {"Cookie": sent.header, **headers} if sent.header else headers
        return headers

    def _take_cookies(
        self, cookies: Cookies, attempt: FetchAttempt, response: aiohttp.ClientResponse, target: Target
    ) -> None:
        secrets = cookies.take(response.raw_headers, target)
        attempt.took_cookies = secrets is not None
        attempt.has_secrets(patterns_of(secrets or ()))

    def _timeout_of(self, limits: Limits) -> aiohttp.ClientTimeout:
        """Only connecting is timed by aiohttp; the rest has deadlines of ours."""
        if limits is self.limits:
            return self._timeout
        return aiohttp.ClientTimeout(connect=limits.connect)

    def _address(self, target: Target) -> str:
        """Empty if it is not the host's own: hosts that share a proxy do not share a pace."""
        if self._connect_to is not None or self._proxy is not None:
            return ""
        return self._resolver.first_address(target.hostname) or target.hostname.strip("[]")


@lru_cache(maxsize=65_536)
def _name_of(host: str) -> str:
    """As parsed URLs have it, without its port; empty if no URL can have it.

    >>> [_name_of(host) for host in ("A.Example:8080", "0x7f.1", "[::1]:80", "a b")]
    ['a.example', '127.0.0.1', '[::1]', '']
    """
    target = parse_target(f"http://{host}/", max_length=LONGEST)
    return "" if isinstance(target, Trouble) else target.hostname
