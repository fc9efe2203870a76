"""What went wrong, from the exceptions of aiohttp and below, and from statuses."""

from __future__ import annotations

import asyncio
import errno
import ssl
from collections.abc import Mapping

import aiohttp

from sundog.fetch.deadlines import LateError
from sundog.fetch.rate_limits import remaining_by, retry_after
from sundog.fetch.resolver import PrivateAddressError
from sundog.fetch.unpack import UnpackError
from sundog.fetch.values import Trouble, TroubleKind, trouble
from sundog.texts import printable

MAY_HEAL_4XX = (408, 421, 425)
NEVER_HEAL_5XX = (501, 505)
LONGEST_DETAIL = 200
NO_CONNECTION = (errno.ECONNREFUSED, errno.EHOSTUNREACH, errno.ENETUNREACH, errno.EADDRNOTAVAIL, errno.EMFILE)


def trouble_of_exception(error: Exception) -> Trouble:
    kind = _kind_of(error)
    if isinstance(error, aiohttp.ClientConnectorDNSError):
        error = error.os_error
    elif isinstance(error, aiohttp.ClientResponseError):
        error = ValueError(error.message)
    was_asked = kind not in ("private-address", "bad-url")
    return trouble(kind, readable(str(error)), was_asked=was_asked)


def trouble_of_look_up(error: OSError) -> Trouble:
    """The same as if it had failed when a connection was made."""
    if isinstance(error, TimeoutError):
        return trouble("timeout-connect", "no answer to the look-up of its name")
    is_private = isinstance(error, PrivateAddressError)
    return trouble("private-address" if is_private else "dns", readable(str(error)), was_asked=not is_private)


def _kind_of(error: Exception) -> TroubleKind:
    match error:
        case LateError():
            return error.kind
        case UnpackError():
            return "bad-encoding"
        case asyncio.TimeoutError():
            return "timeout-connect"
        case aiohttp.ClientConnectorDNSError():
            return "private-address" if isinstance(error.os_error, PrivateAddressError) else "dns"
        case aiohttp.InvalidURL() | aiohttp.NonHttpUrlClientError():
            return "bad-url"
        case aiohttp.ClientHttpProxyError():
            return "connection-refused"
        case aiohttp.ClientResponseError():
            return "bad-encoding" if "chunk" in error.message.lower() else "bad-header"
        case aiohttp.ClientPayloadError():
            return _kind_of_broken_body(error)
        case _:
            return _kind_of_connection(error)


def _kind_of_broken_body(error: aiohttp.ClientPayloadError) -> TroubleKind:
    """Chunks that are none, or a body that ended too early."""
    text = f"{error} {error.__cause__!r}"
    return "bad-encoding" if "TransferEncodingError" in text and "Not enough" not in text else "connection-lost"


def _kind_of_connection(error: Exception) -> TroubleKind:
    if isinstance(error, aiohttp.ClientSSLError | aiohttp.ClientConnectorCertificateError | ssl.SSLError):
        return "tls"
    if isinstance(error, aiohttp.ClientConnectorError) or getattr(error, "errno", None) in NO_CONNECTION:
        return "connection-refused"
    if isinstance(error, aiohttp.ClientConnectionError | OSError):
        return "connection-lost"
    return "other"


def trouble_of_status(status: int, headers: Mapping[str, str], *, now: float) -> Trouble:
    """``now``: seconds since 1970, to count from what Retry-After says."""
    wait = retry_after(headers.get("Retry-After", ""), now)
    left = remaining_by(
        [(name.encode(), value.encode("utf-8", "replace")) for name, value in headers.items()], now
    )
    nothing_left = left is not None and left.requests == 0
    if left is not None and left.seconds is not None and (nothing_left or status == 429):
        wait = max(wait or 0.0, left.seconds)
    detail = f"status {status}{', a challenge' if _is_challenge(headers) else ''}"
    if status == 429 or (status == 503 and wait is not None) or (status == 403 and nothing_left):
        return Trouble("rate-limited", detail, True, wait, status=status)
    if status < 500:
        return Trouble("http-4xx", detail, status in MAY_HEAL_4XX, wait, status=status)
    return Trouble("http-5xx", detail, status not in NEVER_HEAL_5XX, wait, status=status)


def _is_challenge(headers: Mapping[str, str]) -> bool:
    """Whether what guards the server wants to see a person: the headers by which those who sell that say so."""
    action = headers.get("x-amzn-waf-action", "").lower()
    return headers.get("cf-mitigated", "").lower() == "challenge" or action in ("challenge", "captcha")


def readable(text: str) -> str:
    """Servers choose parts of messages: they are cut, and printable.

    >>> readable("a\\nb\\udcff")
    'a?b?'
    """
    return printable(text[:LONGEST_DETAIL], "?")
