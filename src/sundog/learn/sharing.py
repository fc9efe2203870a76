"""What was learned as sums that can be added up: how the shards of a crawl learn together.

A shard's own part (``Learned``) is all that it has learned, less what it has taken in from others and less what it
began with. What has come since an earlier moment (``LearningDelta``) travels, with the features that were touched
only. Numbers are whole multiples of ``UNIT``: adding such numbers is exact in any order, so that a sum less one of
its parts is the sum of the others to the last bit, and a logged delta has the same effect in every replay.

Counts of Naive Bayes are sums already. For FTRL it is the gradients and their squares that are summed: whoever
takes them in makes one step by them, as if the pages had been a batch. The weights of logistic regression are
a sum of gradients too.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from sundog._jit import njit
from sundog.errors import UsageError
from sundog.learn import ftrl
from sundog.learn.model import FTRL, LOGISTIC, NAIVE_BAYES, NONE, Model
from sundog.learn.naive_bayes import PAGES, TOKENS

UNIT = 2.0**-24  # with 63 bits, sums up to 5·10¹¹
# rows of a model's table, and cells of its numbers, that are sums over pages
TABLE_SUMS = {NONE: [], NAIVE_BAYES: [0, 1], FTRL: [3, 1], LOGISTIC: [0]}
HEAD = "<IIId"  # of a packed delta: sums a feature, features, other sums, highest reward
NUMBER_SUMS = {NAIVE_BAYES: [PAGES, PAGES + 1, TOKENS, TOKENS + 1]}


class LearningDelta(NamedTuple):
    """What a shard, or several, have learned in some time. It can be pickled, and is small."""

    features: Any  # int32, rising
    table: Any  # int64[sums a feature, features]
    numbers: Any  # int64: sums that are no feature's
    highest_reward: float = 1.0

    def __add__(self, other: LearningDelta) -> LearningDelta:  # type: ignore[override]
        return merged([self, other])

    def __sub__(self, part: LearningDelta) -> LearningDelta:
        """What others have contributed to this sum; the highest reward may be anybody's."""
        return merged([self, part._replace(table=-part.table, numbers=-part.numbers)])

    @property
    def is_nothing(self) -> bool:
        return not self.table.any() and not self.numbers.any()

    def packed(self) -> bytes:
        """For a log."""
        sizes = struct.pack(HEAD, *self.table.shape, len(self.numbers), self.highest_reward)
        columns = (self.features.astype("<i4"), self.table.astype("<i8"), self.numbers.astype("<i8"))
        return zlib.compress(sizes + b"".join(column.tobytes() for column in columns), 1)

    @classmethod
    def unpacked(cls, packed: bytes) -> LearningDelta:
        """
        >>> delta = LearningDelta(np.array([7], np.int32), np.array([[3], [4]]), np.array([5]), 2.0)
        >>> again = LearningDelta.unpacked(delta.packed())
        >>> again.features.tolist(), again.table.tolist(), again.numbers.tolist(), again.highest_reward
        ([7], [[3], [4]], [5], 2.0)
        """
        data = zlib.decompress(packed)
        rows, width, numbers, highest = struct.unpack_from(HEAD, data)
        at = struct.calcsize(HEAD)
        features = np.frombuffer(data, "<i4", width, at).astype(np.int32)
        sums = np.frombuffer(data, "<i8", rows * width + numbers, at + features.nbytes).astype(np.int64)
        return cls(features, sums[: rows * width].reshape(rows, width), sums[rows * width :], highest)


class Learned(NamedTuple):
    """What a shard has learned by itself until some moment."""

    table: Any  # int64[sums a feature, width]
    numbers: Any  # int64
    highest_reward: float

    def since(self, before: Learned | None) -> LearningDelta:
        """All of it if there is no earlier moment."""
        table = self.table if before is None else self.table - before.table
        numbers = self.numbers if before is None else self.numbers - before.numbers
        features = np.flatnonzero(table.any(axis=0)).astype(np.int32)
        return LearningDelta(features, table[:, features], numbers.copy(), self.highest_reward)


