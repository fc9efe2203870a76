"""How a flight ends: the session learns from it, or it is given back, or it is to be tried again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sundog.engines.live.flights import LONGEST_WAIT, Flight, Retries
from sundog.engines.live.gate import Gate
from sundog.engines.live.intake import Arrival, known_page, of_refusal, of_trouble
from sundog.engines.live.journal import Journal
from sundog.engines.live.keeping import Keeping
from sundog.engines.live.looks import sight_of
from sundog.engines.live.rests import Rests
from sundog.engines.live.tally import Tally
from sundog.engines.live.world import World
from sundog.fetch.pace import Pace
from sundog.fetch.values import Trouble
from sundog.model import Fetched, Sight
from sundog.objectives.outlook import Outlook


class Landing:
    """``most_retries`` of what may heal; ``stop`` is told why, when the world has enough."""

    def __init__(
        self,
        *,
        journal: Journal,
        gate: Gate,
        world: World[Any],
        pace: Pace,
        rests: Rests,
        retries: Retries,
        keeping: Keeping,
        tally: Tally,
        outlook: Outlook,
        most_retries: int,
        stop: Callable[[str], None],
    ) -> None:
        self._journal, self._gate, self._world, self._pace = journal, gate, world, pace
        self._rests, self._retries, self._keeping = rests, retries, keeping
        self._tally, self._outlook = tally, outlook
        self._most_retries, self._stop = most_retries, stop

    def touch_down(self, flight: Flight, result: Any, now: float) -> None:
        """``result`` is a visit of the world, a sight, a trouble, or None if nothing could be asked now."""
        self._rests.landed(flight, now)
        self._keeping.touched(flight.host)
        if result is None:
            self._give_back(flight)
        elif isinstance(result, Trouble):
            self._meet_trouble(flight, result, now)
        elif isinstance(result, Sight):
            self._see(flight, result, now)
        else:
            candidate = flight.decision.candidate
            depth = self._journal.store.depth(candidate)
            self._observe(flight, self._world.take_in(flight.url, result, depth, candidate), now)

    def refuse(self, flight: Flight, reason: str, now: float) -> None:
        """It may not take off at all."""
        self._observe(flight, of_refusal(reason), now)

    def give_up(self, flight: Flight, why: Trouble, now: float) -> None:
        if flight.is_look and why.was_asked:
            self._see(flight, sight_of(why), now)
        else:
            self._observe(flight, of_trouble(why, known_page(why, self._journal.store)), now)

    def _give_back(self, flight: Flight) -> None:
        if not flight.is_repeated:
            self._gate.put_back(flight.url)
        self._journal.give_back(flight.decision)
        self._keeping.changed()

    def _meet_trouble(self, flight: Flight, why: Trouble, now: float) -> None:
        if why.stopped_before:
            self._gate.not_asked(flight.url, why.url)
        if not (why.healable and self._may_try_again(flight, why, now)):
            self.give_up(flight, why, now)

    def _may_try_again(self, flight: Flight, why: Trouble, now: float) -> bool:
        """Soon, if that is polite."""
        wait = flight.back_off(why, self._pace.rest_until(flight.host, now) - now)
        if flight.attempt >= self._most_retries or wait > LONGEST_WAIT:
            return False
        self._tally.retries += 1
        self._retries.put_off(flight.again(why), now + wait)
        return True

    def _see(self, flight: Flight, sight: Sight, now: float) -> None:
        self._journal.looked(flight.decision, sight, now)
        self._keeping.changed()

    def _observe(self, flight: Flight, arrival: Arrival, now: float) -> None:
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
