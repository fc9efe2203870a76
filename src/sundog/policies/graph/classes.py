"""Classes of nodes with equal features, found by a hash table; each in the cell of its powers of two."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from sundog._jit import inner, int64
from sundog.policies.graph import forest
from sundog.policies.graph.ranking import CELLS, CLASSES, FREE, STEPS_OF_TWO

LOWEST = -20  # smaller powers of two are not told apart
BEYOND = 1e300  # the bound of features that no power of two bounds: always looked at


@inner
def _bits(x: float) -> Any:
    return np.float64(x).view(np.uint64)


@inner
def _slot_of(r: Any, n: float, e: float, ne: float) -> int:
    """Where the search for these features begins."""
    z = _bits(n) * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(29)) ^ _bits(e)) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(32)) ^ _bits(ne)) * np.uint64(0x94D049BB133111EB)
    return int64((z ^ (z >> np.uint64(31))) & np.uint64(len(r.table) - 1))


@inner
def _find(r: Any, n: float, e: float, ne: float) -> int:
    """The slot of the class of these features, or the free slot where it belongs."""
    slot = _slot_of(r, n, e, ne)
    while r.table[slot] >= 0:
        known = r.classes[r.table[slot]]
        if known.n == n and known.e == e and known.ne == ne:
            break
        slot = (slot + 1) & (len(r.table) - 1)
    return slot


@inner
def _forget(r: Any, group: int) -> None:
    """Free the class's slot, and move up those that follow and were pushed away from their own."""
    mask = len(r.table) - 1
    gap = _find(r, r.classes[group].n, r.classes[group].e, r.classes[group].ne)
    slot = gap
    while True:
        slot = (slot + 1) & mask
        other = int64(r.table[slot])
        if other < 0:
            break
        home = _slot_of(r, r.classes[other].n, r.classes[other].e, r.classes[other].ne)
        if ((slot - home) & mask) >= ((slot - gap) & mask):
            r.table[gap] = other
            gap = slot
    r.table[gap] = -1


@inner
def enter_classes(r: Any) -> None:
    """Fill a new table."""
    for group in range(r.totals[CLASSES]):
        if r.classes[group].size > 0:
            r.table[_find(r, r.classes[group].n, r.classes[group].e, r.classes[group].ne)] = group


@inner
def _power_of_two(x: float) -> int:
    """0 for 0; else the number of the smallest power of two above x."""
    if x <= 0.0:
        return 0
    return max(1, min(math.frexp(x)[1] - LOWEST, STEPS_OF_TWO - 1))


@inner
def _bound(step: int) -> float:
    if step == 0:
        return 0.0
    return BEYOND if step == STEPS_OF_TWO - 1 else math.ldexp(1.0, step + LOWEST)


@inner
def _cell_of(r: Any, n: float, e: float, ne: float) -> int:
    steps_n, steps_e, steps_ne = _power_of_two(n), _power_of_two(e), _power_of_two(ne)
    at = (steps_n * STEPS_OF_TWO + steps_e) * STEPS_OF_TWO + steps_ne
    if r.cell_at[at] == 0:
        cell = r.totals[CELLS]
        r.cells[cell].n = _bound(steps_n)
        r.cells[cell].e = _bound(steps_e)
        r.cells[cell].ne = _bound(steps_ne)
        r.cells[cell].first = -1
        r.totals[CELLS] = cell + 1
        r.cell_at[at] = cell + 1
    return int64(r.cell_at[at]) - 1


@inner
def score_of(r: Any, n: float, e: float, ne: float) -> float:
    """Without the constant, which changes no rank."""
    return r.coefficients[0] * n + r.coefficients[1] * e + r.coefficients[2] * ne


@inner
def risen(r: Any, cell: int) -> float:
    """How much a score of this cell can have risen, had it been there from the beginning."""
    bound = r.cells[cell]
    return bound.n * r.rises[0] + bound.e * r.rises[1] + bound.ne * r.rises[2]


@inner
def put_in_cell(r: Any, group: int, score: float) -> None:
    """Put a class into its cell's heap, given its present score."""
    cell = int64(r.classes[group].cell)
    r.cells[cell].first = forest.push(r.heaps, int64(r.cells[cell].first), group, score - risen(r, cell))


@inner
def take_from_cell(r: Any, group: int) -> None:
    cell = int64(r.classes[group].cell)
    r.cells[cell].first = forest.remove(r.heaps, int64(r.cells[cell].first), group)


@inner
def _new_class(r: Any, slot: int, n: float, e: float, ne: float) -> int:
    if r.totals[FREE] > 0:
        r.totals[FREE] -= 1
        group = int64(r.free[r.totals[FREE]])
    else:
        group = r.totals[CLASSES]
        r.totals[CLASSES] += 1
    r.table[slot] = group
    r.classes[group].n = n
    r.classes[group].e = e
    r.classes[group].ne = ne
    r.classes[group].first = -1
    r.classes[group].size = 0
    r.classes[group].cell = _cell_of(r, n, e, ne)
    put_in_cell(r, group, score_of(r, n, e, ne))
    return group


@inner
def class_of(r: Any, n: float, e: float, ne: float) -> int:
    """The class of these features, made if there is none."""
    slot = _find(r, n, e, ne)
    return int64(r.table[slot]) if r.table[slot] >= 0 else _new_class(r, slot, n, e, ne)


@inner
def end_class(r: Any, group: int) -> None:
    """A class that is in no heap has lost its last member."""
    _forget(r, group)
    r.free[r.totals[FREE]] = group
    r.totals[FREE] += 1
