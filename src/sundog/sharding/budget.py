"""The budget of a crawl in shards: leased in blocks to whoever has the best pages, and never overshot.

All amounts are totals since the crawl began: a lease of 500 fetches, 470 of them spent, has 30 left. So a message
that is lost, doubled or late does no harm. Three rules keep the sum of all leases within the budget:

* A grant replaces a lease only if it was made for exactly this lease, by its pool and version. The pool counts it
  as leased from the moment that it is made, and makes no other one before the shard has answered.
* Only a shard lowers its lease, to what it has spent and has in flight. Then it has a new version, and grants on
  their way to it are void.
* A new pool, made when the old one was lost, first makes every shard obey it, which voids all grants of the old
  one, and grants nothing before all have answered.

A shard keeps its lease where it keeps its log: with the step that it changes at. A shard that is dead holds its
lease until it comes back.

Bytes are leased as fetches are. How many a page has is known too late, so a fetch may begin only if its shard's
lease has room for the largest page. Time is not leased: it passes for all alike.

A shard that comes back without its log has no lease and has spent nothing: what was lost counts no more.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from sundog.errors import UsageError
from sundog.model import Outlook

NO_LIMIT = 1 << 62  # of bytes
NEAR = 0.75  # of what the last pages that the budget reaches are worth: those worth less have to wait
LITTLE = 64  # of what is left of the budget, that part may be leased whatever it is worth
FIRST_GUESS = 50_000  # bytes of a page, before any is known
NO_PAGES = Outlook(np.empty(0), np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0))


class Amounts(NamedTuple):
    """Of fetches and bytes."""

    fetches: int = 0
    bytes: int = 0


class Lease(NamedTuple):
    """What a shard may spend in all, and which pool it obeys.

    >>> lease = Lease().obeying(1)
    >>> lease = lease.after(Grant(0, lease, Amounts(100)))
    >>> lease.room(Amounts(60), in_flight=10), lease.lowered(Amounts(70)).most.fetches
    (30, 70)
    """

    pool: int = 0
    version: int = 0
    most: Amounts = Amounts()

    def after(self, grant: Grant) -> Lease:
        """Unchanged if the grant was made for another state of the lease."""
        return Lease(self.pool, self.version + 1, grant.most) if grant.lease == self else self

    def lowered(self, used: Amounts) -> Lease:
        """What is not used goes back; ``used``: spent, and of what is in flight the most that it may cost."""
        most = Amounts(min(used.fetches, self.most.fetches), min(used.bytes, self.most.bytes))
        return self if most == self.most else Lease(self.pool, self.version + 1, most)

    def obeying(self, pool: int) -> Lease:
        """A later pool takes over; what an earlier one has granted and is still on its way is void."""
        return Lease(pool, self.version + 1, self.most) if pool > self.pool else self

    def room(self, spent: Amounts, *, in_flight: int = 0, page_bytes: int = 0) -> int:
        """How many fetches may begin now; a page has at most ``page_bytes``, 0 if bytes are not limited."""
        fetches = self.most.fetches - spent.fetches - in_flight
        if page_bytes:
            fetches = min(fetches, (self.most.bytes - spent.bytes) // page_bytes - in_flight)
        return max(0, fetches)


class Grant(NamedTuple):
    """To a shard: if your lease is still this one, you may spend so much in all."""

    shard: int
    lease: Lease
    most: Amounts


class Report(NamedTuple):
    """From a shard. ``capacity``: how many fetches it could make before its next report is answered."""

    lease: Lease
    spent: Amounts
    outlook: Outlook
    capacity: int


class BudgetPool:
    """The whole budget. ``number`` is above that of every pool that the shards have obeyed before.

    ``page_bytes``: the most that one fetch may cost; needed if bytes are limited.
    """

    def __init__(
        self,
        shards: int,
        fetches: int,
        *,
        number: int = 1,
        limit_bytes: int | None = None,
        page_bytes: int = 0,
    ) -> None:
        if limit_bytes is not None and page_bytes < 1:
            raise UsageError("a budget of bytes needs the size of the largest page, to stop before it is overshot")
        self.number = number
        self.budget = Amounts(fetches, NO_LIMIT if limit_bytes is None else limit_bytes)
        self._page_bytes = 0 if limit_bytes is None else page_bytes
        self._reports: list[Report | None] = [None] * shards
        self._grants: dict[int, Grant] = {}  # on their way, by shard

    # -- what is known -------------------------------------------------------------------------

    @property
    def spent(self) -> Amounts:
        """As far as shards have told."""
        return _total(report.spent for report in self._known)

    @property
    def leased(self) -> Amounts:
        """To shards that have reported, with grants that may still become leases."""
        return _total(self._leased(shard) for shard in range(len(self._reports)))

    @property
    def free(self) -> Amounts:
        leased = self.leased
        return Amounts(self.budget.fetches - leased.fetches, self.budget.bytes - leased.bytes)

    @property
    def is_complete(self) -> bool:
        """Whether all shards obey this pool; before that it grants nothing."""
        return all(report and report.lease.pool == self.number for report in self._reports)

    @property
    def is_over(self) -> bool:
        """Whether nothing is left that a fetch could begin with."""
        return self.spent.fetches >= self.budget.fetches or self.lacks_bytes

    @property
    def lacks_bytes(self) -> bool:
        """Whether too few are left for the largest page."""
        return self.budget.bytes - self.spent.bytes < self._page_bytes

    @property
    def is_waiting(self) -> bool:
        """Whether a grant has no answer so far."""
        return bool(self._grants)

    # -- what comes in and goes out --------------------------------------------------------------

    def report(self, shard: int, report: Report) -> None:
        """Take in what a shard says; of several reports the one with the latest lease counts, then the last."""
        known = self._reports[shard]
        if known and report.lease.version < known.lease.version:
            return
        self._reports[shard] = report
        grant = self._grants.get(shard)
        if grant and report.lease != grant.lease:  # it was taken, or never will be
            del self._grants[shard]

    def forget(self, shard: int) -> None:
        """It has lost its log, and with that its lease."""
        self._reports[shard] = None
        self._grants.pop(shard, None)

    def grants(self) -> list[Grant]:
        """What to send to shards now; those without an answer so far are sent again, as they were."""
        if self.is_complete and not self.is_over:
            wanted, free = self._wanted(), self.free
            for shard in self._best_first(wanted):
                free = self._grant(shard, wanted[shard], free)
        return list(self._grants.values())

    def recalls(self) -> list[int]:
        """Shards that should lower their leases: what they hold is worth more elsewhere, and nothing is free.

        Only then: who has no pages now may find some, or get some.
        """
        if not self.is_complete or self._affords(self.free):
            return []
        shards = range(len(self._reports))
        holders = [shard for shard in shards if max(self._unspent(shard)) > 0 and shard not in self._grants]
        starving = [self._best(shard) for shard in shards if self._starves(shard)]
        if not starving:
            return []
        return [shard for shard in holders if self._best(shard) < max(starving) or self._starves(shard)]

    # -- internals -----------------------------------------------------------------------------

    @property
    def _known(self) -> list[Report]:
        return [report for report in self._reports if report]

    def _leased(self, shard: int) -> Amounts:
        report, grant = self._reports[shard], self._grants.get(shard)
        held = report.lease.most if report else Amounts()
        return Amounts(*map(max, held, grant.most)) if grant else held

    def _unspent(self, shard: int) -> Amounts:
        leased, report = self._leased(shard), self._reports[shard]
        spent = report.spent if report else Amounts()
        return Amounts(leased.fetches - spent.fetches, leased.bytes - spent.bytes)

    def _outlook(self, shard: int) -> Outlook:
        report = self._reports[shard]
        return report.outlook if report else NO_PAGES

    def _best(self, shard: int) -> float:
        outlook = self._outlook(shard)
        return float(outlook.worths[0]) if outlook.total else -np.inf

    def _affords(self, amounts: Amounts) -> bool:
        return amounts.fetches > 0 and amounts.bytes >= self._page_bytes

    def _starves(self, shard: int) -> bool:
        """Whether it has pages, and its lease has no room for one of them."""
        return self._outlook(shard).total > 0 and not self._affords(self._unspent(shard))

    def _wanted(self) -> list[int]:
        """How many fetches each shard should have left to spend: for pages that the budget will reach.

        If all of it were spent on the pages expected now, the best first, it would end at pages of some worth.
        Those worth much less can wait: better ones are likely to be found. A little is always spent, and as much
        as keeps one shard busy: without fetches nothing is found.

        What a first visit is worth is a guess from all that the crawl knows, and that rests on its fetches: it is
        good for as many first visits more, or as many as one shard could make by itself. They go to the hosts that
        one session would visit first.
        """
        wanted, expected = [0] * len(self._reports), 0
        spent, capacities = self.spent.fetches, [report.capacity if report else 0 for report in self._reports]
        left = to_give = self.budget.fetches - spent
        first_visits = max(spent, *capacities)
        last = -np.inf  # the worth at which the budget ends
        for shard, worth, pages, more, is_first in self._best_pages_first():
            if worth < NEAR * last and left - to_give >= max(left // LITTLE, *capacities):
                break
            room = min(to_give, capacities[shard] - wanted[shard], first_visits if is_first else to_give)
            given = max(0, min(pages, room))
            wanted[shard] += given
            to_give -= given
            first_visits -= given * is_first
            expected += more
            if expected >= left and last == -np.inf:
                last = worth
        return wanted

    def _best_pages_first(self) -> Iterator[tuple[int, float, int, int, bool]]:
        """Shards, each with a worth, the pages of that worth, how many are expected, and whether of new hosts."""
        outlooks = [self._outlook(shard) for shard in range(len(self._reports))]
        shards = np.repeat(np.arange(len(outlooks)), [len(outlook.worths) for outlook in outlooks])
        worths, pages, expected, ranks = (np.concatenate(columns) for columns in zip(*outlooks, strict=True))
        order = np.lexsort((-ranks, -worths))
        columns = (column[order].tolist() for column in (shards, worths, pages, expected, np.isfinite(ranks)))
        return zip(*columns, strict=True)

    def _best_first(self, wanted: list[int]) -> list[int]:
        asking = [shard for shard, fetches in enumerate(wanted) if fetches and shard not in self._grants]
        return sorted(asking, key=lambda shard: -self._best(shard))

    def _grant(self, shard: int, wanted: int, free: Amounts) -> Amounts:
        """Make a grant, if there is something to give; returns what is free then.

        In blocks: who has half of what it should have gets nothing yet.
        """
        report, unspent = self._reports[shard], self._unspent(shard)
        if 2 * unspent.fetches > wanted and self._affords(unspent):
            return free
        more = Amounts(
            max(0, min(wanted - unspent.fetches, free.fetches)),
            max(0, min(self._bytes_for(wanted) - unspent.bytes, free.bytes)),
        )
        if report is None or more == Amounts():
            return free
        self._grants[shard] = Grant(shard, report.lease, _total([report.lease.most, more]))
        return Amounts(free.fetches - more.fetches, free.bytes - more.bytes)

    def _bytes_for(self, fetches: int) -> int:
        """As many pages usually have, and room for the largest."""
        if self.budget.bytes == NO_LIMIT:
            return 0
        spent = self.spent
        mean = spent.bytes // spent.fetches + 1 if spent.fetches else min(FIRST_GUESS, self._page_bytes)
        return fetches * mean + self._page_bytes


def _total(amounts: Iterable[Amounts]) -> Amounts:
    listed = list(amounts)
    return Amounts(sum(each.fetches for each in listed), sum(each.bytes for each in listed))