def merged(deltas: Iterable[LearningDelta]) -> LearningDelta:
    """The sum of at least one delta; the order does not matter."""
    listed = list(deltas)
    features, places = np.unique(np.concatenate([each.features for each in listed]), return_inverse=True)
    table = np.zeros((len(listed[0].table), len(features)), np.int64)
    for sums, parts in zip(table, np.concatenate([each.table for each in listed], axis=1), strict=True):
        np.add.at(sums, places, parts)
    kept = table.any(axis=0)
    numbers = np.sum([each.numbers for each in listed], axis=0)
    return LearningDelta(features[kept], table[:, kept], numbers, max(each.highest_reward for each in listed))


class SharedModel:
    """A model that others learn with. ``more`` gives further sums besides the model's; they come last.

    ``model`` is what it begins with, which the others have too: it is nobody's part.
    """

    def __init__(self, model: Model, more: Any) -> None:
        if model.kind not in TABLE_SUMS:
            raise UsageError("its learner keeps nothing that could be added up")
        self._rows, self._cells = TABLE_SUMS[model.kind], NUMBER_SUMS.get(model.kind, [])
        self._began_table = _in_units(model.table[self._rows])
        self._began_numbers = self._numbers_of(model, more)
        self._others_table, self._others_numbers = self._began_table.copy(), self._began_numbers.copy()
        self._highest_taken = 1.0

    def learned(self, model: Model, more: Any, highest_reward: float) -> Learned:
        table = np.empty_like(self._others_table)
        for row, others, own in zip(self._rows, self._others_table, table, strict=True):
            _subtract(model.table[row], others, own)
        return Learned(table, self._numbers_of(model, more) - self._others_numbers, highest_reward)

    def taken(self) -> LearningDelta:
        """All that was taken in from others so far."""
        sums = Learned(self._others_table, self._others_numbers, self._highest_taken)
        return sums.since(Learned(self._began_table, self._began_numbers, 1.0))

    def take_in(self, model: Model, delta: LearningDelta) -> Any:
        """Learn from others; returns what is to be added to the further sums.

        What they had learned and have lost, with a disk, comes as less than nothing.
        """
        if len(delta.table) != len(self._rows) or len(delta.numbers) != len(self._others_numbers):
            raise UsageError("what another shard has learned is of another kind: all shards need the same policy")
        if len(delta.features) and not 0 <= delta.features[0] <= delta.features[-1] < model.table.shape[1]:
            raise UsageError("what another shard has learned is of another size: give all the same hashes=")
        self._others_table[:, delta.features] += delta.table
        self._others_numbers += delta.numbers
        self._highest_taken = max(self._highest_taken, delta.highest_reward)
        values, numbers = delta.table * UNIT, delta.numbers * UNIT
        if model.kind == FTRL:
            _take_in_gradients(model.table, model.numbers, delta.features, values[0], values[1])
        else:
            for row, sums in zip(self._rows, values, strict=True):
                model.table[row, delta.features] += sums
        model.numbers[self._cells] += numbers[: len(self._cells)]
        return numbers[len(self._cells) :]

    def _numbers_of(self, model: Model, more: Any) -> Any:
        return _in_units(np.concatenate([model.numbers[self._cells], more]))


def _in_units(sums: Any) -> Any:
    return np.rint(sums / UNIT).astype(np.int64)


@njit
def _subtract(sums: Any, others: Any, own: Any) -> None:
    """The same less what is known; most features of a table were never met."""
    for i in range(len(sums)):
        own[i] = np.int64(np.rint(sums[i] / UNIT)) - others[i]


@njit
def _take_in_gradients(table: Any, numbers: Any, features: Any, gradients: Any, squares: Any) -> None:
    for i in range(len(features)):
        ftrl.step(table, numbers[0], features[i], gradients[i], squares[i])
