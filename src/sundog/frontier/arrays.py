"""The records of the frontier and the tuple of arrays that every kernel takes.

Invariants (``tests/frontier`` checks each with Hypothesis):

* a candidate is in exactly one state; QUEUED candidates are in their arm's queue once, others in none
* an arm's queue is a heap on (score descending, order ascending), so it is also a dense list
* the ready heaps together hold exactly the arms with a queued candidate whose host is awake, once each
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from sundog.frontier.reserved import in_place, reserved

UNKNOWN, QUEUED, LEASED, DONE = 0, 1, 2, 3
NO_RELATION, OTHER_HOST = 0, 1  # of a candidate to the page that led to it; more within a host

CANDIDATE = np.dtype(
    [
        ("score", "f8"),  # what the queue is ordered by: the last estimate
        ("arm", "i4"),
        ("host", "i4"),
        ("order", "i4"),  # of discovery
        ("place", "i4"),  # index in the arm's queue, -1 outside
        ("parent", "i4"),  # the first page that linked here, -1 for a seed
        ("last_parent", "i4"),  # the page that linked here last: a page counts as a parent once
        ("anchor", "i4"),  # text id of the anchor that led here, -1 if unknown
        ("path", "i4"),  # text id of its DOM tag path, -1 if unknown
        ("local", "f4"),  # the part of the score that the model of its own host has said
        ("good_parents", "u2"),
        ("bad_parents", "u2"),
        ("good_siblings", "u2"),
        ("bad_siblings", "u2"),
        ("depth", "u2"),
        ("state", "u1"),
        ("good", "u1"),  # once DONE: was it relevant?
        ("from_good", "u1"),  # was the page that linked here first relevant?
        ("relation", "u1"),  # where that page's directory lies, seen from here
    ],
    align=True,
)

ENTRY = np.dtype([("key", "f8"), ("tie", "i4"), ("arm", "i4")], align=True)  # of a ready heap
SLOT = np.dtype([("score", "f8"), ("order", "i4"), ("candidate", "i4")], align=True)

ARM = np.dtype(
    [
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
        ("heap", "u1"),  # which of the ready heaps
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
        ("found", "i4"),  # pages of it that are known
        ("arms", "i4"),  # head of the list of its arms, -1 if none
        ("arm_count", "i4"),
        ("turn", "i4"),  # the arm whose turn it is to be re-appraised, -1: the first
        ("number", "i4"),  # order of discovery among hosts
        ("weight", "f8"),  # finished fetches and rewards, those of one template counting less and less
        ("weighted_reward", "f8"),
        ("near", "f8"),  # summed over finished fetches: how near each came, 1 for a relevant one
        ("weighted_near", "f8"),
        ("cost", "f4"),  # what fetches of it have cost, and of how many that is known
        ("charged", "i4"),
        ("known", "u1"),
        ("asleep", "u1"),
        ("opened", "u1"),  # its arms have their groups
    ],
    align=True,
)

# cells of Frontier.totals
READY, DISCOVERED, ARMS_FOUND, HOSTS_FOUND, RATED, QUEUED_TOTAL, FETCHES, CURSOR = 0, 2, 3, 4, 5, 6, 7, 8
CLEARED = 9  # candidates whose rows are in use, or ready for it
TOTALS = 10  # READY has a cell for each of the two ready heaps
POOL_END, POOL_FREE = 0, 1  # cells of Frontier.pool: the end, then a free list for each power of two
POOL_CELLS = 34
ROWS_AT_A_TIME = 1 << 14  # that are made ready for candidates: memory that nobody has written to is not there yet


def longer(array: Any, size: int, *, used: int | None = None, **blank: int) -> Any:
    """The array itself if it has ``size`` rows, else one at least twice as long: the same memory, or a copy.

    New rows are 0, or for records what ``blank`` says of a field. Memory is taken as it is written to, so of a
    copy only the rows in use are written, if ``used`` says how many these are.

    >>> longer(np.array([1, 2]), 3).tolist()
    [1, 2, 0, 0]
    """
    if size <= len(array):
        return array
    rows = max(size, 2 * len(array))
    grown = in_place(array, rows)
    if grown is None:
        grown = reserved(rows, array)
        kept = len(array) if used is None else used
        grown[:kept] = array[:kept]
    for name, value in blank.items():
        grown[name][len(array) :] = value
    return grown


class Frontier(NamedTuple):
    """All of the frontier's state, as kernels see it."""

    candidates: Any
    arms: Any
    hosts: Any
    slots: Any  # SLOT: the pool that holds every arm's queue
    pool: Any  # int64: the pool's allocator
    ready: Any  # ENTRY[2, arms]: heaps of arms
    totals: Any  # int64


def slots_needed(candidates: int, arms: int) -> int:
    """A pool of this size cannot run out: live and freed segments are each under 2 c + 4 a."""
    return 4 * candidates + 8 * arms + 64


def new_frontier(candidates: int, arms: int, hosts: int) -> Frontier:
    frontier = Frontier(
        np.zeros(candidates, CANDIDATE),
        np.zeros(arms, ARM),
        np.zeros(hosts, HOST),
        np.zeros(slots_needed(candidates, arms), SLOT),
        np.zeros(POOL_CELLS, np.int64),
        np.zeros((2, arms), ENTRY),
        np.zeros(TOTALS, np.int64),
    )
    _clear(frontier, candidates, 0, 0)
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
        _clear_candidates(frontier, candidates)
        return frontier
    ready = np.zeros((2, new[1]), ENTRY)
    used = int(frontier.totals[READY : READY + 2].max())
    ready[:, :used] = frontier.ready[:, :used]
    bigger = Frontier(
        longer(frontier.candidates, new[0], used=int(frontier.totals[CLEARED])),
        longer(frontier.arms, new[1]),
        longer(frontier.hosts, new[2]),
        longer(frontier.slots, slots_needed(new[0], new[1]), used=int(frontier.pool[POOL_END])),
        frontier.pool,
        ready,
        frontier.totals,
    )
    _clear(bigger, candidates, arms=old[1], hosts=old[2])
    return bigger


def _clear(frontier: Frontier, candidates: int, arms: int, hosts: int) -> None:
    """Make rows ready: those of as many candidates as there are, and of arms and hosts from these on."""
    _clear_candidates(frontier, candidates)
    for field in ("place", "next", "number"):
        frontier.arms[arms:][field] = -1
    for field in ("arms", "turn"):
        frontier.hosts[hosts:][field] = -1


def _clear_candidates(frontier: Frontier, candidates: int) -> None:
    cleared = int(frontier.totals[CLEARED])
    if candidates > cleared:
        fresh = frontier.candidates[cleared : max(candidates, cleared + ROWS_AT_A_TIME)]
        for field in ("place", "parent", "last_parent", "anchor", "path"):
            fresh[field] = -1
        frontier.totals[CLEARED] = cleared + len(fresh)
