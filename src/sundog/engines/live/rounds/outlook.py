"""What waits in a shard during a round, told to the others: new pages and known ones on one scale.

The scale is that of visits: days on which a page's value is up to date. A new page of score μ is worth μ/Δ there,
where Δ is the rate of a page of which nothing is known in this shard. Worths range from parts of a second to
years: they are told apart by their ratios.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from sundog.model import Outlook

LEVELS_AN_OCTAVE = 4
MOST_PAGES = 1 << 16  # that are looked at
WORTH_NOTHING = -10_000.0  # a level below all others
RANKS_A_UNIT, MANY_RANKS = 4, 1 << 20  # ranks of first visits, as the policy tells them apart


class WaitingPages(NamedTuple):
    """``worths`` of known pages; ``rate`` of a new page, in changes a day; None: scores are no worths."""

    worths: Any
    rate: float | None


def round_outlook(new: Outlook, known: WaitingPages) -> Outlook:
    """
    >>> new = Outlook(np.array([0.5]), np.array([3]), np.array([9]), np.array([np.inf]))
    >>> found = round_outlook(new, WaitingPages(np.array([8.0, 1.0, 1.01, 0.0]), rate=0.25))
    >>> found.worths.tolist(), found.pages.tolist(), found.expected.tolist()
    ([8.0, 2.0, 1.0, 0.0], [1, 3, 2, 1], [1, 9, 2, 1])

    Where scores are no worths, all pages have the same:

    >>> found = round_outlook(new._replace(worths=np.zeros(1)), WaitingPages(np.array([8.0, 1.0]), rate=None))
    >>> found.worths.tolist(), found.pages.tolist()
    ([0.0], [5])
    """
    stride = -(-len(known.worths) // MOST_PAGES) or 1
    again = known.worths[::stride]
    counts = np.full(len(again), stride, np.int64)
    worths = np.concatenate((new.worths, np.zeros(len(again))))
    if known.rate is not None:
        worths = np.concatenate((new.worths / known.rate, again))
    ranks = np.concatenate((new.ranks, np.full(len(again), np.inf)))
    order = -MANY_RANKS * _levels(worths) - np.minimum(RANKS_A_UNIT * ranks, MANY_RANKS / 2)
    levels, examples, places = np.unique(order, return_index=True, return_inverse=True)
    pages, expected = (
        np.bincount(places, np.concatenate((of_new, counts)), len(levels)).astype(np.int64)
        for of_new in (new.pages, new.expected)
    )
    return Outlook(worths[examples], pages, expected, ranks[examples])


def _levels(worths: Any) -> Any:
    """Whole numbers; those of worths that are about equal are equal."""
    levels = np.full(len(worths), WORTH_NOTHING)
    some = worths > 0
    levels[some] = np.rint(LEVELS_AN_OCTAVE * np.log2(worths[some]))
    return levels
