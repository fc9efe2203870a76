"""What breadth-first order would have found, guessed from a crawl in another order.

The order is followed over the links that the crawl saw. A page in it that was fetched brought what it brought. One
that was not leads to as many new pages as those that were, on average; what it and they bring is guessed. The
range goes from "nothing" to "as much as what was fetched of their kind": a range of assumptions, no bound.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

UNKNOWN = -1  # a page that nothing is known of, not even its number


class Visit(NamedTuple):
    """A page that was fetched: what it brought, and where it leads."""

    reward: float
    targets: Any  # numbers of pages


class Range(NamedTuple):
    least: float
    likely: float
    most: float

    def __str__(self) -> str:
        """
        >>> str(Range(3.0, 17.2, 20.8)), str(Range(4.0, 4.0, 4.2))
        ('about 17 (3 to 21)', 'about 4')
        """
        least, likely, most = (f"{value:.0f}" for value in self)
        return f"about {likely}" if least == most else f"about {likely} ({least} to {most})"


NOTHING = Range(0.0, 0.0, 0.0)


def reward_of_breadth_first(
    visits: Mapping[int, Visit], starts: Iterable[int], guesses: Mapping[int, Range]
) -> Range:
    """With as many fetches as there are visits. ``guesses``: what pages bring that wait; others cost nothing.

    Page 2 was not visited; it may lead to another page, as 0 and 1 do, before the link of 1 is followed:

    >>> visits = {0: Visit(0, [1, 2]), 1: Visit(0, [3]), 3: Visit(1, [4]), 4: Visit(1, [])}
    >>> reward_of_breadth_first(visits, [0], {2: Range(0, 0.5, 1)})
    Range(least=1.0, likely=1.5, most=2.0)
    """
    order = _Order(visits, starts, guesses)
    return _sum([NOTHING, *(order.next() for _ in visits)])


class _Order:
    """Pages in breadth-first order, and what each of them brings."""

    def __init__(self, visits: Mapping[int, Visit], starts: Iterable[int], guesses: Mapping[int, Range]) -> None:
        self._visits, self._guesses = visits, guesses
        self._seen: set[int] = set()
        self._queue = deque(self._new(starts))
        self._left = len(visits)
        self._visited = 0
        self._found, self._worth = 0, NOTHING  # new pages on those visited, and what they bring in all
        self._owed = 0.0  # new pages on those not visited

    def next(self) -> Range:
        """Nothing if there is no further page."""
        self._left -= 1
        if not self._queue:
            return NOTHING
        page = self._queue.popleft()
        if len(self._queue) < self._left:
            self._follow(page)
        return self._brings(page)

    def _new(self, pages: Iterable[int]) -> list[int]:
        known = [page for page in dict.fromkeys(pages) if page in self._visits or page in self._guesses]
        new = [page for page in known if page not in self._seen]
        self._seen.update(new)
        return new

    def _follow(self, page: int) -> None:
        visit = self._visits.get(page)
        if visit is None:
            self._owed += self._found / max(1, self._visited)
            self._queue.extend([UNKNOWN] * int(self._owed))
            self._owed %= 1.0
            return
        new = self._new(map(int, visit.targets))
        self._queue.extend(new)
        self._visited += 1
        self._found += len(new)
        self._worth = _sum([self._worth, *map(self._brings, new)])

    def _brings(self, page: int) -> Range:
        if page == UNKNOWN:
            return Range(0.0, self._worth.likely / self._found, self._worth.most / self._found)
        visit = self._visits.get(page)
        return Range(visit.reward, visit.reward, visit.reward) if visit else self._guesses[page]


def _sum(ranges: Iterable[Range]) -> Range:
    return Range(*map(sum, zip(*ranges, strict=True)))
