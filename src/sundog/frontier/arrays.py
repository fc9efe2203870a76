"""The records of the frontier and the tuple of arrays that every kernel takes.

Invariants (``tests/frontier`` checks each with Hypothesis):

* a candidate is in exactly one state; QUEUED candidates are in their arm's queue once, others in none
* an arm's queue is a binary heap on (score descending, order ascending), so it is also a dense list
* the ready heap holds exactly the arms with a queued candidate whose host is awake
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

UNKNOWN, QUEUED, LEASED, DONE = 0, 1, 2, 3

CANDIDATE = np.dtype(
    [
        ("score", "f8"),  # what the queue is ordered by: the estimator's last word
        ("arm", "i4"),
        ("host", "i4"),
        ("order", "i4"),  # of discovery
        ("place", "i4"),  # index in the arm's queue, -1 outside
        ("parent", "i4"),  # the first page that linked here, -1 for a seed
        ("last_parent", "i4"),  # the page that linked here last: a page counts as a parent once
        ("anchor", "i4"),  # text id of the anchor that led here, -1 if unknown
        ("path", "i4"),  # text id of its DOM tag path, -1 if unknown
        ("good_parents", "u2"),
        ("bad_parents", "u2"),
        ("good_siblings", "u2"),
        ("bad_siblings", "u2"),
        ("depth", "u2"),
        ("state", "u1"),
        ("good", "u1"),  # once DONE: was it relevant?
    ],
    align=True,
)

ARM = np.dtype(
    [
        ("key", "f8"),  # what the ready heap is ordered by
        ("tie", "i8"),  # equal keys: the smaller tie wins
        ("reward", "f8"),  # summed over the arm's finished fetches
        ("start", "i8"),  # of the queue's segment in the pool
        ("size", "i4"),
        ("room", "i4"),  # the segment's length: a power of two, or 0
        ("place", "i4"),  # index in the ready heap, -1 outside
        ("host", "i4"),
        ("next", "i4"),  # the next arm of the same host, -1 at the end
        ("tried", "i4"),  # finished fetches
        ("pending", "i4"),  # leased and not yet finished
        ("number", "i4"),  # order of discovery among arms, -1 before
        ("class_", "i4"),  # Thompson: the class of arms with equal law
        ("member", "i4"),  # Thompson: index in that class
    ],
    align=True,
)

HOST = np.dtype(
    [
        ("reward", "f8"),
        ("good", "i4"),
        ("tried", "i4"),
        ("pending", "i4"),
        ("queued", "i4"),
        ("arms", "i4"),  # head of the list of its arms, -1 if none
        ("known", "u1"),
        ("asleep", "u1"),
    ],
    align=True,
)

# cells of Frontier.totals
READY, DISCOVERED, ARMS_FOUND, HOSTS_FOUND, HOSTS_TRIED, QUEUED_TOTAL, FETCHES = range(7)
TOTALS = 8
POOL_END, POOL_FREE = 0, 1  # cells of Frontier.pool: the end, then a free list for each power of two
POOL_CELLS = 34


class Frontier(NamedTuple):
    """All of the frontier's state, as kernels see it."""

    candidates: Any
    arms: Any
    hosts: Any
    slots: Any  # int32: the pool that holds every arm's queue
    pool: Any  # int64: the pool's allocator
    ready: Any  # int32: a binary heap of arms
    totals: Any  # int64


def slots_needed(candidates: int, arms: int) -> int:
    """A pool of this size cannot run out: live and freed segments are each under 2 c + 4 a."""
    return 4 * candidates + 8 * arms + 64


def new_frontier(candidates: int, arms: int, hosts: int) -> Frontier:
    frontier = Frontier(
        np.zeros(candidates, CANDIDATE),
        np.zeros(arms, ARM),
        np.zeros(hosts, HOST),
        np.empty(slots_needed(candidates, arms), np.int32),
        np.zeros(POOL_CELLS, np.int64),
        np.empty(arms, np.int32),
        np.zeros(TOTALS, np.int64),
    )
    _clear(frontier, 0, 0, 0)
    frontier.pool[POOL_FREE:] = -1
    return frontier


def grown(frontier: Frontier, candidates: int, arms: int, hosts: int) -> Frontier:
    """The same frontier with room for at least so many of each; doubles what is too small."""
    old = (len(frontier.candidates), len(frontier.arms), len(frontier.hosts))
    new = [
        size if need <= size else max(need, 2 * size)
        for need, size in zip((candidates, arms, hosts), old, strict=True)
    ]
    if new == list(old):
        return frontier
    bigger = Frontier(
        _extended(frontier.candidates, new[0]),
        _extended(frontier.arms, new[1]),
        _extended(frontier.hosts, new[2]),
        _extended(frontier.slots, slots_needed(new[0], new[1])),
        frontier.pool,
        _extended(frontier.ready, new[1]),
        frontier.totals,
    )
    _clear(bigger, *old)
    return bigger


def _extended(array: Any, size: int) -> Any:
    if size <= len(array):
        return array
    longer = np.zeros(size, array.dtype)
    longer[: len(array)] = array
    return longer


def _clear(frontier: Frontier, candidates: int, arms: int, hosts: int) -> None:
    fresh = frontier.candidates[candidates:]
    for field in ("place", "parent", "last_parent", "anchor", "path"):
        fresh[field] = -1
    for field in ("place", "next", "number", "class_", "member"):
        frontier.arms[arms:][field] = -1
    frontier.hosts[hosts:]["arms"] = -1
