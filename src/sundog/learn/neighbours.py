"""The k nearest neighbours among labelled pages that are given once: features are binary, distances Euclidean.

Pages are found by an inverted index, so that only the features of the page at hand are looked at.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from sundog._jit import inner

NEIGHBOURS = 5


class Examples(NamedTuple):
    """Page ``owners[i]`` has feature f for i from ``starts[f]`` to ``starts[f + 1]``."""

    starts: Any  # int64[width + 1]
    owners: Any  # int32
    sizes: Any  # int32: features of each page
    labels: Any  # float64
    common: Any  # int32: scratch, zero between calls
    nearest: Any  # float64[2, NEIGHBOURS]: scratch, distances and labels


def new_examples(pages: Sequence[Any], labels: Any, width: int) -> Examples:
    """``pages`` are arrays of distinct feature indices below ``width``; there may be none."""
    sizes = np.array([len(page) for page in pages], np.int32)
    features = np.concatenate(pages) if len(pages) else np.zeros(0, np.int32)
    owners = np.repeat(np.arange(len(pages), dtype=np.int32), sizes)
    starts = np.zeros(width + 1, np.int64)
    np.cumsum(np.bincount(features, minlength=width), out=starts[1:])
    in_order = owners[np.argsort(features, kind="stable")]
    scratch = np.zeros(len(pages), np.int32), np.zeros((2, NEIGHBOURS))
    return Examples(starts, in_order, sizes, np.asarray(labels, float), *scratch)


@inner
def predict(e: Any, features: Any, count: int) -> float:
    """The share of relevant pages among the nearest; of equally near ones the first count."""
    for i in range(count):
        for at in range(e.starts[features[i]], e.starts[features[i] + 1]):
            e.common[e.owners[at]] += 1
    found = 0
    for page in range(len(e.sizes)):
        distance = float(e.sizes[page] + count - 2 * e.common[page])
        e.common[page] = 0
        if found < NEIGHBOURS or distance < e.nearest[0, NEIGHBOURS - 1]:
            found = min(found + 1, NEIGHBOURS)
            _insert(e.nearest, found, distance, e.labels[page])
    if found == 0:
        return 0.5
    total = 0.0
    for i in range(found):
        total += e.nearest[1, i]
    return total / found


@inner
def _insert(nearest: Any, found: int, distance: float, label: float) -> None:
    """Into the sorted first ``found`` places, the last of which is free or lost."""
    place = found - 1
    while place > 0 and nearest[0, place - 1] > distance:
        nearest[0, place], nearest[1, place] = nearest[0, place - 1], nearest[1, place - 1]
        place -= 1
    nearest[0, place], nearest[1, place] = distance, label
