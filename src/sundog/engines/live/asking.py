"""From a choice to a request: what the gate says, and what is done about it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from sundog.engines.live.gate import Go, InLine, Later, Moved, NameFirst, Never, RulesFirst, Verdict
from sundog.engines.live.in_flight import LONGEST_RETRY_WAIT, PendingFetch
from sundog.engines.live.outcomes import Outcomes, Parts
from sundog.engines.live.page_failures import StageError, at_stage, trouble_of
from sundog.engines.live.pages.intake import observation_of_error, observation_of_refusal
from sundog.model import Decision, Link
from sundog.urls.hosts import origin_of


class Asking:
    """Whatever has no request to wait for ends here, as one of the ``outcomes``."""

    def __init__(self, parts: Parts, outcomes: Outcomes, clock: Callable[[], float]) -> None:
        self._journal, self._world, self._commits = parts.journal, parts.world, parts.commits
        self._polite, self._gate = parts.wiring.polite, parts.wiring.gate
        self._host_rest, self._in_flight, self._retries = parts.host_rest, parts.in_flight, parts.retries
        self._in_hand, self._outcomes, self._clock = parts.in_hand, outcomes, clock
        self._errors, self._pace, self._lines = parts.journal.errors, self._polite.pace, self._gate.lines
        self._origins: set[str] = set()  # of which something was asked

    def guarded(self, act: Callable[..., None], pending: PendingFetch, *more: Any) -> None:
        """What goes wrong with one page on its way costs that page its result."""
        try:
            with at_stage("loop"):
                act(pending, *more)
        except StageError as error:
            self._outcomes.observe(pending, observation_of_error(error), self._clock())

    def ask(self, decision: Decision, now: float) -> None:
        self.guarded(self._ask, self._pending(decision), now)

    def retry_interrupted(self, decisions: Sequence[Decision]) -> None:
        """What was in flight when the crawl was stopped is asked again, as soon as its host may be."""
        for pending in map(self._pending, decisions):
            self._mark_asked(pending)
            self._host_rest.expect(pending)
            self._retries.put_off(pending, self._clock())

    def retry(self, pending: PendingFetch, now: float) -> None:
        """A retry waits for its host like any fetch, though not for long."""
        if not self._polite.locate(pending.host) and self._polite.fetcher.is_to_be_found(pending.host):
            self._in_flight.start_look_up(pending, self.retry)
            return
        rest = self._pace.rest_until(pending.host, now)
        if self._host_rest.may_ask(pending.host, now):
            self._start(pending, now)
        elif pending.last_trouble is not None and rest - now > LONGEST_RETRY_WAIT:
            self._outcomes.give_up(pending, pending.last_trouble, now)
        else:
            self._retries.put_off(pending, max(rest, now + 0.1))

    def robots_arrived(
        self, pending: PendingFetch, failed: StageError | None, now: float, is_stopping: bool
    ) -> None:
        """Go on with the choice; if the crawl is being stopped, it stays in flight until it is resumed."""
        self._lines.begun(pending.host)
        self._commits.host_changed(pending.host)
        if is_stopping:
            return
        if failed is None and self._gate.knows_rules(pending.url, now):
            self._go_on(pending, now)
            return
        self._host_rest.rest(pending.decision.host_id, now)
        if failed is not None:
            self._errors.write(pending.url, failed)
        reason = "robots: cannot be read" if failed is None else str(trouble_of(failed))
        self._outcomes.observe(pending, observation_of_refusal(reason), now)

    def _pending(self, decision: Decision) -> PendingFetch:
        session = self._journal.session
        is_known = session.is_revisit(decision.candidate)
        return PendingFetch.of(decision, is_head=not is_known and session.wants_head(decision), is_known=is_known)

    def _ask(self, pending: PendingFetch, now: float) -> None:
        self._act_on(self._verdict(pending, now), pending, now)

    def _go_on(self, pending: PendingFetch, now: float) -> None:
        """With a choice that stood while something was found out."""
        self._host_rest.rest(pending.decision.host_id, now)  # awake, unless the verdict lets it rest
        self._ask(pending, now)
        self._commits.soon()

    def _verdict(self, pending: PendingFetch, now: float) -> Verdict:
        try:
            with at_stage("gate"):
                if self._world.is_cached(pending.decision.url):
                    return Go()
                return self._gate.verdict(
                    pending.url, pending.host, now, again=pending.is_revisit, is_known=pending.is_known
                )
        except StageError as error:
            self._errors.write(pending.url, error)
            return Never(str(trouble_of(error)))

    def _act_on(self, verdict: Verdict, pending: PendingFetch, now: float) -> None:
        """Do as the gate says. The choice stands while a name is looked up or robots.txt is read: so that changes
        no later choice.
        """
        host_id = pending.decision.host_id
        match verdict:
            case Go():
                self._start(pending, now)
            case Never(reason):
                self._outcomes.observe(pending, observation_of_refusal(reason), now)
            case Later(until):
                self._host_rest.rest(host_id, until)
                self._journal.give_back(pending.decision)
            case Moved():
                self._journal.give_back(pending.decision)
                self._host_rest.rest(host_id, math.inf)
            case InLine(address):
                self._journal.give_back(pending.decision)
                self._host_rest.rest_in_line(host_id, self._lines.join(pending.host, host_id, address, now), now)
            case NameFirst():
                self._host_rest.rest(host_id, math.inf)
                self._in_flight.start_look_up(pending, self._go_on)
            case RulesFirst():
                self._lines.let_go(pending.host)
                self._host_rest.rest(host_id, math.inf)
                self._in_flight.start_robots(pending)

    def _start(self, pending: PendingFetch, now: float) -> None:
        self._mark_asked(pending)
        if objection := self._in_hand.objection(pending.url):
            self._outcomes.give_up(pending, objection, now)
            return
        if (origin := origin_of(pending.url)) not in self._origins:
            self._origins.add(origin)
            self._add_extra_links(pending, origin, now)
        self._lines.let_go(pending.host)
        self._host_rest.started(pending, now)
        self._in_flight.start(pending)

    def _add_extra_links(self, pending: PendingFetch, origin: str, now: float) -> None:
        """What cannot be had of an origin does not keep its page from being fetched."""
        links: Sequence[Link] = ()
        with self._errors.survived("links", pending.url):
            links = self._world.extra_links(origin, now)
        if links:
            with self._errors.survived("loop", pending.url):
                self._journal.add(links)

    def _mark_asked(self, pending: PendingFetch) -> None:
        """A revisit or a HEAD request may start before the page's own fetch, and must not keep it from that."""
        if not pending.is_revisit and not pending.is_head:
            self._gate.mark_asked(pending.url)
