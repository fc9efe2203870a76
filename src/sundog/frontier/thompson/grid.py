"""The grids of Thompson sampling: rungs of theta, bins of counts, buckets and cells of best.

All are fixed. They decide how much work a draw is, never its law.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from sundog._jit import inner

# Rungs, from theta = 1 downwards, in steps of log-odds: .1 where arms with thousands of counts
# compete (their spread is about .06 at a thousand), coarse towards the ends at 1 - 1e-9 and 1e-20.
LOGITS = np.concatenate(
    [[60.0], np.arange(20.7, 7.0, -0.5), np.arange(7.0, -7.0, -0.1), np.arange(-7.0, -46.5, -1.0)]
)
RUNGS = len(LOGITS)
THETAS = np.concatenate([[1.0], 1.0 / (1.0 + np.exp(-LOGITS[1:]))])

# Bins of a count: exact below 16, then a quarter of its square root wide, which moves the law of
# theta by at most about a quarter of its standard deviation.
BINS_PER_ROOT = 8

# Buckets of best, by -log(best): 64 in each unit up to 5, 32 up to 29, then 1; the smallest double
# above zero is at 744.4.
BUCKETS = 64 * 5 + 32 * 24 + 717
# Cells are finer: they hold arms without a failure, of which there may be hundreds of thousands.
UNIT = 1 << 16  # of a cell's edge: all are whole multiples of 1 / UNIT
ZONE_1, ZONE_2 = UNIT * 5, UNIT * 5 + (UNIT // 4) * 24
CELLS = ZONE_2 + 64 * 717
ZERO = -1  # the bucket of all arms with best = 0


@inner
def bucket_of(best: float) -> int:
    depth = -math.log(best)
    if depth < 5.0:
        return int(depth * 64.0)
    return 320 + int((depth - 5.0) * 32.0) if depth < 29.0 else 1088 + int(depth - 29.0)


@inner
def cell_of(best: float) -> int:
    depth = -math.log(best)
    if depth < 5.0:
        return int(depth * UNIT)
    if depth < 29.0:
        return ZONE_1 + int((depth - 5.0) * (UNIT // 4))
    return ZONE_2 + int((depth - 29.0) * 64.0)


@inner
def cell_depth(cell: int) -> int:
    """-log of the largest best in the cell, in units of 1 / UNIT; increases with the cell."""
    if cell < ZONE_1:
        return cell
    return ZONE_1 + 4 * (cell - ZONE_1) if cell < ZONE_2 else 29 * UNIT + 1024 * (cell - ZONE_2)


@inner
def _bin(count: int) -> int:
    return int(math.sqrt(float(count * BINS_PER_ROOT * BINS_PER_ROOT)))


@inner
def least_alike(count: int) -> int:
    """The smallest count of the bin that holds ``count``."""
    if count < 16:
        return count
    k, square = _bin(count), BINS_PER_ROOT * BINS_PER_ROOT
    return (k * k + square - 1) // square


@inner
def most_alike(count: int) -> int:
    """The largest count of the bin that holds ``count``."""
    if count < 16:
        return count
    k, square = _bin(count) + 1, BINS_PER_ROOT * BINS_PER_ROOT
    return (k * k + square - 1) // square - 1


@inner
def rung_of(row: Any, level: float) -> int:
    """The last rung whose value is at most ``level`` in a row that begins with 0 and never falls."""
    low, high = 0, len(row)
    while high - low > 1:
        middle = (low + high) >> 1
        if row[middle] <= level:
            low = middle
        else:
            high = middle
    return low
