"""Where a value stands on a page: the smallest elements that show it, and attributes that hold it."""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntEnum
from typing import NamedTuple

from lxml import etree

MOST_SIGHTINGS = 40  # of one value; a value that is everywhere tells nothing more
MOST_CHARACTERS = 2_000  # of an element that is worth a look
UNSEEN = frozenset({"script", "style", "template", "noscript"})
TELLING_ATTRIBUTES = ("content", "datetime", "href", "src", "value", "title", "alt")


class Fit(IntEnum):
    """How well what stands there fits the value; the smaller the better."""

    EXACT = 0
    BEGINS = 1
    CONTAINS = 2


class Sighting(NamedTuple):
    """``attribute`` is empty if it is the element's text."""

    node: etree._Element
    attribute: str
    fit: Fit


def plain(text: str) -> str:
    """As a reader sees it: blanks are one blank, whatever kind they are of.

    >>> plain(" 262\\u00a0992 \\n people ")
    '262 992 people'
    """
    return " ".join(text.split())


def text_of(node: etree._Element) -> str:
    return plain("".join(node.itertext(with_tail=False)))


def sightings(root: etree._Element, value: str) -> list[Sighting]:
    """In the order of how well they fit, then of the page."""
    wanted = plain(value)
    if not wanted:
        return []
    found = [*_in_texts(root, wanted), *_in_attributes(root, wanted)]
    found.sort(key=lambda sighting: sighting.fit)  # stable: the page's order stays
    return found[:MOST_SIGHTINGS]


def _in_texts(root: etree._Element, wanted: str) -> Iterator[Sighting]:
    """Elements that show the value and have no child that shows it as well."""
    fits: dict[etree._Element, Fit] = {}
    lengths: dict[etree._Element, int] = {}  # so that long texts are never put together
    for node in reversed(list(root.iter(etree.Element))):  # children first
        lengths[node] = _length(node, lengths)
        if node.tag in UNSEEN or lengths[node] > MOST_CHARACTERS or (fit := _fit(text_of(node), wanted)) is None:
            continue
        fits[node] = fit
        if not any(fits.get(child, fit + 1) <= fit for child in node):
            yield Sighting(node, "", fit)


def _length(node: etree._Element, known: dict[etree._Element, int]) -> int:
    """Characters of the element's text, with those of its children, which are known."""
    return len(node.text or "") + sum(known.get(child, 0) + len(child.tail or "") for child in node)


def _in_attributes(root: etree._Element, wanted: str) -> Iterator[Sighting]:
    for node in root.iter(etree.Element):
        for name in TELLING_ATTRIBUTES:
            if plain(node.get(name, "")) == wanted:
                yield Sighting(node, name, Fit.EXACT)


def _fit(text: str, wanted: str) -> Fit | None:
    """
    >>> _fit("1,356,594 people", "1,356,594"), _fit("21,356,594", "1,356,594")
    (<Fit.BEGINS: 1>, None)
    """
    if text == wanted:
        return Fit.EXACT
    at = text.find(wanted)
    if at < 0 or (at > 0 and text[at - 1].isalnum() and wanted[0].isalnum()):
        return None
    after = text[at + len(wanted) : at + len(wanted) + 1]
    if after.isalnum() and wanted[-1].isalnum():
        return None
    return Fit.CONTAINS if at else Fit.BEGINS
