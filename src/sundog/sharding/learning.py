"""What shards have learned, passed on: each gets the sum of what the others have learned, and nothing twice.

Deltas are sums of whole numbers (``sundog.learn.sharing``), so that the total less a shard's own part is exactly
the part of the others, however deltas were put together on their way.

A pool can be made anew at any moment: all that it needs to know of a shard is what that has learned by itself and
what it has taken in from others. The rest is what it lacks. A shard that has lost what it had learned, with its
disk, says so in the same way: then the others get the difference, which is less than nothing, and get it again
when the pages are fetched again.
"""

from __future__ import annotations

from sundog.learn.sharing import LearningDelta, merged


class LearningPool:
    """Deltas in the order in which they came; all that everybody has is kept as one sum.

    >>> import numpy as np
    >>> def delta(feature):
    ...     return LearningDelta(np.array([feature], np.int32), np.array([[1]]), np.array([1]))
    >>> pool = LearningPool(2)
    >>> pool.put(0, delta(7)), pool.put(1, delta(8)), pool.put(1, delta(8))
    (None, None, None)
    >>> pool.take(0).table.tolist(), pool.take(1).table.tolist(), pool.take(1)
    ([[2]], [[1]], None)
    """

    def __init__(self, shards: int, known: LearningDelta | None = None) -> None:
        """``known``: what shards had learned that are there no more."""
        self._taken = [0] * shards  # how many deltas each has asked for
        self._own: list[LearningDelta | None] = [None] * shards  # what each has put
        self._lacks: list[LearningDelta | None] = [known] * shards  # besides deltas that it has not asked for
        self._deltas: list[tuple[int, LearningDelta]] = []  # by whom
        self._first = 0  # the number of the first of them
        self._everybodys = known  # the sum of those before
        self._sums: dict[int, LearningDelta] = {}  # of those from a number on

    def put(self, shard: int, delta: LearningDelta) -> None:
        """What a shard has learned since the last time."""
        self._deltas.append((shard, delta))
        self._own[shard] = _sum(self._own[shard], delta)
        self._sums.clear()

    def knows(self, shard: int, own: LearningDelta, taken: LearningDelta) -> None:
        """A shard says all that it has learned by itself, and all that it has taken in from others."""
        before = self._own[shard]
        difference = own if before is None else own - before
        if not difference.is_nothing:
            self.put(shard, difference)
        self._taken[shard] = self._first + len(self._deltas)
        lacks = (_sum(self._everybodys, *(delta for _, delta in self._deltas)) or own) - own - taken
        self._lacks[shard] = None if lacks.is_nothing else lacks

    def take(self, shard: int) -> LearningDelta | None:
        """What the others have put since this shard asked last; None if that is nothing."""
        begin, self._taken[shard] = self._taken[shard], self._first + len(self._deltas)
        recent = self._deltas[begin - self._first :]
        own = [delta for by, delta in recent if by == shard]
        found, self._lacks[shard] = self._lacks[shard], None
        if len(own) < len(recent):
            others = self._sum_from(begin)
            found = _sum(found, others - merged(own) if own else others)
        self._forget()
        return found

    def _sum_from(self, begin: int) -> LearningDelta:
        if begin not in self._sums:
            self._sums[begin] = merged(delta for _, delta in self._deltas[begin - self._first :])
        return self._sums[begin]

    def _forget(self) -> None:
        """Deltas that everybody has taken are needed as a sum only."""
        count = min(self._taken) - self._first
        if count > 0:
            self._everybodys = _sum(self._everybodys, *(delta for _, delta in self._deltas[:count]))
            del self._deltas[:count]
            self._first += count


def _sum(*parts: LearningDelta | None) -> LearningDelta | None:
    known = [part for part in parts if part is not None]
    return merged(known) if known else None
