"""Who is told what the others have learned: lessons for shards, from what they state. No I/O, no clock.

As with leases, all that counts is in the shards' logs. A lesson is for a shard that has taken in so many before;
else it is not taken in. It is given again until the shard has committed it. A shard that comes back states all
that it has learned and taken in, so a new exchange knows what the old one knew when it has heard everybody, and
gives no lesson before that.
"""

from __future__ import annotations

from sundog.engines.cluster.messages import Lesson, Statement
from sundog.learn.sharing import LearningDelta
from sundog.sharding.learning import LearningPool

SECONDS_AN_EXCHANGE = 1.0  # at first; the more a crawl knows, the less does a second add to it
PART_OF_THE_TIME = 0.05
LONGEST_PAUSE = 60.0


def pause_after(seconds: float) -> float:
    """Between two exchanges, when a crawl has run for so long: lessons are logged, and a log should stay small.

    >>> pause_after(10.0), pause_after(600.0), pause_after(86_400.0)
    (1.0, 30.0, 60.0)
    """
    return min(LONGEST_PAUSE, max(SECONDS_AN_EXCHANGE, PART_OF_THE_TIME * seconds))


class LearningExchange:
    """``known``: what shards had learned that are there no more."""

    def __init__(self, shards: int, known: LearningDelta | None = None) -> None:
        self._pool = LearningPool(shards, known)
        self._last: list[Statement | None] = [None] * shards
        self._given: list[Lesson | None] = [None] * shards
        self._lessons = 0
        self._unheard = set(range(shards))  # who has never said all that it knows

    def lesson(self, shard: int, incarnation: str) -> Lesson:
        """What to send to a shard now. Without an answer so far it is sent again, as it was."""
        last, given = self._last[shard], self._given[shard]
        if last is None or last.incarnation != incarnation:
            return Lesson(incarnation, 0, 0)
        if given is not None:
            return given._replace(heard=last.number)
        if self._unheard:  # what others took in from those would be taken back
            return Lesson(incarnation, 0, last.number)
        delta = self._pool.take(shard)
        if delta is None or delta.is_nothing:
            return Lesson(incarnation, 0, last.number)
        self._lessons += 1
        self._given[shard] = Lesson(incarnation, self._lessons, last.number, last.version, delta)
        return self._given[shard] or Lesson(incarnation, 0, 0)

    def hear(self, shard: int, statement: Statement) -> None:
        last, given = self._last[shard], self._given[shard]
        self._last[shard] = statement
        if statement.taken is not None:
            self._pool.knows(shard, statement.own, statement.taken)
            self._unheard.discard(shard)
            self._given[shard] = None
            return
        if last is None or last.incarnation != statement.incarnation or statement.number != last.number + 1:
            self._last[shard] = None  # something was lost: it is asked for all
            return
        if not statement.own.is_nothing:
            self._pool.put(shard, statement.own)
        if statement.version != last.version:
            if given is not None and statement.lesson == given.number:
                self._given[shard] = None
            else:
                self._last[shard] = None
