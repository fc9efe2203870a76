"""One tree of classes for each bucket, with the rows of Lambda summed over every subtree.

The tree has the shape of a 4-ary heap (positions 0, 1, 2, ... level by level), so it is as shallow
as can be; a node is a class. Invariant: ``sums[node]`` = size x row of its class + the sums of its
children. It is computed anew from those after every change, so rounding never accumulates.
"""

from __future__ import annotations

from typing import Any

from sundog._jit import inner
from sundog.frontier.rng import uniform
from sundog.frontier.thompson_grid import RUNGS, i64
from sundog.frontier.thompson_shapes import give_shape, take_shape
from sundog.frontier.thompson_state import BRANCHES, NODE_FREE, NODES_LIVE, NODES_MADE


@inner
def _node_at(children: Any, root: int, position: int) -> int:
    turns, depth = 0, 0
    while position > 0:
        turns = turns * BRANCHES + (position - 1) % BRANCHES
        position = (position - 1) // BRANCHES
        depth += 1
    node = root
    for _ in range(depth):
        node = i64(children[node, turns % BRANCHES])
        turns //= BRANCHES
    return node


@inner
def _hang(tree: Any, nodes: Any, children: Any, up: int, position: int, node: int) -> None:
    """Make ``node`` what is at the position, under ``up``; -1: nothing."""
    if position == 0:
        tree.root = node
    else:
        children[up, (position - 1) % BRANCHES] = node
    if node >= 0:
        nodes[node].up = up
        nodes[node].position = position


@inner
def refresh(nodes: Any, children: Any, sums: Any, rows: Any, classes: Any, node: int) -> None:
    """Recompute the sums of the node and of all above it."""
    while node >= 0:
        total, row = sums[node], rows[nodes[node].shape]
        size = float(classes[nodes[node].class_].size)
        for j in range(RUNGS):
            total[j] = size * row[j]
        for k in range(BRANCHES):
            child = children[node, k]
            if child < 0:
                break
            part = sums[child]
            for j in range(RUNGS):
                total[j] += part[j]
        node = nodes[node].up


@inner
def _new_node(nodes: Any, totals: Any) -> int:
    totals[NODES_LIVE] += 1
    node = totals[NODE_FREE]
    if node >= 0:
        totals[NODE_FREE] = nodes[node].up
        return node
    node = totals[NODES_MADE]
    totals[NODES_MADE] = node + 1
    return node


@inner
def attach(t: Any, c: int) -> None:
    """Give the class a node at the end of its bucket's tree; ``refresh`` is the caller's."""
    node, tree = _new_node(t.nodes, t.totals), t.buckets[t.classes[c].bucket]
    t.classes[c].node = node
    t.nodes[node].class_ = c
    t.nodes[node].shape = take_shape(t.shapes, t.rows, t.totals, t.classes[c].good, t.classes[c].bad)
    t.children[node, :] = -1
    position = tree.count
    up = _node_at(t.children, tree.root, (position - 1) // BRANCHES) if position > 0 else -1
    _hang(tree, t.nodes, t.children, up, position, node)
    tree.count = position + 1


@inner
def _replace(tree: Any, nodes: Any, children: Any, node: int, other: int) -> None:
    """Put ``other`` in the place of ``node``."""
    _hang(tree, nodes, children, nodes[node].up, nodes[node].position, other)
    for k in range(BRANCHES):
        child = children[node, k]
        children[other, k] = child
        if child >= 0:
            nodes[child].up = other


@inner
def detach(t: Any, c: int) -> None:
    """Take the class out; the last node moves into its place, and all sums are right again."""
    tree, node = t.buckets[t.classes[c].bucket], t.classes[c].node
    last = _node_at(t.children, tree.root, tree.count - 1)
    above = t.nodes[last].up
    _hang(tree, t.nodes, t.children, above, t.nodes[last].position, i64(-1))
    tree.count -= 1
    if last != node:
        _replace(tree, t.nodes, t.children, node, last)
    if above != node:
        refresh(t.nodes, t.children, t.sums, t.rows, t.classes, above)
    if last != node:
        refresh(t.nodes, t.children, t.sums, t.rows, t.classes, last)
    give_shape(t.shapes, t.totals, t.nodes[node].shape)
    t.classes[c].node = -1
    t.nodes[node].up = t.totals[NODE_FREE]
    t.totals[NODE_FREE] = node
    t.totals[NODES_LIVE] -= 1


@inner
def pick_node(sums: Any, children: Any, root: int, j: int, rng: Any) -> int:
    """A node drawn in proportion to what its own class adds to Lambda between rungs j and j + 1."""
    node = root
    left = uniform(rng) * (sums[node, j + 1] - sums[node, j])
    while True:
        following = -1
        for k in range(BRANCHES):
            child = i64(children[node, k])
            if child < 0:
                break
            part = sums[child, j + 1] - sums[child, j]
            if left < part:
                following = child
                break
            left -= part
        if following < 0:
            return node
        node = following
