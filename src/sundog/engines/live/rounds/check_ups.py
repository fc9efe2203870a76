"""Visits that are made to see whether something broke, whatever the pages are worth.

Pages that are worth little are not visited as long as there are better ones; so nobody would see that the lists of
a host are empty now. Every twentieth visit of a round goes to a template of which no page was visited in it, the
one that was seen longest ago first. And one page that has less than before may be an accident: then two others of
its template are looked at, and two more for each of them that has less, too, up to as many as tell.
"""

from __future__ import annotations

from typing import Any

import numpy as np

EVERY = 20  # visits
BESIDE = 2
MOST_BESIDE = 8  # of a template in a round: if all of them have less, that is no chance
LEAST_PAGES = 5  # of smaller templates nothing can be told


class CheckUps:
    """``template``: of each page, numbered from 0; ``seen``: when it was last visited.

    >>> check_ups = CheckUps(template=np.repeat([0, 1], 6), seen=np.repeat([1.0, 2.0], 6))
    >>> taken = np.arange(12) == 7
    >>> check_ups.beside(7, taken), check_ups.beside(6, taken), check_ups.next(taken), check_ups.next(taken)
    ([6, 8], [9, 10], 0, None)
    """

    def __init__(self, template: Any, seen: Any) -> None:
        self._template = template
        self._order = np.argsort(template, kind="stable")
        sizes = np.bincount(template)
        ends = np.cumsum(sizes)
        self._next, self._end = (ends - sizes).tolist(), ends.tolist()  # by template, in ``_order``
        self._beside = [0] * len(sizes)
        self._visited = np.zeros(len(sizes), bool)
        last = np.maximum.reduceat(seen[self._order], ends - sizes) if len(sizes) else ends
        by_need = np.lexsort((-sizes, last))
        self._due = iter(by_need[sizes[by_need] >= LEAST_PAGES].tolist())

    def visited(self, place: int) -> None:
        self._visited[self._template.item(place)] = True

    def next(self, taken: Any) -> int | None:
        """A page of the next template that nobody has looked at; None if there is none left."""
        for kind in self._due:
            if not self._visited[kind] and (place := self._untaken(kind, taken)) is not None:
                self._visited[kind] = True
                return place
        return None

    def beside(self, place: int, taken: Any) -> list[int]:
        """What else to look at, since this page has less than before."""
        kind = self._template.item(place)
        self._visited[kind] = True
        number = min(BESIDE, MOST_BESIDE - self._beside[kind])
        self._beside[kind] += number
        return [other for _ in range(number) if (other := self._untaken(kind, taken)) is not None]

    def _untaken(self, kind: int, taken: Any) -> int | None:
        """Each page is told once."""
        while self._next[kind] < self._end[kind]:
            place: int = self._order.item(self._next[kind])
            self._next[kind] += 1
            if not taken[place]:
                return place
        return None
