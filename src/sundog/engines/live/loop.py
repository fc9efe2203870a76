"""The loop of a live crawl: choose, ask the gate, fetch, observe, commit, wait.

The way of one page: (1) the session chooses it, (2) the gate lets it through, or its host must rest, (3) it is
fetched, (4) read, here or by a worker, (5) judged by the objective, and its links filtered, (6) the session learns
from it, and (7) the store gets all of it. Commits hold a few steps each.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

from sundog.engines.live.asking import Asking
from sundog.engines.live.checkpoints import Checkpoints
from sundog.engines.live.commits import Commits, Spending
from sundog.engines.live.company import Company
from sundog.engines.live.control.budget_request import BudgetRequests
from sundog.engines.live.disk_space import DiskSpace
from sundog.engines.live.host_rest import HostRest, WorthWaiting
from sundog.engines.live.in_flight import InFlight, Retries
from sundog.engines.live.in_hand import InHand
from sundog.engines.live.journal import Journal
from sundog.engines.live.left_watch import LeftWatch
from sundog.engines.live.outcomes import Outcomes, Parts
from sundog.engines.live.page_failures import StageError, until_it_fails
from sundog.engines.live.pages.head_requests import HeadRequests
from sundog.engines.live.progress import Snapshot
from sundog.engines.live.steps import Steps
from sundog.engines.live.wiring import Wiring
from sundog.engines.live.worlds.world import World
from sundog.model import (
    BUDGET_SPENT,
    BYTES_SPENT,
    FRONTIER_EMPTY,
    HOSTS_RESTING,
    LITTLE_LEFT,
    TIME_IS_UP,
    Decision,
    Finished,
    Wait,
)
from sundog.objectives import Judge
from sundog.objectives.outlook import Outlook
from sundog.sharding.budget import NO_LIMIT, Amounts, Lease
from sundog.spec import CrawlSpec
from sundog.spec.linked_data import largest_page

CHOICES_A_ROUND = 256  # before those who wait for the network get their turn
LONGEST_ROUND = 0.1  # seconds for pages that have come; then others have their turn
SECONDS_AHEAD, FETCHES_AHEAD = 3.0, 32  # for which a shard wants to have budget
Watch = Callable[[Snapshot], None]


class Running(NamedTuple):
    """What a crawl runs with, made from its spec or from what is stored of it."""

    journal: Journal
    judge: Judge
    wiring: Wiring
    world: World[Any]
    spending: Spending
    outlook: Outlook
    watch: Watch
    clock: Callable[[], float]
    in_hand: InHand
    age: Callable[[], float] | None = None  # of the crawl, if this is a round after the first
    company: Company | None = None


class OutOfReach(NamedTuple):
    """Pages that wait, none of which could be fetched although there was room: their hosts sleep, or are given up,
    or another shard's."""

    pages: int = 0
    until: float = -math.inf
    reason: str = ""


