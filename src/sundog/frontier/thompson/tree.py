"""One tree of classes for each bucket, with the rows of Lambda summed over every subtree; and the rows.

The tree has the shape of a 4-ary heap (positions 0, 1, 2, ... level by level), so it is as shallow
as can be; a node is a class. Invariant: ``sums[node]`` = size x row of its class + the sums of its
children. It is computed anew from those after every change, so rounding never accumulates.

A shape is the row of Lambda = -log F at every rung for one pair of counts, made once and shared: that takes some
twenty microseconds. A shape that is no longer used stays in a ring and may be used again until its place is
needed; hosts that fall asleep and awake find theirs as they left it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sundog._jit import inner, int64, njit
from sundog.frontier.rng import uniform
from sundog.frontier.thompson.beta import cdf_terms, log_norm
from sundog.frontier.thompson.classes import hash_key
from sundog.frontier.thompson.grid import LOGITS, RUNGS, THETAS
from sundog.frontier.thompson.state import (
    BRANCHES,
    IDLE_COUNT,
    IDLE_FIRST,
    NODE_FREE,
    NODES_LIVE,
    NODES_MADE,
    SHAPES_MADE,
    SHAPES_USED,
)

COTHETAS = 1.0 / (1.0 + np.exp(LOGITS))


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
def detach(t: Any, c: int) -> None:
    """Take the class out; the last node moves into its place, and all sums are right again."""
    tree, node = t.buckets[t.classes[c].bucket], t.classes[c].node
    last = _node_at(t.children, tree.root, tree.count - 1)
    above = t.nodes[last].up
    _hang(tree, t.nodes, t.children, above, t.nodes[last].position, int64(-1))
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
def pick_node(sums: Any, children: Any, root: int, j: int, rng: Any) -> int:
    """A node drawn in proportion to what its own class adds to Lambda between rungs j and j + 1."""
    node = root
    left = uniform(rng) * (sums[node, j + 1] - sums[node, j])
    while True:
        following = -1
        for k in range(BRANCHES):
            child = int64(children[node, k])
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


@inner
def _node_at(children: Any, root: int, position: int) -> int:
    turns, depth = 0, 0
    while position > 0:
        turns = turns * BRANCHES + (position - 1) % BRANCHES
        position = (position - 1) // BRANCHES
        depth += 1
    node = root
    for _ in range(depth):
        node = int64(children[node, turns % BRANCHES])
        turns //= BRANCHES
    return node


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
def _replace(tree: Any, nodes: Any, children: Any, node: int, other: int) -> None:
    """Put ``other`` in the place of ``node``."""
    _hang(tree, nodes, children, nodes[node].up, nodes[node].position, other)
    for k in range(BRANCHES):
        child = children[node, k]
        children[other, k] = child
        if child >= 0:
            nodes[child].up = other


# -- shapes --------------------------------------------------------------------------------------


@inner
def take_shape(shapes: Any, rows: Any, totals: Any, good: int, bad: int) -> int:
    """The shape of these counts with one more use."""
    s = shapes[hash_key(len(shapes), int64(0), good, bad)].head
    while s >= 0 and not (shapes[s].good == good and shapes[s].bad == bad):
        s = shapes[s].chain
    if s < 0:
        s = _free_shape(shapes, totals)
        _make_shape(shapes, rows[s], s, good, bad)
    if shapes[s].uses == 0:
        totals[SHAPES_USED] += 1
    shapes[s].uses += 1
    return s


@inner
def give_shape(shapes: Any, totals: Any, s: int) -> None:
    """One use less."""
    shapes[s].uses -= 1
    if shapes[s].uses > 0:
        return
    totals[SHAPES_USED] -= 1
    if shapes[s].queued == 0:
        shapes[(totals[IDLE_FIRST] + totals[IDLE_COUNT]) % len(shapes)].idle = s
        totals[IDLE_COUNT] += 1
        shapes[s].queued = 1


@inner
def _free_shape(shapes: Any, totals: Any) -> int:
    """A place never used, or that of the shape longest idle."""
    s = totals[SHAPES_MADE]
    if s < len(shapes):
        totals[SHAPES_MADE] = s + 1
        return s
    while True:
        s = shapes[totals[IDLE_FIRST]].idle
        totals[IDLE_FIRST] = (totals[IDLE_FIRST] + 1) % len(shapes)
        totals[IDLE_COUNT] -= 1
        shapes[s].queued = 0
        if shapes[s].uses == 0:  # else it came back into use while it waited
            break
    _unchain(shapes, s)
    return s


@inner
def _unchain(shapes: Any, s: int) -> None:
    head = hash_key(len(shapes), int64(0), shapes[s].good, shapes[s].bad)
    if shapes[head].head == s:
        shapes[head].head = shapes[s].chain
        return
    other = shapes[head].head
    while shapes[other].chain != s:
        other = shapes[other].chain
    shapes[other].chain = shapes[s].chain


@inner
def _make_shape(shapes: Any, row: Any, s: int, good: int, bad: int) -> None:
    shape = shapes[s]
    shape.good, shape.bad, shape.uses = good, bad, 0
    shape.norm = log_norm(good + 1.0, bad + 1.0)
    head = hash_key(len(shapes), int64(0), good, bad)
    shape.chain = shapes[head].head
    shapes[head].head = s
    row[0] = 0.0
    for j in range(1, RUNGS):  # never falling, whatever the rounding
        row[j] = max(row[j - 1], -cdf_terms(THETAS[j], COTHETAS[j], good, bad, shape.norm)[1])


@njit
def rehash_shapes(shapes: Any, made: int) -> None:
    for s in range(len(shapes)):
        shapes[s].head = -1
    for s in range(made):
        head = hash_key(len(shapes), int64(0), shapes[s].good, shapes[s].bad)
        shapes[s].chain = shapes[head].head
        shapes[head].head = s
