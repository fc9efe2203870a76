"""The loop of a live crawl.

One page's way: (1) the session chooses it, (2) the gate lets it through, or lets its host rest, (3) it is
fetched, (4) read, here or by a worker, (5) judged by the objective, its links admitted, (6) the session learns
from it, and (7) the store gets all of it. Commits hold a few steps each.

How a flight ends: the session learns from it, or it is given back, or it is to be tried again.

Waiting until something happens, or it is time for something.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Iterable
from typing import Any

from sundog.engines.live.commits import Commits, Spending
from sundog.engines.live.gate import Gate, Go, Later, Never, RulesFirst
from sundog.engines.live.host_rest import HostRest, WorthWaiting
from sundog.engines.live.in_flight import LONGEST_WAIT, InFlight, PendingFetch, Retries
from sundog.engines.live.journal import Journal
from sundog.engines.live.pages.head_requests import HeadRequests, head_result_of
from sundog.engines.live.pages.intake import known_page, observation_of_refusal, observation_of_trouble
from sundog.engines.live.progress import Snapshot, Tally
from sundog.engines.live.worlds.world import Observation, World
from sundog.fetch.pace import Pace
from sundog.fetch.polite import PoliteFetcher
from sundog.fetch.values import Trouble
from sundog.model import Decision, Fetched, Finished, HeadResult, Wait
from sundog.objectives.outlook import Outlook
from sundog.spec import CrawlSpec
from sundog.urls.hosts import origin_of

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
        looks: HeadRequests,
        spending: Spending,
        outlook: Outlook,
        watch: Watch,
        clock: Callable[[], float],
    ) -> None:
        self.spec = spec
        self.journal, self.polite, self.gate, self.world = journal, polite, gate, world
        self.tally = spending.tally
        self._outlook, self._watch, self._clock = outlook, watch, clock
        self._began = clock()
        self._thrift = WorthWaiting(spec.following.worth_waiting)
        self._rests = HostRest(journal, polite.pace, self._thrift)
        self._keeping = Commits(journal.store, polite.pace, spending, self._show, clock)
        self._news = asyncio.Event()
        self._air = InFlight(world, looks, polite, self._news)
        self._retries = Retries()
        self._landing = Landing(
            journal=journal,
            gate=gate,
            world=world,
            pace=polite.pace,
            rests=self._rests,
            retries=self._retries,
            keeping=self._keeping,
            tally=self.tally,
            outlook=outlook,
            most_retries=spec.following.retries,
            stop=self.stop,
        )
        self._origins: set[str] = set()  # whose own offers are known
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
        self._air.drop()

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
            await self._air.clear()
            self._keeping.keep(at_any_rate=True)

    # -- choosing ------------------------------------------------------------------------------------

    def _launch(self) -> Wait | Finished | None:
        """Fill the free places; returns the session's word if it has nothing to choose."""
        for _ in range(CHOICES_A_ROUND):
            if self._stop or len(self._air) >= self.spec.concurrency:
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

    def _flight(self, decision: Decision) -> PendingFetch:
        return PendingFetch.of(decision, is_look=self.journal.session.wants_head(decision))

    def _verdict(self, flight: PendingFetch, now: float) -> Go | Never | Later | RulesFirst:
        if flight.is_repeated and self.world.is_at_hand(flight.url):
            return Go()
        return self.gate.verdict(flight.url, flight.host, now, again=flight.is_repeated)

    def _follow(self, flight: PendingFetch, verdict: Go | Never | Later | RulesFirst, now: float) -> None:
        """Do as the gate says. While rules are asked for, the choice stands: so robots.txt changes no choice."""
        decision = flight.decision
        match verdict:
            case Go():
                self._take_off(flight, now)
            case Never(reason):
                self._landing.refuse(flight, reason, now)
            case Later(until):
                self.journal.give_back(decision)
                self._rests.rest(decision.host_id, until)
            case RulesFirst():
                self._rests.rest(decision.host_id, math.inf)
                self._air.ask_for_rules(flight)

    def _tell_gate(self, flight: PendingFetch) -> None:
        """A further visit, or a look, may be the first to take off, and must not keep the page's own from it."""
        if not flight.is_repeated and not flight.is_look:
            self.gate.taken(flight.url)

    def _take_off(self, flight: PendingFetch, now: float) -> None:
        self._tell_gate(flight)
        if (origin := origin_of(flight.url)) not in self._origins:
            self._origins.add(origin)
            if offers := self.world.offers(origin, now):
                self.journal.add(offers)
        self._rests.took_off(flight, now)
        self._air.fly(flight)

    def _try_again(self, flight: PendingFetch, now: float) -> None:
        """A retry waits for its host like everybody, though not for long."""
        rest = self.polite.pace.rest_until(flight.host, now)
        if self._rests.may_fly(flight.host, now):
            self._take_off(flight, now)
        elif flight.why is not None and rest - now > LONGEST_WAIT:
            self._landing.give_up(flight, flight.why, now)
        else:
            self._retries.put_off(flight, max(rest, now + 0.1))

    # -- landing -------------------------------------------------------------------------------------

    def _land(self) -> None:
        while self._air.ruled:
            self._take_rules(self._air.ruled.popleft(), self._clock())
        while self._air.landed:
            self._landing.touch_down(*self._air.landed.popleft(), self._clock())

    def _take_rules(self, flight: PendingFetch, now: float) -> None:
        """Go on with the choice; if the crawl is being stopped, it stays in flight until that is resumed."""
        self._keeping.touched(flight.host)
        if self._stop:
            return
        self._rests.rest(flight.decision.host_id, now)  # awake, unless what follows says otherwise
        verdict = self._verdict(flight, now)
        self._follow(flight, Never("robots: cannot be read") if isinstance(verdict, RulesFirst) else verdict, now)
        self._keeping.changed()

    # -- telling ---------------------------------------------------------------------------------------

    def _show(self, now: float) -> None:
        snapshot = self.tally.snapshot(
            self.journal.session,
            now,
            elapsed=now - self._began,
            requests=self.world.requests,
            unit=self.spec.world_kind.unit,
            stage="finishing what is in flight" if self._stop else "",
            warning=self._outlook.warning() or "",
        )
        self._watch(snapshot)

    # -- waiting and ending --------------------------------------------------------------------------

    def _ended(self, answer: Wait | Finished | None) -> str:
        if not self._stop and self.spec.seconds is not None and self._clock() - self._began >= self.spec.seconds:
            self.stop("time")
        if self._stop and 0 < len(self._air) <= self.world.waiting:
            self.drop_flights()
        if not self._air.is_clear:
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


