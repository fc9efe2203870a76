"""What the parts of the parser share about one document: its base, its roots, and how much work is left."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urljoin

from sundog.extract.dom import Element
from sundog.extract.microformats.roots import Root

SPACES = " \t\n\r\f"
LEAST_WORK = 500_000  # steps: a node read, or 64 characters written
WORK_PER_ELEMENT = 10
_DROPPED = ("script", "style", "template")


class Url(str):
    """A resolved URL: a string that RDF writes as an IRI."""

    __slots__ = ()


class OverworkError(Exception):
    """The document nests properties so that reading all of them would take far longer than its size allows."""


class Page:
    """One document being read."""

    def __init__(self, base: str, roots: dict[Element, Root], size: int) -> None:
        self.base = base
        self.roots = roots
        self.included: dict[Element, list[Element | str]] = {}  # children of elements that include others
        self._work = LEAST_WORK + WORK_PER_ELEMENT * size
        self._languages: dict[Element, str] = {}

    def spend(self, steps: int) -> None:
        """Called by everything that walks: the work is bounded whatever the nesting."""
        self._work -= steps
        if self._work < 0:
            raise OverworkError

    def children(self, element: Element) -> Sequence[Element | str]:
        return self.included.get(element, element.children) if self.included else element.children

    def url(self, reference: str) -> Url:
        """
        >>> Page("http://a.example/b", {}, 0).url(" c ")
        'http://a.example/c'
        """
        reference = reference.strip(SPACES)
        try:
            return Url(urljoin(self.base, reference))
        except ValueError:  # e.g. an unclosed [ of an IPv6 address
            return Url(reference)

    def language(self, element: Element) -> str:
        """The nearest ``lang`` around an element, '' if there is none; remembers its way, to be linear in all."""
        way = []
        above: Element | None = element
        language = ""
        while above is not None:
            if above in self._languages:
                language = self._languages[above]
                break
            way.append(above)
            if "lang" in above.attrs:
                language = above.attrs["lang"].strip(SPACES)
                break
            above = above.parent
        for passed in way:
            self._languages[passed] = language
        return language

    def text(self, element: Element, *, images: bool = True) -> str:
        """The text content without scripts and styles; images speak through their ``alt``, else their URL."""
        parts: list[str] = []
        stack: list[Element | str] = list(reversed(self.children(element)))
        steps = 1
        while stack:
            node = stack.pop()
            steps += 1
            if isinstance(node, str):
                parts.append(node)
            elif node.tag == "img":
                parts.append(self._image_text(node) if images else "")
            elif node.tag not in _DROPPED:
                stack.extend(reversed(self.children(node)))
        text = "".join(parts)
        self.spend(steps + len(text) // 64)
        return text.strip(SPACES)

    def _image_text(self, image: Element) -> str:
        if "alt" in image.attrs:
            return f" {image.attrs['alt']} "
        return f" {self.url(image.attrs['src'])} " if "src" in image.attrs else ""
