"""The text that a page shows, and the text on and around its links.

The text around links takes as long as all else that is known of them, and most crawls do not need it. So it is
found when it is asked for, for all links of a page at once.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator
from itertools import accumulate, islice
from typing import Any, Final

import turbohtml

from sundog.extract.dom import HIDDEN, MOST_NODES
from sundog.model import NOTHING_AROUND, Sides

CONTEXT: Final = 100  # characters on each side of a link
MOST_STEPS: Final = 500_000  # nodes that are read as text of links, on a page
CHARACTERS_A_STEP: Final = 64
_MARK: Final = "\0"  # in no page: the HTML standard replaces it
_ELEMENT, _TEXT = turbohtml.Element, turbohtml.Text


class TextReader:
    """Reads what links show. Links may be nested, and each shows all that is inside: reading ends after so many
    steps for all links of a page together. Links after that have no text."""

    __slots__ = ("_left", "_most")

    def __init__(self, most: float = math.inf) -> None:
        """``most``: characters of a link; what is read may be a little longer."""
        self._left, self._most = MOST_STEPS, most

    def read(self, element: Any) -> tuple[str, Any]:
        """What an element shows, and the first image in it; that may be missing if there is text."""
        children = element.children
        if len(children) == 1 and type(children[0]) is _TEXT:  # as in most links
            return single_spaced(children[0].data), None
        return self._walked(element) if children else ("", None)

    def _walked(self, element: Any) -> tuple[str, Any]:
        """The same texts as on the page, of one element: it is small, so each node in it may be looked at."""
        pieces: list[str] = []
        steps = length = read = 0
        left, most, image = self._left, self._most, None
        nodes = element.descendants
        for steps, node in enumerate(nodes, 1):
            if steps > left or length > most:
                break
            if type(node) is _TEXT:
                text = node.data
                read += len(text)
                if not text.isspace():
                    pieces.append(single_spaced(text))
                    length += len(pieces[-1]) + 1
            elif type(node) is _ELEMENT:
                tag = node.tag
                if tag in HIDDEN:
                    for _ in node.descendants:
                        next(nodes)
                elif tag == "img" and image is None:
                    image = node
        self._left -= steps + read // CHARACTERS_A_STEP
        return " ".join(pieces), image


class ShownText:
    """``places``: the elements with one of the tags, in document order, each with its tag and number.

    All nodes are visited, so little is done at each: turbohtml gives the elements to expect, and marks in the text
    show where they stood.
    """

    __slots__ = ("_reader", "_starts", "places", "text")

    def __init__(self, root: Any, tags: Collection[str]) -> None:
        self._reader = TextReader()
        self.places: list[tuple[Any, str, int]] = []
        pieces = self._pieces(root, tags)
        parts = f" {' '.join(_with_single_spaces(pieces))} ".split(_MARK)
        parts = [part[1:] for part in parts]
        self._starts = list(accumulate(map(len, parts)))
        self.text = "".join(parts)

    def _pieces(self, root: Any, tags: Collection[str]) -> list[str]:
        """The page's text, with a mark where an element begins, and another one where its only text ends."""
        places = self.places
        special = (*tags, *HIDDEN)
        elements = root.iter_elements(special)
        expected = next(elements, None)
        pieces: list[str] = []
        marks = 0
        nodes = root.descendants
        for node in islice(nodes, MOST_NODES):
            if type(node) is _TEXT:
                pieces.append(node.data)
            elif node == expected:
                tag = node.tag
                if tag in tags:
                    children = node.children
                    if len(children) == 1 and type(children[0]) is _TEXT:  # as in most links
                        pieces += (_MARK, next(nodes).data, _MARK)
                        places.append((node, tag, marks))
                        marks += 2
                    else:
                        pieces.append(_MARK)
                        places.append((node, tag, ~marks))
                        marks += 1
                else:  # go behind all that is inside
                    for _ in node.descendants:
                        next(nodes)
                    for _ in node.iter_elements(special):
                        next(elements)
                expected = next(elements, None)
        return pieces

    def of(self, node: Any, number: int) -> tuple[int, int]:
        """Where the text of one of the places begins, and where what follows it begins."""
        if number >= 0:
            return self._starts[number], self._starts[number + 1]
        start = self._starts[~number]
        length = len(self._reader.read(node)[0])
        return start, start + length + 1 if length else start


def places_in(root: Any, tags: Collection[str]) -> Iterable[Any]:
    """The elements of the same places, without the text."""
    usual = _usual_places(root, tags)
    return _places_in_order(root, tags) if usual is None else usual


def _usual_places(root: Any, tags: Collection[str]) -> list[Any] | None:
    """Those of a page that has only links in its head, and anchors; None if there may be others. turbohtml knows
    elements by their tag: it gives all of one in a twentieth of the time that it takes to look for several."""
    if "meta" in tags or any(root.select(tag) for tag in ("area", "iframe", "frame")):
        return None
    if (root.select("svg") or root.select("math")) and any(map(_holds_elements, root.iter_elements(HIDDEN))):
        return None
    links = root.select("link")
    return links + root.select("a") if not links or links[-1].parent.tag == "head" else None


def _holds_elements(node: Any) -> bool:
    """Scripts and styles hold text, unless they are of SVG or MathML."""
    return any(type(child) is _ELEMENT for child in node.children)


def _places_in_order(root: Any, tags: Collection[str]) -> Iterator[Any]:
    special = (*tags, *HIDDEN)
    elements = root.iter_elements(special)
    for node in elements:
        if node.tag in tags:
            yield node
        else:  # go behind all that is inside
            for _ in node.iter_elements(special):
                next(elements)


def _with_single_spaces(texts: list[str]) -> list[str]:
    """Those that are not empty."""
    return [single_spaced(text) for text in texts if not text.isspace()]


def single_spaced(text: str) -> str:
    """Most texts are so already: to split these would take longer."""
    return text.strip() if "  " not in text and "\n" not in text and "\t" not in text else " ".join(text.split())


class LinkContexts:
    """Of one page; ``tags`` are those of its links."""

    __slots__ = ("_root", "_shown", "_tags")

    def __init__(self, root: Any, tags: Collection[str]) -> None:
        self._root, self._tags = root, tags
        self._shown: ShownText | None = None

    def of(self, number: int) -> Sides:
        """Around the element that is so many places from the first."""
        if self._shown is None:
            self._shown = ShownText(self._root, self._tags)
        if number >= len(self._shown.places):  # it is behind all nodes that were looked at
            return NOTHING_AROUND
        node, _, mark = self._shown.places[number]
        text, (start, stop) = self._shown.text, self._shown.of(node, mark)
        return Sides(text[max(0, start - CONTEXT) : start].strip(), text[stop : stop + CONTEXT].strip())


class LinkContext:
    """A link's place in its surroundings. It keeps the page's tree alive; a copy sent elsewhere is plain text."""

    __slots__ = ("_contexts", "_number")

    def __init__(self, contexts: LinkContexts, number: int) -> None:
        self._contexts, self._number = contexts, number

    @property
    def sides(self) -> Sides:
        return self._contexts.of(self._number)

    @property
    def before(self) -> str:
        return self.sides.before

    @property
    def after(self) -> str:
        return self.sides.after

    def __eq__(self, other: object) -> bool:
        return self.sides == (other.sides if isinstance(other, LinkContext) else other)

    def __hash__(self) -> int:
        return hash(self.sides)

    def __repr__(self) -> str:
        return repr(self.sides)

    def __reduce__(self) -> tuple[Any, ...]:
        return Sides, tuple(self.sides)
