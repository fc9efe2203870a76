"""Thompson sampling over hundreds of thousands of arms: the exact law, in logarithmic time.

The law. Every arm in play has counts good, bad >= 0 and a factor best in [0, 1]. At each ``draw`` all
arms draw anew, theta ~ Beta(good + 1, bad + 1), X = best * theta, and the largest X wins. If every
best is 0, one of the arms is chosen uniformly.

The method. P(theta <= u) = exp(-Lambda(u)) with Lambda = -log F, so theta is the highest point of a
Poisson process with intensity f / F, and the winner owns the highest point of all arms' processes
merged. Their points are made from the top downwards until none that is left can win:

* arms without a failure have closed forms: ``flawless``
* others are put in classes: a bucket of best and a bin of counts. A class draws points for counts
  that dominate its members' and the bucket's upper edge; a point is then accepted as the member's
  with the ratio of intensities, and scaled to the member's best. Both steps are exact (thinning).
* Lambda of classes is summed at fixed rungs of theta over one tree for each bucket, which tells the
  rung of the highest point and, by descent, whose it is: ``tree``, ``draw``

Limits. Floating point; positions are solved to about 1e-13 in log-odds. If no arm's theta is above
1e-20 (with 1e6 failures and no success: probability 1e-14), any of them may be chosen. Counts are
below 2^31, and the sum of good + 1 over arms without a failure too.

Invariants (tested with Hypothesis): an arm in play is in one class, once; classes are those of their
members' counts and best, none is empty; the sums of a root are those of its bucket's members.

Kernels cannot make arrays: ``new_thompson`` makes the state, ``reserve`` makes room in it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sundog._jit import inner, int64
from sundog.frontier.arrays import longer
from sundog.frontier.thompson.classes import (
    add_member,
    drop_class,
    find_class,
    make_class,
    rehash_classes,
    remove_member,
)
from sundog.frontier.thompson.draw import draw
from sundog.frontier.thompson.flawless import add_weight, list_class, unlist_class
from sundog.frontier.thompson.grid import (
    BUCKETS,
    CELLS,
    RUNGS,
    ZERO,
    bucket_of,
    cell_of,
    least_alike,
    most_alike,
)
from sundog.frontier.thompson.propensity import propensity
from sundog.frontier.thompson.state import (
    BRANCHES,
    BUCKET,
    CELL,
    CLASS,
    CLASS_FREE,
    CLASSES_LIVE,
    CLASSES_MADE,
    IDLE_FIRST,
    NODE,
    NODE_FREE,
    NODES_LIVE,
    POOL_END,
    POOL_FREE,
    SEAT,
    SHAPE,
    SHAPES_MADE,
    SHAPES_USED,
    SIZE,
    TOTALS,
    Thompson,
)
from sundog.frontier.thompson.tree import attach, detach, refresh, rehash_shapes

__all__ = ["Thompson", "draw", "enter", "leave", "new_thompson", "propensity", "reserve", "size"]


@inner
def size(t: Any) -> int:
    """How many arms are in play."""
    return t.totals[SIZE]


@inner
def _class_key(with_best: bool, good: int, bad: int, best: float) -> Any:
    """(bucket or cell, good, bad) of the class that such an arm belongs to."""
    if not best > 0.0:
        return ZERO, 0, 0
    if bad == 0:
        return (cell_of(best) if with_best else 0), good, 0
    return (bucket_of(best) if with_best else 0), most_alike(good), least_alike(bad)


@inner
def enter(t: Any, arm: int, good: int, bad: int, best: float) -> None:
    """Put the arm into play with these counts and best, or move it to where they belong."""
    with_best = len(t.buckets) > 1
    best = min(best, 1.0) if with_best else 1.0
    bucket, top_good, low_bad = _class_key(with_best, good, bad, best)
    seat = t.seats[arm]
    c = seat.class_
    stays = c >= 0 and (
        t.classes[c].bucket == bucket and t.classes[c].good == top_good and t.classes[c].bad == low_bad
    )
    if not stays:
        leave(t, arm)
    seat.good, seat.bad, seat.best = good, bad, best
    if not stays:
        c = find_class(t.classes, bucket, top_good, low_bad)
        if c < 0:
            c = _new_class(t, bucket, top_good, low_bad)
        add_member(t.seats, t.classes, t.slots, t.totals, c, arm)
        _recount(t, c, int64(1))
    if t.classes[c].node >= 0:
        t.buckets[bucket].top = max(best, t.buckets[bucket].top)


@inner
def _new_class(t: Any, bucket: int, good: int, bad: int) -> int:
    c = make_class(t.classes, t.totals, bucket, good, bad)
    if bad > 0:
        if t.buckets[bucket].count == 0:
            t.buckets[bucket].top = 0.0
        attach(t, c)
    elif bucket != ZERO:
        list_class(t.cells, t.classes, bucket, c)
    return c


@inner
def _recount(t: Any, c: int, change: int) -> None:
    """Bring all sums up to date after the class has grown by ``change`` members."""
    t.totals[SIZE] += change
    if t.classes[c].node >= 0:
        refresh(t.nodes, t.children, t.sums, t.rows, t.classes, t.classes[c].node)
    elif t.classes[c].bucket != ZERO:
        add_weight(t.cells, t.classes[c].bucket, change * (t.classes[c].good + 1))


@inner
def leave(t: Any, arm: int) -> None:
    """Take the arm out of play; nothing happens if it is not in."""
    c = t.seats[arm].class_
    if c < 0:
        return
    remove_member(t.seats, t.classes, t.slots, t.totals, arm)
    if t.classes[c].size == 0 and t.classes[c].node >= 0:
        t.totals[SIZE] -= 1
        detach(t, c)
    else:
        _recount(t, c, int64(-1))
        if t.classes[c].size == 0 and t.classes[c].bucket != ZERO:
            unlist_class(t.cells, t.classes, t.classes[c].bucket, c)
    if t.classes[c].size == 0:
        drop_class(t.classes, t.totals, c)


def new_thompson(arms: int, *, with_best: bool) -> Thompson:
    """No arm in play; without ``with_best`` every arm's best counts as 1."""
    buckets, cells = (BUCKETS, CELLS) if with_best else (1, 1)
    totals = np.zeros(TOTALS, np.int64)
    totals[[CLASS_FREE, NODE_FREE]] = -1
    totals[POOL_FREE:] = -1
    empty = Thompson(
        seats=np.zeros(0, SEAT),
        classes=np.zeros(0, CLASS),
        slots=np.zeros(0, np.int32),
        nodes=np.zeros(0, NODE),
        children=np.zeros((0, BRANCHES), np.int32),
        sums=np.zeros((0, RUNGS)),
        shapes=np.zeros(0, SHAPE),
        rows=np.zeros((0, RUNGS)),
        buckets=np.zeros(buckets, BUCKET),
        cells=np.zeros(cells + 1, CELL),
        totals=totals,
    )
    empty.buckets["root"] = -1
    empty.cells["head"] = -1
    return reserve(empty, arms, 1000)


