"""How often pages change, learned from visits at different intervals and shared among pages that are alike.

A visit tells only whether a page has changed since the last one: for a page of rate Δ with the chance
1 − e^(−ΔI). The most likely rate solves Σ over changed I/(e^(ΔI) − 1) = Σ over unchanged I. Instead of the visits
we keep their likelihood on a grid of rates, a row per page, which costs the same however long the history is.

A page is one of a *template* (pages of one kind on one host), a template one of a host, a host one of all. What is
expected of a page before its first visit is how the rates of its template are spread; that is learned from the
template's pages, and shrunk to the host and to all (empirical Bayes: EM on the grid). What is expected of the
first page of all is one imaginary half of a change and one of none, after a day.

Visits are not as independent as that: pages change in bursts, rates do not stay, and those of one template change
together. So a visit counts for less than a whole one: .7 for what is expected in the template, and half for the
page itself where it is asked what another visit is worth.

- A page seen once, and never again, has the rate of its template: one fetch says nothing about change.
- Rates are within ``SLOWEST`` and ``FASTEST``, whatever is observed.
- ``rate`` and ``rates`` change nothing, and the order of observations between two sweeps does not matter.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from sundog._jit import inner, int64, njit
from sundog.errors import UsageError
from sundog.revisits.index import worth_of

SLOWEST, FASTEST, STEPS = 0.001, 100.0, 31  # changes per day
GRID = np.geomspace(SLOWEST, FASTEST, STEPS)
LOG_GRID = np.log(GRID)
# One imaginary half of a changed and of an unchanged visit after a day.
FIRST = np.sqrt((1.0 - np.exp(-GRID)) * np.exp(-GRID))
FIRST /= FIRST.sum()
# How many children a parent's word counts for: pages, templates, hosts.
PARENT_COUNTS = (3.0, 3.0, 3.0)
SWEEP_AFTER = 0.1  # new observations, as a share of all, after which templates and hosts are learned again
SWEEPS = 2
BLURS = 2
FOR_TEMPLATE, FOR_PAGE = 0.7, 0.5  # what a visit counts
NARROW = 1.5  # curvature, per step of the grid squared, from which on its steps would show

Chain = tuple[int, int, int]


class ChangeRates:
    """Rates of change of pages, each in its chain (page, template, host).

    Ids are small whole numbers, for arrays are as long as the largest; −1 is unknown.

    >>> rates = ChangeRates()
    >>> round(rates.rate((0, 0, 0)), 2)
    0.25
    >>> for _ in range(20):
    ...     rates.observe((0, 0, 0), interval=1.0, changed=False)
    >>> rates.rate((0, 0, 0)) < 0.05
    True

    Another page of the template is expected to be alike; one of another host less so:

    >>> rates.rate((1, 0, 0)) < rates.rate((1, 1, 0)) < rates.rate((1, 1, 1)) < 0.25
    True
    """

    def __init__(self) -> None:
        self.observations = 0
        self.alike = 0.0  # the correlation of a template's pages: they count for less if they change together
        self._next_sweep = 1
        self._likelihood = np.zeros((0, STEPS), np.float32)  # logarithms, by page
        self._template = np.zeros(0, np.int32)  # of a page; -1: not observed yet
        self._host = np.zeros(0, np.int32)  # of a template
        self._templates = np.zeros((0, STEPS))  # what is expected of a page of it
        self._hosts = np.zeros((0, STEPS))
        self._all = FIRST.copy()
        self._logs: Any = None  # of the three before, as rows of one array, while they stay as they are

    def observe(self, chain: Chain, interval: float, changed: bool) -> None:
        """A visit that many days after the one before; a time of 0 says nothing."""
        page, template, host = chain
        self.observe_many([page], [template], [host], [interval], [changed])

    def observe_many(self, pages: Any, templates: Any, hosts: Any, intervals: Any, changed: Any) -> None:
        """Many visits, as arrays of the same length."""
        intervals, changed = np.asarray(intervals, float), np.asarray(changed, bool)
        if not np.all((intervals >= 0.0) & (intervals < math.inf)):
            raise UsageError("an interval between two visits is a number of days from 0 on")
        pages, templates, hosts = (np.asarray(ids, np.int64) for ids in (pages, templates, hosts))
        if len(pages) == 0:
            return
        if min(pages.min(), templates.min(), hosts.min()) < 0:
            raise UsageError("a page, template or host that is observed has a number from 0 on")
        self._make_room(int(pages.max()), int(templates.max()), int(hosts.max()))
        self._template[pages], self._host[templates] = templates, hosts
        _observe(self._likelihood, GRID, pages, intervals, changed)
        self.observations += len(pages)
        if self.observations >= self._next_sweep:
            self.sweep()

    def rate(self, chain: Chain) -> float:
        """Changes per day."""
        return float(self.rates(*([one] for one in chain))[0])

    def rates(self, pages: Any, templates: Any, hosts: Any) -> Any:
        """Of many pages, as arrays of the same length."""
        pages, templates, hosts = (np.asarray(ids, np.int64) for ids in (pages, templates, hosts))
        found = np.empty(len(pages))
        _rates(self._likelihood, self._expected(), self._sizes, LOG_GRID, pages, templates, hosts, found)
        return found

    def worths(self, pages: Any, templates: Any, hosts: Any, since_last: Any) -> Any:
        """What another visit of many pages is worth, so many days after the last one, if their value is 1: the
        mean over all rates that are likely. So a page that seems to change all the time, and may not, is visited
        again one day."""
        pages, templates, hosts = (np.asarray(ids, np.int64) for ids in (pages, templates, hosts))
        since_last, found = np.asarray(since_last, float), np.empty(len(pages))
        _worths(self._likelihood, self._expected(), self._sizes, GRID, pages, templates, hosts, since_last, found)
        return found

    def _expected(self) -> Any:
        if self._logs is None:
            self._logs = np.log(np.concatenate([self._templates, self._hosts, self._all[None]]))
        return self._logs

    @property
    def _sizes(self) -> tuple[int, int]:
        return len(self._templates), len(self._hosts)

    def sweep(self) -> None:
        """Learn again what is expected in templates and hosts; done now and then as observations come."""
        self._logs = None
        for _ in range(SWEEPS):
            counts = np.zeros((len(self._templates), STEPS + 1))
            _count_pages(self._likelihood, self._template, np.log(self._templates), counts)
            counts /= 1.0 + self.alike * np.maximum(0.0, counts[:, -1:] - 1.0)
            counts[:, :-1] = _blurred(counts[:, :-1])
            by_host = np.zeros((len(self._hosts), STEPS + 1))
            np.add.at(by_host, self._host, _as_children(counts, PARENT_COUNTS[0]))
            overall = _as_children(by_host, PARENT_COUNTS[1]).sum(axis=0)[None, :]
            self._all = _shrunk(overall, FIRST, PARENT_COUNTS[2])[0]
            self._hosts = _shrunk(by_host, self._all, PARENT_COUNTS[1])
            self._templates = _shrunk(counts, self._hosts[self._host], PARENT_COUNTS[0])
        self._next_sweep = self.observations + max(1, int(self.observations * SWEEP_AFTER))

    def _make_room(self, page: int, template: int, host: int) -> None:
        if host >= len(self._hosts) or template >= len(self._templates):
            self._logs = None
        self._likelihood = _grown(self._likelihood, page, 0.0)
        self._template = _grown(self._template, page, -1)
        self._hosts = _grown(self._hosts, host, self._all)
        self._host = _grown(self._host, template, 0)
        self._templates = _grown(self._templates, template, self._all)


def _grown(array: Any, last: int, empty: Any) -> Any:
    """The array with a row for ``last``; the new rows are empty."""
    if last < len(array):
        return array
    larger = np.empty((max(last + 1, len(array) * 3 // 2), *array.shape[1:]), array.dtype)
    larger[: len(array)] = array
    larger[len(array) :] = empty
    return larger


def _blurred(spread: Any) -> Any:
    """Each cell shared with its neighbours: else the rates of a few pages would become the only ones."""
    for _ in range(BLURS):
        padded = np.concatenate([spread[:, :1], spread, spread[:, -1:]], axis=1)
        spread = 0.25 * padded[:, :-2] + 0.5 * padded[:, 1:-1] + 0.25 * padded[:, 2:]
    return spread


def _as_children(counts: Any, parent_counts: float) -> Any:
    """Each row as one child of its parent: its spread, weighed by how far it is known (the last column)."""
    number = counts[:, -1:]
    return counts / (number + parent_counts)


def _shrunk(counts: Any, parent: Any, parent_counts: float) -> Any:
    return (counts[:, :-1] + parent_counts * parent) / (counts[:, -1:] + parent_counts)


@njit
def _observe(likelihood: Any, grid: Any, pages: Any, intervals: Any, changed: Any) -> None:
    for i in range(len(pages)):
        page = pages[i]
        for g in range(len(grid)):
            changes = grid[g] * intervals[i]
            if not changed[i]:
                likelihood[page, g] -= changes
            elif changes > 0.0:
                likelihood[page, g] += math.log(-math.expm1(-changes))


@inner
def _posterior(likelihood: Any, counts: float, expected: Any, chances: Any) -> None:
    """Both are logarithms; what was seen counts as said."""
    highest = -math.inf
    for g in range(len(chances)):
        chances[g] = counts * likelihood[g] + expected[g]
        highest = max(highest, chances[g])
    total = 0.0
    for g in range(len(chances)):
        chances[g] = math.exp(chances[g] - highest)
        total += chances[g]
    for g in range(len(chances)):
        chances[g] /= total


@njit
def _count_pages(likelihood: Any, template: Any, templates: Any, counts: Any) -> None:
    chances = np.empty(templates.shape[1])
    for page in range(len(template)):
        kind = int64(template[page])
        if kind >= 0:
            _posterior(likelihood[page], FOR_TEMPLATE, templates[kind], chances)
            for g in range(len(chances)):
                counts[kind, g] += chances[g]
            counts[kind, -1] += 1.0


@inner
def _middle(chances: Any, log_grid: Any) -> float:
    """The mean logarithm; where all is within one step of the grid, the top of a parabola through three cells."""
    mean, best = 0.0, 1
    for g in range(len(log_grid)):
        mean += chances[g] * log_grid[g]
        if 0 < g < len(log_grid) - 1 and chances[g] > chances[best]:
            best = g
    if not min(chances[best - 1], chances[best + 1]) > 0.0:
        return mean
    left, right = math.log(chances[best] / chances[best - 1]), math.log(chances[best] / chances[best + 1])
    if left + right < NARROW:
        return mean
    return log_grid[best] + 0.5 * (left - right) / (left + right) * (log_grid[1] - log_grid[0])


@inner
def _row_of(sizes: Any, kind: int, site: int) -> int:
    """What is expected of a page before its first visit: the row of its template, its host, or all."""
    templates, hosts = sizes
    if 0 <= kind < templates:
        return int64(kind)
    return int64(templates + site) if 0 <= site < hosts else int64(templates + hosts)


@njit
def _rates(
    likelihood: Any,
    expected: Any,
    sizes: Any,
    log_grid: Any,
    pages: Any,
    kinds: Any,
    sites: Any,
    found: Any,
) -> None:
    chances, unseen = np.empty(len(log_grid)), np.zeros(len(log_grid), np.float32)
    for i in range(len(pages)):
        seen = likelihood[pages[i]] if 0 <= pages[i] < len(likelihood) else unseen
        _posterior(seen, 1.0, expected[_row_of(sizes, kinds[i], sites[i])], chances)
        found[i] = math.exp(_middle(chances, log_grid))


@njit
def _worths(
    likelihood: Any,
    expected: Any,
    sizes: Any,
    grid: Any,
    pages: Any,
    kinds: Any,
    sites: Any,
    since_last: Any,
    found: Any,
) -> None:
    chances, unseen = np.empty(len(grid)), np.zeros(len(grid), np.float32)
    for i in range(len(pages)):
        found[i] = 0.0
        if since_last[i] > 0.0:
            seen = likelihood[pages[i]] if 0 <= pages[i] < len(likelihood) else unseen
            _posterior(seen, FOR_PAGE, expected[_row_of(sizes, kinds[i], sites[i])], chances)
            for g in range(len(grid)):
                found[i] += chances[g] * worth_of(1.0, grid[g], since_last[i])
