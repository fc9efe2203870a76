"""Texts as values of a field's type, and the type that a text is likely to have."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, datetime
from math import isfinite
from typing import Any, Literal

from sundog.patterns.crawl_view import as_text, only_xml_characters

Type = Literal["text", "number", "date", "url"]
MAX_TEXT = 100_000  # characters of one value
URL_ATTRIBUTES = frozenset({"href", "src"})
_NUMBER = re.compile(r"(?<![\w.,])([-+\u2212]?)\s?(\d[\d.,\u00a0\u202f\u2009'’ ]*)(?:[eE]([-+]?\d{1,3})(?!\w))?")
_GROUPS = re.compile(r"\d{1,3}(?:([.,\u00a0\u202f\u2009'’ ])\d{3})(?:\1\d{3})*")
_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_ISO = re.compile(r"(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?(?:Z|[+-]\d\d:?\d\d)?))?")
_WORDS = re.compile(
    r"(?:(\d{1,2})(?:st|nd|rd|th)?\.?\s+(?:of\s+)?([a-z]{3,9})\.?,?\s+(\d{4}))"
    r"|(?:([a-z]{3,9})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4}))",
    re.IGNORECASE,
)
_DIGITS = re.compile(
    r"(?<!\d)(\d{1,2})[./](\d{1,2})[./](\d{4})(?!\d)|(?<!\d)(\d{4})[./](\d{1,2})[./](\d{1,2})(?!\d)"
)
_ONLY_A_NUMBER = re.compile(r"[^\w\s]{0,3}\s?[+\-−]?\d[\d.,'\s]*(?:\s?(?:[%€$£¥₹°]|[^\W\d]{1,3}²?))?")
_MONTH = rf"(?:{'|'.join(_MONTHS)})[a-z]*"
_ONLY_A_DATE = re.compile(
    rf"\d{{4}}-\d\d?-\d\d?(?:[T ][\d:.]+\S*)?|\d{{1,2}}\.? {_MONTH},? \d{{4}}|{_MONTH} \d{{1,2}},? \d{{4}}"
    r"|\d{1,2}[./]\d{1,2}[./]\d{4}",
    re.IGNORECASE,
)


class WrongTypeError(ValueError):
    """The text cannot be read as what it is said to be."""


def text_of(value: Any) -> str:
    """As people read it: whole numbers without a point, single spaces, no invisible characters."""
    if not isinstance(value, str):
        value = as_text(int(value) if _is_whole(value) else value)
    text = " ".join(value[:MAX_TEXT].split())
    return text if text.isprintable() else " ".join(only_xml_characters(text).split())


def _is_whole(value: Any) -> bool:
    """Whether it is better written without a point."""
    return isinstance(value, float) and value.is_integer() and abs(value) < 1e15


def number_of(value: Any) -> float | int:
    """The first number.

    >>> [number_of(text) for text in ("1,356,594 (2007)", "519 m", "12,5 %", "1.234.567", "-3.5e2", "1 200")]
    [1356594, 519, 12.5, 1234567, -350.0, 1200]
    """
    if isinstance(value, int | float):
        return _whole(value)
    found = _NUMBER.search(value)
    if not found:
        raise WrongTypeError(f"no number in '{value[:60]}'")
    sign, digits, power = found[1], found[2], found[3]
    if not power:
        digits = _up_to_its_end(digits)
    number = float(_with_a_point(digits) + (f"e{power}" if power else ""))
    if not isfinite(number):
        raise WrongTypeError(f"a number without measure: '{value[:60]}'")
    number = -number if sign in ("-", "\u2212") else number
    return number if power or "." in _with_a_point(digits) else int(number)


def _whole(value: float | int) -> float | int:
    if isinstance(value, float) and not isfinite(value):
        raise WrongTypeError(f"{value} is no number")
    return int(value) if _is_whole(value) else value


def _up_to_its_end(digits: str) -> str:
    """``1 200 300`` is one number, ``12 4`` are two."""
    grouped = _GROUPS.match(digits)
    if grouped and grouped[1] not in ".,":
        rest = re.match(r"[.,]\d+", digits[grouped.end() :])
        return grouped[0] + (rest[0] if rest else "")
    return re.split(r"[\u00a0\u202f\u2009'’ ]", digits, maxsplit=1)[0].rstrip(".,")


def _with_a_point(digits: str) -> str:
    """A separator that groups by threes and stands more than once, or a comma before three digits, is none."""
    digits = re.sub(r"[\u00a0\u202f\u2009'’ ]", "", digits)
    last = max(digits.rfind("."), digits.rfind(","))
    if last < 0:
        return digits
    mark, other = digits[last], "," if digits[last] == "." else "."
    if digits.count(mark) > 1 or (mark == "," and len(digits) - last == 4 and other not in digits):
        return digits.replace(mark, "").replace(other, ".")
    return digits.replace(other, "").replace(mark, ".")


def date_of(value: Any) -> str:
    """ISO 8601.

    >>> [date_of(text) for text in ("on 31 December 2007", "Dec. 3rd, 2007", "31.12.2007", "2007-12-31T10:00Z")]
    ['2007-12-31', '2007-12-03', '2007-12-31', '2007-12-31T10:00Z']
    """
    text = str(value)
    try:
        if found := _ISO.search(text):
            day = date(int(found[1]), int(found[2]), int(found[3])).isoformat()
            if not found[4]:
                return day
            datetime.fromisoformat(f"{day}T{found[4]}")
            return f"{day}T{found[4]}"
        if found := _WORDS.search(text):
            parts = (found[1], found[2], found[3]) if found[1] else (found[5], found[4], found[6])
            return date(int(parts[2]), _MONTHS.index(parts[1][:3].lower()) + 1, int(parts[0])).isoformat()
        if found := _DIGITS.search(text):
            year, month, day_ = (found[4], found[5], found[6]) if found[4] else (found[3], found[2], found[1])
            return date(int(year), int(month), int(day_)).isoformat()
    except ValueError:
        pass
    raise WrongTypeError(f"no date in '{text[:60]}'")


def converter(kind: str) -> Callable[[Any], Any]:
    """For every type but ``url``; of what has nothing in it, it makes None or an empty text."""
    return {"text": text_of, "number": _of_text(number_of), "date": _of_text(date_of)}[kind]


def url_converter(resolve: Callable[[str], str | None]) -> Callable[[Any], str | None]:
    """For one page, against whose base URLs are resolved."""

    def url_of(value: Any) -> str | None:
        text = value[:MAX_TEXT] if isinstance(value, str) else text_of(value)
        if not text or text.isspace():
            return None
        url = resolve(text)
        if url is None:
            raise WrongTypeError(f"no URL: '{text_of(text)[:60]}'")
        return url

    return url_of


def _of_text(read: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def convert(value: Any) -> Any:
        if isinstance(value, int | float):
            return read(value)
        text = text_of(value)
        return read(text) if text else None

    return convert


def type_of(value: str, attribute: str = "") -> Type:
    """
    >>> [type_of(value) for value in ("1,356,594", "€ 49.90", "8,50 €", "519 m", "3 April 2009", "Rom")]
    ['number', 'number', 'number', 'number', 'date', 'text']
    >>> type_of("https://a.example/"), type_of("/wiki/Munich", "href"), type_of("30/07/2008"), type_of("089 12345")
    ('url', 'url', 'date', 'text')
    """
    value = value.strip()
    if attribute in URL_ATTRIBUTES or re.fullmatch(r"https?://\S+", value):
        return "url"
    if _ONLY_A_DATE.fullmatch(value):
        return "date"
    return "number" if _ONLY_A_NUMBER.fullmatch(value) and _is_one_number(value) else "text"


def _is_one_number(value: str) -> bool:
    """Of ``+49 89 12345``, a telephone's number, the first number is not all."""
    try:
        return _digits(str(number_of(value))) == _digits(value)
    except WrongTypeError:
        return False


def _digits(text: str) -> str:
    """Those that count: zeros at either end may be written or not."""
    return "".join(filter(str.isdigit, text)).strip("0")


def reads(text: str, kind: Type) -> bool:
    """Whether a field of this type can be made of it."""
    return reads_alike(text, text, kind)


def reads_alike(shown: str, value: str, kind: Type) -> bool:
    """Whether a field of this type makes of a longer text what was meant.

    >>> reads_alike("519 m (1,703 ft)", "519", "number"), reads_alike("519 m (1,703 ft)", "1,703", "number")
    (True, False)
    """
    read = {"number": number_of, "date": date_of}.get(kind)
    if read is None:
        return True
    try:
        return read(shown) == read(value)
    except WrongTypeError:
        return False
