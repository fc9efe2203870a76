"""What the shards are told, from what they report: leases of the budget, and the end. No I/O, no clock.

It has no state of its own. What a shard may spend is in that shard's log, and what nobody may spend yet is the
rest: so a new coordinator that has heard every shard once knows all that the old one knew. Until then it grants
nothing.

Invariant: the leases that are committed, or were granted and may be committed yet, never add up to more than the
budget; and no shard fetches more than its lease.
"""

from __future__ import annotations

from collections.abc import Mapping

from sundog.engines.cluster.messages import Order, Report
from sundog.model import BUDGET_SPENT, FRONTIER_EMPTY, HOSTS_RESTING

LARGEST_BLOCK = 2_000  # fetches
NOTHING = Order(0, "", 0)


class Coordinator:
    """``budget``: of the whole crawl, less what shards have spent that are there no more."""

    def __init__(self, shards: int, budget: int) -> None:
        self.budget = budget
        self._reports: list[Report | None] = [None] * shards
        self._orders = [NOTHING] * shards
        self._signature: tuple[object, ...] = ()
        self._reason = ""
        self._stop = ""

    def stop(self, reason: str) -> None:
        """The crawl is over, whatever the shards say."""
        self._stop = self._stop or reason

    @property
    def stopping(self) -> str:
        return self._stop

    @property
    def spent(self) -> int:
        return sum(report.spent for report in self._reports if report is not None)

    def round(self, reports: Mapping[int, Report]) -> dict[int, Order]:
        """Orders for those that get one, from the reports of those that gave one."""
        for number, report in reports.items():
            self._reports[number] = report
        known = [report for report in self._reports if report is not None and report.is_running]
        if len(known) < len(self._reports):
            return self._stops(reports)
        leases = self._new_leases(known)
        if not self._stop:
            self._stop = self._end(known, reports, quiet=not leases)
        if self._stop:
            return self._stops(reports)
        return {number: self._order(number, lease) for number, lease in leases.items() if number in reports}

    def _leased(self, number: int, report: Report) -> int:
        """At most: an order that is not committed yet may still be, if it was given to this incarnation."""
        order = self._orders[number]
        if order.incarnation != report.incarnation or report.order >= order.number:
            return report.lease
        return max(report.lease, order.lease)

    def _new_leases(self, reports: list[Report]) -> dict[int, int]:
        leased = [self._leased(number, report) for number, report in enumerate(reports)]
        free = self.budget - sum(leased)
        left = self.budget - sum(report.spent for report in reports)
        block = max(1, min(LARGEST_BLOCK, left // (2 * len(reports))))
        new: dict[int, int] = {}
        wanting = [
            number
            for number, report in enumerate(reports)
            if leased[number] - report.spent < block / 2 and report.rest in ("", BUDGET_SPENT)
        ]
        for number in sorted(wanting, key=lambda number: -reports[number].worth):
            if granted := min(block, free):
                new[number] = leased[number] + granted
                free -= granted
        starving = [number for number in wanting if number not in new and reports[number].rest == BUDGET_SPENT]
        if starving:
            for number, report in enumerate(reports):
                if report.rest not in ("", BUDGET_SPENT) and leased[number] > report.spent:
                    new[number] = report.spent  # what it does not need goes to those who do
        return new

    def _end(self, known: list[Report], fresh: Mapping[int, Report], *, quiet: bool) -> str:
        """Why the crawl is over: nobody has had anything to do for two rounds, and nothing is on its way."""
        ended = [report.summary["stopped"] for report in known if report.summary is not None]
        if ended:
            return str(ended[0])
        signature = tuple((r.incarnation, r.received, r.sent, r.spent, r.lease, r.order) for r in known)
        before, self._signature = self._signature, signature
        if len(fresh) < len(known) or not quiet or signature != before:
            return ""
        if not all(report.rest and not report.pending for report in known):
            return ""
        if any(self._orders[number].number > report.order for number, report in enumerate(known)):
            return ""
        reasons = {report.rest for report in known}
        return next((each for each in (BUDGET_SPENT, HOSTS_RESTING) if each in reasons), FRONTIER_EMPTY)

    def _order(self, number: int, lease: int) -> Order:
        report = self._reports[number]
        assert report is not None
        following = max(self._orders[number].number, report.order) + 1
        horizon = self.budget - self.spent + report.spent  # as if all that is left were its own
        order = Order(following, report.incarnation, lease, horizon, self._stop)
        self._orders[number] = order
        return order

    def _stops(self, reports: Mapping[int, Report]) -> dict[int, Order]:
        """For every shard that runs and has not ended; leases stay as they are."""
        if not self._stop:
            return {}
        running = [number for number, report in reports.items() if report.is_running and report.summary is None]
        return {number: self._order(number, self._leased(number, reports[number])) for number in running}
