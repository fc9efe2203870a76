"""What type a field is likely to have, from one value of it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Literal

from sundog.patterns.convert import WrongTypeError, date_of, number_of

Type = Literal["text", "number", "date", "url"]
READERS: dict[Type, Callable[[str], object]] = {"number": number_of, "date": date_of}
URL_ATTRIBUTES = frozenset({"href", "src"})
_NUMBER = re.compile(r"[^\w\s]{0,3}\s?[+\-−]?\d[\d.,'\s]*(?:\s?(?:[%€$£¥₹°]|[^\W\d]{1,3}²?))?")
_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*"
_DATE = re.compile(
    rf"\d{{4}}-\d\d?-\d\d?(?:[T ][\d:.]+\S*)?|\d{{1,2}}\.? {_MONTH},? \d{{4}}|{_MONTH} \d{{1,2}},? \d{{4}}"
    r"|\d{1,2}[./]\d{1,2}[./]\d{4}",
    re.IGNORECASE,
)


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
    if _DATE.fullmatch(value):
        return "date"
    return "number" if _NUMBER.fullmatch(value) and _is_one_number(value) else "text"


def _is_one_number(value: str) -> bool:
    """Of ``+49 89 12345``, a telephone's number, the first number is not all."""
    try:
        return _digits(str(number_of(value))) == _digits(value)
    except WrongTypeError:
        return False


def _digits(text: str) -> str:
    """Those that count: zeros at either end may be written or not."""
    return "".join(filter(str.isdigit, text)).strip("0")


def reads_alike(shown: str, value: str, kind: Type) -> bool:
    """Whether a field of this type makes of a longer text what was meant.

    >>> reads_alike("519 m (1,703 ft)", "519", "number"), reads_alike("519 m (1,703 ft)", "1,703", "number")
    (True, False)
    """
    if kind not in READERS:
        return True
    try:
        return READERS[kind](shown) == READERS[kind](value)
    except WrongTypeError:
        return False
