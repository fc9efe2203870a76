"""A webhook: a small JSON, signed, posted to an address that is guarded like every other that a stranger names.

It is sent once to the address itself: no redirect is followed, nothing of the answer is kept.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
from collections.abc import Mapping
from time import time
from typing import Any

import orjson

from sundog import __version__
from sundog.errors import SundogError, UsageError
from sundog.fetch.addresses import names_private_address
from sundog.fetch.target import Target, parse_target
from sundog.web.notify.notice import Notice, link_to

LONGEST_URL = 2_000  # characters
SIGNATURE = "Sundog-Signature"


def check_webhook(url: str, *, allow_private: bool) -> str:
    """The URL as it is asked. Raises UsageError for one that is none, or that leads into the network by its name.

    >>> check_webhook("https://hooks.example/a", allow_private=False)
    'https://hooks.example/a'
    >>> check_webhook("http://10.0.0.1/", allow_private=False)
    Traceback (most recent call last):
    ...
    sundog.errors.UsageError: the webhook is at a private address: start the server with --allow-private
    """
    target = parse_target(url, max_length=LONGEST_URL)
    if not isinstance(target, Target):
        raise UsageError("the webhook is no address of the Web, such as https://hooks.example.org/crawls")
    if not allow_private and names_private_address(target.hostname):
        raise UsageError("the webhook is at a private address: start the server with --allow-private")
    return target.href


def payload_of(notice: Notice, crawl: Mapping[str, Any], site: str, items: int | None) -> bytes:
    """``crawl`` is as in the API; ``items`` are what patterns have found, if it has some."""
    content = {
        "event": notice.event,
        "id": crawl["id"],
        "title": crawl["title"],
        "status": crawl["state"],
        "reason": notice.reason,
        "found": crawl["relevant"],
        "items": items,
        "spent": crawl["spent"],
        "budget": crawl["budget"],
        "unit": crawl["unit"],
        "rounds": crawl["rounds"],
        "alarms": crawl["alarms"],
        "link": link_to(site, crawl["id"]),
        "at": round(time(), 3),
    }
    return orjson.dumps(content)


def signature_of(body: bytes, secret: str) -> str:
    """
    >>> signature_of(b"{}", "open sesame")[:17]
    'sha256=e206854b34'
    """
    return f"sha256={hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()}"


def post_webhook(url: str, body: bytes, secret: str, *, allow_private: bool) -> None:
    """Raises SundogError, which names the host only: the rest of such an address is often a secret."""
    from sundog.web.notify.guarded_post import post  # aiohttp is of no use to a site that sends nothing

    target = parse_target(check_webhook(url, allow_private=allow_private), max_length=LONGEST_URL)
    assert isinstance(target, Target)
    headers = {"Content-Type": "application/json", "User-Agent": f"sundog/{__version__}"}
    if secret:
        headers[SIGNATURE] = signature_of(body, secret)
    status = asyncio.run(post(target, body, headers, allow_private=allow_private))
    if not 200 <= status < 300:
        raise SundogError(f"the webhook at {target.host} has answered with HTTP {status}")
