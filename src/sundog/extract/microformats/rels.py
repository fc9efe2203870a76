"""Link relations: which URLs a page relates to by which word, and what it says about each of them."""

from __future__ import annotations

from typing import Any

from sundog.extract.dom import Document
from sundog.extract.microformats.reading import Reading

_TAGS = ("a", "link", "area")
_ABOUT = ("hreflang", "media", "title", "type")


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
