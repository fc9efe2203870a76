"""RDF terms as their N-Quads text: what is written once per term need not be formatted again.

Every IRI and language tag that leaves this module is one that strict RDF parsers accept.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

import pyoxigraph

from sundog.rdf.namespaces import RDF, RDF_TYPE, SCHEMA_ORG, XSD, XSD_STRING
from sundog.urls.iris import as_iri

Triple = tuple[str, str, str]
Statement = tuple[str, ...]  # a triple, or four terms in a graph of its own

TYPE: Final = f"<{RDF_TYPE}>"
FIRST: Final = f"<{RDF}first>"
REST: Final = f"<{RDF}rest>"
NIL: Final = f"<{RDF}nil>"

LONGEST_LANGUAGE: Final = 100  # characters of a tag: three times what RFC 5646 asks for
LONGEST_REMEMBERED: Final = 2_048  # thousands of longer IRIs would fill the memory
_UNTYPED: Final = (XSD_STRING, f"{RDF}langString", f"{RDF}dirLangString")
_NOT_IN_LITERAL = re.compile(r'["\\\x00-\x1f\x7f\ud800-\udfff]')
_NOT_IN_LITERAL_YET = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff]")
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}

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


_SCHEMA_DATE = re.compile(
    r'"(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(:\d\d(?:\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?"'
    rf"\^\^<{re.escape(SCHEMA_ORG)}Date(?:Time)?>",
    re.ASCII,
)


def comparable_dates(text: str) -> str:
    """Statements in which dates that only schema.org calls so are those of XML Schema, which SPARQL can compare.

    >>> comparable_dates('_:a _:b "2025-03-01"^^<http://schema.org/Date> .')
    '_:a _:b "2025-03-01"^^<http://www.w3.org/2001/XMLSchema#date> .'
    >>> comparable_dates('"2017-03-12T14:13-0500"^^<http://schema.org/Date>')
    '"2017-03-12T14:13:00-05:00"^^<http://www.w3.org/2001/XMLSchema#dateTime>'
    """
    return _SCHEMA_DATE.sub(_xsd_date, text) if f"{SCHEMA_ORG}Date" in text else text


def _xsd_date(match: re.Match[str]) -> str:
    day, clock, seconds, zone = match.groups()
    if not clock:
        return f'"{day}"^^<{XSD}date>'
    zone = f"{zone[:3]}:{zone[-2:]}" if zone and zone != "Z" else zone or ""
    return f'"{day}T{clock}{seconds or ":00"}{zone}"^^<{XSD}dateTime>'


def iri(text: str) -> str | None:
    """An absolute IRI as a term; spaces and the like are percent-encoded. None if it cannot be one.

    >>> iri("http://a.example/x y"), iri("no scheme")
    ('<http://a.example/x%20y>', None)
    """
    return _iri(text) if len(text) <= LONGEST_REMEMBERED else _iri.__wrapped__(text)


@lru_cache(maxsize=8192)
def _iri(text: str) -> str | None:
    found = as_iri(text)
    return None if found is None else f"<{found}>"


def strict_iri(text: str) -> str | None:
    """The same without repairs."""
    found = iri(text)
    return found if found is not None and found[1:-1] == text else None


def quoted(text: str) -> str:
    """A string between quotation marks, escaped."""
    if text.isprintable():  # no control characters, no halves of surrogate pairs
        if "\\" in text or '"' in text:
            text = text.replace("\\", "\\\\").replace('"', '\\"')
    elif _NOT_IN_LITERAL.search(text):
        for character, escape in _ESCAPES.items():
            text = text.replace(character, escape)
        text = _NOT_IN_LITERAL_YET.sub(_escaped, text)
    return f'"{text}"'


def _escaped(match: re.Match[str]) -> str:
    character = match[0]
    if "\ud800" <= character <= "\udfff":  # half a surrogate pair is no character
        return "\ufffd"
    return f"\\u{ord(character):04X}"


def language_suffix(tag: str) -> str:
    """``@en`` for a well-formed language tag, nothing for others."""
    return _language_suffix(tag) if len(tag) <= LONGEST_LANGUAGE else ""


@lru_cache(maxsize=1024)
def _language_suffix(tag: str) -> str:
    try:
        pyoxigraph.Literal("", language=tag)
    except ValueError:
        return ""
    return f"@{tag}"


def literal(text: str, language: str = "") -> str:
    """
    >>> literal('say "hi"', "en")
    '"say \\\\"hi\\\\""@en'
    """
    return quoted(text) + language_suffix(language) if language else quoted(text)


def typed(text: str, datatype: str) -> str:
    """A literal with a datatype, given as an absolute IRI; plain if that is none, or means a language.

    >>> typed("1", XSD + "integer"), typed("hi", RDF + "langString")
    ('"1"^^<http://www.w3.org/2001/XMLSchema#integer>', '"hi"')
    """
    kind = iri(datatype)
    if kind is None or datatype in _UNTYPED:
        return quoted(text)
    return f"{quoted(text)}^^{kind}"


def of_value(value: str | bool | float) -> str:
    """A literal of a Python value.

    >>> of_value("one"), of_value(7), of_value(float("-inf"))[:6]
    ('"one"', '"7"^^<http://www.w3.org/2001/XMLSchema#integer>', '"-INF"')
    """
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, bool):
        return f'"{str(value).lower()}"^^<{XSD}boolean>'
    if isinstance(value, int):
        return f'"{value}"^^<{XSD}integer>'
    text = {"inf": "INF", "-inf": "-INF", "nan": "NaN"}.get(str(value), str(value))
    return f'"{text}"^^<{XSD}double>'


def value_of(term: str) -> str:
    """The IRI without its brackets; other terms as they are."""
    return term[1:-1] if term[0] == "<" else term


def kind_of_time(text: str) -> str:
    """The XML Schema type of a time as HTML writes it; '' if it is none.

    >>> kind_of_time("2024-05-01"), kind_of_time("PT1H"), kind_of_time("soon")
    ('date', 'duration', '')
    """
    for kind, pattern in _TIMES:
        if pattern.fullmatch(text):
            return kind
    return ""


class BlankNodes:
    """Labels that are unique on a page: each extractor has a letter of its own."""

    __slots__ = ("_count", "_letter")

    def __init__(self, letter: str) -> None:
        self._letter = letter
        self._count = 0

    def new(self) -> str:
        self._count += 1
        return f"_:{self._letter}{self._count}"
