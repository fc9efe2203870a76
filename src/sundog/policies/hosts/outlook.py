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


class Waiting(NamedTuple):
    """Arms where pages wait, as arrays; the last two are those of the arms' hosts."""

    hosts: Any
    worths: Any
    pages: Any
    tried: Any
    rich: Any  # whether a relevant page was found there


def outlook_by_records(waiting: Waiting, left: int) -> Outlook:
    """``left``: of the budget. The best arms of a host come first.

    >>> arms = [7, 7, 8], [0.25, 0.75, 0.5], [9, 3, 9], [4, 4, 0], [True, True, False]
    >>> found = outlook_by_records(Waiting(*map(np.array, arms)), 100)
    >>> found.worths.tolist(), found.pages.tolist(), found.expected.tolist()
    ([0.75, 0.5, 0.25], [3, 1, 2], [50, 1, 9])
    """
    order = np.lexsort((-waiting.worths, waiting.hosts))
    hosts, worths, pages, tried, rich = (column[order] for column in waiting)
    is_first = np.diff(hosts, prepend=-1) != 0
    before = np.cumsum(pages) - pages
    before -= np.maximum.accumulate(np.where(is_first, before, 0))
    spoken_for = np.clip(tried + 1 - before, 0, pages)
    expected = np.where(rich, pages, spoken_for)
    expected[is_first & rich] = np.maximum(expected, left // 2)[is_first & rich]
    return outlook_of(worths, spoken_for, expected)


def outlook_of(worths: Any, pages: Any, expected: Any) -> Outlook:
    """
    >>> outlook_of(np.array([0.5, 0.25, 0.501]), np.array([1, 2, 4]), np.array([1, 2, 4])).pages.tolist()
    [5, 2]
    """
    levels, places = np.unique(-np.rint(WORTHS_A_UNIT * worths), return_inverse=True)
    sums = (np.bincount(places, each, len(levels)).astype(np.int64) for each in (pages, expected))
    return Outlook(-levels / WORTHS_A_UNIT, *sums)
