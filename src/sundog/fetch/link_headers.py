"""``Link`` headers (RFC 8288) that lead from a document to RDF about the same thing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from sundog.media_types import RDF_RELATIONS, RDF_TYPES, TYPE_OF_KIND, media_type

JSONLD = TYPE_OF_KIND["jsonld"]
CONTEXT = "http://www.w3.org/ns/json-ld#context"  # the relation of a document to its context
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
    found: list[HeaderLink] = []
    for target, parameters in _links(headers):
        relation = _relation_to_rdf(parameters)
        if relation and len(found) < MOST_LINKS:
            found.append(HeaderLink(target, relation))
    return found


def alternate_jsonld(headers: Iterable[tuple[bytes, bytes]]) -> str:
    """The first JSON-LD document that is another form of this one; empty if there is none.

    >>> alternate_jsonld([(b"Link", b'</c.jsonld>; rel="alternate"; type="application/ld+json"')])
    '/c.jsonld'
    """
    for target, parameters in _links(headers):
        if "alternate" in _relations(parameters) and media_type(parameters.get("type", "")) == JSONLD:
            return target
    return ""


def context_of_json(headers: Iterable[tuple[bytes, bytes]]) -> str:
    """The JSON-LD context of a document of plain JSON; empty if there is none, or are several.

    >>> context_of_json([(b"Link", b'</c>; rel="http://www.w3.org/ns/json-ld#context"')])
    '/c'
    """
    found = [target for target, parameters in _links(headers) if CONTEXT in _relations(parameters)]
    return found[0] if len(found) == 1 else ""


def _links(headers: Iterable[tuple[bytes, bytes]]) -> Iterator[tuple[str, dict[str, str]]]:
    """Targets and parameters."""
    text = ", ".join([value.decode("utf-8", "replace") for name, value in headers if name.lower() == b"link"])
    for match in LINK.finditer(text[:LONGEST]):
        parameters = PARAMETER.findall(match[2])
        yield match[1].strip(), {name.lower(): quoted or word for name, quoted, word in parameters}


def _relations(parameters: dict[str, str]) -> list[str]:
    return parameters.get("rel", "").lower().split()


def _relation_to_rdf(parameters: dict[str, str]) -> str:
    """A description need not say its type: hardly anything else is meant."""
    relations = RDF_RELATIONS.intersection(_relations(parameters))
    kind = media_type(parameters.get("type", ""))
    if kind in RDF_TYPES and relations:
        return min(relations)
    return "describedby" if not kind and "describedby" in relations else ""
