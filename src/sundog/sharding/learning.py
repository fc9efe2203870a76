"""What shards have learned, passed on: each gets the sum of what the others have learned since it last asked.

Deltas are sums of whole numbers (``sundog.learn.sharing``), so that the total less a shard's own part is exactly
the part of the others, however deltas were put together on their way.
"""

from __future__ import annotations

from sundog.learn.sharing import LearningDelta, merged


class LearningPool:
    """Deltas in the order in which they came. All that everybody has is kept as one sum, for shards that are new.

    >>> import numpy as np
    >>> def delta(feature):
    ...     return LearningDelta(np.array([feature], np.int32), np.array([[1]]), np.array([1]))
    >>> pool = LearningPool(2)
    >>> pool.put(0, delta(7)), pool.put(1, delta(8)), pool.put(1, delta(8))
    (None, None, None)
    >>> pool.take(0).table.tolist(), pool.take(1).table.tolist(), pool.take(1)
    ([[2]], [[1]], None)
    """

    def __init__(self, shards: int) -> None:
        self._taken = [0] * shards  # how many deltas each has asked for
        self._deltas: list[tuple[int, LearningDelta]] = []  # by whom
        self._first = 0  # the number of the first of them
        self._everybodys: LearningDelta | None = None  # the sum of those before
        self._sums: dict[int, LearningDelta] = {}  # of those from a number on

    def put(self, shard: int, delta: LearningDelta) -> None:
        self._deltas.append((shard, delta))
        self._sums.clear()

    def take(self, shard: int) -> LearningDelta | None:
        """What the others have put since this shard asked last; None if that is nothing."""
        begin, self._taken[shard] = self._taken[shard], self._first + len(self._deltas)
        recent = self._deltas[begin - self._first :]
        own = [delta for by, delta in recent if by == shard]
        found = None
        if len(own) < len(recent):
            found = self._sum_from(begin)
            found = found - merged(own) if own else found
        self._forget()
        return found

    def add_shard(self) -> LearningDelta | None:
        """One more shard, which knows nothing yet; returns what all others know."""
        self._taken.append(self._first + len(self._deltas))
        parts = [*([self._everybodys] if self._everybodys else []), *(delta for _, delta in self._deltas)]
        return merged(parts) if parts else None

    def _sum_from(self, begin: int) -> LearningDelta:
        if begin not in self._sums:
            self._sums[begin] = merged(delta for _, delta in self._deltas[begin - self._first :])
        return self._sums[begin]

    def _forget(self) -> None:
        """Deltas that everybody has taken are needed as a sum only."""
        count = min(self._taken) - self._first
        if count > 0:
            old = [delta for _, delta in self._deltas[:count]]
            self._everybodys = merged([self._everybodys, *old] if self._everybodys else old)
            self._deltas, self._first = self._deltas[count:], self._first + count
