"""The ready arms as indexed heaps: argmax in O(1), a change of key in O(log arms).

There are two, since arms of hosts without a relevant page so far may be ranked by another measure
than the others (policies that do not care keep all arms in the first). Like the queues they are
dense lists too, which gives λ-greedy its uniform draw. Heaps have four children a node, which
stand side by side in memory: with a million arms that is what a choice costs.
"""

from __future__ import annotations

from typing import Any

from sundog._jit import inner, int64
from sundog.frontier.arrays import READY

PROVEN, HITLESS = 0, 1


@inner
def _outranks(f: Any, key: float, tie: int, arm: int, heap: int, place: int) -> bool:
    """Higher key first, then smaller tie, then smaller id: what a scan in that order would choose."""
    other = f.ready[heap, place]
    if key != other.key:
        return key > other.key
    if tie != other.tie:
        return tie < other.tie
    return arm < other.arm


@inner
def _write(f: Any, heap: int, place: int, key: float, tie: int, arm: int) -> None:
    f.ready[heap, place].key = key
    f.ready[heap, place].tie = tie
    f.ready[heap, place].arm = arm
    f.arms[arm].place = place


@inner
def _copy(f: Any, heap: int, source: int, target: int) -> None:
    entry = f.ready[heap, source]
    _write(f, heap, target, entry.key, int64(entry.tie), int64(entry.arm))


@inner
def _best_child(f: Any, heap: int, place: int) -> int:
    """The highest of up to four children, or -1."""
    first, size = 4 * place + 1, f.totals[READY + heap]
    if first >= size:
        return -1
    best = first
    for child in range(first + 1, min(first + 4, size)):
        entry = f.ready[heap, child]
        if _outranks(f, entry.key, int64(entry.tie), int64(entry.arm), heap, best):
            best = child
    return best


@inner
def _sink(f: Any, heap: int, place: int, key: float, tie: int, arm: int) -> None:
    while True:
        child = _best_child(f, heap, place)
        if child < 0 or _outranks(f, key, tie, arm, heap, child):
            break
        _copy(f, heap, child, place)
        place = child
    _write(f, heap, place, key, tie, arm)


@inner
def sift(f: Any, heap: int, place: int, key: float, tie: int, arm: int) -> None:
    """Put the arm where its key belongs, given a free place to begin from."""
    while place > 0:
        above = (place - 1) >> 2
        if not _outranks(f, key, tie, arm, heap, above):
            break
        _copy(f, heap, above, place)
        place = above
    _sink(f, heap, place, key, tie, arm)


@inner
def first(f: Any, heap: int) -> int:
    """The heap's best arm; the heap must not be empty."""
    return int64(f.ready[heap, 0].arm)


@inner
def key_of(f: Any, arm: int) -> float:
    """The key by which a ready arm is ranked now."""
    return f.ready[f.arms[arm].heap, f.arms[arm].place].key


@inner
def place_arm(f: Any, arm: int, heap: int, key: float, tie: int) -> None:
    """Rank the arm by this key, adding it if it was not ready."""
    if f.arms[arm].place >= 0 and f.arms[arm].heap != heap:
        drop_arm(f, arm)
    place = int64(f.arms[arm].place)
    if place < 0:
        place = f.totals[READY + heap]
        f.totals[READY + heap] = place + 1
        f.arms[arm].heap = heap
    elif f.ready[heap, place].key == key and f.ready[heap, place].tie == tie:
        return
    sift(f, heap, place, key, tie, arm)


@inner
def drop_arm(f: Any, arm: int) -> None:
    place, heap = int64(f.arms[arm].place), int64(f.arms[arm].heap)
    if place < 0:
        return
    last = f.totals[READY + heap] - 1
    f.totals[READY + heap] = last
    f.arms[arm].place = -1
    if place != last:
        moved = f.ready[heap, last]
        sift(f, heap, place, moved.key, int64(moved.tie), int64(moved.arm))


@inner
def rebuild(f: Any, heap: int) -> None:
    """Restore the heap after keys were written in place."""
    for place in range((f.totals[READY + heap] - 2) >> 2, -1, -1):
        entry = f.ready[heap, place]
        _sink(f, heap, place, entry.key, int64(entry.tie), int64(entry.arm))
