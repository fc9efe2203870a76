"""One page over HTTP: redirects, limits and checks are ours, connections are aiohttp's."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from types import TracebackType

import aiohttp
from yarl import URL

from sundog.errors import UsageError
from sundog.fetch.addresses import names_private_address
from sundog.fetch.errand import Errand, Redirect, conditions
from sundog.fetch.failures import TooSlowError, readable, trouble_of_exception, trouble_of_status
from sundog.fetch.resolver import CheckedResolver, LookUp, system_addresses
from sundog.fetch.target import Target, parse_target
from sundog.fetch.unpack import ACCEPT_ENCODING, unpack
from sundog.fetch.values import Limits, Page, Trouble, media_type, trouble

AGENT = "sundog/0.1 (+https://pypi.org/project/sundog/)"
ACCEPT = "text/html,application/xhtml+xml,application/ld+json;q=0.9,text/turtle;q=0.9,*/*;q=0.5"
REDIRECTS = (301, 302, 303, 307, 308)
LOOK_UPS_LAST = 300  # seconds
DISCARD_WITHIN = 1.0  # seconds that a body which nobody wants may take, to keep its connection

Check = Callable[[str], Awaitable[Trouble | None]]


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
        connect_to: tuple[str, int] | None = None,
        allow_private: bool = False,
        proxy: str | None = None,
        keep_alive: float = 15.0,
        look_up: LookUp = system_addresses,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        if "://" not in agent and "@" not in agent:
            raise UsageError(f"the user agent '{agent}' has no contact: put a URL or an e-mail address in it")
        self.limits = limits or Limits()
        self.agent = agent
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
                ttl_dns_cache=LOOK_UPS_LAST,
                keepalive_timeout=self._keep_alive,
                limit=0,  # the caller counts
            ),
            headers={"User-Agent": self.agent, "Accept": ACCEPT, "Accept-Encoding": ACCEPT_ENCODING},
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
        self._whole_timeout = self._timeout(self.limits, self.limits.total)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
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
    ) -> Page | Trouble:
        """The page, or why there is none.

        ``check`` is asked about the target of every redirect before it is followed, and may take its time
        there, for that host has a pace too. ``etag`` and ``last_modified`` make the request conditional.
        """
        limits = limits or self.limits
        errand = Errand(url, limits, conditions(etag, last_modified))
        target = parse_target(url, max_length=limits.max_url)
        if isinstance(target, Trouble):
            return errand.trouble(target)
        while True:
            result = self._refusal(target) or await self._ask(errand, target)
            if isinstance(result, Page):
                return result
            if isinstance(result, Trouble):
                return errand.trouble(result)
            moved = errand.follow(target, result)
            if isinstance(moved, Trouble):
                return errand.trouble(moved)
            target = moved
            objection = await check(target.href) if check else None
            if objection:
                return errand.trouble(objection)

    def _refusal(self, target: Target) -> Trouble | None:
        if not self._allow_private and names_private_address(target.hostname):
            return trouble("private-address", target.hostname, was_asked=False)
        return None

    async def _ask(self, errand: Errand, target: Target) -> Page | Trouble | Redirect:
        """One request; a redirect is not followed."""
        errand.begin_hop(target.href, self.clock())
        response: aiohttp.ClientResponse | None = None
        try:
            response = await self._send(errand, target)
            errand.answered_at = self.clock()
            return await self._receive(errand, response)
        except Exception as error:
            return trouble_of_exception(error, answered=response is not None)
        finally:
            errand.spent += self.clock() - errand.asked_at
            if response is not None:
                response.release()  # closes the connection if the body was not read to its end

    def _send(self, errand: Errand, target: Target) -> Awaitable[aiohttp.ClientResponse]:
        limits, headers = errand.limits, errand.conditions
        if self._connect_to is None:
            address = URL(target.href, encoded=True)
        else:
            host, port = self._connect_to
            host = f"[{host}]" if ":" in host else host
            address = URL(f"http://{host}:{port}{target.path}", encoded=True)
            headers = {"Host": target.host, **headers}
        whole = limits is self.limits and not errand.hops
        timeout = self._whole_timeout if whole else self._timeout(limits, limits.total - errand.spent)
        return self._session.get(address, headers=headers or None, allow_redirects=False, timeout=timeout)

    def _timeout(self, limits: Limits, total: float) -> aiohttp.ClientTimeout:
        return aiohttp.ClientTimeout(total=max(total, 0.01), connect=limits.connect, sock_read=limits.first_byte)

    async def _receive(self, errand: Errand, response: aiohttp.ClientResponse) -> Page | Trouble | Redirect:
        status, headers, limits = response.status, response.headers, errand.limits
        if 200 <= status < 300:
            content_type = readable(headers.get("Content-Type", ""))
            if limits.types is None or not content_type or media_type(content_type) in limits.types:
                return await self._page(errand, response, content_type)
            await _discard(response, limits)
            return trouble("content-type", content_type)
        if status == 304 and errand.conditions:
            return errand.page(response, self._address(response), self.clock(), not_modified=True)
        await _discard(response, limits)
        if status in REDIRECTS and "Location" in headers:
            return Redirect(headers["Location"], status)
        if 300 <= status < 400:
            return trouble("bad-redirect", f"status {status} without a Location")
        if status < 400 or status > 599:
            return trouble("bad-header", f"status {status}")
        return trouble_of_status(status, headers, now=time.time())

    async def _page(self, errand: Errand, response: aiohttp.ClientResponse, content_type: str) -> Page | Trouble:
        limits = errand.limits
        body, truncated = await self._read(response, limits)
        coding = response.headers.get("Content-Encoding")
        if coding:
            body, density = unpack(body, coding, limits.max_bytes + 1)
            if len(body) > limits.max_bytes:
                if density > limits.max_density:
                    return trouble("bomb", f"more than {limits.max_bytes:,} bytes, {density:.0f} of each one sent")
                body, truncated = body[: limits.max_bytes], True
        address = self._address(response)
        return errand.page(response, address, self.clock(), content_type, body, truncated=truncated)

    async def _read(self, response: aiohttp.ClientResponse, limits: Limits) -> tuple[bytes, bool]:
        """At most ``max_bytes`` of the body as it was sent, and whether there was more."""
        parts: list[bytes] = []
        size, began, content = 0, self.clock(), response.content
        while part := await content.readany():
            parts.append(part)
            size += len(part)
            if size > limits.max_bytes:
                return b"".join(parts)[: limits.max_bytes], True
            elapsed = self.clock() - began
            if elapsed > limits.speed_grace and size < elapsed * limits.min_speed:
                raise TooSlowError(f"{size:,} bytes in {elapsed:.1f} s")
        return (parts[0] if len(parts) == 1 else b"".join(parts)), False

    def _address(self, response: aiohttp.ClientResponse) -> str:
        host = response.url.raw_host or ""
        return self._resolver.address_of(host) or host


async def _discard(response: aiohttp.ClientResponse, limits: Limits) -> None:
    """Read a body that nobody wants, if it is short and quick: that spares the next request a connection."""
    if response.content.at_eof() or (response.content_length or 0) > limits.error_bytes:
        return
    size = 0
    try:
        async with asyncio.timeout(DISCARD_WITHIN):
            while size <= limits.error_bytes and (part := await response.content.readany()):
                size += len(part)
    except (aiohttp.ClientError, TimeoutError, OSError):
        response.close()
