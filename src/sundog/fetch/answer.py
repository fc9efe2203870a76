"""What to make of one answer: a page, a trouble, or a redirect; nothing is read that is not wanted."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

import aiohttp

from sundog.fetch.errand import Errand, Redirect
from sundog.fetch.failures import readable, trouble_of_status
from sundog.fetch.unpack import unpack
from sundog.fetch.values import Limits, Page, Trouble, media_type, trouble
from sundog.fetch.watch import LateError, Watched

REDIRECTS = (301, 302, 303, 307, 308)
DISCARD_WITHIN = 1.0  # seconds that a body which nobody wants may take, to keep its connection


async def read_answer(
    errand: Errand, response: aiohttp.ClientResponse, watched: Watched, clock: Callable[[], float]
) -> Page | Trouble | Redirect:
    status, headers, limits = response.status, response.headers, errand.limits
    if 200 <= status < 300:
        content_type = readable(headers.get("Content-Type", ""))
        if limits.types is None or not content_type or media_type(content_type) in limits.types:
            return await _page(errand, response, watched, clock, content_type)
        await _discard(response, limits)
        return trouble("content-type", content_type)
    if status == 304 and errand.conditions:
        return errand.page(response, clock(), not_modified=True)
    await _discard(response, limits)
    if status in REDIRECTS and "Location" in headers:
        return Redirect(headers["Location"], status)
    if 300 <= status < 400:
        return trouble("bad-redirect", f"status {status} without a Location")
    if status < 400 or status > 599:
        return trouble("bad-header", f"status {status}")
    return trouble_of_status(status, headers, now=time.time())


async def _page(
    errand: Errand,
    response: aiohttp.ClientResponse,
    watched: Watched,
    clock: Callable[[], float],
    content_type: str,
) -> Page | Trouble:
    limits = errand.limits
    body, truncated = await _read(response, limits, watched)
    coding = response.headers.get("Content-Encoding")
    if coding and not errand.extras.head:  # whose answer has the headers of a body that does not come
        body, density = unpack(body, coding, limits.max_bytes + 1)
        if len(body) > limits.max_bytes:
            if density > limits.max_density:
                return trouble("bomb", f"more than {limits.max_bytes:,} bytes, {density:.0f} of each one sent")
            body, truncated = body[: limits.max_bytes], True
    return errand.page(response, clock(), content_type, body, truncated=truncated)


async def _read(response: aiohttp.ClientResponse, limits: Limits, watched: Watched) -> tuple[bytes, bool]:
    """At most ``max_bytes`` of the body as it was sent, and whether there was more."""
    content = response.content
    if content.is_eof():  # most bodies come with their headers
        whole = content.read_nowait()
        return whole[: limits.max_bytes], len(whole) > limits.max_bytes
    parts: list[bytes] = []
    size, began = 0, watched.now()
    watched.set(began + limits.first_byte, "too-slow")
    while part := await content.readany():
        parts.append(part)
        size += len(part)
        if size > limits.max_bytes:
            return b"".join(parts)[: limits.max_bytes], True
        now = watched.now()
        if now - began > limits.speed_grace and size < (now - began) * limits.min_speed:
            raise LateError("too-slow", f"{size:,} bytes in {now - began:.1f} s")
        watched.set(now + limits.first_byte, "too-slow")
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
