"""URLs of the Web as IRIs of RDF. Many are none: ``/?f[x]=1`` and ``/?q=100%`` are addresses that shops use, and
RDF parsers refuse them. What may not stand in an IRI is percent-encoded here and nowhere else.
"""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import quote

import pyoxigraph

_PLAIN_IRI = re.compile(
    r"https?://[\w.-]+(?::\d+)?(?:[/?](?:[\w!$&'()*+,;=:@/?.~-]|%[\dA-Fa-f]{2})*)?"
    r"(?:#(?:[\w!$&'()*+,;=:@/?.~-]|%[\dA-Fa-f]{2})*)?",
    re.ASCII,
)
NOT_IN_IRI: Final = re.compile(r"[\x00-\x20<>\"{}|^`\\\[\]\x7f-\x9f\ufff0-\uffff]|%(?![\dA-Fa-f]{2})")
_AUTHORITY = re.compile(r"[A-Za-z][A-Za-z\d+.-]*://[^/?#]*")


def as_iri(text: str) -> str | None:
    """An absolute IRI that strict RDF parsers take, percent-encoded where needed. None if it is relative.

    >>> as_iri("http://a.example/x y?f[]=100%"), as_iri("no scheme")
    ('http://a.example/x%20y?f%5B%5D=100%25', None)
    """
    if _PLAIN_IRI.fullmatch(text):
        return text
    return _accepted(text) or _accepted(_percent_encoded(text)) or _accepted(_repaired(text))


def page_iri(url: str) -> str:
    """The IRI of a page, whatever its URL is: a page that was fetched has a name.

    >>> page_iri("http://a.example/?q={x}"), page_iri("no scheme")
    ('http://a.example/?q=%7Bx%7D', 'urn:sundog:page:no%20scheme')
    """
    return as_iri(url) or f"urn:sundog:page:{quote(url, safe='', errors='replace')}"


def local_name(iri: str) -> str:
    """The last part of an IRI: what people call it.

    >>> local_name("https://schema.org/name"), local_name("http://a.example/v#name"), local_name("http://a.example/name/")
    ('name', 'name', 'name')
    >>> local_name("urn:isbn:3"), local_name("h-card"), local_name("/")
    ('3', 'h-card', '/')
    """
    name = iri.rstrip("/#:")
    return name[max(name.rfind("/"), name.rfind("#"), name.rfind(":")) + 1 :] or iri


def is_strict_iri(text: str) -> bool:
    """Whether an absolute IRI needs no repair."""
    return as_iri(text) == text


def _accepted(text: str) -> str | None:
    try:
        return pyoxigraph.NamedNode(text).value
    except ValueError:
        return None


def _percent_encoded(text: str) -> str:
    """What stands behind the authority, repaired: the brackets of an IPv6 address belong there."""
    authority = _AUTHORITY.match(text)
    begin = authority.end() if authority else 0
    rest, hash_, fragment = text[begin:].partition("#")
    return text[:begin] + _repaired(rest) + hash_ + _repaired(fragment).replace("#", "%23")


def _repaired(text: str) -> str:
    return NOT_IN_IRI.sub(lambda match: quote(match[0], safe="", errors="replace"), text)
