"""The page: turbohtml's tree, and a light copy of it for extractors that walk.

turbohtml parses (WHATWG tree construction in C, linear in time, nesting flattened at 512 as browsers do) and
answers selectors in microseconds. What asks for little, such as the metas of a page, asks it. Extractors that
visit most nodes several times get a copy of plain objects, whose attributes are read ten times faster; it takes
longer to make than the parse, so it is made when somebody first touches it, and most pages do without.

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

    The copy: ``by_name`` has the elements that have an attribute, ``by_tag`` those of a tag, in document order,
    so that no extractor walks the page again. ``cut`` says that elements beyond the cap were dropped.
    """

    __slots__ = ("by_name", "by_tag", "cut", "elements", "is_copied", "limit", "parsed", "raw", "root", "texts")

    root: Element
    elements: list[Element]
    texts: list[str]
    raw: list[int]  # indexes of scripts and styles
    by_name: dict[str, list[Element]]
    by_tag: dict[str, list[Element]]
    cut: bool

    def __init__(self, parsed: Any, limit: int) -> None:
        self.parsed = parsed
        self.limit = limit
        self.is_copied = False

    def __getattr__(self, name: str) -> Any:
        """Called for what is not there yet: the copy."""
        if self.is_copied or name not in self.__slots__:
            raise AttributeError(name)
        self.is_copied = True
        _copy(self)
        return getattr(self, name)

    def has(self, selector: str) -> bool:
        """Whether any element matches; elements in templates count, so it may say yes for nothing."""
        return self.parsed.select_one(selector) is not None

    def class_names(self) -> set[str]:
        return set(" ".join(self.parsed.xpath("//@class")).split())

    def attributes(self, tag: str) -> list[dict[str, str]]:
        """Of all elements with this tag."""
        if self.is_copied or self.parsed.find("template") is not None:
            return [element.attrs for element in self.tagged(tag)]
        return [_strings(node.attrs) for node in self.parsed.find_all(tag)]

    def scripts(self) -> list[tuple[dict[str, str], str]]:
        """Attributes and text of all scripts that declare a type."""
        if self.is_copied or self.parsed.find("template") is not None:
            return [
                (element.attrs, text_of(element)) for element in self.tagged("script") if "type" in element.attrs
            ]
        return [(_strings(node.attrs), node.text) for node in self.parsed.select("script[type]")]

    def having(self, *names: str) -> list[Element]:
        """Elements with any of these attributes, in document order."""
        return _merged([self.by_name[name] for name in names if name in self.by_name])

    def tagged(self, *tags: str) -> list[Element]:
        """Elements of any of these tags, in document order."""
        return _merged([self.by_tag[tag] for tag in tags if tag in self.by_tag])

    def release(self) -> None:
        """Nobody needs the tree any more. Without cycles it is freed at once; left to the garbage collector it
        makes extraction a third slower."""
        if self.is_copied:
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
    return Document(parsed, max_elements)


def _copy(document: Document) -> None:
    """Fill in the copy, in one walk and without recursion."""
    top, limit = document.parsed.root, document.limit
    current = document.root = Element("html", _strings(top.attrs), None, 0, 0)
    elements: list[Element] = [current]
    texts: list[str] = []
    document.elements, document.texts = elements, texts
    by_name: dict[str, list[Element]] = defaultdict(list)
    by_tag: dict[str, list[Element]] = defaultdict(list)
    document.by_name, document.by_tag, document.cut = by_name, by_tag, False
    by_tag["html"].append(current)
    for name in current.attrs:
        by_name[name].append(current)
    children = current.children
    nodes = iter(top.children)
    above: list[Any] = []  # the open elements around the current one, with what is left to read of them
    while True:
        for node in nodes:
            kind = type(node)
            if kind is _TEXT:
                text = node.data
                children.append(text)
                texts.append(text)
            elif kind is _ELEMENT:
                if len(elements) >= limit:
                    document.cut = True
                    break
                tag = node.tag
                attrs: dict[str, str] = {}
                element = Element(tag, attrs, current, len(elements), len(texts))
                for name, value in node.attrs.items():
                    if value.__class__ is not str:  # turbohtml gives lists for attributes such as class
                        value = " ".join(value)
                    attrs[name] = value
                    by_name[name].append(element)
                by_tag[tag].append(element)
                children.append(element)
                elements.append(element)
                below = node.children
                if len(below) > 1 or (below and type(below[0]) is not _TEXT):
                    above.append((current, nodes, children))
                    current, nodes, children = element, iter(below), element.children
                    break
                if below:  # one piece of text, as most elements have
                    element.children.append(below[0].data)
                    if tag not in RAW_TEXT:
                        texts.append(below[0].data)
                element.end, element.stop = len(elements), len(texts)
        else:
            current.end, current.stop = len(elements), len(texts)
            if not above:
                document.raw = [element.index for element in document.tagged(*RAW_TEXT)]
                return
            current, nodes, children = above.pop()
            continue
        if document.cut:
            nodes, above = iter(()), [(each[0], iter(()), each[2]) for each in above]


def _merged(lists: list[list[Element]]) -> list[Element]:
    if len(lists) == 1:
        return lists[0]
    found = {element: None for several in lists for element in several}
    return sorted(found, key=_index)


def _index(element: Element) -> int:
    return element.index


def _strings(attrs: Any) -> dict[str, str]:
    return {name: value if value.__class__ is str else " ".join(value) for name, value in attrs.items()}
