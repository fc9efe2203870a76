"""The page as a light tree of plain objects, made once and read by every extractor.

turbohtml parses (WHATWG tree construction in C, linear in time, nesting flattened at 512 as browsers do);
one walk copies its nodes, because extractors visit each node several times and plain attributes are read
ten times faster than nodes of a C tree.

Invariants: ``elements`` is in document order and ``elements[e.index:e.end]`` is ``e`` with its descendants;
``texts[e.start:e.stop]`` are the pieces of text inside ``e``, without those of scripts and styles.
"""

from __future__ import annotations

import gc
from bisect import bisect_right
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

    ``names`` are all attribute names and ``classes`` all class names on the page: an extractor that looks for
    others need not start. ``cut`` says that elements beyond the cap were dropped.
    """

    __slots__ = ("classes", "cut", "elements", "names", "raw", "root", "texts")

    def __init__(self, root: Element) -> None:
        self.root = root
        self.elements: list[Element] = [root]
        self.texts: list[str] = []
        self.raw: list[int] = []  # indexes of scripts and styles
        self.names: set[str] = set(root.attrs)
        self.classes: set[str] = set(root.attrs.get("class", "").split())
        self.cut = False

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
    collects = gc.isenabled()
    gc.disable()  # thousands of new objects and no garbage yet: looking for some is a quarter of the time
    try:
        return _copy(parsed, max_elements)
    finally:
        if collects:
            gc.enable()


def _copy(parsed: Any, max_elements: int) -> Document:
    top = parsed.root
    current = root = Element("html", _strings(top.attrs), None, 0, 0)
    document = Document(root)
    elements, texts = document.elements, document.texts
    names, classes = document.names, document.classes
    nodes = iter(top.children)
    above: list[Any] = []  # iterators over the rest of the children of the open elements
    while True:
        for node in nodes:
            kind = type(node)
            if kind is _TEXT:
                text = node.data
                current.children.append(text)
                if current.tag not in RAW_TEXT:
                    texts.append(text)
            elif kind is _ELEMENT:
                if len(elements) >= max_elements:
                    document.cut = True
                    break
                tag, attrs = node.tag, {}
                for name, value in node.attrs.items():
                    if value.__class__ is not str:  # turbohtml gives lists for attributes such as class
                        if name == "class":
                            classes.update(value)
                        value = " ".join(value)
                    attrs[name] = value
                names.update(attrs)
                element = Element(tag, attrs, current, len(elements), len(texts))
                if tag in RAW_TEXT:
                    document.raw.append(len(elements))
                current.children.append(element)
                elements.append(element)
                above.append(nodes)
                current, nodes = element, iter(node.children)
                break
        else:
            current.end, current.stop = len(elements), len(texts)
            if current.parent is None:
                return document
            current, nodes = current.parent, above.pop()
            continue
        if document.cut:
            nodes, above = iter(()), [iter(())] * len(above)


def _strings(attrs: Any) -> dict[str, str]:
    return {name: value if value.__class__ is str else " ".join(value) for name, value in attrs.items()}
