"""The ready arms as an indexed binary heap: argmax in O(1), a change of key in O(log arms).

Like the queues it is a dense list too, which gives λ-greedy its uniform draw.
"""

from __future__ import annotations

from typing import Any

from sundog._jit import inner
from sundog.frontier.arrays import READY


@inner
def outranks(f: Any, one: int, other: int) -> bool:
    """Higher key first, then smaller tie, then smaller id: what a scan in that order would choose."""
    a, b = f.arms[one].key, f.arms[other].key
    if a != b:
        return a > b
    if f.arms[one].tie != f.arms[other].tie:
        return f.arms[one].tie < f.arms[other].tie
    return one < other


@inner
def _rise(f: Any, place: int) -> int:
    moving = f.ready[place]
    while place > 0:
        above = (place - 1) >> 1
        other = f.ready[above]
        if not outranks(f, moving, other):
            break
        f.ready[place] = other
        f.arms[other].place = place
        place = above
    f.ready[place] = moving
    f.arms[moving].place = place
    return place


@inner
def _fall(f: Any, place: int) -> None:
    moving, size = f.ready[place], f.totals[READY]
    while True:
        child = 2 * place + 1
        if child >= size:
            break
        if child + 1 < size and outranks(f, f.ready[child + 1], f.ready[child]):
            child += 1
        other = f.ready[child]
        if not outranks(f, other, moving):
            break
        f.ready[place] = other
        f.arms[other].place = place
        place = child
    f.ready[place] = moving
    f.arms[moving].place = place


@inner
def place_arm(f: Any, arm: int, key: float, tie: int) -> None:
    """Put the arm where its key belongs, adding it if it was not ready."""
    place = f.arms[arm].place
    if place >= 0 and f.arms[arm].key == key and f.arms[arm].tie == tie:
        return
    f.arms[arm].key = key
    f.arms[arm].tie = tie
    if place < 0:
        place = f.totals[READY]
        f.totals[READY] = place + 1
        f.ready[place] = arm
        f.arms[arm].place = place
    _fall(f, _rise(f, place))


@inner
def drop_arm(f: Any, arm: int) -> None:
    place, last = f.arms[arm].place, f.totals[READY] - 1
    if place < 0:
        return
    f.totals[READY] = last
    f.arms[arm].place = -1
    if place != last:
        moved = f.ready[last]
        f.ready[place] = moved
        f.arms[moved].place = place
        _fall(f, _rise(f, place))
