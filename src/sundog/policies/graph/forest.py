"""Pairing heaps, many in one array: each is known by its root, -1 if it is empty. The highest key is the root.

Joining two costs a comparison, taking out any node the logarithm of the heap's size on average; no heap needs room
of its own.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sundog._jit import inner, int64

TREE = np.dtype([("key", "f8"), ("child", "i4"), ("next", "i4"), ("before", "i4")], align=True)


@inner
def meld(trees: Any, one: int, other: int) -> int:
    """Join two heaps; the root."""
    if one < 0:
        return other
    if other < 0:
        return one
    if trees[other].key > trees[one].key:
        one, other = other, one
    first = int64(trees[one].child)
    trees[other].next = first
    trees[other].before = one
    if first >= 0:
        trees[first].before = other
    trees[one].child = other
    return one


@inner
def push(trees: Any, root: int, node: int, key: float) -> int:
    """Add a node that is in no heap; the root."""
    trees[node].key = key
    trees[node].child = -1
    trees[node].next = -1
    trees[node].before = -1
    return meld(trees, root, node)


@inner
def _joined_children(trees: Any, node: int) -> int:
    """The node's children as one heap: in pairs from left to right, then all from right to left."""
    child = int64(trees[node].child)
    pairs = -1
    while child >= 0:
        second = int64(trees[child].next)
        rest = int64(trees[second].next) if second >= 0 else -1
        trees[child].next = -1
        if second >= 0:
            trees[second].next = -1
        pair = meld(trees, child, second)
        trees[pair].next = pairs
        pairs, child = pair, rest
    root = -1
    while pairs >= 0:
        rest = int64(trees[pairs].next)
        trees[pairs].next = -1
        root = meld(trees, root, pairs)
        pairs = rest
    if root >= 0:
        trees[root].before = -1
    return root


@inner
def remove(trees: Any, root: int, node: int) -> int:
    """Take out any node of the heap; the root."""
    orphans = _joined_children(trees, node)
    if node == root:
        return orphans
    before, after = int64(trees[node].before), int64(trees[node].next)
    if trees[before].child == node:
        trees[before].child = after
    else:
        trees[before].next = after
    if after >= 0:
        trees[after].before = before
    return meld(trees, root, orphans)
