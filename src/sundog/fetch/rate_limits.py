"""When servers want to be asked again: Retry-After, and how many requests are left until when.

Names and units differ: ``X-RateLimit-Remaining``, ``X-Rate-Limit-Remaining``, ``RateLimit-Remaining``, one
``RateLimit`` header for all; resets in seconds from now, seconds or milliseconds since 1970, or dates. A server
may also lie: headers make us wait longer, never shorter, and never longer than a day at once.
"""

from __future__ import annotations

import email.utils
import math
import re
from collections.abc import Iterable
from typing import NamedTuple

LONGEST_WAIT = 86_400.0
UNKNOWN_WAIT = 60.0  # seconds, if no request is left and the server does not say until when
ROUNDING = 1.0  # times since 1970 come in whole seconds
SINCE_1970 = 1e9  # larger numbers are times, smaller ones are seconds from now
MILLISECONDS = 1e11
SPANS = {"second": 1.0, "minute": 60.0, "hour": 3_600.0, "day": 86_400.0}
NAME = re.compile(r"(?:x-)?rate-?limit(?:-(.+))?").fullmatch
PART = re.compile(r"(?:^|[,;\s])(remaining|reset|r|t)\s*=\s*\"?([\d.]+)")


def retry_after(value: str, now: float) -> float | None:
    """Seconds to wait, from a number of them or a date; at most a day.

    >>> retry_after("120", 0.0), retry_after("Thu, 01 Jan 1970 00:01:00 GMT", 20.0), retry_after("soon", 0.0)
    (120.0, 40.0, None)
    """
    value = value.strip()
    if value.isascii() and value.isdigit():
        return min(float(value[:9]), LONGEST_WAIT)
    date = _date(value)
    return None if date is None else min(max(0.0, date - now), LONGEST_WAIT)


class Remaining(NamedTuple):
    """``requests`` that may still be made, and ``seconds`` until there are more; None: not known."""

    requests: int
    seconds: float | None


def remaining_by(headers: Iterable[tuple[bytes, bytes]], now: float) -> Remaining | None:
    """The tightest of the windows of which the headers speak; ``now``: seconds since 1970.

    >>> remaining_by([(b"X-RateLimit-Remaining", b"0"), (b"X-RateLimit-Reset", b"1700000100")], 1_700_000_000.0)
    Remaining(requests=0, seconds=101.0)
    >>> remaining_by([(b"RateLimit", b'"default";r=7;t=30')], 0.0)
    Remaining(requests=7, seconds=30.0)
    >>> remaining_by([(b"Content-Type", b"text/html")], 0.0)
    """
    limits = {}
    for raw, value in headers:
        name = raw.lower()
        if name == b"date" or b"limit" in name:
            limits[name.decode("latin-1")] = value.decode("latin-1").strip()
    server_now = _date(limits.pop("date", "")) or now  # its clock and ours may differ
    windows = list(_windows(limits, server_now))
    return min(windows, key=lambda left: (left.requests, -(left.seconds or 0.0)), default=None)


def _windows(headers: dict[str, str], now: float) -> Iterable[Remaining]:
    whole: dict[str, str] = {}
    for header, value in headers.items():
        name = NAME(header)
        if name is None:
            continue
        if name[1] is None:
            whole |= {{"r": "remaining", "t": "reset"}.get(key, key): text for key, text in PART.findall(value)}
        elif name[1].startswith("remaining-") and name[1][10:] in SPANS:
            if (requests := _number(value)) is not None:
                yield Remaining(int(requests), SPANS[name[1][10:]])
        else:
            whole.setdefault(name[1], value)
    requests = _number(whole.get("remaining", ""))
    if requests is not None:
        yield Remaining(int(requests), _reset(whole, now))


def _reset(limits: dict[str, str], now: float) -> float | None:
    if (after := _number(limits.get("reset-after", ""))) is not None:
        return min(after, LONGEST_WAIT)
    text = limits.get("reset", "")
    number = _number(text)
    if number is None:
        number = _date(text)
        if number is None:
            return None
    if number < SINCE_1970:
        return min(number, LONGEST_WAIT)
    seconds = (number / 1_000.0 if number > MILLISECONDS else number) - now
    return min(seconds + ROUNDING, LONGEST_WAIT) if seconds > -ROUNDING else None


def _number(text: str) -> float | None:
    """The first number of a list: proxies join the headers of several servers.

    >>> _number("12, 40"), _number("nan"), _number("-1")
    (12.0, None, None)
    """
    text = text.partition(",")[0].partition(";")[0].strip()
    if not text or not text.replace(".", "", 1).isdecimal() or not text.isascii() or len(text) > 20:
        return None
    number = float(text)
    return number if math.isfinite(number) else None


def _date(text: str) -> float | None:
    try:
        return email.utils.parsedate_to_datetime(text).timestamp() if text else None
    except (ValueError, TypeError, OverflowError, IndexError):
        return None
