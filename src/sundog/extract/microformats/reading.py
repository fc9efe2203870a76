"""What the parts of the parser share about one document: its base, its roots, and how much work is left."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import cached_property
from typing import Any

import turbohtml

from sundog.extract.dom import BLANKS, HIDDEN, Document, Element
from sundog.extract.guards import GivenUpError, TimeBox
from sundog.extract.microformats.roots import Root
from sundog.extract.page import language_of
from sundog.urls.references import Base

LEAST_WORK = 500_000  # steps: a node read, or 64 characters written
WORK_PER_ELEMENT = 10
STEPS_OF_A_URL = 5  # as long as these it takes to resolve one
_SILENT = (*HIDDEN, "img")  # nothing inside them is read
_ELEMENT, _TEXT = turbohtml.Element, turbohtml.Text


class Url(str):
    """A resolved URL: a string that RDF writes as an IRI."""

    __slots__ = ()


class TooMuchWorkError(GivenUpError):
    """The document nests properties so that reading all of them would take far longer than its size allows."""

    def __init__(self) -> None:
        super().__init__("properties are nested so often that only the first items were read")


class Reading:
    """One document being read. Without `markup` the values of ``e-*`` are their text only."""

    def __init__(
        self,
        document: Document,
        base: str,
        roots: dict[Element, Root],
        marked: list[tuple[Any, str]],
        *,
        markup: bool = True,
        timebox: TimeBox | None = None,
    ) -> None:
        self.document = document
        self.roots = roots
        self._marked = marked
        self.markup = markup
        self.included: dict[Element, list[Element | str]] = {}  # children of elements that include others
        self._base = Base(base)
        self._timebox = timebox
        self._work = LEAST_WORK + WORK_PER_ELEMENT * len(document)
        self._languages: dict[Element, str] = {}

    def spend(self, steps: int) -> None:
        """Called by everything that walks: the work is bounded whatever the nesting."""
        self._work -= steps
        if self._work < 0:
            raise TooMuchWorkError
        if self._timebox is not None:
            self._timebox.check()

    def children(self, element: Element) -> Sequence[Element | str]:
        return self.included.get(element, element.children) if self.included else element.children

    def url(self, reference: str) -> Url:
        """
        >>> from sundog.extract.dom import parse_html
        >>> Reading(parse_html(""), "http://a.example/b", {}, []).url(" c ")
        'http://a.example/c'
        """
        return Url(self._base.resolve(reference.strip(BLANKS)))

    def language(self, element: Element) -> str:
        """The nearest ``lang`` around an element, '' if there is none."""
        return language_of(element, self._languages)

    def text(self, element: Element, *, images: bool = True, sources: bool = True) -> str:
        """The text content without scripts and styles; images speak through their ``alt``, else their URL.

        Without `sources` an image that has no ``alt`` says nothing.
        """
        if self.included:
            text = self._walk_text(element, images, sources)
        else:
            pieces = (
                self._texts_and_images(element, sources)
                if images and self._has_image(element)
                else self.document.texts_in(element)
            )
            self.spend(1 + len(pieces))
            text = "".join(pieces)
        self.spend(len(text) // 64)
        return text.strip(BLANKS)

    @cached_property
    def marked(self) -> tuple[list[Any], list[int]]:
        """turbohtml's elements that may be roots or properties, and their indexes."""
        nodes = [node for node, _ in self._marked]
        if any(root.classic for root in self.roots.values()):  # link relations are properties, too
            nodes += self.document.nodes("a[rel], area[rel], link[rel]")
        found = self.document.by_index(nodes)
        indexes = sorted(found)
        return [found[index] for index in indexes], indexes

    def roots_inside(self, element: Element) -> list[Element]:
        """The roots that an element and all below it are."""
        indexes, roots = self._roots_in_order
        found = roots[bisect_left(indexes, element.index) : bisect_left(indexes, element.end)]
        self.spend(1 + len(found))
        return found

    @cached_property
    def _roots_in_order(self) -> tuple[list[int], list[Element]]:
        roots = sorted(self.roots, key=lambda root: root.index)
        return [root.index for root in roots], roots

    def has_parts(self, element: Element) -> bool:
        """Whether the value-class pattern may be used inside."""
        return bool(self.included) or self.document.any_inside(element, self._parts)

    @cached_property
    def _parts(self) -> list[int]:
        return self.document.indexes_of("[class*=value]")

    @cached_property
    def _images(self) -> list[int]:
        return self.document.indexes_of("img")

    def _has_image(self, element: Element) -> bool:
        following = bisect_right(self._images, element.index)
        return following < len(self._images) and self._images[following] < element.end

    def _texts_and_images(self, element: Element, sources: bool) -> list[str]:
        """What ``_walk_text`` does, where nothing is included: the tree itself can be walked, without views."""
        pieces: list[str] = []
        nodes = element.node.descendants
        for node in nodes:
            if type(node) is _TEXT:
                pieces.append(node.data)
            elif type(node) is _ELEMENT:
                tag = node.tag
                if tag == "img":
                    pieces.append(self._image_text(node.attr("alt"), node.attr("src") if sources else None))
                if tag in _SILENT:
                    for _ in node.descendants:
                        next(nodes)
        return pieces

    def _walk_text(self, element: Element, images: bool, sources: bool) -> str:
        parts: list[str] = []
        stack: list[Element | str] = list(reversed(self.children(element)))
        steps = 0
        while stack:
            node = stack.pop()
            steps += 1
            if isinstance(node, str):
                parts.append(node)
            elif node.tag == "img":
                source = node.attrs.get("src") if sources else None
                parts.append(self._image_text(node.attrs.get("alt"), source) if images else "")
            elif node.tag not in HIDDEN:
                stack.extend(reversed(self.children(node)))
        self.spend(steps)
        return "".join(parts)

    def _image_text(self, alternative: str | None, source: str | None) -> str:
        if alternative is not None:
            return f" {alternative} "
        if source is None:
            return ""
        self.spend(STEPS_OF_A_URL)
        return f" {self.url(source)} "
