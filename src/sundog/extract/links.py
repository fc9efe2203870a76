"""Every link that a crawler may follow, with what surrounds it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

import turbohtml

from sundog.extract.page import Page
from sundog.extract.terms import TYPE
from sundog.extract.urls import LinkResolver
from sundog.model import Link

CONTEXT = 100  # characters on each side
MAX_ANCHOR = 500
MAX_LINKS = 20_000
_SOURCES = {"a": "href", "area": "href", "link": "href", "iframe": "src", "frame": "src", "meta": ""}
_HIDING = frozenset({"script", "style", "template"})
_IN_TEXT = frozenset({"a", "area", "iframe"})
# What <link> offers besides pages: the parts a browser needs to show this one.
_PARTS = frozenset(
    "stylesheet icon preload prefetch dns-prefetch preconnect modulepreload apple-touch-icon "
    "apple-touch-icon-precomposed mask-icon manifest pingback edituri wlwmanifest shortcut "
    "apple-touch-startup-image".split()
)
_REFRESH = re.compile(r"[\d.]+\s*+[;,]?\s*+(?:url\s*+=\s*+)?(.*)", re.IGNORECASE | re.DOTALL)
_DIGITS = re.compile(r"\d+")
_PATH_LENGTH = 8
_ELEMENT, _TEXT = turbohtml.Element, turbohtml.Text
_NAME_LENGTH = 20
_CLASSES = 3


def find_links(page: Page) -> list[Link]:
    """In document order; ``position`` counts them from 0."""
    places, texts = _places(page.document.parsed.root)
    resolver, words, paths = page.resolver, _Words(texts), _TagPaths()
    forbidden = any(_forbids_following(attrs) for attrs in page.metas)
    found: list[Link] = []
    for node, start in places:
        tag = node.tag
        rel = (node.attr("rel") or "").lower()
        if tag == "meta":
            reference, rel = _refresh_of(node), "refresh"
        elif tag == "link" and not _PARTS.isdisjoint(rel.split()):
            continue
        else:
            reference = node.attr(_SOURCES[tag]) or node.attr("xlink:href")
        url = resolver.resolve(reference) if reference and reference[0] != "#" else None
        if url is None:
            continue
        before = anchor = after = ""
        if tag in _IN_TEXT:
            stop = start + _texts_inside(node)
            before, anchor, after = words.before(start), words.between(start, stop), words.after(stop)
        anchor = anchor or _alternative(node)
        nofollow = forbidden or "nofollow" in rel
        found.append(Link(url, anchor, paths.of(node), before, after, rel, "", len(found), nofollow))
        if len(found) == MAX_LINKS:
            break
    return found


def _places(root: Any) -> tuple[list[tuple[Any, int]], list[str]]:
    """Elements that may be links, each with the number of pieces of text before it, and these pieces.

    This is the one walk over all nodes that most pages get, so it looks at little.
    """
    places: list[tuple[Any, int]] = []
    texts: list[str] = []
    hidden = 0  # how many of the next nodes are inside a script, style or template
    for node in root.descendants:
        if hidden:
            hidden -= 1
            continue
        kind = type(node)
        if kind is _TEXT:
            texts.append(node.data)
        elif kind is _ELEMENT:
            tag = node.tag
            if tag in _SOURCES:
                places.append((node, len(texts)))
            elif tag in _HIDING:
                hidden = sum(1 for _ in node.descendants)
    return places, texts


def _texts_inside(node: Any) -> int:
    children = node.children
    if len(children) == 1 and type(children[0]) is _TEXT:  # as in most links
        return 1
    return len(_places(node)[1])


def with_statement_links(found: list[Link], statements: Iterable[tuple[str, ...]], page_url: str) -> list[Link]:
    """URIs in the RDF are links too, with the property that leads to them; types are not."""
    properties = _properties_by_target(statements, page_url)
    if not properties:
        return found
    found = [
        link._replace(property=properties.pop(link.url, "")) if link.url in properties else link for link in found
    ]
    return found + [
        Link(url, property=name, position=n) for n, (url, name) in enumerate(properties.items(), len(found))
    ]


def _properties_by_target(statements: Iterable[tuple[str, ...]], page_url: str) -> dict[str, str]:
    resolver = LinkResolver(page_url)
    found: dict[str, str] = {}
    for statement in statements:
        predicate, target = statement[1], statement[2]
        if target.startswith("<http") and predicate != TYPE:
            url = resolver.resolve(target[1:-1])
            if url is not None and url != page_url:
                found.setdefault(url, predicate[1:-1])
    return found


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


class _Words:
    """The page's text with single spaces, and where each of its pieces begins: context is then a slice."""

    __slots__ = ("_starts", "_text")

    def __init__(self, texts: list[str]) -> None:
        pieces: list[str] = []
        starts: list[int] = []
        length = 0
        for text in texts:
            starts.append(length)
            is_ragged = "\n" in text or "  " in text or "\t" in text
            text = " ".join(text.split()) if is_ragged else text.strip()
            if text:
                pieces.append(text)
                length += len(text) + 1
        starts.append(length)
        self._starts = starts
        self._text = " ".join(pieces)

    def between(self, start: int, stop: int) -> str:
        return self._text[self._starts[start] : self._starts[stop]].rstrip()[:MAX_ANCHOR]

    def before(self, start: int) -> str:
        end = self._starts[start]
        return self._text[max(0, end - CONTEXT) : end].strip()

    def after(self, stop: int) -> str:
        start = self._starts[stop]
        return self._text[start : start + CONTEXT].strip()


class _TagPaths:
    """``div#main.wide ul.menu li a``: the innermost elements, with their ids and classes, numbers as 0."""

    __slots__ = ("_known",)

    def __init__(self) -> None:
        self._known: dict[Any, tuple[int, str]] = {}  # of elements that have links below them: length and path

    def of(self, node: Any) -> str:
        parent = node.parent
        known = self._known.get(parent)
        path = self._climbed(parent) if known is None else known[1]
        return f"{path} {_name(node)}" if path else _name(node)

    def _climbed(self, node: Any) -> str:
        """From the next element whose path is known."""
        climbed: list[Any] = []
        known = None
        while known is None and type(node) is _ELEMENT:
            climbed.append(node)
            node = node.parent
            known = self._known.get(node)
        length, path = known or (0, "")
        for each in reversed(climbed):
            if length == _PATH_LENGTH - 1:
                path = f"{path.partition(' ')[2]} {_name(each)}"
            else:
                length, path = length + 1, f"{path} {_name(each)}" if path else _name(each)
            self._known[each] = (length, path)
        return path


def _name(node: Any) -> str:
    return _made_name(node.tag, node.attr("id") or "", node.attr("class") or "")


@lru_cache(maxsize=8192)
def _made_name(tag: str, identity: str, classes: str) -> str:
    """
    >>> _made_name("li", "item-4711", "even menu-item")
    'li#item-0.even.menu-item'
    """
    name = tag
    if identity:
        name += "#" + "".join(_DIGITS.sub("0", identity)[:_NAME_LENGTH].split())
    for each in sorted(set(classes.split()))[:_CLASSES]:
        name += "." + _DIGITS.sub("0", each)[:_NAME_LENGTH]
    return name
