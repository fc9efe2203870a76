"""``Link`` headers (RFC 8288) that lead from a document to RDF about the same thing."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from sundog.media_types import RDF_RELATIONS, RDF_TYPES, media_type

MOST_LINKS = 50
LONGEST = 16_384  # characters of all headers together
LINK = re.compile(r"<([^<>]*)>((?:\s*;\s*[\w!#$&+.^`|~*-]+\s*(?:=\s*(?:\"(?:[^\"\\]|\\.)*+\"|[^\s\",;<>]*+))?)*+)")
PARAMETER = re.compile(r";\s*([\w!#$&+.^`|~*-]+)\s*=\s*(?:\"((?:[^\"\\]|\\.)*+)\"|([^\s\",;<>]*+))")


class HeaderLink(NamedTuple):
    target: str  # as it stands there, perhaps relative
    relation: str


def rdf_links(headers: Iterable[tuple[bytes, bytes]]) -> list[HeaderLink]:
    """Links to RDF that describes the document or is another form of it.

    >>> rdf_links([(b"Link", b'</a.ttl>; rel="describedby"; type="text/turtle", </b>; rel=next')])
    [HeaderLink(target='/a.ttl', relation='describedby')]
    """
    text = ", ".join([value.decode("utf-8", "replace") for name, value in headers if name.lower() == b"link"])
    found: list[HeaderLink] = []
    for match in LINK.finditer(text[:LONGEST]):
        relation = _relation_to_rdf({name.lower(): quoted or word for name, quoted, word in _parameters(match[2])})
        if relation and len(found) < MOST_LINKS:
            found.append(HeaderLink(match[1].strip(), relation))
    return found


def _parameters(text: str) -> list[tuple[str, str, str]]:
    return PARAMETER.findall(text)


def _relation_to_rdf(parameters: dict[str, str]) -> str:
    """A description need not say its type: hardly anything else is meant."""
    relations = RDF_RELATIONS.intersection(parameters.get("rel", "").lower().split())
    kind = media_type(parameters.get("type", ""))
    if kind in RDF_TYPES and relations:
        return min(relations)
    return "describedby" if not kind and "describedby" in relations else ""
