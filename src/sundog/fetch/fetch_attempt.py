"""One fetch through all its redirects. Each answer ends it with a page or a trouble, or leads to another hop.

Of a body that is not wanted little is read, and only to keep the connection.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import NamedTuple

import aiohttp

from sundog.fetch.credentials import redacted, redacted_headers, redacted_text, without_cookies
from sundog.fetch.deadlines import Deadline, LateError
from sundog.fetch.failures import readable, trouble_of_status
from sundog.fetch.target import Target, parse_target
from sundog.fetch.unpack import unpack
from sundog.fetch.values import Extras, Hop, Limits, Page, Trouble, trouble
from sundog.media_types import media_type
from sundog.urls.hosts import origin_of

REDIRECTS = (301, 302, 303, 307, 308)
FORBIDDEN = (401, 403)
DISCARD_WITHIN = 1.0  # seconds that a body which nobody wants may take, to keep its connection


class Redirect(NamedTuple):
    location: str
    status: int


class FetchAttempt:
    """Keeps what all hops of a fetch share, and puts it into the page or the trouble that ends it."""

    __slots__ = tuple(
        "address answered_at asked asked_at conditions extras hint hops is_secret limits secrets spent "
        "took_cookies url".split()
    )

    def __init__(
        self,
        asked: str,
        limits: Limits,
        conditions: dict[str, str],
        extras: Extras,
        secrets: frozenset[bytes] = frozenset(),
    ) -> None:
        self.asked = self.url = asked
        self.limits = limits
        self.conditions = conditions
        self.extras = extras
        self.hops: list[Hop] = []
        self.spent = 0.0
        self.asked_at = 0.0
        self.answered_at: float | None = None
        self.address = ""
        self.secrets = secrets  # that no page and no trouble may have, whoever tells them
        self.is_secret = False  # whether a request had some, or there may be cookies
        self.took_cookies = False  # from the last answer
        self.hint = ""  # what is known of the host's credentials

    def begin_hop(self, url: str, now: float) -> None:
        self.url, self.asked_at, self.answered_at = url, now, None
        self.took_cookies, self.hint = False, ""

    def has_secrets(self, more: frozenset[bytes] = frozenset()) -> None:
        self.is_secret = True
        self.secrets |= more

    def answered(self, now: float, address: str) -> None:
        self.answered_at, self.address = now, address

    def follow(self, here: Target, redirect: Redirect) -> Target | Trouble:
        """Where the redirect leads, or why it is not followed."""
        if len(self.hops) >= self.limits.max_redirects:
            return trouble("too-many-redirects", f"more than {self.limits.max_redirects}")
        # bytes that are not UTF-8 come as surrogates
        location = redirect.location.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
        location = redacted_text(location, self.secrets)
        target = parse_target(location, base=here.href, max_length=self.limits.max_url)
        if isinstance(target, Trouble):
            return trouble("bad-redirect", target.detail)
        self.hops.append(Hop(self.url, redirect.status, self.asked_at, self.answered_at or self.asked_at))
        if any(target.href == hop.url for hop in self.hops) and not self.took_cookies:
            return trouble("redirect-loop", target.href[:200])
        wrong = self._adapt_extras(here, target, keeps_method=redirect.status in (307, 308))
        if wrong:
            return wrong
        self.url = target.href
        return target

    def _adapt_extras(self, here: Target, target: Target, *, keeps_method: bool) -> Trouble | None:
        """As browsers do: a form becomes a GET unless the status keeps it; headers stay at their origin."""
        headers, form = self.extras.headers, self.extras.form
        leaves_origin = origin_of(here.href) != origin_of(target.href)
        if leaves_origin and form is not None and keeps_method:
            return trouble("bad-redirect", "the form would be sent to another origin")
        self.extras = self.extras._replace(
            headers={} if leaves_origin else headers, form=form if keeps_method else None
        )
        return None

    def trouble(self, cause: Trouble) -> Trouble:
        detail = redacted_text(cause.detail, self.secrets)
        if self.hint and cause.status in FORBIDDEN:
            detail = f"{detail} ({self.hint})"
        return cause._replace(
            detail=detail,
            was_asked=cause.was_asked or bool(self.hops),
            url=self.url,
            redirects=tuple(self.hops),
            asked_at=self.asked_at,
            answered_at=self.answered_at,
        )

    def page(
        self,
        response: aiohttp.ClientResponse,
        now: float,
        content_type: str = "",
        body: bytes = b"",
        *,
        truncated: bool = False,
        not_modified: bool = False,
    ) -> Page:
        headers = response.raw_headers
        if self.is_secret:
            headers = without_cookies(headers)
        if self.secrets:
            headers = redacted_headers(headers, self.secrets)
            body = redacted(body, self.secrets, truncated=truncated)
            content_type = redacted_text(content_type, self.secrets)
        return Page(
            self.asked,
            self.url,
            response.status,
            headers,
            content_type,
            body,
            tuple(self.hops),
            truncated,
            not_modified,
            self.address,
            self.asked_at,
            self.answered_at or now,
            now,
        )


def conditional_headers(etag: str, last_modified: str) -> dict[str, str]:
    """Headers that let the server answer 304; they came from a server, so only harmless ones are sent back."""
    headers = {"If-None-Match": etag, "If-Modified-Since": last_modified}
    return {name: value for name, value in headers.items() if value and value.isascii() and value.isprintable()}


async def read_answer(
    attempt: FetchAttempt, response: aiohttp.ClientResponse, deadline: Deadline, clock: Callable[[], float]
) -> Page | Trouble | Redirect:
    status, headers, limits = response.status, response.headers, attempt.limits
    if 200 <= status < 300:
        content_type = readable(headers.get("Content-Type", ""))
        if limits.types is None or not content_type or media_type(content_type) in limits.types:
            return await _page(attempt, response, deadline, clock, content_type)
        await _discard(response, limits)
        return trouble("content-type", content_type)
    if status == 304 and attempt.conditions:
        return attempt.page(response, clock(), not_modified=True)
    await _discard(response, limits)
    if status in REDIRECTS and "Location" in headers:
        return Redirect(headers["Location"], status)
    if 300 <= status < 400:
        return trouble("bad-redirect", f"status {status} without a Location")
    if status < 400 or status > 599:
        return trouble("bad-header", f"status {status}")
    return trouble_of_status(status, headers, now=time.time())


async def _page(
    attempt: FetchAttempt,
    response: aiohttp.ClientResponse,
    deadline: Deadline,
    clock: Callable[[], float],
    content_type: str,
) -> Page | Trouble:
    limits = attempt.limits
    body, truncated = await _read(response, limits, deadline)
    coding = response.headers.get("Content-Encoding")
    if coding and not attempt.extras.head:  # an answer to HEAD has the headers of a body that does not come
        body, density = unpack(body, coding, limits.max_bytes + 1)
        if len(body) > limits.max_bytes:
            if density > limits.max_density:
                return trouble("bomb", f"more than {limits.max_bytes:,} bytes, {density:.0f} of each one sent")
            body, truncated = body[: limits.max_bytes], True
    return attempt.page(response, clock(), content_type, body, truncated=truncated)


async def _read(response: aiohttp.ClientResponse, limits: Limits, deadline: Deadline) -> tuple[bytes, bool]:
    """At most ``max_bytes`` of the body as it was sent, and whether there was more."""
    content = response.content
    if content.is_eof():  # most bodies come with their headers
        whole = content.read_nowait()
        return whole[: limits.max_bytes], len(whole) > limits.max_bytes
    parts: list[bytes] = []
    size, began = 0, deadline.now()
    deadline.set(began + limits.first_byte, "too-slow")
    while part := await content.readany():
        parts.append(part)
        size += len(part)
        if size > limits.max_bytes:
            return b"".join(parts)[: limits.max_bytes], True
        now = deadline.now()
        if now - began > limits.speed_grace and size < (now - began) * limits.min_speed:
            raise LateError("too-slow", f"{size:,} bytes in {now - began:.1f} s")
        deadline.set(now + limits.first_byte, "too-slow")
    return b"".join(parts), False


async def _discard(response: aiohttp.ClientResponse, limits: Limits) -> None:
    """Read a body that nobody wants, if it is short and quick: that spares the next request a connection."""
    if response.content.is_eof() or (response.content_length or 0) > limits.error_bytes:
        return
    size = 0
    try:
        async with asyncio.timeout(DISCARD_WITHIN):
            while size <= limits.error_bytes and (part := await response.content.readany()):
                size += len(part)
    except (aiohttp.ClientError, TimeoutError, OSError):
        response.close()
