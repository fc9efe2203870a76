"""Arms without a failure: closed forms, and no rungs.

For bad = 0 the law is F(theta) = theta^(good + 1), so an arm's X = best * theta has the intensity
(good + 1) / x below its best: the same for all such arms but for a weight. Merged, at depth
l = -log x they have Lambda(l) = sum of weight * (l - depth) over the cells above, that is W l - V
with two prefix sums over cells, kept as integers in Fenwick trees: exact, and no drift.

A cell's upper edge stands for the best of its arms (it is at most 1 / 65536 larger).
"""

from __future__ import annotations

import math
from typing import Any

from sundog._jit import inner, int64
from sundog.frontier.rng import below, exponential
from sundog.frontier.thompson.grid import UNIT, cell_depth


@inner
def add_weight(cells: Any, cell: int, weight: int) -> None:
    moment = weight * cell_depth(cell)
    i = cell + 1
    while i < len(cells):
        cells[i].weight += weight
        cells[i].moment += moment
        i += i & -i


@inner
def list_class(cells: Any, classes: Any, cell: int, c: int) -> None:
    """Put a class at the head of its cell's list."""
    head = cells[cell].head
    classes[c].before, classes[c].after = -1, head
    if head >= 0:
        classes[head].before = c
    cells[cell].head = c


@inner
def unlist_class(cells: Any, classes: Any, cell: int, c: int) -> None:
    before, after = classes[c].before, classes[c].after
    if before >= 0:
        classes[before].after = after
    else:
        cells[cell].head = after
    if after >= 0:
        classes[after].before = before


@inner
def _highest_step(length: int) -> int:
    step = 1
    while 2 * step < length:
        step *= 2
    return step


@inner
def sums_above(cells: Any, depth: float) -> Any:
    """(W, V) of the cells whose edge is above the depth (in units of 1 / UNIT)."""
    at, step, weight, moment = 0, _highest_step(len(cells)), 0, 0
    while step > 0:
        i = at + step
        if i < len(cells) and cell_depth(i - 1) < depth:
            at = i
            weight += cells[i].weight
            moment += cells[i].moment
        step >>= 1
    return weight, moment


@inner
def cell_of_ticket(cells: Any, ticket: int) -> Any:
    """(the cell where the sum of weights exceeds the ticket, what is left of it there)."""
    at, step = 0, _highest_step(len(cells))
    while step > 0:
        i = at + step
        if i < len(cells) and cells[i].weight <= ticket:
            at = i
            ticket -= cells[i].weight
        step >>= 1
    return at, ticket


@inner
def _cell_of_level(cells: Any, level: float) -> Any:
    """(the cell in which Lambda reaches ``level``, W and V of the cells above it)."""
    at, step, weight, moment = 0, _highest_step(len(cells)), 0, 0
    while step > 0:
        i = at + step
        if i < len(cells) - 1:
            w, m = weight + cells[i].weight, moment + cells[i].moment
            # cells before i, at the edge of cell i: is their Lambda still within the level?
            if w * cell_depth(i) - m <= level * UNIT:
                at, weight, moment = i, w, m
        step >>= 1
    return at, weight, moment


@inner
def _cell_weight(cells: Any, classes: Any, cell: int) -> int:
    weight, c = 0, cells[cell].head
    while c >= 0:
        weight += classes[c].size * (classes[c].good + 1)
        c = classes[c].after
    return weight


@inner
def _depth_of_level(cells: Any, classes: Any, level: float) -> Any:
    """(depth where Lambda reaches ``level``, weight above it); weight 0 if there is no arm."""
    cell, weight, moment = _cell_of_level(cells, level)
    own = _cell_weight(cells, classes, cell)
    weight += own
    moment += own * cell_depth(cell)
    return (moment / UNIT + level) / max(weight, 1), weight


@inner
def _arm_of_ticket(cells: Any, classes: Any, slots: Any, ticket: int) -> Any:
    """(cell, arm) that own the ticket when every arm has as many as its weight."""
    cell, ticket = cell_of_ticket(cells, ticket)
    c = cells[cell].head
    while ticket >= classes[c].size * (classes[c].good + 1):
        ticket -= classes[c].size * (classes[c].good + 1)
        c = classes[c].after
    return cell, int64(slots[classes[c].start + ticket // (classes[c].good + 1)])


@inner
def highest_flawless(cells: Any, classes: Any, slots: Any, seats: Any, rng: Any) -> Any:
    """(arm, X) of the largest draw among arms without a failure; arm -1 if there is none."""
    winner, largest, level = -1, 0.0, 0.0
    while True:
        level += exponential(rng)
        depth, weight = _depth_of_level(cells, classes, level)
        if weight == 0 or math.exp(-depth) <= largest:
            return winner, largest
        cell, arm = _arm_of_ticket(cells, classes, slots, below(rng, weight))
        value = seats[arm].best * min(1.0, math.exp(cell_depth(cell) / UNIT - depth))
        if value > largest:
            winner, largest = arm, value
