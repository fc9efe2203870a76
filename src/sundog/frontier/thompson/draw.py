"""The draw: points of the merged Poisson process from the top downwards, until none can win."""

from __future__ import annotations

import math
from typing import Any

from sundog._jit import inner, int64
from sundog.frontier.rng import below, exponential, uniform
from sundog.frontier.thompson.beta import cdf_terms, log_norm
from sundog.frontier.thompson.classes import find_zero_class
from sundog.frontier.thompson.flawless import highest_flawless
from sundog.frontier.thompson.grid import LOGITS, RUNGS, THETAS, rung_of
from sundog.frontier.thompson.state import SIZE
from sundog.frontier.thompson.tree import pick_node

MOST_STEPS = 60
EXACT = 1e-13  # of log-odds
CLOSE = 1e-5  # of the curve's own scale: a step so short leaves an error of about its cube


@inner
def _guess(row: Any, j: int, level: float) -> float:
    """Log-odds between rungs j and j + 1 where Lambda is about ``level``.

    Log-odds against log Lambda are nearly a straight line in either tail; here, a parabola through the
    next rung too.
    """
    if row[j] <= 0.0 or j + 2 >= RUNGS:
        return LOGITS[j + 1]
    low, high, below = math.log(row[j + 1]), math.log(row[j]), math.log(row[j + 2])
    at = math.log(level)
    slope = (LOGITS[j] - LOGITS[j + 1]) / (high - low)
    bend = ((LOGITS[j + 1] - LOGITS[j + 2]) / (low - below) - slope) / (below - high)
    return LOGITS[j + 1] + (at - low) * (slope + bend * (at - high))


@inner
def theta_at(shape: Any, row: Any, j: int, level: float, floor: float) -> Any:
    """(theta, 1 - theta) between rungs j and j + 1 where Lambda of the shape is ``level``; or (0, 1) if
    theta is not above ``floor``, which is often plain after one step.

    Halley's method on log Lambda against log-odds, inside a bracket that only shrinks.
    """
    low, high = LOGITS[j + 1], LOGITS[j]
    least = math.log(floor / (1.0 - floor)) if floor > THETAS[j + 1] else low
    z = min(max(_guess(row, j, level), least), high)
    for _ in range(MOST_STEPS):
        theta, cotheta = 1.0 / (1.0 + math.exp(-z)), 1.0 / (1.0 + math.exp(z))
        front, log_f = cdf_terms(theta, cotheta, shape.good, shape.bad, shape.norm)
        if -log_f > level:
            low = z
        else:
            high = z
        if high <= least:
            return 0.0, 1.0
        z, done = _improved(shape, z, low, high, theta, front, log_f, level)
        if done:
            break
    return 1.0 / (1.0 + math.exp(-z)), 1.0 / (1.0 + math.exp(z))


@inner
def _improved(
    shape: Any, z: float, low: float, high: float, theta: float, front: float, log_f: float, level: float
) -> Any:
    """(the next log-odds, whether they are exact) after ``z``, where F and its density are these."""
    a, b = shape.good + 1.0, shape.bad + 1.0
    half, narrow = 0.5 * (low + high), high - low <= EXACT * (1.0 + abs(z))
    if log_f >= 0.0:
        return half, narrow
    # with r = f / F: (log Lambda)' = -r / Lambda, and bend = (log Lambda)'' / (log Lambda)'
    ratio = math.exp(front - log_f)
    fall = ratio / -log_f
    bend = a * (1.0 - theta) - b * theta - ratio + fall
    newton = math.log(-log_f / level) / fall
    step = newton / max(0.5, 1.0 + 0.5 * newton * bend)
    if not low <= z + step <= high:
        return half, narrow
    scale = 1.0 + abs(bend) + ratio + fall + math.sqrt((a + b) * theta * (1.0 - theta))
    return z + step, abs(step) * scale <= CLOSE


@inner
def accepted(seat: Any, shape: Any, theta: float, cotheta: float, rng: Any) -> bool:
    """Whether a point of the class is one of the arm: with the ratio of their intensities f / F.

    The class has no fewer good and no more bad counts, so its law is larger in the likelihood ratio
    order, hence in the order of f / F, and the ratio is at most 1.
    """
    good, bad = seat.good, seat.bad
    if good == shape.good and bad == shape.bad:
        return True
    front, log_f = cdf_terms(theta, cotheta, good, bad, log_norm(good + 1.0, bad + 1.0))
    class_front, class_log_f = cdf_terms(theta, cotheta, shape.good, shape.bad, shape.norm)
    return math.log(uniform(rng)) < (front - log_f) - (class_front - class_log_f)


