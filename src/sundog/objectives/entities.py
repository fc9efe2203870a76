"""Entities of a page, and when two of them on different pages are the same.

An entity is a subject that has a type or an IRI. Named by an IRI (``@id``, ``itemid``, ``resource``), it is that
IRI. Otherwise it is its types and what names it: name, title, URL, number. What has no name is a part: it is its
types, its values and the entity it belongs to. What says nothing at all is the page's own.

Invariant: identities take time linear in the page's statements, whatever they are.
"""

from __future__ import annotations

from collections.abc import Collection
from hashlib import blake2b
from typing import Final, NamedTuple

from sundog.objectives.page import PageView
from sundog.rdf.namespaces import MICROFORMATS, one_schema_org
from sundog.rdf.terms import TYPE
from sundog.urls.iris import local_name

NAMING: Final = frozenset(
    "name headline title label prefLabel url uid identifier productID serialNumber sku mpn gtin gtin8 gtin12 "
    "gtin13 gtin14 isbn issn".split()
)
MOST_OWNERS: Final = 8  # how far up a part looks for the entity that it belongs to


def subjects_of(page: PageView, syntaxes: Collection[str]) -> list[str]:
    """The entities in these syntaxes, in the order of the page."""
    found: dict[str, None] = {}
    for syntax in syntaxes:
        for statement in page.statements.get(syntax, ()):
            if statement[1] == TYPE or statement[0][0] == "<":
                found[statement[0]] = None
    return list(found)


def subjects_of_types(page: PageView, iris: frozenset[str]) -> list[str]:
    """The entities of one of these types."""
    found: dict[str, None] = {}
    for statements in page.statements.values():
        for statement in statements:
            if statement[1] == TYPE and statement[2][1:-1].removeprefix(MICROFORMATS) in iris:
                found[statement[0]] = None
    return list(found)


class _Own(NamedTuple):
    """What an entity says of itself: whether that names it, or is no more than its types."""

    values: bytes
    named: bool
    silent: bool


class Entities:
    """The entities of one page, by their subjects."""

    def __init__(self, page: PageView) -> None:
        self._page = page.url
        self._facts: dict[str, list[tuple[str, str]]] = {}
        self._owners: dict[str, str] = {}
        self._known: dict[str, _Own] = {}
        for statements in page.statements.values():
            for statement in statements:
                subject, thing = statement[0], statement[2]
                self._facts.setdefault(subject, []).append((statement[1], thing))
                if thing.startswith("_:") and thing != subject:
                    self._owners.setdefault(thing, subject)

    def identity(self, subject: str) -> bytes:
        """The same bytes for the same entity, wherever it is."""
        parts: list[bytes] = []
        silent = True
        for _ in range(MOST_OWNERS):
            if subject.startswith("<"):
                parts.append(digest(one_schema_org(subject)))
                silent = False
                break
            own = self._own(subject)
            parts.append(own.values)
            silent = silent and own.silent
            owner = self._owners.get(subject)
            if own.named or owner is None:
                break
            subject = owner
        if silent:
            parts.append(digest(self._page))
        return parts[0] if len(parts) == 1 else digest(*map(bytes.hex, parts))

    def _own(self, subject: str) -> _Own:
        own = self._known.get(subject)
        if own is None:
            own = self._known[subject] = _described(self._facts.get(subject, []))
        return own


def _described(facts: list[tuple[str, str]]) -> _Own:
    types = sorted({one_schema_org(thing) for predicate, thing in facts if predicate == TYPE})
    plain = [fact for fact in facts if fact[0] != TYPE and fact[1][:2] != "_:"]
    names = _values([fact for fact in plain if local_name(fact[0][1:-1]) in NAMING])
    values = names or _values(plain)
    return _Own(digest(*types, *values), named=bool(names), silent=not values)


def _values(facts: list[tuple[str, str]]) -> list[str]:
    """In an order that does not depend on the page's."""
    return sorted(
        {f"{local_name(predicate[1:-1])} {_value(thing)}" for predicate, thing in facts if thing != '""'}
    )


def _value(term: str) -> str:
    """The value without language, datatype and superfluous white space.

    >>> _value('"Kouign  amann"@br'), _value("<https://schema.org/InStock>")
    ('Kouign amann', '<http://schema.org/InStock>')
    """
    if not term.startswith('"'):
        return one_schema_org(term)
    return " ".join(term[1 : term.rfind('"')].split())


def digest(*parts: str) -> bytes:
    """A key of twelve bytes: a crawl may remember millions."""
    return blake2b("\0".join(parts).encode("utf-8", "replace"), digest_size=12).digest()
