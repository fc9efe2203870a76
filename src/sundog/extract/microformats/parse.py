"""From a page to its microformats: canonical JSON (items, rels, rel-urls), or statements at once."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from sundog.extract.dom import Document, Element
from sundog.extract.guards import SECONDS, GivenUpError, TimeBox
from sundog.extract.microformats.includes import resolve_includes
from sundog.extract.microformats.items import Item, read_item
from sundog.extract.microformats.rdf import write_statements
from sundog.extract.microformats.reading import Reading
from sundog.extract.microformats.roots import find_roots, marked_nodes
from sundog.extract.page import HtmlPage
from sundog.rdf.terms import Triple

_TAGS = ("a", "link", "area")
_ABOUT = ("hreflang", "media", "title", "type")


def parse(document: Document, base: str) -> dict[str, Any]:
    """The canonical JSON: items, rels and rel-urls; of a hostile page the first items.

    `base` is what relative URLs are relative to: the page's ``<base>``, else its URL.
    """
    items: list[Item] = []
    with suppress(GivenUpError):
        read_items(document, base, items, timebox=TimeBox(SECONDS))
    rels, urls = read_rels(document, base)
    return {"items": items, "rels": rels, "rel-urls": urls}


def read_microformats(page: HtmlPage, timebox: TimeBox, out: list[Triple]) -> None:
    """Append the statements of a page's microformats to `out`; also those found before an error.

    A ``GivenUpError`` says that there are more.
    """
    items: list[Item] = []
    try:
        read_items(page.document, page.base.url, items, markup=False, timebox=timebox)
    finally:
        write_statements(items, out)


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


def read_rels(document: Document, base: str) -> tuple[dict[str, list[str]], dict[str, dict[str, Any]]]:
    """The ``rels`` and ``rel-urls`` of the canonical JSON."""
    reading = Reading(document, base, {}, [])
    rels: dict[str, dict[str, None]] = {}
    urls: dict[str, dict[str, Any]] = {}
    for element in document.having("rel"):
        attrs = element.attrs
        if element.tag not in _TAGS or "href" not in attrs:
            continue
        words = attrs["rel"].split()
        if not words:
            continue
        url = reading.url(attrs["href"])
        for word in words:
            rels.setdefault(word, {})[url] = None
        about = urls.setdefault(url, {"rels": set()})
        about["rels"].update(words)
        for name in _ABOUT:
            if name in attrs:
                about.setdefault(name, attrs[name])
        if "text" not in about and (text := document.text_of(element).strip()):
            about["text"] = text
    for about in urls.values():
        about["rels"] = sorted(about["rels"])
    return {word: list(found) for word, found in rels.items()}, urls