class Landing:
    """``most_retries`` of what may heal; ``stop`` is told why, when the world has enough."""

    def __init__(
        self,
        *,
        journal: Journal,
        gate: Gate,
        world: World[Any],
        pace: Pace,
        rests: HostRest,
        retries: Retries,
        keeping: Commits,
        tally: Tally,
        outlook: Outlook,
        most_retries: int,
        stop: Callable[[str], None],
    ) -> None:
        self._journal, self._gate, self._world, self._pace = journal, gate, world, pace
        self._rests, self._retries, self._keeping = rests, retries, keeping
        self._tally, self._outlook = tally, outlook
        self._most_retries, self._stop = most_retries, stop

    def touch_down(self, flight: PendingFetch, result: Any, now: float) -> None:
        """``result`` is a visit of the world, a sight, a trouble, or None if nothing could be asked now."""
        self._rests.landed(flight, now)
        self._keeping.touched(flight.host)
        if result is None:
            self._give_back(flight)
        elif isinstance(result, Trouble):
            self._meet_trouble(flight, result, now)
        elif isinstance(result, HeadResult):
            self._see(flight, result, now)
        else:
            candidate = flight.decision.candidate
            depth = self._journal.store.depth(candidate)
            self._observe(flight, self._world.take_in(flight.url, result, depth, candidate), now)

    def refuse(self, flight: PendingFetch, reason: str, now: float) -> None:
        """It may not take off at all."""
        self._observe(flight, observation_of_refusal(reason), now)

    def give_up(self, flight: PendingFetch, why: Trouble, now: float) -> None:
        if flight.is_look and why.was_asked:
            self._see(flight, head_result_of(why), now)
        else:
            self._observe(flight, observation_of_trouble(why, known_page(why, self._journal.store)), now)

    def _give_back(self, flight: PendingFetch) -> None:
        if not flight.is_repeated:
            self._gate.put_back(flight.url)
        self._journal.give_back(flight.decision)
        self._keeping.changed()

    def _meet_trouble(self, flight: PendingFetch, why: Trouble, now: float) -> None:
        if why.stopped_before:
            self._gate.not_asked(flight.url, why.url)
        if not (why.healable and self._may_try_again(flight, why, now)):
            self.give_up(flight, why, now)

    def _may_try_again(self, flight: PendingFetch, why: Trouble, now: float) -> bool:
        """Soon, if that is polite."""
        wait = flight.back_off(why, self._pace.rest_until(flight.host, now) - now)
        if flight.attempt >= self._most_retries or wait > LONGEST_WAIT:
            return False
        self._tally.retries += 1
        self._retries.put_off(flight.again(why), now + wait)
        return True

    def _see(self, flight: PendingFetch, sight: HeadResult, now: float) -> None:
        self._journal.looked(flight.decision, sight, now)
        self._keeping.changed()

    def _observe(self, flight: PendingFetch, arrival: Observation, now: float) -> None:
        journal, candidate = self._journal, flight.decision.candidate
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
            self._gate.learn(flight.url, journal.parent_url(candidate), arrival.outcome.reward)
            self._outlook.observe(step.relevant)
        self._tally.add(flight.host, arrival, now)
        self._keeping.stepped()
        if enough := self._world.settled(candidate, arrival, step):
            self._stop(enough)


async def wait(news: asyncio.Event, due: Iterable[float], now: float) -> None:
    """Until there is news, or the first of these moments has come; the news is then taken."""
    if news.is_set():
        await asyncio.sleep(0)  # to wait for what is there already would give nobody a turn
    else:
        alarm = asyncio.get_running_loop().call_later(max(0.0, min(due) - now), news.set)
        await news.wait()
        alarm.cancel()
    news.clear()
