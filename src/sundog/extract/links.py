"""Every link that a crawler may follow, with what surrounds it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import partial
from typing import Any

from sundog.extract.around import Place, Surroundings
from sundog.extract.page import Page
from sundog.extract.shown_text import places_in, text_in
from sundog.extract.tag_paths import TagPaths
from sundog.extract.terms import TYPE
from sundog.extract.urls import LinkResolver
from sundog.model import NOTHING_AROUND, Link

MAX_ANCHOR = 500
MAX_LINKS = 20_000
_SOURCES = {"a": "href", "area": "href", "link": "href", "iframe": "src", "frame": "src", "meta": ""}
_SOURCES_BUT_META = {tag: source for tag, source in _SOURCES.items() if tag != "meta"}
_IN_TEXT = frozenset({"a", "area", "iframe"})
# What <link> offers besides pages: the parts a browser needs to show this one.
_PARTS = frozenset(
    "stylesheet icon preload prefetch dns-prefetch preconnect modulepreload apple-touch-icon "
    "apple-touch-icon-precomposed mask-icon manifest pingback edituri wlwmanifest shortcut "
    "apple-touch-startup-image".split()
)
_REFRESH = re.compile(r"[\d.]+\s*+[;,]?\s*+(?:url\s*+=\s*+)?(.*)", re.IGNORECASE | re.DOTALL)
_link = partial(tuple.__new__, Link)  # what its _make does, in half the time


def find_links(page: Page, *, with_context: bool = True) -> list[Link]:
    """In document order; ``position`` counts them from 0. The text around them is found when it is asked for, or
    never: links without it are small, and can be sent to another process."""
    root, tags = page.document.parsed.root, _SOURCES if _may_refresh(page) else _SOURCES_BUT_META
    surroundings = Surroundings(root, tags) if with_context else None
    resolve, path_of = page.resolver.resolve, TagPaths(page.document.parsed).of
    forbidden = any(_forbids_following(attrs) for attrs in page.metas)
    found: list[Link] = []
    for number, (node, tag) in enumerate(places_in(root, tags)):
        attribute = node.attr
        reference = _refresh_of(node) if tag == "meta" else attribute(_SOURCES[tag]) or attribute("xlink:href")
        if not reference or reference[0] == "#":
            continue
        rel = "refresh" if tag == "meta" else (attribute("rel") or "").lower()
        if tag == "link" and not _PARTS.isdisjoint(rel.split()):
            continue
        url = resolve(reference)
        if url is None:
            continue
        in_text = tag in _IN_TEXT
        around = Place(surroundings, number) if in_text and surroundings else NOTHING_AROUND
        anchor = (text_in(node)[:MAX_ANCHOR] if in_text else "") or _alternative(node)
        nofollow = forbidden or "nofollow" in rel
        found.append(_link((url, anchor, path_of(node, tag), around, rel, "", len(found), nofollow, 0.0, 0)))
        if len(found) == MAX_LINKS:
            break
    return found


def with_statement_links(found: list[Link], statements: Iterable[tuple[str, ...]], page_url: str) -> list[Link]:
    """URIs in the RDF are links too, with the property that leads to them; types are not."""
    properties = _properties_by_target(statements, page_url)
    if not properties:
        return found
    found = [
        link._replace(property=properties.pop(link.url)) if link.url in properties else link for link in found
    ]
    return found + [
        Link(url, property=name, position=n) for n, (url, name) in enumerate(properties.items(), len(found))
    ]


def _properties_by_target(statements: Iterable[tuple[str, ...]], page_url: str) -> dict[str, str]:
    targets: dict[str, str] = {}  # several syntaxes often say the same
    for statement in statements:
        target = statement[2]
        if target not in targets and target.startswith("<http") and statement[1] != TYPE:
            targets[target] = statement[1]
    resolve = LinkResolver(page_url).resolve
    found: dict[str, str] = {}
    for target, predicate in targets.items():
        url = resolve(target[1:-1])
        if url is not None and url != page_url:
            found.setdefault(url, predicate[1:-1])
    return found


def _may_refresh(page: Page) -> bool:
    """Pages have many metas, and hardly one that leads elsewhere."""
    return any("http-equiv" in attrs for attrs in page.metas)


def _refresh_of(meta: Any) -> str | None:
    if (meta.attr("http-equiv") or "").lower() != "refresh":
        return None
    match = _REFRESH.match((meta.attr("content") or "").strip())
    if match is None:
        return None
    quote = match[1][:1]
    return match[1][1:].partition(quote)[0] if quote in ("'", '"') else match[1]


def _forbids_following(meta: dict[str, str]) -> bool:
    if meta.get("name", "").lower() != "robots":
        return False
    words = meta.get("content", "").lower()
    return "nofollow" in words or "none" in words


def _alternative(node: Any) -> str:
    """A link without text: what its image is said to show, or its title."""
    image = node.find("img")
    text = (
        (image is not None and image.attr("alt"))
        or node.attr("aria-label")
        or node.attr("title")
        or node.attr("alt")
    )
    return " ".join((text or "").split())[:MAX_ANCHOR]
