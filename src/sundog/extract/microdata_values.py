"""The value of a Microdata property that is no item: from an attribute, or the element's text."""

from __future__ import annotations

import re

from sundog.extract.dom import Element
from sundog.extract.page import BLANKS, Page, language_of
from sundog.extract.terms import XSD, iri, literal, quoted

URL_ATTRIBUTES = {
    **dict.fromkeys(("a", "area", "link"), "href"),
    **dict.fromkeys(("audio", "embed", "iframe", "img", "source", "track", "video"), "src"),
    "object": "data",
}
# Times are as XML Schema writes them: with seconds, and with a colon in the zone.
_ZONE = r"(?:Z|[+-]\d\d:\d\d)"
_TIME = r"(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?"
_DATE = r"\d{4,}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])"
_DURATION = r"-?P(?=.)(?:\d+Y)?(?:\d+M)?(?:\d+D)?(?:T(?=.)(?:\d+H)?(?:\d+M)?(?:\d+(?:\.\d+)?S)?)?"
_TIMES = (
    ("date", re.compile(f"{_DATE}{_ZONE}?", re.ASCII)),
    ("dateTime", re.compile(f"{_DATE}T{_TIME}{_ZONE}?", re.ASCII)),
    ("time", re.compile(f"{_TIME}{_ZONE}?", re.ASCII)),
    ("gYearMonth", re.compile(r"\d{4,}-(?:0[1-9]|1[0-2])", re.ASCII)),
    ("gYear", re.compile(r"\d{4,}", re.ASCII)),
    ("duration", re.compile(_DURATION, re.ASCII)),
)
_INTEGER = re.compile(r"-?\d+", re.ASCII)
_DOUBLE = re.compile(r"-?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)


def value_of(element: Element, page: Page, languages: dict[Element, str]) -> str:
    """The value as a term."""
    tag, attrs = element.tag, element.attrs
    if tag == "meta" and "content" in attrs:
        return literal(attrs["content"], language_of(element, languages))
    if tag in URL_ATTRIBUTES:
        reference = attrs.get(URL_ATTRIBUTES[tag])
        if reference is not None:
            reference = reference.strip(BLANKS)
            return iri(page.base.resolve(reference)) or quoted(reference)
    elif tag in ("data", "meter"):
        return number(attrs.get("value", ""))
    elif tag == "time":
        return _moment(element, page, languages)
    return literal(page.document.text_of(element), language_of(element, languages))


def number(text: str) -> str:
    """
    >>> number("4"), number("four")
    ('"4"^^<http://www.w3.org/2001/XMLSchema#integer>', '"four"')
    """
    if _INTEGER.fullmatch(text):
        return f"{quoted(text)}^^<{XSD}integer>"
    if _DOUBLE.fullmatch(text):
        return f"{quoted(text)}^^<{XSD}double>"
    return quoted(text)


def _moment(element: Element, page: Page, languages: dict[Element, str]) -> str:
    text = element.attrs.get("datetime")
    if text is None:
        text = page.document.text_of(element)
    kind = kind_of_time(text.strip(BLANKS))
    if kind:
        return f"{quoted(text.strip(BLANKS))}^^<{XSD}{kind}>"
    return literal(text, language_of(element, languages))


def kind_of_time(text: str) -> str:
    """The XML Schema type of a time as HTML writes it; '' if it is none.

    >>> kind_of_time("2024-05-01"), kind_of_time("PT1H"), kind_of_time("soon")
    ('date', 'duration', '')
    """
    for kind, pattern in _TIMES:
        if pattern.fullmatch(text):
            return kind
    return ""
