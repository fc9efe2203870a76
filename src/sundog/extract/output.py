"""How much a page may say: its statements are bounded by its own size, and absolutely.

Few bytes can make very long statements: a thousand names in one ``property`` repeat the text of their element a
thousand times, and a prefix may be repeated in each IRI. Real pages say at most four times their own length.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, Self

TIMES_ITS_BYTES: Final = 20
LEAST: Final = 200_000  # characters, for the smallest page
MOST: Final = 30_000_000  # for the largest
A_STATEMENT: Final = 50  # characters that it costs beyond its terms


_append = list.append


class TooMuchOutputError(Exception):
    """The page has said all that it may; what was written so far counts."""


def room_of(size: int) -> int:
    """Characters that the statements of a page of so many bytes may have, all syntaxes together.

    >>> room_of(100), room_of(50_000), room_of(5_000_000)
    (200000, 1000000, 30000000)
    """
    return min(MOST, max(LEAST, TIMES_ITS_BYTES * size))


class Statements(list[Any]):
    """A list of statements that takes no more than there is room for.

    >>> found = Statements(100)
    >>> found.append(("_:a", "<http://v.example/p>", '"x"'))
    >>> found.room
    24
    """

    def __init__(self, room: int = MOST) -> None:
        super().__init__()
        self.room = room

    def spend(self, characters: int) -> None:
        """For terms that are made long before they are written."""
        left = self.room - characters
        if left < 0:
            raise TooMuchOutputError
        self.room = left

    def append(self, statement: Any) -> None:
        left = self.room - A_STATEMENT - len(statement[0]) - len(statement[1]) - len(statement[2])
        if left < 0:
            raise TooMuchOutputError
        self.room = left
        _append(self, statement)

    def extend(self, statements: Iterable[Any]) -> None:
        for statement in statements:
            self.append(statement)

    def __iadd__(self, statements: Iterable[Any]) -> Self:  # type: ignore[misc]
        self.extend(statements)
        return self
