"""Dates and times in pieces: the value-class pattern of dates.

A date, a time and a zone may stand in elements of their own, in any order; each is taken once, the first wins.
They are joined as ``2009-06-26 19:00-0800``, as exact as they were written: no seconds are made up.
"""

from __future__ import annotations

import re

_LONGEST = 80  # characters of a piece of a date, with spaces around it
_MOMENT = re.compile(r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?\s*(?:[Zz]|[+-]\d\d?(?::?\d\d)?)?")
_DATE = re.compile(r"\d{4}-(?:\d\d-\d\d|\d{3})(?!\d)")
_ZONE = r"(?P<zone>[Zz]|[+-]\d\d?(?::?\d\d)?)"
_ONLY_ZONE = re.compile(_ZONE)
_TIME = re.compile(
    r"(?P<hour>\d\d?)(?P<minute>:\d\d)?(?P<second>:\d\d(?:\.\d+)?)?\s*(?:(?P<half>[ap])\.?m\.?)?\s*" + _ZONE + "?",
    re.IGNORECASE,
)


def join_date(pieces: list[str]) -> str:
    """The date and time that pieces make up; '' if none of them is a part of one, only a time if there is no date.

    >>> join_date(["7pm", "2009-06-26", "+02:00"])
    '2009-06-26 19:00+0200'
    >>> join_date(["19:30:00z"]), join_date(["2009-06-26T19:00-08:00"]), join_date(["tomorrow"])
    ('19:30:00Z', '2009-06-26T19:00-08:00', '')
    """
    date = time = zone = ""
    for piece in (piece.strip() for piece in pieces if len(piece) <= _LONGEST):
        if not date and not time and _MOMENT.fullmatch(piece):
            return piece
        if _DATE.fullmatch(piece):
            date = date or piece
        elif match := _ONLY_ZONE.fullmatch(piece):
            zone = zone or _zone(match["zone"])
        elif (match := _TIME.fullmatch(piece)) and (clock := _clock(match)) and not time:
            time = clock
            zone = zone or _zone(match["zone"] or "")
    return f"{date} {time}{zone}".strip() if time else date


def date_of(value: str) -> str:
    """The date that a value begins with, '' if none: it lends itself to times without one in the same item.

    >>> date_of("2009-06-26T19:00"), date_of("19:00")
    ('2009-06-26', '')
    """
    match = _DATE.match(value)
    return match[0] if match else ""


def time_of(value: str) -> str:
    """The time that a value is, '' if it is anything else or more than a time.

    >>> time_of("7:30 p.m."), time_of("2009-06-26 19:00"), time_of("7")
    ('19:30', '', '')
    """
    match = _TIME.fullmatch(value.strip()) if len(value) <= _LONGEST else None
    clock = _clock(match) if match else ""
    return clock + _zone(match["zone"] or "") if match and clock else ""


def _clock(match: re.Match[str]) -> str:
    hour, half = int(match["hour"]), (match["half"] or "").lower()
    if not (half or match["minute"]) or hour > (12 if half else 24):
        return ""  # a bare number is no time
    if half:
        hour = hour % 12 + (12 if half == "p" else 0)
    return f"{hour:02}{match['minute'] or ':00'}{match['second'] or ''}"


def _zone(zone: str) -> str:
    """
    >>> _zone("-8"), _zone("+01:30"), _zone("z")
    ('-0800', '+0130', 'Z')
    """
    if not zone or zone in "Zz":
        return zone.upper()
    sign, digits = zone[0], zone[1:]
    hours, minutes = digits.split(":") if ":" in digits else (digits[:-2] or digits, digits[-2:])
    if len(digits) <= 2:
        hours, minutes = digits, "00"
    return f"{sign}{hours:0>2}{minutes}"
