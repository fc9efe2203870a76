"""Nodes ranked by a linear function of three features whose coefficients may change at every step.

Nodes of equal features are one *class*, a heap by order of discovery. Classes whose features lie between the same
powers of two share a *cell*, a heap by key. With r_i the sum of all rises of coefficient i so far, a class that
scored s at that time has the key s − Σ F_i·r_i, where F_i is its cell's upper bound of feature i. Features are
never negative, so key + Σ F_i·r_i bounds the score at any later time, and few classes must be looked at before the
best is certain.

Invariants (``tests/policies/graph`` checks them): a queued node that was ranked is in one class, or set aside; a
class has a member, and is in its cell's heap unless it is held while a choice is made.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from sundog.frontier.arrays import longer
from sundog.policies.graph.forest import TREE
from sundog.policies.graph.regression import WIDTH, Regression, new_regression

NOWHERE, IN_CLASS, ASIDE = range(3)
RANKED = np.dtype(
    [
        ("n", "f8"),  # the features that it is ranked by
        ("e", "f8"),
        ("ne", "f8"),
        ("seen_n", "f8"),  # the features when it was chosen
        ("seen_e", "f8"),
        ("seen_ne", "f8"),
        ("group", "i4"),  # its class
        ("next_aside", "i4"),
        ("where", "u1"),
        ("teaches", "u1"),  # a page had led to it when it was chosen
        ("rated", "u1"),  # was there at a refresh
    ],
    align=True,
)
CLASS = np.dtype(
    [
        ("n", "f8"),
        ("e", "f8"),
        ("ne", "f8"),
        ("score", "f8"),  # when it was looked at last
        ("first", "i4"),  # the root of its members' heap
        ("size", "i4"),
        ("cell", "i4"),
    ],
    align=True,
)
CELL = np.dtype([("n", "f8"), ("e", "f8"), ("ne", "f8"), ("first", "i4")], align=True)

STEPS_OF_TWO = 64  # powers of two that are told apart in a feature
CELLS_OF = STEPS_OF_TWO**3

# cells of Ranking.totals
CLASSES, FREE, CELLS, HELD, KIND, MASK = range(6)
TOTALS = 6


class Ranking(NamedTuple):
    ranked: Any  # RANKED, for each node
    members: Any  # TREE, for each node: the heaps of classes
    classes: Any  # CLASS
    heaps: Any  # TREE, for each class: the heaps of cells
    free: Any  # int32: numbers of classes that are no more
    table: Any  # int32: from features to classes, -1 for none
    held: Any  # int32: classes that were taken from their heaps in this choice
    cells: Any  # CELL
    cell_at: Any  # int32: from three powers of two to a cell's number + 1, 0 for none
    aside: Any  # int32, for each host: the first of the nodes that were set aside while it sleeps
    coefficients: Any  # float64[4]: those of the last refresh; the last is the constant
    rises: Any  # float64[3]
    regression: Regression
    totals: Any  # int64


def new_ranking(kind: int, mask: int) -> Ranking:
    totals = np.zeros(TOTALS, np.int64)
    totals[[KIND, MASK]] = kind, mask
    return Ranking(
        np.zeros(0, RANKED),
        np.zeros(0, TREE),
        np.zeros(0, CLASS),
        np.zeros(0, TREE),
        np.zeros(0, np.int32),
        np.full(16, -1, np.int32),
        np.zeros(0, np.int32),
        np.zeros(CELLS_OF, CELL),
        np.zeros(CELLS_OF, np.int32),
        np.full(0, -1, np.int32),
        np.zeros(WIDTH),
        np.zeros(3),
        new_regression(),
        totals,
    )


def grown_ranking(ranking: Ranking, nodes: int, hosts: int) -> Ranking:
    """With room for so many; a class has a member, so there are never more classes than nodes.

    A new table is empty: ``enter_classes`` must fill it.
    """
    if nodes <= len(ranking.ranked) and hosts <= len(ranking.aside):
        return ranking
    aside = np.full(max(hosts, len(ranking.aside)), -1, np.int32)
    aside[: len(ranking.aside)] = ranking.aside
    ranking = ranking._replace(
        ranked=longer(ranking.ranked, nodes),
        members=longer(ranking.members, nodes),
        classes=longer(ranking.classes, nodes),
        heaps=longer(ranking.heaps, nodes),
        free=longer(ranking.free, nodes),
        held=longer(ranking.held, nodes),
        aside=aside,
    )
    size = len(ranking.table)
    while size < 2 * len(ranking.classes):
        size *= 2
    return ranking if size == len(ranking.table) else ranking._replace(table=np.full(size, -1, np.int32))