def reserve(t: Thompson, arms: int, moves: int) -> Thompson:
    """The same state with room for arms below ``arms`` and for ``moves`` further calls of enter or leave.

    A move makes at most one class, node and shape. It moves at most two member lists, each to a
    segment under four times its members; lists together have ``size`` members. Room for twice the
    shapes in use lets those that come and go be remembered.
    """
    totals = t.totals[:POOL_FREE].tolist()
    fits = (
        arms <= len(t.seats)
        and totals[CLASSES_LIVE] + moves <= len(t.classes)
        and totals[NODES_LIVE] + moves <= len(t.nodes)
        and 2 * totals[SHAPES_USED] + moves <= len(t.shapes)
        and totals[POOL_END] + 4 * totals[SIZE] + 16 * moves <= len(t.slots)
    )
    return t if fits else _grown(t, arms, moves, totals)


def _grown(t: Thompson, arms: int, moves: int, totals: list[int]) -> Thompson:
    classes = longer(t.classes, _power_of_two(totals[CLASSES_LIVE] + moves))
    nodes = longer(t.nodes, totals[NODES_LIVE] + moves)
    shapes = longer(t.shapes, _power_of_two(2 * totals[SHAPES_USED] + moves))
    bigger = t._replace(
        seats=longer(t.seats, arms, class_=-1),
        classes=classes,
        slots=longer(t.slots, totals[POOL_END] + 4 * totals[SIZE] + 16 * moves),
        nodes=nodes,
        children=longer(t.children, len(nodes)),
        sums=longer(t.sums, len(nodes)),
        shapes=shapes,
        rows=longer(t.rows, len(shapes)),
    )
    if classes is not t.classes:
        rehash_classes(classes, totals[CLASSES_MADE])
    if shapes is not t.shapes:
        shapes["idle"][: len(t.shapes)] = np.roll(t.shapes["idle"], -totals[IDLE_FIRST])
        t.totals[IDLE_FIRST] = 0
        rehash_shapes(shapes, totals[SHAPES_MADE])
    return bigger


def _power_of_two(least: int) -> int:
    return 1 << max(least - 1, 1).bit_length()
