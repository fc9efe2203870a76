"""Every link that a crawler may follow, with what surrounds it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import accumulate
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
_link = Link._make


def find_links(page: Page) -> list[Link]:
    """In document order; ``position`` counts them from 0."""
    places, texts = _places(page.document.parsed.root)
    resolve, words, path_of = page.resolver.resolve, _Words(texts), _TagPaths().of
    forbidden = any(_forbids_following(attrs) for attrs in page.metas)
    found: list[Link] = []
    for node, tag, start in places:
        attribute = node.attr
        rel = attribute("rel")
        rel = rel.lower() if rel else ""
        if tag == "meta":
            reference, rel = _refresh_of(node), "refresh"
        elif tag == "link" and not _PARTS.isdisjoint(rel.split()):
            continue
        else:
            reference = attribute(_SOURCES[tag]) or attribute("xlink:href")
        url = resolve(reference) if reference and reference[0] != "#" else None
        if url is None:
            continue
        before = anchor = after = ""
        if tag in _IN_TEXT:
            before, anchor, after = words.around(start, start + _texts_inside(node))
        anchor = anchor or _alternative(node)
        nofollow = forbidden or "nofollow" in rel
        found.append(_link((url, anchor, path_of(node, tag), before, after, rel, "", len(found), nofollow)))
        if len(found) == MAX_LINKS:
            break
    return found


def _places(root: Any) -> tuple[list[tuple[Any, str, int]], list[str]]:
    """Elements that may be links, each with its tag and the number of pieces of text before it; these pieces.

    This is the one walk over all nodes that most pages get, so it looks at little.
    """
    places: list[tuple[Any, str, int]] = []
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
                places.append((node, tag, len(texts)))
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
        pieces = _with_single_spaces(texts)
        self._starts = list(accumulate(map(len, pieces), initial=0))
        self._text = "".join(pieces)

    def around(self, first: int, last: int) -> tuple[str, str, str]:
        """What is before these pieces, they themselves, and what is after them."""
        text, start, stop = self._text, self._starts[first], self._starts[last]
        before = text[start - CONTEXT if start > CONTEXT else 0 : start].strip()
        return before, text[start:stop].rstrip()[:MAX_ANCHOR], text[stop : stop + CONTEXT].strip()


def _with_single_spaces(texts: list[str]) -> list[str]:
    """Each with a space at its end, or empty. Most have single spaces: to split these would take longer."""
    pieces = [
        text.strip() if "  " not in text and "\n" not in text and "\t" not in text else " ".join(text.split())
        for text in texts
    ]
    return [f"{piece} " if piece else "" for piece in pieces]


class _TagPaths:
    """``div#main.wide ul.menu li a``: the innermost elements, with their ids and classes, numbers as 0."""

    __slots__ = ("_known",)

    def __init__(self) -> None:
        self._known: dict[Any, tuple[int, str]] = {}  # of elements that have links below them: length and path

    def of(self, node: Any, tag: str) -> str:
        parent = node.parent
        known = self._known.get(parent)
        path = self._climbed(parent) if known is None else known[1]
        attribute = node.attr
        name = _made_name(tag, attribute("id"), attribute("class"))
        return f"{path} {name}" if path else name

    def _climbed(self, node: Any) -> str:
        """From the next element whose path is known."""
        known, climbed = self._known, []
        path = None
        while path is None and type(node) is _ELEMENT:
            climbed.append(node)
            node = node.parent
            path = known.get(node)
        length, names = path or (0, "")
        while climbed:
            each = climbed.pop()
            attribute = each.attr
            name = _made_name(each.tag, attribute("id"), attribute("class"))
            if length == _PATH_LENGTH - 1:
                names = f"{names.partition(' ')[2]} {name}"
            else:
                length, names = length + 1, f"{names} {name}" if names else name
            known[each] = (length, names)
        return names


@lru_cache(maxsize=8192)
def _made_name(tag: str, identity: str | None, classes: str | None) -> str:
    """
    >>> _made_name("li", "item-4711", "even menu-item")
    'li#item-0.even.menu-item'
    """
    name = tag
    if identity:
        name += "#" + "".join(_DIGITS.sub("0", identity)[:_NAME_LENGTH].split())
    for each in sorted(set(classes.split()))[:_CLASSES] if classes else ():
        name += "." + _DIGITS.sub("0", each)[:_NAME_LENGTH]
    return name
