"""The text around links: looked for when somebody asks, for all links of a page at once.

It takes as long as all that is known of the links otherwise, and most crawls do not need it.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from sundog.extract.shown_text import ShownText
from sundog.model import Sides

CONTEXT = 100  # characters on each side


class Surroundings:
    """Of one page; ``tags`` are those of its links."""

    __slots__ = ("_root", "_shown", "_tags")

    def __init__(self, root: Any, tags: Collection[str]) -> None:
        self._root, self._tags = root, tags
        self._shown: ShownText | None = None

    def of(self, number: int) -> Sides:
        """Around the element that is so many places from the first."""
        if self._shown is None:
            self._shown = ShownText(self._root, self._tags)
        node, _, mark = self._shown.places[number]
        text, (start, stop) = self._shown.text, self._shown.of(node, mark)
        return Sides(text[max(0, start - CONTEXT) : start].strip(), text[stop : stop + CONTEXT].strip())


class Place:
    """A link's place in its surroundings. It keeps the page's tree alive; a copy sent elsewhere is plain text."""

    __slots__ = ("_number", "_surroundings")

    def __init__(self, surroundings: Surroundings, number: int) -> None:
        self._surroundings, self._number = surroundings, number

    @property
    def sides(self) -> Sides:
        return self._surroundings.of(self._number)

    @property
    def before(self) -> str:
        return self.sides.before

    @property
    def after(self) -> str:
        return self.sides.after

    def __eq__(self, other: object) -> bool:
        return self.sides == (other.sides if isinstance(other, Place) else other)

    def __hash__(self) -> int:
        return hash(self.sides)

    def __repr__(self) -> str:
        return repr(self.sides)

    def __reduce__(self) -> tuple[Any, ...]:
        return Sides, tuple(self.sides)
