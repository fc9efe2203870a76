"""The loop of a live crawl.

One page's way: (1) the session chooses it, (2) the gate lets it through, or lets its host rest, (3) it is
fetched, (4) read, here or by a worker, (5) judged by the objective, its links admitted, (6) the session learns
from it, and (7) the store gets all of it. Commits hold a few steps each.
"""

from __future__ import annotations

import asyncio
import math
from collections import deque
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any

from sundog.engines.live.flights import LONGEST_WAIT, Flight, Retries
from sundog.engines.live.gate import Gate, Go, Later, Never, RulesFirst
from sundog.engines.live.intake import Arrival, known_page, of_refusal, of_trouble
from sundog.engines.live.journal import Journal
from sundog.engines.live.keeping import Keeping
from sundog.engines.live.looks import Looks, sight_of
from sundog.engines.live.rests import Rests
from sundog.engines.live.spending import Spending
from sundog.engines.live.thrift import Thrift
from sundog.engines.live.waiting import wait
from sundog.engines.live.world import World
from sundog.engines.snapshot import Snapshot
from sundog.fetch.polite import PoliteFetcher
from sundog.fetch.robots import origin_of
from sundog.fetch.values import Trouble, trouble
from sundog.model import Decision, Fetched, Finished, Sight, Wait
from sundog.objectives.outlook import Outlook
from sundog.spec import CrawlSpec

CHOICES_A_ROUND = 256  # before those who wait for the network get their turn

Watch = Callable[[Snapshot], None]


