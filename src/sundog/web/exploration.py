"""Exploration and exploitation, as everybody can check: was a page of a host that had given something before?"""

from __future__ import annotations

from array import array
from itertools import pairwise

from sundog.web.overview import edges

STRETCHES = 60


class Exploration:
    """Grows with the pages, in the order in which they came in."""

    def __init__(self) -> None:
        self._sums = array("q", [0])  # pages of hosts without a find, among the first so many

    def add(self, *, is_trial: bool) -> None:
        self._sums.append(self._sums[-1] + is_trial)

    def told(self) -> list[tuple[int, int]]:
        """Ends of equal stretches of the crawl, and how many of their pages were of hosts that had given nothing.

        >>> some = Exploration()
        >>> for is_trial in (True, True, False, True):
        ...     some.add(is_trial=is_trial)
        >>> some.told()
        [(1, 1), (2, 1), (3, 0), (4, 1)]
        """
        pairs = pairwise(edges(len(self._sums) - 1, STRETCHES))
        return [(last, self._sums[last] - self._sums[first]) for first, last in pairs]
