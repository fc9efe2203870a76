"""Thompson sampling over hundreds of thousands of arms: the exact law, in logarithmic time.

The law. Every arm in play has counts good, bad >= 0 and a factor best in [0, 1]. At each ``draw`` all
arms draw anew, theta ~ Beta(good + 1, bad + 1), X = best * theta, and the largest X wins. If every
best is 0, one of the arms is chosen uniformly.

The method. P(theta <= u) = exp(-Lambda(u)) with Lambda = -log F, so theta is the highest point of a
Poisson process with intensity f / F, and the winner owns the highest point of all arms' processes
merged. Their points are made from the top downwards until none that is left can win:

* arms without a failure have closed forms: ``thompson_flawless``
* others are put in classes: a bucket of best and a bin of counts. A class draws points for counts
  that dominate its members' and the bucket's upper edge; a point is then accepted as the member's
  with the ratio of intensities, and scaled to the member's best. Both steps are exact (thinning).
* Lambda of classes is summed at fixed rungs of theta over one tree for each bucket, which tells the
  rung of the highest point and, by descent, whose it is: ``thompson_tree``, ``thompson_draw``

Limits. Floating point; positions are solved to about 1e-13 in log-odds. If no arm's theta is above
1e-20 (with 1e6 failures and no success: probability 1e-14), any of them may be chosen. Counts are
below 2^31, and the sum of good + 1 over arms without a failure too.

Invariants (tested with Hypothesis): an arm in play is in one class, once; classes are those of their
members' counts and best, none is empty; the sums of a root are those of its bucket's members.
"""

from __future__ import annotations

from typing import Any

from sundog._jit import inner
from sundog.frontier.thompson_classes import (
    add_member,
    drop_class,
    find_class,
    make_class,
    remove_member,
)
from sundog.frontier.thompson_draw import draw
from sundog.frontier.thompson_flawless import add_weight, list_class, unlist_class
from sundog.frontier.thompson_grid import ZERO, bucket_of, cell_of, i64, least_alike, most_alike
from sundog.frontier.thompson_propensity import propensity
from sundog.frontier.thompson_room import new_thompson, reserve
from sundog.frontier.thompson_state import SIZE, Thompson
from sundog.frontier.thompson_tree import attach, detach, refresh

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
        _recount(t, c, i64(1))
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
        _recount(t, c, i64(-1))
        if t.classes[c].size == 0 and t.classes[c].bucket != ZERO:
            unlist_class(t.cells, t.classes, t.classes[c].bucket, c)
    if t.classes[c].size == 0:
        drop_class(t.classes, t.totals, c)
