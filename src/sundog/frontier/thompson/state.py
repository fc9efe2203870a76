"""The state of Thompson sampling: one tuple of arrays.

Every arm in play sits in one *class* of arms with (nearly) equal law; see ``sampling``. A class that
has an arm with a failure also has a *node* in the tree of its bucket, and a *shape*: the row of its
Lambda, shared by all classes with equal counts. Classes, nodes and shapes are recycled when empty.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

SEAT = np.dtype([("best", "f8"), ("good", "i8"), ("bad", "i8"), ("class_", "i8"), ("place", "i8")])
CLASS = np.dtype(
    [
        ("start", "i8"),  # of the segment of slots that lists the members
        ("bucket", "i8"),  # bucket or cell of the members' best, see ``grid``
        ("good", "i8"),  # the counts that dominate those of every member
        ("bad", "i8"),
        ("size", "i8"),
        ("room", "i8"),
        ("node", "i8"),  # its place in the bucket's tree, -1 if it has none
        ("chain", "i8"),  # the next class of the same hash, or the next free one
        ("after", "i8"),  # neighbours in the list of the cell's classes
        ("before", "i8"),
        ("head", "i8"),  # not of this class: cell of the hash table, the first class of a chain
    ]
)
NODE = np.dtype([("class_", "i8"), ("shape", "i8"), ("up", "i8"), ("position", "i8")])
SHAPE = np.dtype(
    [
        ("norm", "f8"),
        ("good", "i8"),
        ("bad", "i8"),
        ("uses", "i8"),
        ("chain", "i8"),  # the next shape of the same hash
        ("queued", "i8"),  # whether it is in the ring of idle shapes
        ("head", "i8"),  # not of this shape: cell of the hash table,
        ("idle", "i8"),  # and cell of the ring, longest idle first
    ]
)
BUCKET = np.dtype(
    [
        ("top", "f8"),  # no member's best is larger
        ("root", "i8"),  # of its tree of nodes, -1 if empty
        ("count", "i8"),  # of nodes
        ("level", "f8"),  # scratch of draw: where it stands in the bucket, if opened,
        ("rung", "i8"),
        ("following", "i8"),  # and the bucket opened before
    ]
)
CELL = np.dtype(
    [
        ("weight", "i8"),  # Fenwick trees (index 0 unused), see ``flawless``
        ("moment", "i8"),
        ("head", "i8"),  # of the list of the cell's classes (index = cell)
    ]
)
BRANCHES = 4
SMALLEST = 4  # slots of a class with one member

# cells of Thompson.totals
SIZE, POOL_END = 0, 1
CLASSES_LIVE, CLASSES_MADE, CLASS_FREE = 2, 3, 4
NODES_LIVE, NODES_MADE, NODE_FREE = 5, 6, 7
SHAPES_USED, SHAPES_MADE, IDLE_FIRST, IDLE_COUNT = 8, 9, 10, 11
POOL_FREE = 12  # a free list of segments for each power of two
TOTALS = POOL_FREE + 34


class Thompson(NamedTuple):
    """All arms in play, as kernels see them. ``seats`` is indexed by arm."""

    seats: Any
    classes: Any
    slots: Any  # int32: the pool of the classes' member lists
    nodes: Any
    children: Any  # int32, a row for each node
    sums: Any  # a row for each node: Lambda at every rung, summed over all arms of its subtree
    shapes: Any
    rows: Any  # a row for each shape: Lambda of one arm at every rung
    buckets: Any
    cells: Any
    totals: Any  # int64
