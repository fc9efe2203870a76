"""From a page to its microformats: the canonical JSON, or statements at once."""

from __future__ import annotations

from contextlib import suppress
from typing import Any, Final

from sundog.extract.dom import Document, Element
from sundog.extract.microformats.classic import ROOTS
from sundog.extract.microformats.includes import resolve_includes
from sundog.extract.microformats.items import Item, read_item
from sundog.extract.microformats.rdf import statements
from sundog.extract.microformats.reading import OverworkError, Reading
from sundog.extract.microformats.rels import read_rels
from sundog.extract.microformats.roots import find_roots, marked_nodes
from sundog.extract.page import Page
from sundog.extract.terms import Triple
from sundog.extract.timebox import OutOfTimeError, TimeBox

MARKS: Final = (b"h-", *(name.encode() for name in ROOTS))  # a page without any of them has no microformats
_SECONDS: Final = 2.0


def parse(document: Document, base: str) -> dict[str, Any]:
    """The canonical JSON: items, rels and rel-urls; of a hostile page the first items.

    `base` is what relative URLs are relative to: the page's ``<base>``, else its URL.
    """
    items: list[Item] = []
    with suppress(OverworkError, OutOfTimeError):
        read_items(document, base, items, timebox=TimeBox(_SECONDS))
    rels, urls = read_rels(document, base)
    return {"items": items, "rels": rels, "rel-urls": urls}


def read_microformats(page: Page, timebox: TimeBox, out: list[Triple]) -> None:
    """Append the statements of a page's microformats to `out`; also those found before an error.

    OutOfTimeError and OverworkError say that there are more.
    """
    items: list[Item] = []
    try:
        read_items(page.document, page.base.url, items, markup=False, timebox=timebox)
    finally:
        out.extend(statements(items))


def read_items(
    document: Document, base: str, out: list[Item], *, markup: bool = True, timebox: TimeBox | None = None
) -> None:
    """Append the items that are in no other item to `out`.

    Without `markup` the values of ``e-*`` are their text: all that statements need, and faster.
    """
    marked = marked_nodes(document)
    roots = find_roots(document, marked)
    if not roots:
        return
    reading = Reading(document, base, roots, marked, markup=markup, timebox=timebox)
    tops = list(roots.items())  # before copies of included items join them
    if any(root.classic for _, root in tops):
        resolve_includes(reading)
    seen: set[Element] = set()
    for element, root in tops:
        if element not in seen:
            out.append(read_item(element, root, reading, seen))
