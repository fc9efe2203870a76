"""The page: turbohtml's tree, and light views of those of its elements that extractors use.

turbohtml parses (WHATWG tree construction in C, linear in time, nesting flattened at 512 as browsers do) and
answers selectors in microseconds. Reading its attributes costs ten times what a plain dictionary does, so a view
keeps what was read of its element. Views are made when somebody asks for them: most pages have markup on few of
their elements, and a copy of the whole tree takes longer than everything else together.

Invariants: there is one view an element; ``index`` counts the elements in document order, and those with indexes
from ``e.index`` up to ``e.end`` are ``e`` and its descendants.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable
from functools import lru_cache
from itertools import islice
from typing import Any, Final

import turbohtml

MAX_ELEMENTS: Final = 300_000
MOST_NODES: Final = 1_000_000  # whose text is looked at; a few bytes of broken markup may become very many
BLANKS: Final = " \t\n\r\f"  # white space, as HTML has it
VOID: Final = frozenset("area base br col embed hr img input link meta source track wbr".split())  # no end tag
RAW_TEXT: Final = frozenset({"script", "style"})  # whose text nobody reads on the page
HIDDEN: Final = (*sorted(RAW_TEXT), "template")  # nothing inside them is shown
_WITH_LANGUAGE: Final = r"[lang], [xml\:lang]"
_ELEMENT, _TEXT = turbohtml.Element, turbohtml.Text


class Element:
    """An element: lower-case tag, attributes (``""`` for bare ones), children (elements and text)."""

    __slots__ = ("attrs", "children", "document", "end", "index", "node", "parent", "tag")

    tag: str
    attrs: dict[str, str]
    parent: Element | None
    children: list[Element | str]
    index: int  # its place in document order
    end: int  # index of the first element after this one and its descendants

    def __init__(self, document: Document, node: Any, index: int) -> None:
        self.document = document
        self.node = node
        self.index = index
        self.tag = node.tag
        self.attrs = {
            name: value if value.__class__ is str else " ".join(value) for name, value in node.attrs.items()
        }

    def __getattr__(self, name: str) -> Any:
        """Called for what nobody has asked for yet; from then on it is there."""
        if name == "parent":
            above = self.node.parent
            self.parent = self.document.view(above) if type(above) is _ELEMENT else None
            return self.parent
        if name == "children":
            self.children = _children(self.document, self.node)
            return self.children
        if name == "end":
            self.end = self.document.end_of(self.node)
            return self.end
        raise AttributeError(name)

    def twin(self, parent: Element) -> Element:
        """A copy below another element, without children yet."""
        copy = Element(self.document, self.node, self.index)
        copy.parent, copy.children = parent, []
        return copy

    def __repr__(self) -> str:
        attributes = "".join(f' {name}="{value}"' for name, value in self.attrs.items())
        return f"<{self.tag}{attributes}>"


class Document:
    """A parsed page. ``cut`` says that it has elements beyond the cap, of which there are no views."""

    __slots__ = (
        "_again",
        "_classes",
        "_common_language",
        "_ends",
        "_indexes",
        "_limit",
        "_raw",
        "_tree",
        "_views",
        "cut",
        "parsed",
    )

    def __init__(self, parsed: Any, limit: int, again: Callable[[], Any]) -> None:
        self.parsed = parsed
        self.cut = False
        self._limit = limit
        self._again = again  # parses the page once more
        self._tree: Any = None  # what there are views of
        self._views: dict[Any, Element] = {}
        self._indexes: dict[Any, int] = {}
        self._ends: dict[Any, int] = {}
        self._raw: list[int] | None = None
        self._classes: list[str] | None = None
        self._common_language: Any = ...  # not looked for yet

    def has(self, selector: str) -> bool:
        """Whether any element matches."""
        return self.parsed.select_one(selector) is not None

    def classes(self) -> list[str]:
        """The class attributes of all elements that have one, in document order."""
        if self._classes is None:
            self._classes = self.parsed.xpath("descendant::*/@class")
        return self._classes

    def relations(self) -> list[str]:
        """The ``rel`` of all elements that have one, in document order."""
        found: list[str] = self.parsed.xpath("descendant::*/@rel")
        return found

    def attributes(self, tag: str) -> list[dict[str, str]]:
        """Of all elements with this tag."""
        return [attributes_of(node) for node in self.parsed.find_all(tag)]

    def shown_text(self) -> str:
        """The page's text, without that of scripts and styles."""
        return " ".join(_shown_texts(self.parsed.root))

    @property
    def is_ready(self) -> bool:
        return self._tree is not None

    def make_ready(self) -> None:
        """Number the elements. Of too large a page there is a second, smaller tree: links are in the whole one."""
        if self._tree is not None:
            return
        self._tree = self.parsed
        nodes = list(self._tree.root.iter_elements(include_self=True))
        if len(nodes) > self._limit:
            self.cut = True
            self._tree = self._again()
            nodes = list(self._tree.root.iter_elements(include_self=True))
            _drop_from(nodes[self._limit])
            del nodes[self._limit :]
        self._indexes = dict(zip(nodes, range(len(nodes)), strict=True))

    def __len__(self) -> int:
        """How many elements there are views of."""
        self.make_ready()
        return len(self._indexes)

    @property
    def elements(self) -> list[Element]:
        """All of them, in document order."""
        self.make_ready()
        return [self.view(node) for node in self._indexes]

    def nodes(self, selector: str) -> list[Any]:
        """turbohtml's elements, in document order, for those who need a view of few of them."""
        self.make_ready()
        found: list[Any] = self._tree.select(selector)
        return found

    def has_node(self, selector: str) -> bool:
        """Whether there is one of which there may be a view."""
        self.make_ready()
        return self._tree.select_one(selector) is not None

    def known(self, node: Any) -> Element | None:
        """The view, if there is one already."""
        return self._views.get(node)

    def view(self, node: Any) -> Element:
        known = self._views.get(node)
        if known is None:
            known = self._views[node] = Element(self, node, self._indexes[node])
        return known

    def having(self, *names: str) -> list[Element]:
        """Elements with any of these attributes, in document order."""
        return list(map(self.view, self.nodes(_selector(names))))

    def descendants(self, element: Element) -> list[Element]:
        """All elements inside, in document order."""
        return [self.view(node) for node in element.node.iter_elements()]

    def release(self) -> None:
        """Nobody needs the views any more. Without cycles they are freed at once; left to the garbage collector
        they make extraction a third slower."""
        for element in self._views.values():
            element.parent = None
        self._views = {}

    def text_of(self, element: Element) -> str:
        """The DOM's textContent.

        >>> page = parse_html("<p>one <b>two</b> three<!-- four --></p>")
        >>> page.text_of(page.elements[0])
        'one two three'
        """
        text: str = element.node.text
        return text

    def texts_in(self, element: Element) -> list[str]:
        """The text inside, without that of scripts and styles, in pieces."""
        if self.any_inside(element, self.raw):
            return _shown_texts(element.node)
        return [element.node.text]

    @property
    def common_language(self) -> str | None:
        """Of all elements, if none but the root declares one, as on most pages; None if others do."""
        if self._common_language is ...:
            declaring = self.nodes(_WITH_LANGUAGE)
            root = self._tree.root
            if not declaring:
                self._common_language = ""
            elif declaring == [root]:
                self._common_language = declared_language(attributes_of(root))
            else:
                self._common_language = None
        found: str | None = self._common_language
        return found

    @property
    def raw(self) -> list[int]:
        if self._raw is None:
            self._raw = self.indexes_of("script, style")
        return self._raw

    def indexes_of(self, selector: str) -> list[int]:
        nodes = self.nodes(selector)
        return list(map(self._indexes.__getitem__, nodes))

    @staticmethod
    def any_inside(element: Element, indexes: list[int]) -> bool:
        """Whether any of these is the element's index or that of one inside it."""
        position = bisect_left(indexes, element.index)
        return position < len(indexes) and indexes[position] < element.end

    def by_index(self, nodes: Iterable[Any]) -> dict[int, Any]:
        nodes = list(nodes)
        return dict(zip(map(self._indexes.__getitem__, nodes), nodes, strict=True))

    def end_of(self, node: Any) -> int:
        """The index of the next element that is not inside. No element is climbed twice: linear on any tree."""
        ends, climbed = self._ends, [node]
        end = ends.get(node)
        while end is None:
            following = node.next_sibling
            while following is not None and type(following) is not _ELEMENT:
                following = following.next_sibling
            node = node.parent
            if following is not None:
                end = self._indexes[following]
            elif type(node) is not _ELEMENT:
                end = len(self._indexes)
            else:
                end = ends.get(node)
                climbed.append(node)
        for each in climbed:
            ends[each] = end
        return end


