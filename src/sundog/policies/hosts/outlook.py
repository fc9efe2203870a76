"""What waits in a frontier, told to others: how many pages of which worth.

What a host's pages are worth is known as well as the host is. A worth that rests on n fetches is good for n + 1
more: then it should be looked at again. So a host that has just been found speaks for one page, and one that
proves rich for twice as many each time. How many pages a rich host has is not known before they are found: it is
expected to last for half of the budget.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from sundog.model import Outlook

WORTHS_A_UNIT = 64  # as finely as worths are told apart
RANKS_A_UNIT = 4  # and ranks of first visits
MANY_RANKS = 1 << 20  # more than there are


class Waiting(NamedTuple):
    """Arms where pages wait, as arrays; the last three are those of the arms' hosts."""

    hosts: Any
    worths: Any
    pages: Any
    tried: Any
    rich: Any  # whether a relevant page was found there
    ranks: Any  # of those never visited; else infinite


def outlook_by_records(waiting: Waiting, left: int) -> Outlook:
    """``left``: of the budget. The best arms of a host come first.

    >>> arms = [7, 7, 8], [0.25, 0.75, 0.5], [9, 3, 9], [4, 4, 0], [True, True, False], [np.inf, np.inf, 1.5]
    >>> found = outlook_by_records(Waiting(*map(np.array, arms)), 100)
    >>> found.worths.tolist(), found.pages.tolist(), found.expected.tolist()
    ([0.75, 0.5, 0.25], [3, 1, 2], [50, 1, 9])
    >>> found.ranks.tolist()
    [inf, 1.5, inf]
    """
    order = np.lexsort((-waiting.worths, waiting.hosts))
    hosts, worths, pages, tried, rich, ranks = (column[order] for column in waiting)
    is_first = np.diff(hosts, prepend=-1) != 0
    before = np.cumsum(pages) - pages
    before -= np.maximum.accumulate(np.where(is_first, before, 0))
    spoken_for = np.clip(tried + 1 - before, 0, pages)
    expected = np.where(rich, pages, spoken_for)
    expected[is_first & rich] = np.maximum(expected, left // 2)[is_first & rich]
    return outlook_of(worths, spoken_for, expected, ranks)


def outlook_of(worths: Any, pages: Any, expected: Any, ranks: Any) -> Outlook:
    """
    >>> counts, ranks = np.array([1, 2, 4, 8, 16]), np.array([np.inf, np.inf, np.inf, 1.5, 2.0])
    >>> found = outlook_of(np.array([0.5, 0.25, 0.501, 0.5, 0.5]), counts, counts, ranks)
    >>> found.pages.tolist(), found.ranks.tolist()
    ([5, 16, 8, 2], [inf, 2.0, 1.5, inf])
    """
    worths, ranks = np.rint(WORTHS_A_UNIT * worths), np.rint(RANKS_A_UNIT * ranks)
    order = -MANY_RANKS * worths - np.minimum(ranks, MANY_RANKS / 2)
    levels, examples, places = np.unique(order, return_index=True, return_inverse=True)
    pages, expected = (np.bincount(places, each, len(levels)).astype(np.int64) for each in (pages, expected))
    return Outlook(worths[examples] / WORTHS_A_UNIT, pages, expected, ranks[examples] / RANKS_A_UNIT)
