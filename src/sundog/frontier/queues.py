"""The queue of each arm: a binary heap in a segment of one shared pool.

Segments are powers of two; a full queue moves to one twice as long, and the old one goes to the
free list of its size. Being dense, a queue serves the maximum and a uniform draw alike.
"""

from __future__ import annotations

from typing import Any

from sundog._jit import inner
from sundog.frontier.arrays import POOL_END, POOL_FREE

SMALLEST = 4


@inner
def _size_class(room: int) -> int:
    log = 0
    while (1 << log) < room:
        log += 1
    return log


@inner
def _allocate(f: Any, room: int) -> int:
    cell = POOL_FREE + _size_class(room)
    start = f.pool[cell]
    if start >= 0:
        f.pool[cell] = f.slots[start]
        return start
    start = f.pool[POOL_END]
    f.pool[POOL_END] = start + room
    return start


@inner
def _release(f: Any, start: int, room: int) -> None:
    cell = POOL_FREE + _size_class(room)
    f.slots[start] = f.pool[cell]
    f.pool[cell] = start


@inner
def _make_room(f: Any, arm: int) -> None:
    old, room = f.arms[arm].start, f.arms[arm].room
    wanted = SMALLEST if room == 0 else 2 * room
    start = _allocate(f, wanted)
    for i in range(f.arms[arm].size):
        f.slots[start + i] = f.slots[old + i]
    if room > 0:
        _release(f, old, room)
    f.arms[arm].start = start
    f.arms[arm].room = wanted


@inner
def comes_before(f: Any, one: int, other: int) -> bool:
    """The order of a queue: higher score first, then earlier discovery. A total order."""
    a, b = f.candidates[one].score, f.candidates[other].score
    return a > b or (a == b and f.candidates[one].order < f.candidates[other].order)


@inner
def _sift_up(f: Any, start: int, place: int) -> int:
    moving = f.slots[start + place]
    while place > 0:
        above = (place - 1) >> 1
        other = f.slots[start + above]
        if not comes_before(f, moving, other):
            break
        f.slots[start + place] = other
        f.candidates[other].place = place
        place = above
    f.slots[start + place] = moving
    f.candidates[moving].place = place
    return place


@inner
def _sift_down(f: Any, start: int, size: int, place: int) -> None:
    moving = f.slots[start + place]
    while True:
        child = 2 * place + 1
        if child >= size:
            break
        if child + 1 < size and comes_before(f, f.slots[start + child + 1], f.slots[start + child]):
            child += 1
        other = f.slots[start + child]
        if not comes_before(f, other, moving):
            break
        f.slots[start + place] = other
        f.candidates[other].place = place
        place = child
    f.slots[start + place] = moving
    f.candidates[moving].place = place


@inner
def push(f: Any, candidate: int) -> None:
    arm = f.candidates[candidate].arm
    if f.arms[arm].size == f.arms[arm].room:
        _make_room(f, arm)
    start, size = f.arms[arm].start, f.arms[arm].size
    f.slots[start + size] = candidate
    f.arms[arm].size = size + 1
    _sift_up(f, start, size)


@inner
def reorder(f: Any, candidate: int) -> None:
    """Restore the heap after the candidate's score has changed either way."""
    arm = f.candidates[candidate].arm
    start = f.arms[arm].start
    place = _sift_up(f, start, f.candidates[candidate].place)
    _sift_down(f, start, f.arms[arm].size, place)


@inner
def remove(f: Any, candidate: int) -> None:
    arm = f.candidates[candidate].arm
    start, last = f.arms[arm].start, f.arms[arm].size - 1
    place = f.candidates[candidate].place
    f.arms[arm].size = last
    f.candidates[candidate].place = -1
    if place != last:
        moved = f.slots[start + last]
        f.slots[start + place] = moved
        f.candidates[moved].place = place
        place = _sift_up(f, start, place)
        _sift_down(f, start, last, place)
    if last == 0:
        _release(f, start, f.arms[arm].room)
        f.arms[arm].room = 0


@inner
def best(f: Any, arm: int) -> int:
    """The candidate that the arm would give; the arm must not be empty."""
    return f.slots[f.arms[arm].start]
