"""The links of an HTML page, each with its anchor, its tag path (``div#main.wide ul li a``) and its context."""

from __future__ import annotations

import re
from functools import partial
from typing import Any, Final

import turbohtml

from sundog.extract.link_text import LinkContext, LinkContexts, TextReader, places_in, single_spaced
from sundog.extract.page import HtmlPage
from sundog.extract.robot_tags import meta_tags
from sundog.model import NOTHING_AROUND, Link, Sides

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
# Paths by the path around an element and what is in its tag: pages of a site have nearly all of them in common.
_paths: dict[tuple[str, str, str | None, str | None], str] = {}
_MOST_PATHS = 20_000
_ELEMENT, _TEXT = turbohtml.Element, turbohtml.Text
_link = partial(tuple.__new__, Link)  # what its _make does, in half the time


def find_links(page: HtmlPage, *, with_context: bool = True) -> list[Link]:
    """In document order; ``position`` counts them from 0. The text around them is found when it is asked for, or
    never: links without it are small, and can be sent to another process.

    A page has a hundred of them, and to find them takes a third of its time: the usual case of each step stands
    in the loop itself."""
    root, tags = page.document.parsed.root, _SOURCES if _may_refresh(page) else _SOURCES_BUT_META
    contexts = LinkContexts(root, tags) if with_context else None
    resolve, known, paths = page.resolver.resolve, page.resolver.known.get, TagPaths()
    path_of, climbed = paths.of.get, paths.climbed
    forbidden = not meta_tags(page.metas).may_follow
    read_text = TextReader(MAX_ANCHOR).read
    found: list[Link] = []
    around: LinkContext | Sides = NOTHING_AROUND
    position = 0
    for number, node in enumerate(places_in(root, tags)):
        tag, attribute = node.tag, node.attr
        if tag == "meta":
            reference, rel = _refresh_of(node), "refresh"
        else:
            reference, rel = attribute(_SOURCES[tag]) or attribute("xlink:href"), attribute("rel")
        if not reference or reference[0] == "#":
            continue
        nofollow = forbidden
        if rel:
            rel = rel.lower()
            if tag == "link" and not _PARTS.isdisjoint(rel.split()):
                continue
            nofollow = nofollow or ("nofollow" in rel and "nofollow" in rel.split())
        url = known(reference) or resolve(reference)
        if url is None:
            continue
        anchor = ""
        if tag in _IN_TEXT:
            image = None
            children = node.children
            if len(children) == 1 and type(only := children[0]) is _TEXT:  # as in most links
                anchor = single_spaced(only.data)[:MAX_ANCHOR]
            elif children:
                anchor, image = read_text(node)
                anchor = anchor[:MAX_ANCHOR]
            if contexts:
                around = LinkContext(contexts, number)
            if not anchor:
                anchor = _alternative(node, image)
        else:
            around, anchor = NOTHING_AROUND, _alternative(node, None)
        parent = node.parent
        key = (path_of(parent) or climbed(parent), tag, attribute("id"), attribute("class"))
        path = _paths.get(key) or _made_path(*key)
        found.append(_link((url, anchor, path, around, rel or "", "", position, nofollow, 0.0, 0)))
        position += 1
        if position == MAX_LINKS:
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
    """Of one page. Each element around links is climbed once; equal paths are the same string."""

    __slots__ = ("of",)

    def __init__(self) -> None:
        self.of: dict[Any, str] = {}  # elements that have links below them

    def climbed(self, node: Any) -> str:
        """Of an element, and of all above it whose path is not known yet."""
        paths, above = self.of, node.parent
        path = paths.get(above)
        if path is not None:  # as in lists
            attribute = node.attr
            key = (path, node.tag, attribute("id"), attribute("class"))
            path = paths[node] = _paths.get(key) or _made_path(*key)
            return path
        unknown, node = [node], above
        while path is None and type(node) is _ELEMENT:
            unknown.append(node)
            node = node.parent
            path = paths.get(node)
        path = path or ""
        while unknown:
            node = unknown.pop()
            attribute = node.attr
            key = (path, node.tag, attribute("id"), attribute("class"))
            path = paths[node] = _paths.get(key) or _made_path(*key)
        return path


def _made_path(around: str, tag: str, identity: str | None, classes: str | None) -> str:
    """The names of the innermost elements, and remember it.

    >>> _made_path("a b c d e f g h", "li", "item-4711", "even menu-item")
    'b c d e f g h li#item-0.even.menu-item'
    """
    name = _name(tag, (identity or "")[:_LONGEST_NAME], (classes or "")[:_LONGEST_NAME])
    path = f"{' '.join(around.split(' ')[1 - MOST_TAGS :])} {name}" if around else name
    if len(identity or "") + len(classes or "") <= _LONGEST_NAME:
        if len(_paths) >= _MOST_PATHS:
            _paths.clear()
        _paths[around, tag, identity, classes] = path
    return path


def _name(tag: str, identity: str, classes: str) -> str:
    """With id and classes, numbers as 0.

    >>> _name("li", "item-4711", "even menu-item")
    'li#item-0.even.menu-item'
    """
    name = tag
    if identity:
        name += "#" + "".join(_DIGITS.sub("0", identity)[:_NAME_LENGTH].split())
    for each in sorted(set(classes.split()))[:_CLASSES]:
        name += "." + _DIGITS.sub("0", each)[:_NAME_LENGTH]
    return name
