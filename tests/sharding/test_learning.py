"""The pool of what shards have learned: everybody gets everything of all others, once, whoever is lost."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sundog.learn.sharing import LearningDelta, merged
from sundog.sharding.learning import LearningPool

SHARDS = 3
NOTHING = LearningDelta(np.empty(0, np.int32), np.empty((1, 0), np.int64), np.zeros(1, np.int64))


def delta(feature: int) -> LearningDelta:
    return LearningDelta(np.array([feature], np.int32), np.array([[1 + feature]]), np.array([feature]))


def same(one: LearningDelta, other: LearningDelta) -> bool:
    return all(np.array_equal(mine, theirs) for mine, theirs in zip(one, other, strict=True))


def total(deltas: list[LearningDelta]) -> LearningDelta:
    return merged([NOTHING, *deltas])


@given(
    st.lists(
        st.tuples(
            st.integers(0, SHARDS - 1),
            st.sampled_from(["learn", "learn", "tell", "take", "drop", "new pool", "lose disk"]),
            st.integers(0, 5),
        )
    )
)
def test_everybody_gets_all_of_the_others_once(calls: list[tuple[int, str, int]]) -> None:
    """``drop``: what the pool gave is lost on its way, with the shard's process."""
    gone = [delta(7)]  # by a shard that is there no more
    pool = LearningPool(SHARDS, gone[0])
    own: list[list[LearningDelta]] = [[] for _ in range(SHARDS)]
    told = [0] * SHARDS
    taken: list[list[LearningDelta]] = [[] for _ in range(SHARDS)]

    def come_back(shard: int) -> None:
        told[shard] = len(own[shard])
        pool.knows(shard, total(own[shard]), total(taken[shard]))

    def tell(shard: int) -> None:
        for each in own[shard][told[shard] :]:
            pool.put(shard, each)
        told[shard] = len(own[shard])

    def take(shard: int) -> None:
        if (found := pool.take(shard)) is not None:
            taken[shard].append(found)

    for shard, what, feature in calls:
        if what == "learn":
            own[shard].append(delta(feature))
        elif what == "tell":
            tell(shard)
        elif what == "take":
            take(shard)
        elif what == "drop":
            pool.take(shard)
            come_back(shard)
        elif what == "lose disk":
            own[shard], taken[shard] = [], []
            come_back(shard)
        else:
            pool = LearningPool(SHARDS, gone[0])
            for each in range(SHARDS):
                come_back(each)
    for shard in range(SHARDS):
        tell(shard)
    for shard in range(SHARDS):
        take(shard)
        others = [each for other in range(SHARDS) if other != shard for each in own[other]]
        assert same(total(taken[shard]), total([*gone, *others]))
        assert pool.take(shard) is None


def test_nothing_is_given_if_there_is_nothing() -> None:
    pool = LearningPool(2)
    pool.knows(0, NOTHING, NOTHING)
    assert pool.take(0) is None
    assert pool.take(1) is None
    pool.put(1, delta(3))
    assert pool.take(1) is None
