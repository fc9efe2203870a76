"""The page as a light tree of plain objects, made once and read by every extractor.

turbohtml parses (WHATWG tree construction in C, linear in time, nesting flattened at 512 as browsers do);
one walk copies its nodes, because extractors visit each node several times and plain attributes are read
ten times faster than nodes of a C tree.

Invariants: ``elements`` is in document order and ``elements[e.index:e.end]`` is ``e`` with its descendants;
``texts[e.start:e.stop]`` are the pieces of text inside ``e``, without those of scripts and styles.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from typing import Any, Final

import turbohtml

MAX_ELEMENTS: Final = 300_000
RAW_TEXT: Final = frozenset({"script", "style"})  # whose text nobody reads on the page
_ELEMENT, _TEXT = turbohtml.Element, turbohtml.Text


class Element:
    """An element: lower-case tag, attributes (``""`` for bare ones), children (elements and text)."""

    __slots__ = ("attrs", "children", "end", "index", "parent", "start", "stop", "tag")

    tag: str
    attrs: dict[str, str]
    parent: Element | None
    children: list[Element | str]
    index: int  # in Document.elements
    end: int  # index of the first element after this one and its descendants
    start: int  # where its pieces of text begin in Document.texts
    stop: int

    def __init__(self, tag: str, attrs: dict[str, str], parent: Element | None, index: int, start: int) -> None:
        self.tag = tag
        self.attrs = attrs
        self.parent = parent
        self.children = []
        self.index = index
        self.start = start

    def __repr__(self) -> str:
        attributes = "".join(f' {name}="{value}"' for name, value in self.attrs.items())
        return f"<{self.tag}{attributes}>"


class Document:
    """A parsed page.

    ``by_name`` has the elements that have an attribute, ``by_tag`` those of a tag, in document order, so that no
    extractor walks the page again; ``classes`` are all class names on it. ``cut`` says that elements beyond the
    cap were dropped.
    """

    __slots__ = ("by_name", "by_tag", "classes", "cut", "elements", "raw", "root", "texts")

    def __init__(self, root: Element) -> None:
        self.root = root
        self.elements: list[Element] = [root]
        self.texts: list[str] = []
        self.raw: list[int] = []  # indexes of scripts and styles
        self.by_name: dict[str, list[Element]] = defaultdict(list)
        self.by_tag: dict[str, list[Element]] = defaultdict(list)
        self.classes: set[str] = set(root.attrs.get("class", "").split())
        self.cut = False
        self.by_tag[root.tag].append(root)
        for name in root.attrs:
            self.by_name[name].append(root)

    def having(self, *names: str) -> list[Element]:
        """Elements with any of these attributes, in document order."""
        return _merged([self.by_name[name] for name in names if name in self.by_name])

    def tagged(self, *tags: str) -> list[Element]:
        """Elements of any of these tags, in document order."""
        return _merged([self.by_tag[tag] for tag in tags if tag in self.by_tag])

    def release(self) -> None:
        """Nobody needs the tree any more. Without cycles it is freed at once; left to the garbage collector it
        makes extraction a third slower."""
        for element in self.elements:
            element.parent = None

    def descendants(self, element: Element) -> list[Element]:
        """All elements inside, in document order."""
        return self.elements[element.index + 1 : element.end]

    def text_of(self, element: Element) -> str:
        """The DOM's textContent."""
        raw = self.raw
        position = bisect_right(raw, element.index - 1)
        if position < len(raw) and raw[position] < element.end:
            return text_of(element)
        return "".join(self.texts[element.start : element.stop])


def text_of(element: Element) -> str:
    """The DOM's textContent, found by walking.

    >>> text_of(parse_html("<p>one <b>two</b> three<!-- four --></p>").root)
    'one two three'
    """
    pieces: list[str] = []
    stack: list[Element | str] = [element]
    while stack:
        node = stack.pop()
        if isinstance(node, str):
            pieces.append(node)
        else:
            stack.extend(reversed(node.children))
    return "".join(pieces)


def parse_html(page: str | bytes, *, encoding: str | None = None, max_elements: int = MAX_ELEMENTS) -> Document:
    """Parse a page; what is inside ``<template>`` and comments is left out.

    Bytes are decoded as browsers do: byte-order mark, ``encoding`` (of the HTTP header), meta, detection.

    >>> parse_html("<p hidden class='a  b'>Hi<br>there").elements[3:]
    [<p hidden="" class="a b">, <br>]
    """
    parsed = turbohtml.parse(
        page, encoding=encoding, detect_encoding=True, positions=False, allow_declarative_shadow_roots=False
    )
    return _copy(parsed, max_elements)


def _copy(parsed: Any, max_elements: int) -> Document:
    top = parsed.root
    current = Element("html", _strings(top.attrs), None, 0, 0)
    document = Document(current)
    elements, texts, classes = document.elements, document.texts, document.classes
    by_name, by_tag = document.by_name, document.by_tag
    children, is_raw = current.children, False
    nodes = iter(top.children)
    above: list[Any] = []  # the open elements around the current one, with what is left to read of them
    while True:
        for node in nodes:
            kind = type(node)
            if kind is _TEXT:
                text = node.data
                children.append(text)
                if not is_raw:
                    texts.append(text)
            elif kind is _ELEMENT:
                tag = node.tag
                attrs: dict[str, str] = {}
                element = Element(tag, attrs, current, len(elements), len(texts))
                for name, value in node.attrs.items():
                    if value.__class__ is not str:  # turbohtml gives lists for attributes such as class
                        if name == "class":
                            classes.update(value)
                        value = " ".join(value)
                    attrs[name] = value
                    by_name[name].append(element)
                by_tag[tag].append(element)
                children.append(element)
                elements.append(element)
                above.append((current, nodes, children, is_raw))
                current, nodes, children, is_raw = element, iter(node.children), element.children, tag in RAW_TEXT
                break
        else:
            current.end, current.stop = len(elements), len(texts)
            if not above:
                document.raw += [element.index for element in document.tagged(*RAW_TEXT)]
                return document
            current, nodes, children, is_raw = above.pop()
            continue
        if len(elements) >= max_elements:
            document.cut = True
            nodes, above = iter(()), [(each[0], iter(()), each[2], each[3]) for each in above]


def _merged(lists: list[list[Element]]) -> list[Element]:
    if len(lists) == 1:
        return lists[0]
    found = {element: None for several in lists for element in several}
    return sorted(found, key=_index)


def _index(element: Element) -> int:
    return element.index


def _strings(attrs: Any) -> dict[str, str]:
    return {name: value if value.__class__ is str else " ".join(value) for name, value in attrs.items()}
