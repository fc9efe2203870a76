"""Every link that a crawler may follow, with what surrounds it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from sundog.extract.dom import Element
from sundog.extract.page import Page
from sundog.extract.terms import TYPE
from sundog.extract.urls import LinkResolver
from sundog.model import Link

CONTEXT = 100  # characters on each side
MAX_ANCHOR = 500
MAX_LINKS = 20_000
_SOURCES = {"a": "href", "area": "href", "link": "href", "iframe": "src", "frame": "src"}
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
_NAME_LENGTH = 20
_CLASSES = 3


def find_links(page: Page) -> list[Link]:
    """In document order; ``position`` counts them from 0."""
    resolver, words = page.resolver, _Words(page.document.texts)
    paths = _TagPaths()
    robots_nofollow = False
    found: list[Link] = []
    for element in page.document.tagged(*_SOURCES, "meta"):
        tag = element.tag
        if tag != "meta":
            rel = element.attrs.get("rel", "").lower()
            if tag == "link" and not _PARTS.isdisjoint(rel.split()):
                continue
            reference = element.attrs.get(_SOURCES[tag])
            if reference is None:
                reference = element.attrs.get("xlink:href")
        else:
            robots_nofollow = robots_nofollow or _forbids_following(element)
            reference, rel = _refresh_of(element), "refresh"
        if not reference or reference[0] == "#" or len(found) >= MAX_LINKS:
            continue
        url = resolver.resolve(reference)
        if url is None:
            continue
        found.append(
            Link(
                url,
                words.between(element.start, element.stop) or _alternative(element),
                paths.of(element),
                words.before(element.start) if tag in _IN_TEXT else "",
                words.after(element.stop) if tag in _IN_TEXT else "",
                rel,
                "",
                len(found),
                robots_nofollow or "nofollow" in rel,
            )
        )
    return found


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


def _refresh_of(meta: Element) -> str | None:
    if meta.attrs.get("http-equiv", "").lower() != "refresh":
        return None
    match = _REFRESH.match(meta.attrs.get("content", "").strip())
    if match is None:
        return None
    quote = match[1][:1]
    return match[1][1:].partition(quote)[0] if quote in ("'", '"') else match[1]


def _forbids_following(meta: Element) -> bool:
    if meta.attrs.get("name", "").lower() != "robots":
        return False
    words = meta.attrs.get("content", "").lower()
    return "nofollow" in words or "none" in words


def _alternative(element: Element) -> str:
    """A link without text: what its image is said to show, or its title."""
    for child in element.children:
        if not isinstance(child, str) and child.tag == "img" and child.attrs.get("alt"):
            return " ".join(child.attrs["alt"].split())[:MAX_ANCHOR]
    attrs = element.attrs
    return " ".join((attrs.get("aria-label") or attrs.get("title") or attrs.get("alt") or "").split())[:MAX_ANCHOR]


class _Words:
    """The page's text with single spaces, and where each of its pieces begins: context is then a slice."""

    __slots__ = ("_starts", "_text")

    def __init__(self, texts: list[str]) -> None:
        pieces: list[str] = []
        starts: list[int] = []
        length = 0
        for text in texts:
            starts.append(length)
            words = text.split()
            if words:
                piece = " ".join(words)
                pieces.append(piece)
                length += len(piece) + 1
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
        self._known: dict[Element, tuple[int, str]] = {}  # of elements that have links below them: length and path

    def of(self, element: Element) -> str:
        name = _name(element)
        return f"{self._above(element.parent)} {name}" if element.parent is not None else name

    def _above(self, element: Element) -> str:
        """Found by climbing to the next element whose path is known."""
        climbed: list[Element] = []
        node: Element | None = element
        while node is not None and node not in self._known:
            climbed.append(node)
            node = node.parent
        length, path = self._known[node] if node is not None else (0, "")
        for each in reversed(climbed):
            if length == _PATH_LENGTH - 1:
                path = f"{path.partition(' ')[2]} {_name(each)}"
            else:
                length, path = length + 1, f"{path} {_name(each)}" if path else _name(each)
            self._known[each] = (length, path)
        return path


def _name(element: Element) -> str:
    attrs = element.attrs
    return _made_name(element.tag, attrs.get("id", ""), attrs.get("class", ""))


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
