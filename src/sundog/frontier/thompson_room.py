"""Making the state of Thompson sampling, and room in it: what kernels cannot do themselves."""

from __future__ import annotations

from typing import Any

import numpy as np

from sundog.frontier.thompson_classes import rehash_classes
from sundog.frontier.thompson_grid import BUCKETS, CELLS, RUNGS
from sundog.frontier.thompson_shapes import rehash_shapes
from sundog.frontier.thompson_state import (
    BRANCHES,
    BUCKET,
    CELL,
    CLASS,
    CLASS_FREE,
    CLASSES_LIVE,
    CLASSES_MADE,
    IDLE_FIRST,
    NODE,
    NODE_FREE,
    NODES_LIVE,
    POOL_END,
    POOL_FREE,
    SEAT,
    SHAPE,
    SHAPES_MADE,
    SHAPES_USED,
    SIZE,
    TOTALS,
    Thompson,
)


def new_thompson(arms: int, *, with_best: bool) -> Thompson:
    """No arm in play; without ``with_best`` every arm's best counts as 1."""
    buckets, cells = (BUCKETS, CELLS) if with_best else (1, 1)
    totals = np.zeros(TOTALS, np.int64)
    totals[[CLASS_FREE, NODE_FREE]] = -1
    totals[POOL_FREE:] = -1
    empty = Thompson(
        seats=np.zeros(0, SEAT),
        classes=np.zeros(0, CLASS),
        slots=np.zeros(0, np.int32),
        nodes=np.zeros(0, NODE),
        children=np.zeros((0, BRANCHES), np.int32),
        sums=np.zeros((0, RUNGS)),
        shapes=np.zeros(0, SHAPE),
        rows=np.zeros((0, RUNGS)),
        buckets=np.zeros(buckets, BUCKET),
        cells=np.zeros(cells + 1, CELL),
        totals=totals,
    )
    empty.buckets["root"] = -1
    empty.cells["head"] = -1
    return reserve(empty, arms, 1000)


def reserve(t: Thompson, arms: int, moves: int) -> Thompson:
    """The same state with room for arms below ``arms`` and for ``moves`` further calls of enter or leave.

    A move makes at most one class, node and shape. It moves at most two member lists, each to a
    segment under four times its members; lists together have ``size`` members. Room for twice the
    shapes in use lets those that come and go be remembered.
    """
    totals = t.totals[:POOL_FREE].tolist()
    fits = (
        arms <= len(t.seats)
        and totals[CLASSES_LIVE] + moves <= len(t.classes)
        and totals[NODES_LIVE] + moves <= len(t.nodes)
        and 2 * totals[SHAPES_USED] + moves <= len(t.shapes)
        and totals[POOL_END] + 4 * totals[SIZE] + 16 * moves <= len(t.slots)
    )
    return t if fits else _grown(t, arms, moves, totals)


def _grown(t: Thompson, arms: int, moves: int, totals: list[int]) -> Thompson:
    classes = _extended(t.classes, _power_of_two(totals[CLASSES_LIVE] + moves))
    nodes = _extended(t.nodes, totals[NODES_LIVE] + moves)
    shapes = _extended(t.shapes, _power_of_two(2 * totals[SHAPES_USED] + moves))
    bigger = t._replace(
        seats=_extended(t.seats, arms),
        classes=classes,
        slots=_extended(t.slots, totals[POOL_END] + 4 * totals[SIZE] + 16 * moves),
        nodes=nodes,
        children=_extended(t.children, len(nodes)),
        sums=_extended(t.sums, len(nodes)),
        shapes=shapes,
        rows=_extended(t.rows, len(shapes)),
    )
    bigger.seats["class_"][len(t.seats) :] = -1
    if classes is not t.classes:
        rehash_classes(classes, totals[CLASSES_MADE])
    if shapes is not t.shapes:
        shapes["idle"][: len(t.shapes)] = np.roll(t.shapes["idle"], -totals[IDLE_FIRST])
        t.totals[IDLE_FIRST] = 0
        rehash_shapes(shapes, totals[SHAPES_MADE])
    return bigger


def _extended(array: Any, size: int) -> Any:
    """A copy at least twice as long if it is too short; memory is touched only when used."""
    if size <= len(array):
        return array
    longer = np.zeros((max(size, 2 * len(array)), *array.shape[1:]), array.dtype)
    longer[: len(array)] = array
    return longer


def _power_of_two(least: int) -> int:
    return 1 << max(least - 1, 1).bit_length()
