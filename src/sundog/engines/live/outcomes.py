"""What becomes of a request that has ended: a step of the crawl, another try, or its choice is given back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from sundog.engines.live.commits import Commits
from sundog.engines.live.host_rest import HostRest
from sundog.engines.live.in_flight import LONGEST_RETRY_WAIT, InFlight, PendingFetch, Retries
from sundog.engines.live.in_hand import InHand
from sundog.engines.live.journal import Journal
from sundog.engines.live.page_failures import StageError, trouble_of
from sundog.engines.live.pages.head_requests import head_result_of
from sundog.engines.live.pages.intake import known_page, observation_of_trouble
from sundog.engines.live.progress import Tally
from sundog.engines.live.steps import Steps
from sundog.engines.live.wiring import Wiring
from sundog.engines.live.worlds.world import Observation, World
from sundog.fetch.values import REDIRECT_ELSEWHERE, Trouble
from sundog.model import HeadResult
from sundog.spec import CrawlSpec
from sundog.urls.identity import identity


class Parts(NamedTuple):
    """Of a crawl that runs: what requests go through on their way out and back."""

    spec: CrawlSpec
    journal: Journal
    world: World[Any]
    wiring: Wiring
    host_rest: HostRest
    in_flight: InFlight
    retries: Retries
    commits: Commits
    in_hand: InHand


class Outcomes:
    """``stop`` is called with the reason why the crawl is to end, if a page says so. In a round after the first it
    is not: what a stop pattern asks for is there already."""

    def __init__(
        self, parts: Parts, steps: Steps, tally: Tally, stop: Callable[[str], None], *, is_round: bool
    ) -> None:
        self._journal, self._commits, self._in_hand = parts.journal, parts.commits, parts.in_hand
        self._host_rest, self._retries = parts.host_rest, parts.retries
        self._most_retries = parts.spec.following.retries
        self._gate, self._pace = parts.wiring.gate, parts.wiring.polite.pace
        self._steps, self._tally, self._stop, self._is_round = steps, tally, stop, is_round

    def finished(self, pending: PendingFetch, result: Any, now: float) -> None:
        """``result``: as ``InFlight`` has it, or the result of a HEAD request."""
        self._gate.lines.begun(pending.host)
        self._host_rest.ended(pending, now)
        self._commits.host_changed(pending.host)
        if result is None:
            self._give_back(pending)
        elif isinstance(result, Trouble):
            self._retry_or_give_up(pending, result, now)
        elif isinstance(result, HeadResult):
            self._observe_head(pending, result, now)
        elif isinstance(result, StageError) and pending.is_head:
            self._journal.errors.write(pending.url, result)
            self.give_up(pending, trouble_of(result), now)
        else:
            with self._in_hand.holding(pending.url):
                self.observe(pending, self._steps.observation(pending, result), now)

    def give_up(self, pending: PendingFetch, trouble: Trouble, now: float) -> None:
        if pending.is_head and trouble.was_asked:
            self._observe_head(pending, head_result_of(trouble), now)
        else:
            observation = observation_of_trouble(trouble, known_page(trouble, self._journal.store))
            if trouble.kind == REDIRECT_ELSEWHERE:
                observation = observation._replace(redirect=identity(trouble.url) or trouble.url)
            self.observe(pending, observation, now)

    def observe(self, pending: PendingFetch, observation: Observation, now: float) -> None:
        if (reason := self._steps.observe(pending, observation, now)) and not self._is_round:
            self._stop(reason)

    def _observe_head(self, pending: PendingFetch, result: HeadResult, now: float) -> None:
        self._journal.observe_head(pending.decision, result, now)
        self._commits.soon()

    def _give_back(self, pending: PendingFetch) -> None:
        if not pending.is_revisit:
            self._gate.unmark_asked(pending.url)
        self._journal.give_back(pending.decision)
        self._commits.soon()

    def _retry_or_give_up(self, pending: PendingFetch, trouble: Trouble, now: float) -> None:
        """What may heal is tried again, if that is soon and polite."""
        if trouble.stopped_before:
            self._gate.unmark_redirect_target(pending.url, trouble.url)
        delay = pending.retry_delay(trouble, self._pace.rest_until(pending.host, now) - now)
        is_last = pending.attempt >= self._most_retries
        if not trouble.healable or is_last or delay > LONGEST_RETRY_WAIT:
            self.give_up(pending, trouble, now)
            return
        self._tally.retries += 1
        self._retries.put_off(pending.retried(trouble), now + delay)
