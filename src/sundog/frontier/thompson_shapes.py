"""Shapes: rows of Lambda = -log F at every rung for one pair of counts, made once and shared.

A row takes some twenty microseconds. A shape that is no longer used stays in a ring and may be used
again until its place is needed; hosts that fall asleep and awake find theirs as they left it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sundog._jit import inner, njit
from sundog.frontier.beta import cdf_terms, log_norm
from sundog.frontier.thompson_classes import hash_key
from sundog.frontier.thompson_grid import LOGITS, RUNGS, THETAS, i64
from sundog.frontier.thompson_state import IDLE_COUNT, IDLE_FIRST, SHAPES_MADE, SHAPES_USED

COTHETAS = 1.0 / (1.0 + np.exp(LOGITS))


@inner
def take_shape(shapes: Any, rows: Any, totals: Any, good: int, bad: int) -> int:
    """The shape of these counts with one more use."""
    s = shapes[hash_key(len(shapes), i64(0), good, bad)].head
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
    head = hash_key(len(shapes), i64(0), shapes[s].good, shapes[s].bad)
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
    head = hash_key(len(shapes), i64(0), good, bad)
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
        head = hash_key(len(shapes), i64(0), shapes[s].good, shapes[s].bad)
        shapes[s].chain = shapes[head].head
        shapes[head].head = s