class LiveCrawl:
    """A running crawl; ``run`` it once.

    Every fetch that is started ends: the session learns from it, or it is given back, or it is tried again.
    """

    def __init__(self, spec: CrawlSpec, running: Running) -> None:
        self.spec, self.journal = spec, running.journal
        self._world, self._lines = running.world, running.wiring.gate.lines
        self._spending, self._tally, self._outlook = running.spending, running.spending.tally, running.outlook
        self._page_bytes = largest_page(spec) if spec.bytes is not None else 0
        self._own_lease = Lease(most=Amounts(NO_LIMIT, NO_LIMIT if spec.bytes is None else spec.bytes))
        self._watch, self._clock = running.watch, running.clock
        self._began = self._clock()
        self._worth_waiting = WorthWaiting(spec.following.worth_waiting)
        pace = running.wiring.polite.pace
        self._host_rest = HostRest(self.journal, pace, self._worth_waiting)
        store = self.journal.store
        disk = DiskSpace(store.directory, spec.free_disk)
        self._errors = self.journal.errors
        show = until_it_fails(self._show, self._errors)
        self._company = running.company
        self._commits = Commits(store, pace, running.spending, disk, show, self._clock, self._committed)
        self._checkpoints = Checkpoints(self.journal, spec)
        self._in_flight = InFlight(self._world, HeadRequests(*running.wiring), running.wiring.polite)
        self._retries = Retries()
        steps = Steps(
            *(self.journal, running.judge, self._world, running.wiring.gate),
            *(running.outlook, self._tally, self._commits),
            age=running.age or (lambda: 0.0),
        )
        parts = Parts(
            spec=spec,
            journal=self.journal,
            world=self._world,
            wiring=running.wiring,
            host_rest=self._host_rest,
            in_flight=self._in_flight,
            retries=self._retries,
            commits=self._commits,
            in_hand=running.in_hand,
        )
        self._is_round = running.age is not None
        self._outcomes = Outcomes(parts, steps, self._tally, self.stop, is_round=self._is_round)
        self._asking = Asking(parts, self._outcomes, self._clock)
        self._budget_requests = BudgetRequests(store)
        self._stop_reason = ""
        self._out_of_reach = OutOfReach()
        share = None if self._is_round or self._company is not None else spec.stop.left_share
        self.left = LeftWatch(self.journal.session, share, self._clock)

    def _committed(self) -> None:
        self._checkpoints.committed()
        if self._company is not None:
            self._company.committed()

    # -- from outside --------------------------------------------------------------------------------

    def keep_checkpoint(self) -> None:
        """At its end, so that it is resumed and explained soon."""
        self._checkpoints.keep()

    async def run(self) -> str:
        """Crawl until the budget is spent; returns why it ended."""
        try:
            while True:
                self._change_budget()
                self._handle_arrivals()
                self._call_hosts()
                if self._company is not None:
                    self._company.attend(self)
                self._stop_if_little_is_left()
                answer = self._start_fetches()
                self._commits.commit_if_due()
                if ended := self._ended(answer):
                    return ended
                await self._sleep(answer)
        finally:
            await self._in_flight.close()
            self._commits.finish()

    def stop(self, reason: str) -> None:
        """Choose nothing more; what is in flight is finished."""
        self._stop_reason = self._stop_reason or reason
        self.wake()

    def wake(self) -> None:
        """Look around now: something has changed."""
        self._in_flight.wake()

    def commit_soon(self) -> None:
        self._commits.soon()

    @property
    def spent(self) -> float:
        """Of the budget, with what is in flight."""
        session = self.journal.session
        return session.used + session.in_flight

    @property
    def used(self) -> Amounts:
        in_flight = self.journal.session.in_flight * self._page_bytes
        return Amounts(math.ceil(self.spent), self._spending.bytes + in_flight)

    @property
    def _has_room(self) -> bool:
        """For one more fetch."""
        lease = self._own_lease if self._company is None else self._company.lease
        return lease.room(self.used, page_bytes=self._page_bytes) > 0

    @property
    def capacity(self) -> int:
        speed = self._tally.pages_per_second(self._clock())
        return max(FETCHES_AHEAD, 4 * self.spec.concurrency, math.ceil(SECONDS_AHEAD * speed))

    @property
    def is_stopping(self) -> bool:
        return bool(self._stop_reason)

    @property
    def pause(self) -> str:
        """Why nothing is fetched for now; empty if it is."""
        return self._commits.pause

    def cancel_in_flight(self) -> None:
        """Wait for nothing any more; what is in flight will be asked again when the crawl is resumed."""
        self._in_flight.cancel()

    def retry_interrupted(self, decisions: list[Decision]) -> None:
        """What was in flight when the crawl was stopped is asked again, as soon as its host may be."""
        self._asking.retry_interrupted(decisions)

    def _stop_if_little_is_left(self) -> None:
        with self._errors.survived("show"):
            if not self.is_stopping and self.left.is_little():
                self.stop(LITTLE_LEFT)

    def _change_budget(self) -> None:
        """If somebody has asked for that; not below what is spent or in flight, for that cannot be undone."""
        requests = self._world.requests
        if self._budget_requests.take(self.journal, self.spent if requests is None else requests):
            self._commits.soon()

    # -- starting ------------------------------------------------------------------------------------

    def _start_fetches(self) -> Wait | Finished | None:
        """Fill the free places; returns the session's answer if it has nothing to choose."""
        for _ in range(CHOICES_A_ROUND):
            if self.is_stopping or self.pause or len(self._in_flight) >= self.spec.concurrency:
                return None
            if (self._world.requests or 0) >= self.journal.session.budget:
                return Finished(BUDGET_SPENT)
            now = self._clock()
            if pending := self._retries.take(now):
                self._asking.guarded(self._asking.retry, pending, now)
                continue
            if not self._is_round and self.journal.session.in_flight >= self._world.most_in_flight:
                return None
            if self.journal.waiting and not self._has_room:
                return Finished(BYTES_SPENT if self._company is None else self._reason_without_room(now))
            try:
                answer = self.journal.next_decision(now)
            except StageError as error:
                self._errors.write("", error)
                continue
            if not isinstance(answer, Decision):
                return answer
            self._commits.soon()
            until = self._worth_waiting.wait_until(answer.score, now)
            if until is not None and not self.journal.session.is_revisit(answer.candidate):
                self.journal.give_back(answer)
                return Wait(until if until < math.inf else None)
            self._asking.ask(answer, now)
        self._in_flight.wake()  # there may be more
        return None

    def _call_hosts(self) -> None:
        """Those whose address is free wake."""
        now = self._clock()
        for host_id in self._lines.call(now):
            self._host_rest.rest(host_id, now)

    def _handle_arrivals(self) -> None:
        """Of what was waited for, in the order in which pages need it."""
        in_flight, guarded = self._in_flight, self._asking.guarded
        while in_flight.names_known:
            pending, go_on = in_flight.names_known.popleft()
            if not self.is_stopping:
                guarded(go_on, pending, self._clock())
        while in_flight.robots_known:
            guarded(
                self._asking.robots_arrived, *in_flight.robots_known.popleft(), self._clock(), self.is_stopping
            )
        began = self._clock()
        while in_flight.done:
            guarded(self._outcomes.finished, *in_flight.done.popleft(), self._clock())
            if self._clock() - began > LONGEST_ROUND:  # a page may say very much
                in_flight.wake()
                break

    # -- waiting -------------------------------------------------------------------------------------

    def _ended(self, answer: Wait | Finished | None) -> str:
        """Why the crawl is over; empty if it goes on. A shard is not over before all of them are."""
        reason = self._reason_to_end(answer)
        if self._company is None or self.is_stopping:
            return reason
        self._company.rests(reason)
        return ""

    def _reason_to_end(self, answer: Wait | Finished | None) -> str:
        if not self.is_stopping and self._clock() >= self._end:
            self.stop(TIME_IS_UP)
        if self.is_stopping and len(self._in_flight) and (self.pause or len(self._in_flight) <= self._world.idle):
            self.cancel_in_flight()  # there is nothing to wait for, or no place for it
        if not self._in_flight.is_empty:
            return ""
        if self.is_stopping:
            return self._stop_reason
        if self._retries and self._company is not None:
            return ""  # they are within its lease: who says that it is spent has ended them
        if isinstance(answer, Finished):
            if answer.reason == FRONTIER_EMPTY:  # what waits is known pages of hosts that were given up
                self._out_of_reach = OutOfReach(self.journal.waiting, math.inf, FRONTIER_EMPTY)
            return answer.reason
        if self._retries or self._lines or answer is None:
            return ""
        if answer.until is None:
            self._out_of_reach = OutOfReach(self.journal.waiting, math.inf, FRONTIER_EMPTY)
        elif answer.until - self._clock() > self.spec.patience:
            self._out_of_reach = OutOfReach(self.journal.waiting, answer.until, HOSTS_RESTING)
        else:
            return ""
        return self._out_of_reach.reason

    def _reason_without_room(self, now: float) -> str:
        """Of a shard with pages. If none of them could be fetched when it last had room, more room is no help."""
        known = self._out_of_reach
        return known.reason if self.journal.waiting <= known.pages and now < known.until else BUDGET_SPENT

    @property
    def _end(self) -> float:
        """When its time is up."""
        return math.inf if self.spec.seconds is None else self._began + self.spec.seconds

    async def _sleep(self, answer: Wait | Finished | None) -> None:
        """Until a fetch ends, a host or a retry is due, or it is time to commit or to show."""
        moments = [self._commits.due]
        if self._retries.due is not None:
            moments.append(self._retries.due)
        if isinstance(answer, Wait) and answer.until is not None:
            moments.append(answer.until)
        if not self.is_stopping:
            moments.append(self._end)
            if self._lines.due is not None:
                moments.append(self._lines.due)
        await self._in_flight.wait(moments, self._clock())

    def _show(self, now: float) -> None:
        stage = "finishing what is in flight" if self.is_stopping else ""
        snapshot = self._tally.snapshot(
            self.journal.session,
            now,
            elapsed=now - self._began,
            requests=self._world.requests,
            unit=self.spec.world_kind.unit,
            stage=f"paused: {self.pause}" if self.pause else stage,
            paused=self.pause,
            warning=self._outlook.warning() or "",
        )
        if self.left.told is not None:
            snapshot = snapshot._replace(left=self.left.told.all, left_by_host=self.left.hosts)
        self._watch(snapshot)
