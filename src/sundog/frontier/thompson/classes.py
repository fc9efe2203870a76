"""Classes of arms: found by hash, made on demand, recycled when empty; and their member lists.

Here and in the modules beside it, small kernels take just the arrays they need: numba compiles a
function that takes the whole tuple ten times slower. The segments of member lists are handed out as those of
``frontier.queues`` are, over other elements.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sundog._jit import inner, int64, njit
from sundog.frontier.thompson.grid import ZERO
from sundog.frontier.thompson.state import CLASS_FREE, CLASSES_LIVE, CLASSES_MADE, POOL_END, POOL_FREE, SMALLEST


@inner
def hash_key(cells: int, bucket: int, good: int, bad: int) -> int:
    """A cell of a hash table whose size is a power of two."""
    z = np.uint64(bucket + 1) * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(32)) ^ np.uint64(good)) * np.uint64(0xD6E8FEB86659FD93)
    z = (z ^ (z >> np.uint64(32)) ^ np.uint64(bad)) * np.uint64(0xFF51AFD7ED558CCD)
    return int64((z ^ (z >> np.uint64(32))) & np.uint64(cells - 1))


@inner
def find_class(classes: Any, bucket: int, good: int, bad: int) -> int:
    c = classes[hash_key(len(classes), bucket, good, bad)].head
    while c >= 0 and not (classes[c].bucket == bucket and classes[c].good == good and classes[c].bad == bad):
        c = classes[c].chain
    return c


@inner
def find_zero_class(classes: Any) -> int:
    """The class of all arms with best = 0; -1 if there is none."""
    return find_class(classes, int64(ZERO), int64(0), int64(0))


@inner
def make_class(classes: Any, totals: Any, bucket: int, good: int, bad: int) -> int:
    """A new class without members, cell list or node."""
    c = totals[CLASS_FREE]
    if c >= 0:
        totals[CLASS_FREE] = classes[c].chain
    else:
        c = totals[CLASSES_MADE]
        totals[CLASSES_MADE] = c + 1
    totals[CLASSES_LIVE] += 1
    record = classes[c]
    record.bucket, record.good, record.bad = bucket, good, bad
    record.size, record.room, record.node = 0, 0, -1
    head = hash_key(len(classes), bucket, good, bad)
    record.chain = classes[head].head
    classes[head].head = c
    return c


@inner
def drop_class(classes: Any, totals: Any, c: int) -> None:
    record = classes[c]
    head = hash_key(len(classes), record.bucket, record.good, record.bad)
    if classes[head].head == c:
        classes[head].head = record.chain
    else:
        other = classes[head].head
        while classes[other].chain != c:
            other = classes[other].chain
        classes[other].chain = record.chain
    record.chain = totals[CLASS_FREE]
    totals[CLASS_FREE] = c
    totals[CLASSES_LIVE] -= 1


@njit
def rehash_classes(classes: Any, made: int) -> None:
    for c in range(len(classes)):
        classes[c].head = -1
    for c in range(made):
        if classes[c].size > 0:
            head = hash_key(len(classes), classes[c].bucket, classes[c].good, classes[c].bad)
            classes[c].chain = classes[head].head
            classes[head].head = c


@inner
def _free_list(room: int) -> int:
    """The cell of totals that heads the free segments of this size, a power of two."""
    log = 0
    while (1 << log) < room:
        log += 1
    return POOL_FREE + log


@inner
def _take_segment(slots: Any, totals: Any, room: int) -> int:
    cell = _free_list(room)
    start = totals[cell]
    if start < 0:
        start = totals[POOL_END]
        totals[POOL_END] = start + room
        return start
    # a free segment links to the next in two slots, since offsets may need more than 31 bits
    totals[cell] = int64(slots[start]) * (1 << 31) + slots[start + 1]
    return start


@inner
def _give_segment(slots: Any, totals: Any, start: int, room: int) -> None:
    cell = _free_list(room)
    slots[start] = totals[cell] >> 31
    slots[start + 1] = totals[cell] & 0x7FFFFFFF
    totals[cell] = start


@inner
def _move_members(record: Any, slots: Any, totals: Any, room: int) -> None:
    start = _take_segment(slots, totals, room)
    for i in range(record.size):
        slots[start + i] = slots[record.start + i]
    if record.room > 0:
        _give_segment(slots, totals, record.start, record.room)
    record.start, record.room = start, room


@inner
def add_member(seats: Any, classes: Any, slots: Any, totals: Any, c: int, arm: int) -> None:
    record = classes[c]
    if record.size == record.room:
        _move_members(record, slots, totals, max(SMALLEST, 2 * record.room))
    slots[record.start + record.size] = arm
    seats[arm].class_, seats[arm].place = c, record.size
    record.size += 1


@inner
def remove_member(seats: Any, classes: Any, slots: Any, totals: Any, arm: int) -> None:
    """Lists shrink as they grow, so that the pool is bounded by the arms and not by history."""
    record = classes[seats[arm].class_]
    place, last = seats[arm].place, record.size - 1
    moved = slots[record.start + last]
    slots[record.start + place] = moved
    seats[moved].place = place
    seats[arm].class_ = -1
    record.size = last
    if last == 0:
        _give_segment(slots, totals, record.start, record.room)
    elif record.room > SMALLEST and 4 * last <= record.room:
        _move_members(record, slots, totals, record.room // 2)
