"""Texts for people: strangers' words on one line, moments, and counted things."""

from __future__ import annotations

import json
from datetime import UTC, datetime


def printable(text: str, instead: str = " ") -> str:
    """On one line, without anything that a terminal would obey: colours, cursor, direction of writing.

    >>> printable("a\\x1b[2Jb\\nc"), printable("a\\nb", "?")
    ('a [2Jb c', 'a?b')
    """
    return text if text.isprintable() else "".join([c if c.isprintable() else instead for c in text])


def escaped(text: str) -> str:
    """What a terminal would obey, as JSON writes it; lines and tabs stay.

    >>> escaped("a\\x1b[2Jb\\tc\\n")
    'a\\\\u001b[2Jb\\tc\\n'
    """
    if text.isprintable():
        return text
    return "".join([c if c.isprintable() or c in "\n\t" else json.dumps(c)[1:-1] for c in text])


def utc_moment(seconds: float) -> str:
    """Without the letters UTC: where several moments are shown, they stand there once.

    >>> utc_moment(0), utc_moment(1e30)
    ('1970-01-01 00:00:00', '?')
    """
    try:
        return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M:%S}"
    except (OverflowError, ValueError, OSError):
        return "?"


def iso_time(seconds: float) -> str:
    """
    >>> iso_time(0)
    '1970-01-01T00:00:00Z'
    """
    return datetime.fromtimestamp(seconds, UTC).isoformat().replace("+00:00", "Z")


def iso_duration(seconds: float) -> str:
    """
    >>> iso_duration(5400), iso_duration(86400), iso_duration(0), iso_duration(90061.5)
    ('PT1H30M', 'P1D', 'PT0S', 'P1DT1H1M1.5S')
    """
    days, rest = divmod(seconds, 86_400)
    hours, rest = divmod(rest, 3_600)
    minutes, rest = divmod(rest, 60)
    clock = "".join(f"{part:g}{sign}" for part, sign in ((hours, "H"), (minutes, "M"), (rest, "S")) if part)
    return f"P{days:g}D{'T' if clock else ''}{clock}" if days else f"PT{clock or '0S'}"


def counted(number: int, what: str) -> str:
    """
    >>> counted(1, "page"), counted(1_200, "page")
    ('1 page', '1,200 pages')
    """
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def short_number(value: float) -> str:
    """Also of a whole number that is too large for a float, or for a line.

    >>> short_number(0.5), short_number(10**21), short_number(10**400), short_number(-(10**5000))
    ('0.5', '1e+21', 'more than 1e+308', 'less than -1e+308')
    """
    try:
        return f"{value:g}"
    except OverflowError:
        return "more than 1e+308" if value > 0 else "less than -1e+308"