def parse_html(
    page: str | bytes, *, encoding: str | None = None, max_elements: int = MAX_ELEMENTS, positions: bool = False
) -> Document:
    """Parse a page; what is inside ``<template>`` and comments is left out.

    Bytes are decoded as browsers do: byte-order mark, ``encoding`` (of the HTTP header), meta, detection. With
    ``positions``, elements know their lines.

    >>> parse_html("<p hidden class='a  b'>Hi<br>there").elements[3:]
    [<p hidden="" class="a b">, <br>]
    """

    def parse() -> Any:
        parsed = turbohtml.parse(
            page,
            encoding=encoding,
            detect_encoding=True,
            positions=positions,
            allow_declarative_shadow_roots=False,
        )
        for template in parsed.find_all("template"):
            template.clear()
        return parsed

    return Document(parse(), max_elements, parse)


@lru_cache(maxsize=256)
def _selector(attributes: tuple[str, ...]) -> str:
    return ", ".join(f"[{name}]" for name in attributes)


def _drop_from(node: Any) -> None:
    """Take a node and all that comes after it out of its tree."""
    leaving = [node]
    while node is not None:
        leaving.extend(node.next_siblings)
        node = node.parent
    for each in leaving:
        each.extract()


def _shown_texts(node: Any) -> list[str]:
    pieces: list[str] = []
    nodes = iter(() if node.tag in RAW_TEXT else node.descendants)
    for inner in islice(nodes, MOST_NODES):
        if type(inner) is _TEXT:
            pieces.append(inner.data)
        elif type(inner) is _ELEMENT and inner.tag in RAW_TEXT:
            for _ in inner.descendants:
                next(nodes)
    return pieces


def declared_language(attrs: dict[str, str]) -> str | None:
    declared = attrs.get("xml:lang", attrs.get("lang"))
    return None if declared is None else declared.strip()


def attributes_of(node: Any) -> dict[str, str]:
    """turbohtml gives lists for attributes such as class."""
    return {name: value if value.__class__ is str else " ".join(value) for name, value in node.attrs.items()}


def _children(document: Document, node: Any) -> list[Element | str]:
    view = document.view
    return [
        child.data if type(child) is _TEXT else view(child)
        for child in node.children
        if type(child) is _TEXT or type(child) is _ELEMENT
    ]
