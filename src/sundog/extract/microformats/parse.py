"""From a document to the canonical microformats JSON: items, rels and rel-urls."""

from __future__ import annotations

from typing import Any

from sundog.extract.dom import Document, Element
from sundog.extract.microformats.includes import resolve_includes
from sundog.extract.microformats.items import read_item
from sundog.extract.microformats.page import OverworkError, Page
from sundog.extract.microformats.rels import read_rels
from sundog.extract.microformats.roots import find_roots

TOO_NESTED = "microformats are nested so deeply in each other that only the first were read"


def parse(document: Document, base: str) -> dict[str, Any]:
    """The canonical JSON. `base` is what relative URLs are resolved against: the page's URL and its ``<base>``."""
    return read(document, base)[0]


def read(document: Document, base: str) -> tuple[dict[str, Any], str]:
    """The canonical JSON, and the fault that kept it from being complete ('' if none)."""
    elements = document.elements
    roots = find_roots(elements)
    page = Page(base, roots, len(elements))
    items: list[dict[str, Any]] = []
    rels: dict[str, list[str]] = {}
    urls: dict[str, dict[str, Any]] = {}
    fault = ""
    try:
        _read_items(elements, page, items)
        rels, urls = read_rels(elements, page)
    except OverworkError:
        fault = TOO_NESTED
    return {"items": items, "rels": rels, "rel-urls": urls}, fault


def _read_items(elements: list[Element], page: Page, items: list[dict[str, Any]]) -> None:
    """The items that are in no other item."""
    tops = list(page.roots.items())
    if any(root.classic for _, root in tops):
        resolve_includes(elements, page)
    seen: set[Element] = set()
    for element, root in tops:
        if element not in seen:
            items.append(read_item(element, root, page, seen))
