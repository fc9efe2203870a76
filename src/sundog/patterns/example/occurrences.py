"""Where a value stands on a page: the smallest elements that show it, and attributes that hold it."""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntEnum
from itertools import chain, islice
from typing import NamedTuple

from turbohtml import Text

from sundog.patterns.example.tree import Node, attribute, children, elements, own_texts, plain, text_of
from sundog.patterns.field_types import URL_ATTRIBUTES
from sundog.urls.references import LinkResolver

MOST_COMPARED = 500  # before the best are chosen
MOST_OCCURRENCES = 25  # of one value; more would add nothing
MOST_CHARACTERS = 2_000  # of an element that is searched
UNSEEN = frozenset({"script", "style", "template", "noscript"})
TELLING_ATTRIBUTES = ("content", "datetime", "href", "src", "value", "title", "alt")


class Fit(IntEnum):
    """How well what stands there fits the value; the smaller the better."""

    EXACT = 0
    BEGINS = 1
    CONTAINS = 2


class Occurrence(NamedTuple):
    """``attribute`` is empty if it is the element's text; ``piece`` is that one of its texts, if it has others."""

    node: Node
    attribute: str
    fit: Fit
    piece: Text | None = None


def shown_at(occurrence: Occurrence) -> str:
    if occurrence.piece is not None:
        return plain(occurrence.piece.text)
    return (
        plain(attribute(occurrence.node, occurrence.attribute))
        if occurrence.attribute
        else text_of(occurrence.node)
    )


def occurrences(root: Node, value: str, url: str = "") -> list[Occurrence]:
    """In the order of how well they fit, then of the page. ``url`` is the page's, for links that are relative."""
    wanted = plain(value)
    if not wanted:
        return []
    everywhere = chain(_in_texts(root, wanted), _in_pieces(root, wanted), _in_attributes(root, wanted, url))
    found = list(islice(everywhere, MOST_COMPARED))
    found.sort(key=lambda occurrence: occurrence.fit)  # stable: the page's order stays
    return found[:MOST_OCCURRENCES]


def _in_texts(root: Node, wanted: str) -> Iterator[Occurrence]:
    """Elements that show the value and have no child that shows it as well."""
    for node in elements(root):
        fit = _shown_fit(node, wanted)
        if fit is None:
            continue
        below = (_shown_fit(child, wanted) for child in children(node))
        if not any(each is not None and each <= fit for each in below):
            yield Occurrence(node, "", fit)


def _in_pieces(root: Node, wanted: str) -> Iterator[Occurrence]:
    """What is shown in one element may be several texts, such as lines."""
    for node in elements(root):
        if len(node.text) <= MOST_CHARACTERS and node.tag not in UNSEEN:
            for piece in own_texts(node):
                if (fit := _fit(plain(piece.text), wanted)) is not None:
                    yield Occurrence(node, "", fit, piece)


def _shown_fit(node: Node, wanted: str) -> Fit | None:
    text = node.text
    if len(text) > MOST_CHARACTERS or node.tag in UNSEEN or wanted.partition(" ")[0] not in text:
        return None
    return _fit(plain(text), wanted)


def _in_attributes(root: Node, wanted: str, url: str) -> Iterator[Occurrence]:
    resolve = LinkResolver(url).resolve if "://" in wanted and url else None
    for node in elements(root):
        for name in TELLING_ATTRIBUTES:
            given = attribute(node, name).strip()
            if given and (given == wanted or (resolve and name in URL_ATTRIBUTES and resolve(given) == wanted)):
                yield Occurrence(node, name, Fit.EXACT)


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
