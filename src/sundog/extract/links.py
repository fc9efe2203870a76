"""The links of an HTML page, each with its anchor, its tag path (``div#main.wide ul li a``) and its context."""

from __future__ import annotations

import re
from functools import lru_cache, partial
from typing import Any, Final

import turbohtml

from sundog.extract.link_text import LinkContext, LinkContexts, TextReader, places_in
from sundog.extract.page import HtmlPage
from sundog.extract.robot_tags import meta_tags
from sundog.model import NOTHING_AROUND, Link

MAX_ANCHOR = 500
MAX_LINKS = 20_000
MOST_TAGS: Final = 8  # of a tag path: the innermost elements
_NAME_LENGTH = 20  # characters of an id or a class in it
_CLASSES = 3  # of an element in it
_LONGEST_NAME = 2_000  # characters of an id or of all classes that are looked at
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
_DIGITS = re.compile(r"\d+")
_ELEMENT = turbohtml.Element
_link = partial(tuple.__new__, Link)  # what its _make does, in half the time


def find_links(page: HtmlPage, *, with_context: bool = True) -> list[Link]:
    """In document order; ``position`` counts them from 0. The text around them is found when it is asked for, or
    never: links without it are small, and can be sent to another process."""
    root, tags = page.document.parsed.root, _SOURCES if _may_refresh(page) else _SOURCES_BUT_META
    contexts = LinkContexts(root, tags) if with_context else None
    resolve, path_of = page.resolver.resolve, TagPaths(page.document.parsed).of
    forbidden = not meta_tags(page.metas).may_follow
    read_text = TextReader(MAX_ANCHOR).read
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
        around = LinkContext(contexts, number) if in_text and contexts else NOTHING_AROUND
        text, image = read_text(node) if in_text else ("", None)
        anchor = text[:MAX_ANCHOR] or _alternative(node, image)
        nofollow = forbidden or ("nofollow" in rel and "nofollow" in rel.split())
        found.append(_link((url, anchor, path_of(node, tag), around, rel, "", len(found), nofollow, 0.0, 0)))
        if len(found) == MAX_LINKS:
            break
    return found


def _may_refresh(page: HtmlPage) -> bool:
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


def _alternative(node: Any, image: Any) -> str:
    """A link without text: the alternative text of its image, or its title."""
    text = (
        (image is not None and image.attr("alt"))
        or node.attr("aria-label")
        or node.attr("title")
        or node.attr("alt")
    )
    return " ".join((text or "").split())[:MAX_ANCHOR]


class TagPaths:
    """Of one page. Each element around links is climbed and named once."""

    __slots__ = ("_known", "_named")

    def __init__(self, page: Any) -> None:
        self._known: dict[Any, tuple[int, str]] = {}  # of elements that have links below them: length and path
        self._named = set(page.select("[class], [id]"))  # to ask each element takes longer

    def of(self, node: Any, tag: str) -> str:
        parent = node.parent
        length, path = self._known.get(parent) or self._climbed(parent)
        name = _name_of(tag, node) if node in self._named else tag
        return f"{path} {name}" if length else name

    def _climbed(self, node: Any) -> tuple[int, str]:
        """Of an element, and of all above it whose path is not known yet."""
        known, named, unknown = self._known, self._named, []
        above = None
        while above is None and type(node) is _ELEMENT:
            unknown.append(node)
            node = node.parent
            above = known.get(node)
        length, path = above or (0, "")
        for each in reversed(unknown):
            name = each.tag
            if each in named:
                name = _name_of(name, each)
            if length == MOST_TAGS - 1:
                path = f"{path.partition(' ')[2]} {name}"
            else:
                length, path = length + 1, f"{path} {name}" if length else name
            known[each] = (length, path)
        return length, path


def _name_of(tag: str, node: Any) -> str:
    """What is too long is cut before it is remembered."""
    identity, classes = node.attr("id"), node.attr("class")
    if identity and len(identity) > _LONGEST_NAME:
        identity = identity[:_LONGEST_NAME]
    if classes and len(classes) > _LONGEST_NAME:
        classes = classes[:_LONGEST_NAME]
    return _made_name(tag, identity, classes)


@lru_cache(maxsize=8192)
def _made_name(tag: str, identity: str | None, classes: str | None) -> str:
    """With id and classes, numbers as 0.

    >>> _made_name("li", "item-4711", "even menu-item")
    'li#item-0.even.menu-item'
    """
    name = tag
    if identity:
        name += "#" + "".join(_DIGITS.sub("0", identity)[:_NAME_LENGTH].split())
    for each in sorted(set(classes.split()))[:_CLASSES] if classes else ():
        name += "." + _DIGITS.sub("0", each)[:_NAME_LENGTH]
    return name
