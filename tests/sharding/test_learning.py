"""The pool of what shards have learned: everybody gets everything of all others, once."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sundog.learn.sharing import LearningDelta, merged
from sundog.sharding.learning import LearningPool

SHARDS = 3


def delta(feature: int) -> LearningDelta:
    return LearningDelta(np.array([feature], np.int32), np.array([[1 + feature]]), np.array([feature]))


def same(one: LearningDelta, other: LearningDelta) -> bool:
    return all(np.array_equal(mine, theirs) for mine, theirs in zip(one, other, strict=True))


@given(st.lists(st.tuples(st.integers(0, SHARDS - 1), st.sampled_from(["put", "take"]), st.integers(0, 5))))
def test_everybody_gets_all_of_the_others_once(calls: list[tuple[int, str, int]]) -> None:
    pool = LearningPool(SHARDS)
    put: list[list[LearningDelta]] = [[] for _ in range(SHARDS)]
    taken: list[list[LearningDelta]] = [[] for _ in range(SHARDS)]
    for shard, what, feature in [*calls, *((shard, "take", 0) for shard in range(SHARDS))]:
        if what == "put":
            put[shard].append(delta(feature))
            pool.put(shard, put[shard][-1])
        elif (found := pool.take(shard)) is not None:
            taken[shard].append(found)
    for shard in range(SHARDS):
        others = [each for other in range(SHARDS) if other != shard for each in put[other]]
        assert bool(others) == bool(taken[shard])
        if others:
            assert same(merged(taken[shard]), merged(others))
    everything = [each for some in put for each in some]
    known = pool.add_shard()
    assert (known is None) == (not everything)
    if known:
        assert same(known, merged(everything))
    assert pool.take(SHARDS) is None
