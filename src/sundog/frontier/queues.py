"""The queue of each arm: a heap in a segment of one shared pool.

Segments are powers of two; a full queue moves to one twice as long, and the old one goes to the
free list of its size. Being dense, a queue serves the maximum and a uniform draw alike. A slot
repeats its candidate's score and order, and a node's four children stand side by side: sifting
compares neighbours in memory.

The sampler's member lists (``thompson.classes``) have an allocator of the same kind, over other elements.
"""

from __future__ import annotations

from typing import Any

from sundog._jit import inner, int64
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
        f.pool[cell] = f.slots[start].candidate
        return start
    start = f.pool[POOL_END]
    f.pool[POOL_END] = start + room
    return start


@inner
def _release(f: Any, start: int, room: int) -> None:
    cell = POOL_FREE + _size_class(room)
    f.slots[start].candidate = f.pool[cell]
    f.pool[cell] = start


@inner
def _move(f: Any, source: int, target: int) -> None:
    f.slots[target].score = f.slots[source].score
    f.slots[target].order = f.slots[source].order
    f.slots[target].candidate = f.slots[source].candidate


@inner
def _make_room(f: Any, arm: int) -> None:
    old, room = f.arms[arm].start, f.arms[arm].room
    wanted = SMALLEST if room == 0 else 2 * room
    start = _allocate(f, wanted)
    for i in range(f.arms[arm].size):
        _move(f, old + i, start + i)
    if room > 0:
        _release(f, old, room)
    f.arms[arm].start = start
    f.arms[arm].room = wanted


@inner
def _comes_before(f: Any, score: float, order: int, slot: int) -> bool:
    """The order of a queue: higher score first, then earlier discovery. A total order."""
    return score > f.slots[slot].score or (score == f.slots[slot].score and order < f.slots[slot].order)


@inner
def _settle_in(f: Any, start: int, place: int, score: float, order: int, candidate: int) -> None:
    f.slots[start + place].score = score
    f.slots[start + place].order = order
    f.slots[start + place].candidate = candidate
    f.candidates[candidate].place = place


@inner
def _best_child(f: Any, start: int, size: int, place: int) -> int:
    """The first of up to four children, or -1."""
    first = 4 * place + 1
    if first >= size:
        return -1
    best = first
    for child in range(first + 1, min(first + 4, size)):
        if _comes_before(f, f.slots[start + child].score, int64(f.slots[start + child].order), start + best):
            best = child
    return best


@inner
def _sift(f: Any, arm: int, place: int, candidate: int) -> None:
    """Put the candidate where it belongs, given a free place in the queue to begin from."""
    start = f.arms[arm].start
    score, order = f.candidates[candidate].score, int64(f.candidates[candidate].order)
    while place > 0:
        above = (place - 1) >> 2
        if not _comes_before(f, score, order, start + above):
            break
        _move(f, start + above, start + place)
        f.candidates[f.slots[start + place].candidate].place = place
        place = above
    _sink(f, arm, place, candidate)


@inner
def _sink(f: Any, arm: int, place: int, candidate: int) -> None:
    """The same where nothing above the place comes after the candidate, or what is above is not in order yet."""
    start, size = f.arms[arm].start, int64(f.arms[arm].size)
    score, order = f.candidates[candidate].score, int64(f.candidates[candidate].order)
    while True:
        child = _best_child(f, start, size, place)
        if child < 0 or _comes_before(f, score, order, start + child):
            break
        _move(f, start + child, start + place)
        f.candidates[f.slots[start + place].candidate].place = place
        place = child
    _settle_in(f, start, place, score, order, candidate)


@inner
def push(f: Any, candidate: int) -> None:
    arm = int64(f.candidates[candidate].arm)
    if f.arms[arm].size == f.arms[arm].room:
        _make_room(f, arm)
    place = int64(f.arms[arm].size)
    f.arms[arm].size = place + 1
    _sift(f, arm, place, candidate)


@inner
def reorder(f: Any, candidate: int) -> None:
    """Restore the heap after the candidate's score has changed either way."""
    _sift(f, int64(f.candidates[candidate].arm), int64(f.candidates[candidate].place), candidate)


@inner
def rebuild(f: Any, arm: int) -> None:
    """Restore the heap after scores of its candidates were written in place."""
    start, size = f.arms[arm].start, int64(f.arms[arm].size)
    for place in range(size):
        f.slots[start + place].score = f.candidates[f.slots[start + place].candidate].score
    for place in range((size - 2) >> 2, -1, -1):
        _sink(f, arm, place, int64(f.slots[start + place].candidate))


@inner
def remove(f: Any, candidate: int) -> None:
    arm = int64(f.candidates[candidate].arm)
    start, last = f.arms[arm].start, int64(f.arms[arm].size) - 1
    place = int64(f.candidates[candidate].place)
    f.arms[arm].size = last
    f.candidates[candidate].place = -1
    if place != last:
        _sift(f, arm, place, int64(f.slots[start + last].candidate))
    if last == 0:
        _release(f, start, f.arms[arm].room)
        f.arms[arm].room = 0


@inner
def at(f: Any, arm: int, place: int) -> int:
    """The candidate at a place of the arm's queue."""
    return int64(f.slots[f.arms[arm].start + place].candidate)


@inner
def best(f: Any, arm: int) -> int:
    """The candidate that the arm would give; the arm must not be empty."""
    return int64(f.slots[f.arms[arm].start].candidate)