class LiveCrawl:
    """Everything that a running crawl has; ``run`` it once."""

    def __init__(
        self,
        spec: CrawlSpec,
        *,
        journal: Journal,
        polite: PoliteFetcher,
        gate: Gate,
        world: World[Any],
        looks: Looks,
        spending: Spending,
        outlook: Outlook,
        watch: Watch,
        clock: Callable[[], float],
    ) -> None:
        self.spec = spec
        self.journal, self.polite, self.gate, self.world = journal, polite, gate, world
        self.tally = spending.tally
        self._looks = looks
        self._outlook, self._watch, self._clock = outlook, watch, clock
        self._began = clock()
        self._thrift = Thrift(spec.following.thrift)
        self._rests = Rests(journal, polite.pace, self._thrift)
        self._keeping = Keeping(journal.store, polite.pace, spending, self._show, clock)
        self._tasks: set[asyncio.Task[None]] = set()
        self._landed: deque[tuple[Flight, Any]] = deque()  # a visit, a trouble, or None if it was not made
        self._ruled: deque[Flight] = deque()  # their robots.txt is known now
        self._retries = Retries()
        self._origins: set[str] = set()  # whose own offers are known
        self._news = asyncio.Event()
        self._stop = ""

    # -- from outside --------------------------------------------------------------------------------

    def stop(self, reason: str) -> None:
        """Choose nothing more; what is in flight is finished."""
        self._stop = self._stop or reason
        self._news.set()

    @property
    def stopping(self) -> bool:
        return bool(self._stop)

    def drop_flights(self) -> None:
        """Wait for nothing any more; what is in flight will be asked again when the crawl is resumed."""
        for task in self._tasks:
            task.cancel()
        self._news.set()

    def fly_again(self, decisions: list[Decision]) -> None:
        """What was in flight when the crawl was stopped is asked again, in time."""
        for flight in map(self._flight, decisions):
            self._tell_gate(flight)
            self._rests.expect(flight)
            self._retries.put_off(flight, self._clock())

    async def run(self) -> str:
        """Crawl until the budget is spent; returns why it ended."""
        try:
            while True:
                self._land()
                answer = self._launch()
                self._keeping.keep()
                ended = self._ended(answer)
                if ended:
                    return ended
                await self._wait(answer)
        finally:
            await self._cancel()
            self._keeping.keep(at_any_rate=True)

    # -- choosing ------------------------------------------------------------------------------------

    def _launch(self) -> Wait | Finished | None:
        """Fill the free places; returns the session's word if it has nothing to choose."""
        for _ in range(CHOICES_A_ROUND):
            if self._stop or len(self._tasks) >= self.spec.concurrency:
                return None
            if (self.world.requests or 0) >= self.journal.session.budget:
                return Finished("budget")
            now = self._clock()
            if retry := self._retries.take(now):
                self._try_again(retry, now)
                continue
            if self.journal.session.in_flight >= self.world.needed:
                return None
            answer = self.journal.next_decision(now)
            if not isinstance(answer, Decision):
                return answer
            self._keeping.changed()
            until = self._thrift.wait(answer.score, now)
            if until is not None:
                self.journal.give_back(answer)
                return Wait(until if until < math.inf else None)
            flight = self._flight(answer)
            self._follow(flight, self._verdict(flight, now), now)
        self._news.set()  # there may be more
        return None

    def _flight(self, decision: Decision) -> Flight:
        return Flight.of(decision, is_look=self.journal.session.is_look(decision))

    def _verdict(self, flight: Flight, now: float) -> Go | Never | Later | RulesFirst:
        if flight.is_repeated and self.world.is_at_hand(flight.url):
            return Go()
        return self.gate.verdict(flight.url, flight.host, now, again=flight.is_repeated)

    def _follow(self, flight: Flight, verdict: Go | Never | Later | RulesFirst, now: float) -> None:
        """Do as the gate says. While rules are asked for, the choice stands: so robots.txt changes no choice."""
        decision = flight.decision
        match verdict:
            case Go():
                self._take_off(flight, now)
            case Never(reason):
                self._observe(flight, of_refusal(reason), now)
            case Later(until):
                self.journal.give_back(decision)
                self._rests.rest(decision.host_id, until)
            case RulesFirst():
                self._rests.rest(decision.host_id, math.inf)
                self._start(self._ask_for_rules(flight))

    def _tell_gate(self, flight: Flight) -> None:
        """A further visit, or a look, may be the first to take off, and must not keep the page's own from it."""
        if not flight.is_repeated and not flight.is_look:
            self.gate.taken(flight.url)

    def _take_off(self, flight: Flight, now: float) -> None:
        self._tell_gate(flight)
        if (origin := origin_of(flight.url)) not in self._origins:
            self._origins.add(origin)
            if offers := self.world.offers(origin, now):
                self.journal.add(offers)
        self._rests.took_off(flight, now)
        self._start(self._fly(flight))

    def _try_again(self, flight: Flight, now: float) -> None:
        """A retry waits for its host like everybody, though not for long."""
        rest = self.polite.pace.rest_until(flight.host, now)
        if self._rests.may_fly(flight.host, now):
            self._take_off(flight, now)
        elif flight.why is not None and rest - now > LONGEST_WAIT:
            self._give_up(flight, flight.why, now)
        else:
            self._retries.put_off(flight, max(rest, now + 0.1))

    # -- in the air ----------------------------------------------------------------------------------

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._has_ended)

    def _has_ended(self, task: asyncio.Task[None]) -> None:
        """Its place is free before anybody hears of it; else nothing would be launched there until more news."""
        self._tasks.discard(task)
        self._news.set()

    async def _fly(self, flight: Flight) -> None:
        try:
            result = await (
                self._looks.look(flight.url)
                if flight.is_look
                else self.world.visit(flight.url, flight.decision.candidate)
            )
        except Exception as error:  # nothing of a single page may end the crawl
            result = trouble("other", f"{type(error).__name__}: {error}"[:200])
        self._landed.append((flight, result))

    async def _ask_for_rules(self, flight: Flight) -> None:
        with suppress(Exception):  # the gate sees that there are none
            await self.polite.rules(flight.url)
        self._ruled.append(flight)

    # -- landing -------------------------------------------------------------------------------------

    def _land(self) -> None:
        while self._ruled:
            self._take_rules(self._ruled.popleft(), self._clock())
        while self._landed:
            self._touch_down(*self._landed.popleft(), self._clock())

    def _take_rules(self, flight: Flight, now: float) -> None:
        """Go on with the choice; if the crawl is being stopped, it stays in flight until that is resumed."""
        self._keeping.touched(flight.host)
        if self._stop:
            return
        self._rests.rest(flight.decision.host_id, now)  # awake, unless what follows says otherwise
        verdict = self._verdict(flight, now)
        self._follow(flight, Never("robots: cannot be read") if isinstance(verdict, RulesFirst) else verdict, now)
        self._keeping.changed()

    def _touch_down(self, flight: Flight, result: Any, now: float) -> None:
        self._rests.landed(flight, now)
        self._keeping.touched(flight.host)
        if result is None:
            if not flight.is_repeated:
                self.gate.put_back(flight.url)
            self.journal.give_back(flight.decision)
            self._keeping.changed()
            return
        if isinstance(result, Trouble):
            if result.stopped_before:
                self.gate.not_asked(flight.url, result.url)
            if result.healable and self._may_try_again(flight, result, now):
                return
            self._give_up(flight, result, now)
            return
        if isinstance(result, Sight):
            self._see(flight, result, now)
            return
        candidate = flight.decision.candidate
        depth = self.journal.store.depth(candidate)
        self._observe(flight, self.world.take_in(flight.url, result, depth, candidate), now)

    def _give_up(self, flight: Flight, why: Trouble, now: float) -> None:
        if flight.is_look and why.was_asked:
            self._see(flight, sight_of(why), now)
        else:
            self._observe(flight, of_trouble(why, known_page(why, self.journal.store)), now)

    def _see(self, flight: Flight, sight: Sight, now: float) -> None:
        self.journal.looked(flight.decision, sight, now)
        self._keeping.changed()

    def _may_try_again(self, flight: Flight, why: Trouble, now: float) -> bool:
        """Soon, if that is polite."""
        wait = flight.back_off(why, self.polite.pace.rest_until(flight.host, now) - now)
        if flight.attempt >= self.spec.following.retries or wait > LONGEST_WAIT:
            return False
        self.tally.retries += 1
        self._retries.put_off(flight.again(why), now + wait)
        return True

    def _observe(self, flight: Flight, arrival: Arrival, now: float) -> None:
        journal, candidate = self.journal, flight.decision.candidate
        step = journal.observe(
            flight.decision,
            arrival.outcome,
            now,
            arrival.record,
            statements=arrival.statements,
            answers=arrival.answers,
            finds=arrival.finds,
            exchange=arrival.exchange,
        )
        if isinstance(arrival.outcome, Fetched):
            self.gate.learn(flight.url, journal.parent_url(candidate), arrival.outcome.reward)
            self._outlook.observe(step.relevant)
        self.tally.add(flight.host, arrival, now)
        self._keeping.stepped()
        if enough := self.world.settled(candidate, arrival, step):
            self.stop(enough)

    def _show(self, now: float) -> None:
        snapshot = self.tally.snapshot(
            self.journal.session,
            now,
            elapsed=now - self._began,
            requests=self.world.requests,
            stage="finishing what is in flight" if self._stop else "",
            warning=self._outlook.warning() or "",
        )
        self._watch(snapshot)

    # -- waiting and ending --------------------------------------------------------------------------

    def _ended(self, answer: Wait | Finished | None) -> str:
        if not self._stop and self.spec.seconds is not None and self._clock() - self._began >= self.spec.seconds:
            self.stop("time")
        if self._stop and 0 < len(self._tasks) <= self.world.waiting:
            self.drop_flights()
        if self._tasks or self._landed or self._ruled:
            return ""
        if self._stop:
            return self._stop
        if isinstance(answer, Finished):
            return answer.reason
        if self._retries or answer is None:
            return ""
        if answer.until is None:
            return "frontier empty"
        return "hosts resting" if answer.until - self._clock() > self.spec.patience else ""

    async def _wait(self, answer: Wait | Finished | None) -> None:
        """Until something lands, a host or a retry is due, or it is time to commit or to look."""
        due = [self._keeping.due]
        if self._retries.due is not None:
            due.append(self._retries.due)
        if isinstance(answer, Wait) and answer.until is not None:
            due.append(answer.until)
        if self.spec.seconds is not None and not self._stop:
            due.append(self._began + self.spec.seconds)
        await wait(self._news, due, self._clock())

    async def _cancel(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
