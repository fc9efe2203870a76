"""What the shards are told, from what they report: grants of the budget, and the end. No I/O, no clock.

It has no state of its own. What a shard may spend is in that shard's log, and what nobody may spend yet is the
rest: so a new coordinator, with a new ``BudgetPool``, that has heard every shard once knows all that the old one
knew. Until then it grants nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sundog.engines.cluster.messages import Order, Report
from sundog.model import BUDGET_SPENT, BYTES_SPENT, FRONTIER_EMPTY, HOSTS_RESTING
from sundog.sharding.budget import BudgetPool


class Coordinator:
    """``fetches`` and ``limit_bytes``: of the whole crawl, less what shards have spent that are there no more.

    ``page_bytes``: of the largest page, if bytes are limited.
    """

    def __init__(self, shards: int, fetches: int, limit_bytes: int | None = None, page_bytes: int = 0) -> None:
        self._fetches, self._bytes, self._page_bytes = fetches, limit_bytes, page_bytes
        self._pool: BudgetPool | None = None
        self._reports: list[Report | None] = [None] * shards
        self._logs = [""] * shards  # their names
        self._signature: tuple[object, ...] = ()
        self._stop = ""

    def stop(self, reason: str) -> None:
        """The crawl is over, whatever the shards say."""
        self._stop = self._stop or reason

    @property
    def stopping(self) -> str:
        return self._stop

    @property
    def spent(self) -> int:
        return sum(report.budget.spent.fetches for report in self._reports if report is not None)

    def round(self, reports: Mapping[int, Report]) -> dict[int, Order]:
        """Orders for those that get one, from the reports of those that gave one."""
        for number, report in reports.items():
            self._take(number, report)
        known = [report for report in self._reports if report is not None and report.is_running]
        if len(known) == len(self._reports):
            pool = self._pool = self._pool or self._new_pool(known)
            orders = self._orders(pool, reports)
            self._stop = self._stop or self._end(pool, known, reports, quiet=not orders)
            if not self._stop:
                return orders
        return self._stops(reports) if self._stop else {}

    def _take(self, number: int, report: Report) -> None:
        self._reports[number] = report
        if not report.is_running:
            return
        before, self._logs[number] = self._logs[number], report.log
        if self._pool is not None:
            if before not in ("", report.log):
                self._pool.forget(number)
            self._pool.report(number, report.budget)

    def _new_pool(self, reports: list[Report]) -> BudgetPool:
        """Whose number is above that of every one before."""
        last = max(report.budget.lease.pool for report in reports)
        limits: dict[str, Any] = {"limit_bytes": self._bytes, "page_bytes": self._page_bytes}
        pool = BudgetPool(len(reports), self._fetches, number=last + 1, **limits)
        for number, report in enumerate(reports):
            pool.report(number, report.budget)
        return pool

    def _orders(self, pool: BudgetPool, reports: Mapping[int, Report]) -> dict[int, Order]:
        grants = {grant.shard: grant for grant in pool.grants()}
        recalls = set(pool.recalls())
        left = pool.budget.fetches - pool.spent.fetches
        orders: dict[int, Order] = {}
        for number, report in reports.items():
            if report.budget.lease.pool != pool.number or number in grants or number in recalls:
                orders[number] = Order(
                    report.incarnation,
                    pool=pool.number,
                    grant=grants.get(number),
                    gives_back=number in recalls,
                    horizon=left + report.budget.spent.fetches,  # as if all that is left were its own
                )
        return orders

    def _end(self, pool: BudgetPool, known: list[Report], fresh: Mapping[int, Report], *, quiet: bool) -> str:
        """Why the crawl is over: nobody has had anything to do for two rounds, and nothing is on its way."""
        ended = [report.summary["stopped"] for report in known if report.summary is not None]
        if ended:
            return str(ended[0])
        signature = tuple((r.incarnation, r.received, r.sent, *r.budget[:2]) for r in known)
        before, self._signature = self._signature, signature
        if len(fresh) < len(known) or not quiet or pool.is_waiting or signature != before:
            return ""
        if not all(report.rest and not report.pending for report in known):
            return ""
        reasons = {report.rest for report in known}
        if BUDGET_SPENT in reasons:  # somebody has pages left
            return "" if not pool.is_over else BYTES_SPENT if pool.lacks_bytes else BUDGET_SPENT
        return HOSTS_RESTING if HOSTS_RESTING in reasons else FRONTIER_EMPTY

    def _stops(self, reports: Mapping[int, Report]) -> dict[int, Order]:
        """For every shard that runs and has not ended; leases stay as they are."""
        running = [each for each in reports.items() if each[1].is_running and each[1].summary is None]
        return {number: Order(report.incarnation, stop=self._stop) for number, report in running}
