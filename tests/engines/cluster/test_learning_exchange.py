"""Lessons: in the end everybody has all that the others have learned, once; whatever is lost on the way."""

from __future__ import annotations

import random

import numpy as np
import pytest

from sundog.engines.cluster.learning_exchange import LearningExchange
from sundog.engines.cluster.messages import Lesson, Statement
from sundog.learn.sharing import LearningDelta, merged

NOTHING = LearningDelta(np.empty(0, np.int32), np.empty((1, 0), np.int64), np.zeros(1, np.int64))


class Shard:
    """What a shard has committed (own, taken, version), and what it would lose if it were killed."""

    def __init__(self) -> None:
        self.own = self.taken = NOTHING
        self.version = self.life = 0
        self.die()

    def die(self) -> None:
        self.life += 1
        self.told, self.statement, self.lesson = NOTHING, 0, 0

    def learn(self, feature: int) -> None:
        self.own += LearningDelta(np.array([feature], np.int32), np.array([[1 + feature]]), np.array([feature]))

    def attend(self, lesson: Lesson) -> Statement | None:
        if lesson.incarnation != str(self.life):
            return None
        if lesson.delta is not None and lesson.version == self.version:
            assert (lesson.delta.table > 0).all(), "nobody has lost anything, so nothing is taken back"
            self.taken, self.version, self.lesson = self.taken + lesson.delta, self.version + 1, lesson.number
        is_all = not self.statement or lesson.heard != self.statement
        own, taken = (self.own, self.taken) if is_all else (self.own - self.told, None)
        self.told, self.statement = self.own, self.statement + 1
        return Statement(str(self.life), self.statement, own, self.version, self.lesson, taken)


@pytest.mark.parametrize("seed", range(60))
def test_everybody_has_everything_in_the_end(seed: int) -> None:
    chance = random.Random(seed)
    shards = [Shard() for _ in range(chance.randrange(1, 5))]
    exchange = LearningExchange(len(shards))
    trouble = chance.random() * 0.3
    slowest = chance.randrange(20)  # the last shard takes as long to start
    late: list[tuple[int, Lesson]] = []
    for step in range(80):
        calm = step > 70
        for number, shard in enumerate(shards):
            if not calm:
                shard.learn(chance.randrange(6))
            if number == len(shards) - 1 and step < slowest:
                continue
            if not calm and chance.random() < trouble:
                shard.die()
            lesson = exchange.lesson(number, str(shard.life))
            if not calm and chance.random() < trouble:
                late.append((number, lesson))  # it comes later, and its answer is lost
                continue
            statement = shard.attend(lesson)
            if statement is not None and (calm or chance.random() > trouble):
                exchange.hear(number, statement)
        if late and chance.random() < 0.5:
            number, lesson = late.pop(chance.randrange(len(late)))
            shards[number].attend(lesson)
        if not calm and chance.random() < trouble / 4:
            exchange = LearningExchange(len(shards))  # the driver died, and its shards with it
            for shard in shards:
                shard.die()
    for number, shard in enumerate(shards):
        others = merged([NOTHING, *(other.own for place, other in enumerate(shards) if place != number)])
        assert all(np.array_equal(one, other) for one, other in zip(shard.taken, others, strict=True))
