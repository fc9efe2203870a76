"""Relevant pages that another policy would have found, after each number of fetches, with an interval.

The crawl's own policy is replayed in the same worlds. By how much it finds more or less there than it has found is
what these worlds have wrong for both policies alike, and is taken off.

Errors have three sources. Worlds that fit what is known differ: their variance is seen. What is assumed of pages
that were not fetched may be wrong in all of them: that is taken to be proportional to how many of them the policy
would have fetched (``ASSUMED``). And a host may be larger than all that the log knows of it: then a policy goes on
as in its best stretch, so far as it leaves the log (``HIDDEN``); a part of that is likely (``FOUND_OF_HIDDEN``).

docs/replay.md says how the numbers were chosen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from sundog.replay.whole import Crawl

ASSUMED = 0.12  # relevant pages more or less, for each page that was not fetched
HIDDEN = 10.0  # times the share of such pages, up to 1: how much of what may be out of sight counts
FOUND_OF_HIDDEN = 0.1
STRETCHES = 20  # of a crawl, of which the best is looked for
NORMAL = 1.96
POINTS = 60


@dataclass(frozen=True)
class Interval:
    """With a probability of 95% it is from ``low`` to ``high``."""

    low: float
    likely: float
    high: float

    def as_json(self, digits: int) -> dict[str, float]:
        return {name: round(getattr(self, name), digits) for name in ("low", "likely", "high")}


class Curve:
    def __init__(self, worlds: Sequence[Crawl], fetches: int, bias: Any = 0.0, knowledge: float = 1.0) -> None:
        """``bias``: of each world, after each number of fetches, as ``bias_of`` has it.

        ``knowledge``: the probability that more is assumed of pages than their mean. Where nothing is, nothing of
        that can be wrong. Where a world has no pages left, there would have been others, and nothing is known.
        """
        replayed = np.array([_totals(_longer(each.relevant, fetches)) for each in worlds])
        self.totals, self._replayed = replayed - bias, replayed.mean(axis=0)
        self._unknown = np.mean([_totals(~_longer(each.known, fetches)) for each in worlds], axis=0)
        self._most, self._knowledge = np.arange(fetches + 1), knowledge

    def __len__(self) -> int:
        """Fetches; its arrays have one more, for none."""
        return len(self._most) - 1

    @cached_property
    def likely(self) -> Any:
        return np.maximum.accumulate(np.clip(self._mean + FOUND_OF_HIDDEN * self._hidden, 0, self._most))

    @cached_property
    def low(self) -> Any:
        return np.clip(self._mean - NORMAL * self.deviation, 0.0, self.likely)

    @cached_property
    def high(self) -> Any:
        return np.clip(self._mean + NORMAL * self.deviation + self._hidden, self.likely, self._most)

    @cached_property
    def deviation(self) -> Any:
        """Of one more world like these, and of what is assumed in all of them."""
        count = len(self.totals)
        drawn = self.totals.var(axis=0, ddof=1) * (1.0 + 1.0 / count) if count > 1 else 0.0
        return np.sqrt(drawn + (ASSUMED * self._knowledge * self._unknown) ** 2)

    @property
    def known(self) -> int:
        """How many of its fetches the crawl has made itself."""
        return round(len(self) - float(self._unknown[-1]))

    @property
    def end(self) -> Interval:
        return Interval(float(self.low[-1]), float(self.likely[-1]), float(self.high[-1]))

    def points(self, most: int = POINTS) -> list[tuple[int, float, float, float]]:
        """Fetches; low, likely and high."""
        edges = np.unique(np.linspace(0, len(self), min(most, len(self) + 1)).astype(int)).tolist()
        return [(at, *(round(float(each[at]), 2) for each in (self.low, self.likely, self.high))) for at in edges]

    @cached_property
    def _mean(self) -> Any:
        return self.totals.mean(axis=0)

    @cached_property
    def _hidden(self) -> Any:
        """How many more there may be out of sight, at most."""
        share = np.minimum(1.0, HIDDEN * self._unknown / np.maximum(1, self._most))
        return self._knowledge * share * (self._reach - self._replayed)

    @property
    def _reach(self) -> Any:
        """How far replays come if from some moment on they go on as in the stretch before: the farthest."""
        stretch = max(1, len(self) // STRETCHES)
        ends = np.arange(stretch, len(self) + 1, stretch)
        rates = (self._replayed[ends] - self._replayed[ends - stretch]) / stretch
        reach = self._replayed.copy()
        for end, rate in zip(ends.tolist(), rates.tolist(), strict=True):
            reach[end:] = np.maximum(reach[end:], self._replayed[end] + rate * (self._most[end:] - end))
        return reach


def bias_of(own: Sequence[Crawl], relevant: Any) -> Any:
    """What replays of the crawl's own policy find beyond the crawl, whose fetches were ``relevant`` or not."""
    return np.array([_totals(_longer(each.relevant, len(relevant))) for each in own]) - _totals(relevant)


def _longer(each: Any, size: int) -> Any:
    return np.append(each, np.zeros(size - len(each), bool))


def _totals(each: Any) -> Any:
    return np.append(0, np.cumsum(each))