@inner
def _value_at(seat: Any, shape: Any, row: Any, j: int, largest: float, rng: Any) -> float:
    """X of a point of the arm between rungs j and j + 1 if it exceeds ``largest``, else 0."""
    share = uniform(rng)
    # Lambda is convex in theta, so the point lies below the chord: often enough to know that it loses
    if seat.best * (THETAS[j] - share * (THETAS[j] - THETAS[j + 1])) <= largest:
        return 0.0
    level = row[j] + share * (row[j + 1] - row[j])
    if level <= 0.0:
        return 0.0
    theta, cotheta = theta_at(shape, row, j, level, largest / seat.best)
    if seat.best * theta <= largest or not accepted(seat, shape, theta, cotheta, rng):
        return 0.0
    return seat.best * theta


@inner
def _explore(t: Any, bucket: int, winner: int, largest: float, rng: Any) -> Any:
    """Go down the points of an opened bucket while they can exceed ``largest``."""
    tree = t.buckets[bucket]
    j, level, row = tree.rung, tree.level, t.sums[tree.root]
    while j < RUNGS - 1 and tree.top * THETAS[j] > largest:
        node = t.nodes[pick_node(t.sums, t.children, tree.root, j, rng)]
        members = t.classes[node.class_]
        arm = int64(t.slots[members.start + below(rng, members.size)])
        value = _value_at(t.seats[arm], t.shapes[node.shape], t.rows[node.shape], j, largest, rng)
        if value > largest:
            winner, largest = arm, value
        level += exponential(rng)
        while j < RUNGS - 1 and row[j + 1] <= level:
            j += 1
    return winner, largest


@inner
def _open(buckets: Any, sums: Any, bucket: int, opened: int, largest: float, rng: Any) -> Any:
    """Draw the level of the bucket's highest point, chain the bucket to those opened before.

    Returns the bucket and what no X in it exceeds. If that cannot win, it is not chained.
    """
    tree = buckets[bucket]
    tree.level = exponential(rng)
    tree.rung = rung_of(sums[tree.root], tree.level)
    bound = tree.top * THETAS[tree.rung] if tree.rung < RUNGS - 1 else 0.0
    if bound <= largest:
        return opened, bound
    tree.following = opened
    return bucket, bound


@inner
def _first_bucket(buckets: Any, bucket: int) -> int:
    """The first bucket that is not empty, from ``bucket`` on."""
    while bucket < len(buckets) and buckets[bucket].count == 0:
        bucket += 1
    return bucket


@inner
def _highest_failed(t: Any, winner: int, largest: float, rng: Any) -> Any:
    """The largest X of arms with a failure, if it exceeds ``largest``.

    Buckets are opened from the best downwards. Once the highest bound of those open is above all
    that follow, they are explored, that one first: it sets a bar under which the others mostly stay.
    """
    bucket, count = _first_bucket(t.buckets, int64(0)), len(t.buckets)
    while bucket < count and t.buckets[bucket].top > largest:
        opened, first, bar = int64(-1), int64(-1), largest
        while bucket < count and t.buckets[bucket].top > bar:
            opened, bound = _open(t.buckets, t.sums, bucket, opened, largest, rng)
            if bound > bar:
                first, bar = bucket, bound
            bucket = _first_bucket(t.buckets, bucket + 1)
        other = first
        while other >= 0:
            winner, largest = _explore(t, other, winner, largest, rng)
            if other == first:
                t.buckets[first].rung = RUNGS - 1  # explored; do not repeat it in the chain
                other, first = opened, -1
            else:
                other = t.buckets[other].following
    return winner, largest


@inner
def _anyone(t: Any, rng: Any) -> int:
    """When no point was found: every best is 0, or every theta below the last rung (see ``sampling``)."""
    bucket = _first_bucket(t.buckets, int64(0))
    if bucket < len(t.buckets):
        members = t.classes[t.nodes[t.buckets[bucket].root].class_]
    else:
        members = t.classes[find_zero_class(t.classes)]
    return int64(t.slots[members.start + below(rng, members.size)])


@inner
def draw(t: Any, rng: Any) -> Any:
    """(arm, value) of the largest X when all arms draw anew; (-1, 0.0) if none is in play."""
    if t.totals[SIZE] == 0:
        return -1, 0.0
    winner, largest = highest_flawless(t.cells, t.classes, t.slots, t.seats, rng)
    winner, largest = _highest_failed(t, winner, largest, rng)
    if winner < 0:
        winner = _anyone(t, rng)
    return winner, largest
