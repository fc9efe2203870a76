"""A session whose every call is logged in the store.

Invariant: the store's log is the sequence of calls that the session has had. So whoever replays it has the
same session, and makes the same choices from there.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from sundog.engines.live.foreign import ForeignHosts
from sundog.engines.live.page_failures import ErrorLog, StageError, at_stage
from sundog.engines.live.rounds.compare import Compared
from sundog.engines.live.rounds.order import RevisitOrder, in_seconds
from sundog.engines.live.rounds.outlook import round_outlook
from sundog.engines.live.worlds.world import Observation
from sundog.errors import SundogError
from sundog.frontier.arrays import UNKNOWN
from sundog.frontier.catalog import Catalog
from sundog.learn.prior import Prior
from sundog.learn.sharing import LearningDelta
from sundog.model import (
    Decision,
    Failed,
    Fetched,
    Finished,
    HeadResult,
    Link,
    LinkBatch,
    Outcome,
    Outlook,
    Refused,
    Step,
    Wait,
)
from sundog.replay import new_session, restore
from sundog.session import CrawlSession
from sundog.spec import CrawlSpec
from sundog.spec.crawl import CostUnit
from sundog.store import (
    Budgeted,
    Charged,
    CrawlStore,
    Decided,
    Exchange,
    GivenBack,
    HeadAnswered,
    NearMiss,
    Observed,
    PageRecord,
    PatternFindings,
    Prepared,
    Received,
    RenderChoice,
    Rested,
    Revisited,
    Revisiting,
    RoundBegun,
    Seeded,
    Taught,
    Waited,
)
from sundog.store.events import ForeignLinks, no_links
from sundog.urls.revisits import without_mark

OnOutcome = Callable[[str, str | None, Observed], None]
REQUEST_BYTES = 500  # a request and the head of its answer, roughly: a failure is cheap, not free

logger = logging.getLogger(__name__)


class Revisit(NamedTuple):
    """A visit that is logged, and all links of the page."""

    event: Revisited
    links: LinkBatch


class Journal:
    """Make one with ``begin`` or ``resume``."""

    def __init__(
        self, session: CrawlSession, catalog: Catalog, store: CrawlStore, cost_unit: CostUnit | None = None
    ) -> None:
        self.session = session
        self.catalog = catalog
        self.store = store
        self.errors = ErrorLog(store.directory)
        self.prefer: Callable[[Decision], int | None] | None = None  # what is to be fetched instead of a choice
        self.revisits: RevisitOrder | None = None  # in a round: known pages, which compete with new ones
        self.foreign: ForeignHosts | None = None  # hosts of other shards, if the crawl has some
        self.open_decisions: dict[int, Decision] = {}  # that have not ended, in their order
        self.session_is_as_logged = True  # False: a call has failed half-way, and only a replay is exact
        self._handed_over: ForeignLinks | None = None  # by what is logged now
        self._cost_unit = cost_unit  # what is short, if that is not fetches
        self._urls, self._texts = store.strings  # how many the store has

    @classmethod
    def begin(cls, spec: CrawlSpec, store: CrawlStore, *, is_shard: bool = False) -> Journal:
        catalog = Catalog()
        return cls(new_session(spec, catalog, is_shard=is_shard), catalog, store, spec.cost_unit)

    @classmethod
    def resume(
        cls,
        spec: CrawlSpec,
        store: CrawlStore,
        on_outcome: OnOutcome,
        on_render: Callable[[RenderChoice], None] | None = None,
        *,
        with_links: bool = True,
        is_shard: bool = False,
    ) -> tuple[Journal, list[Decision]]:
        """The session as the log left it, and the decisions that were in flight.

        ``on_outcome`` is called for every outcome: with the URL, the page on which it was found, and the event,
        whose links may be missing without ``with_links``; ``on_render`` for every page of which it was decided
        whether it is rendered.
        """

        def observed(catalog: Catalog, event: Observed) -> None:
            parent = parent_url(store, catalog, event.candidate)
            on_outcome(catalog.url(event.candidate), parent, event)

        session, in_flight = restore(store, spec, observed, on_render, with_links=with_links, is_shard=is_shard)
        assert isinstance(session.source, Catalog)
        journal = cls(session, session.source, store, spec.cost_unit)
        journal.open_decisions = {decision.candidate: decision for decision in in_flight}
        return journal, in_flight

    @property
    def waiting(self) -> int:
        """Pages that may be fetched: new ones, and in a round known ones."""
        return self.session.queued + (self.revisits.left if self.revisits is not None else 0)

    def outlook(self) -> Outlook:
        """What these are worth, for whoever shares a budget out."""
        new = self.session.outlook()
        return new if self.revisits is None else round_outlook(new, self.revisits.waiting())

    def parent_url(self, candidate: int) -> str | None:
        """The page on which it was found; none for seeds."""
        return parent_url(self.store, self.catalog, candidate)

    # -- the session's calls -------------------------------------------------------------------------

    def add(self, links: Sequence[Link]) -> int:
        """Offer candidates that no page has brought; returns how many are new.

        If it raises a StageError, none has been offered or logged.
        """
        with at_stage("links"):
            own, foreign = self._sorted(self.session.intern(links))
        with self._all_or_nothing():
            with at_stage("store"):
                self._append(Seeded(own.targets), foreign=foreign)
            with at_stage("observe"):
                return self.session.add_known(own.targets)

    def receive(self, sender: int, through: int, links: Sequence[Link], depths: Sequence[int]) -> int:
        """Links that another shard has found up to its step ``through``; returns how many are new.

        As ``add``: if it raises a StageError, none has been offered or logged.
        """
        with at_stage("links"):
            batch = self.session.intern(links)
        known = dict(zip(batch.targets.tolist(), depths, strict=True))
        new = [known.get(candidate, 0) for candidate in range(self._urls, self.catalog.size)]
        with self._all_or_nothing():
            with at_stage("store"):
                self._append(Received(sender, through, batch, new))
            with at_stage("observe"):
                return self.session.add_known(*batch[:3])

    def take_in_learning(self, delta: LearningDelta) -> None:
        """What other shards have learned. As ``add``: if it raises a StageError, nothing has happened."""
        with self._all_or_nothing():
            with at_stage("store"):
                self.store.append(Taught(delta.packed()))
            with at_stage("observe"):
                self.session.take_in_learning(delta)

    def begin_with(self, prior: Prior) -> None:
        """What earlier crawls have learned, before the seeds."""
        with self._all_or_nothing():
            with at_stage("observe"):
                self.session.begin_with(prior)
            with at_stage("store"):
                self.store.append(Prepared(prior.packed()))

    def next_decision(self, now: float) -> Decision | Wait | Finished:
        """Raises StageError if the choice cannot be logged: then it stays in flight until the crawl is resumed."""
        moves = self.session.moves
        decision = self._chosen(now)
        if self.revisits is not None and (again := self._again(self.revisits, decision, now)) is not None:
            return again
        if isinstance(decision, Decision):
            self._log_choice(decision, Decided.of(decision, now))
        elif self.session.moves > moves:
            self.store.append(Waited(now))
        return decision

    def _log_choice(self, decision: Decision, event: Decided | Revisiting) -> None:
        self.session_is_as_logged, was_as_logged = False, self.session_is_as_logged
        with at_stage("store"):
            self.store.append(event)
        self.session_is_as_logged = was_as_logged
        self.open_decisions[decision.candidate] = decision

    def _again(
        self, revisits: RevisitOrder, decision: Decision | Wait | Finished, now: float
    ) -> Decision | Wait | None:
        """A known page in place of the choice; None: the choice stands."""
        session, chosen = self.session, decision if isinstance(decision, Decision) else None
        if chosen is None and session.used + session.in_flight >= session.budget:
            return None
        revisit = revisits.instead_of(chosen, now)
        if revisit is None:
            due = revisits.next_due
            if chosen is not None or due is None:
                return None
            until = decision.until if isinstance(decision, Wait) else None
            return Wait(due if until is None else min(due, until))
        if chosen is not None:
            session.give_back(chosen)
        again = session.lease_again(revisit.candidate)
        rate, since = in_seconds(revisit)
        event = Revisiting(
            revisit.candidate, now, revisit.worth, revisit.value, rate, since, revisit.said, revisit.own
        )
        self._log_choice(again, event)
        return again

    def _chosen(self, now: float) -> Decision | Wait | Finished:
        """A policy that cannot choose ends the crawl: which page is at fault is not known."""
        try:
            with at_stage("choose"):
                decision = self.session.next_decision(now)
        except StageError as error:
            self.errors.write("", error)
            raise SundogError(
                f"the policy cannot choose a page ({error}); errors.log has the traceback"
            ) from error
        preferred: int | None = None
        if self.prefer is not None and isinstance(decision, Decision):
            with self.errors.survived("choose", decision.url):
                preferred = self.prefer(decision)
        if preferred is None or not isinstance(decision, Decision):
            return decision
        self.session.give_back(decision)  # as ``replay`` does when the log has another one
        return self.session.lease(preferred)

    def observe(
        self,
        decision: Decision,
        outcome: Outcome,
        now: float,
        record: PageRecord,
        *,
        statements: Mapping[str, Sequence[tuple[str, ...]]] | None = None,
        answers: Sequence[Any] = (),
        findings: PatternFindings | None = None,
        exchange: Exchange | None = None,
        redirect: str = "",
        render: RenderChoice | None = None,
        dates: Mapping[str, float] | None = None,
    ) -> Step:
        """``findings`` have places among the links where the store has candidates. ``redirect`` is where a page
        led, if that is for another shard; ``render`` whether it was rendered, and why. ``dates``: when a list says
        that pages last changed.

        It is logged, and the session learns of it; if either raises a StageError, neither has happened.
        New strings stay in the catalog even so, and are logged with the next event.
        """
        candidate = decision.candidate
        more: dict[str, Any] = {"statements": statements, "answers": answers, "exchange": exchange}
        match outcome:
            case Fetched(reward, links, near):
                with at_stage("observe"):
                    found = self.session.intern(links)
                    batch, more["foreign"] = self._sorted(found)
                more["hints"] = self._hints(links, found, dates)
                outcome = Fetched(reward, batch, near)
                findings = findings.with_targets(found.targets.tolist()) if findings else None
                event = Observed(candidate, now, "fetched", reward, "", batch, record, near=near)
            case Failed(reason, same_as):
                event = Observed(candidate, now, "failed", reason=reason, record=record, same_as=same_as)
                if redirect:
                    _, more["foreign"] = self._sorted(self.session.intern([Link(redirect)]))
            case Refused(reason):
                event = Observed(candidate, now, "refused", reason=reason, record=record)
        logger.debug("%s: %s %s", event.kind, decision.url, event.reason)
        with self._all_or_nothing():
            with at_stage("store"):
                if render is not None:
                    self.store.append(render)
                if event.near > 0:
                    self.store.append(NearMiss(candidate, event.near))
                self._append(event, findings=findings, **more)
                if (cost := self._cost_of(event, render)) is not None:
                    self.store.append(Charged(candidate, cost))
            with at_stage("observe"):
                step = self.session.observe(decision, outcome, now)
                if cost is not None:
                    self.session.charge(candidate, cost)
        self.open_decisions.pop(candidate, None)
        if render is not None:
            self.session.spend(render.cost)
        return step

    def _cost_of(self, event: Observed, render: RenderChoice | None) -> float | None:
        """In the unit of the budget, with what a browser asked for; what was not asked for has cost nothing."""
        if self._cost_unit is None or event.record is None or event.kind == "refused":
            return None
        if self._cost_unit == "bytes":
            of_scripts = 0 if render is None else render.size + render.requests * REQUEST_BYTES
            return float((event.record.size or 0) + REQUEST_BYTES + of_scripts)
        in_vain = render.seconds if render is not None and render.failure else 0.0  # else the page took so long
        return None if event.record.seconds is None else event.record.seconds + in_vain

    def observe_again(
        self,
        decision: Decision,
        compared: Compared,
        observation: Observation,
        now: float,
        age: float,
        signs: Mapping[str, Any] | None = None,
    ) -> Revisit:
        """As ``observe``, of a page that was known. An unchanged one only brings links to pages that were not.
        ``signs`` say why it has less than before. Pages of other shards are not known before they are handed
        over."""
        outcome, is_new = observation.outcome, compared.result == "changed"
        links = outcome.links if isinstance(outcome, Fetched) and not isinstance(outcome.links, LinkBatch) else ()
        with at_stage("observe"):
            batch = self.session.intern(links)
            own, foreign = self._sorted(batch)
            if observation.redirect:
                _, foreign = self._sorted(self.session.intern([Link(observation.redirect)]))
        targets = batch.targets.tolist()
        unknown = self._unknown(own)
        found = len(set(own.targets[unknown].tolist()))
        if foreign is not None:
            found += len(set(foreign.new.targets.tolist()))
        foreign = foreign if is_new or foreign is None else _only_new(foreign)
        kept = own if is_new else _part(own, unknown)
        findings = observation.findings.with_targets(targets) if observation.findings and is_new else None
        hints = self._hints(links, batch, observation.dates)
        event = Revisited(
            candidate=decision.candidate,
            now=now,
            age=age,
            result=compared.result,
            reward=outcome.reward if isinstance(outcome, Fetched) else 0.0,
            reason=compared.reason,
            links=kept,
            found=found,
            record=compared.record,
        )
        with self._all_or_nothing():
            with at_stage("store"):
                self._append(
                    event,
                    statements=observation.statements if is_new else None,
                    answers=observation.answers if is_new else (),
                    findings=findings,
                    exchange=observation.exchange if is_new else None,
                    signs=signs,
                    hints=hints,
                    foreign=foreign,
                )
            with at_stage("observe"):
                self.session.observe_again(decision, kept, was_asked=compared.result != "refused")
        self.open_decisions.pop(decision.candidate, None)
        if self.revisits is not None:
            self.revisits.hear(hints)
            self.revisits.came(decision.candidate)
            if signs:
                self.revisits.has_less(decision.candidate)
        if self.revisits is not None and compared.result not in ("failed", "refused"):
            self.revisits.learn(decision.candidate, is_new or compared.result == "gone" or found > 0)
        return Revisit(event, batch)

    def _unknown(self, links: LinkBatch) -> list[int]:
        """The places of those to pages that nobody knew."""
        state_of = self.session.chooser.state_of
        return [place for place, target in enumerate(links.targets.tolist()) if state_of(target) == UNKNOWN]

    def _hints(
        self, links: Sequence[Link] | LinkBatch, batch: LinkBatch, dates: Mapping[str, float] | None
    ) -> dict[int, float]:
        """By candidate."""
        if not dates or isinstance(links, LinkBatch):
            return {}
        targets = zip(links, batch.targets.tolist(), strict=True)
        return {target: dates[link.url] for link, target in targets if link.url in dates}

    def _sorted(self, links: LinkBatch) -> tuple[LinkBatch, ForeignLinks | None]:
        """This shard's own links, and those of others."""
        return (links, None) if self.foreign is None else self.foreign.sorted(links)

    def give_back(self, decision: Decision) -> None:
        if self.revisits is not None:
            if self.session.is_revisit(decision.candidate):
                self.revisits.give_back(decision.candidate)
            else:
                self.revisits.new_given_back()
        self.session.give_back(decision)
        self.store.append(GivenBack(decision.candidate))
        self.open_decisions.pop(decision.candidate, None)

    def observe_head(self, decision: Decision, result: HeadResult, now: float) -> None:
        """As ``observe``: if it raises a StageError, nothing has happened."""
        with self._all_or_nothing():
            with at_stage("store"):
                self.store.append(HeadAnswered(decision.candidate, now, result))
            with at_stage("observe"):
                self.session.observe_head(decision, result)
        self.open_decisions.pop(decision.candidate, None)

    def rest(self, host: int, until: float) -> None:
        self.session.rest(host, until)
        if self.revisits is not None:
            self.revisits.rest(host, until)
        self.store.append(Rested(host, until))

    def begin_round(self, number: int, budget: int, now: float, age: float) -> None:
        """With so much budget on top of what is spent."""
        self.store.append(RoundBegun(number, now, age, budget))
        self.extend(math.ceil(self.session.used) + self.session.in_flight + budget)

    def extend(self, budget: int) -> None:
        self.session.extend(budget)
        self.store.append(Budgeted(budget))

    @contextmanager
    def _all_or_nothing(self) -> Iterator[None]:
        """If what is done within fails, nothing was logged."""
        logged = self._urls, self._texts
        self._handed_over = None
        try:
            with self.store.all_or_nothing():
                yield
        except BaseException:
            self._urls, self._texts = logged
            self.session_is_as_logged = False
            raise
        if self.foreign is not None and self._handed_over is not None:
            self.foreign.sent(self._handed_over.new.targets)

    def _append(self, event: Seeded | Observed | Revisited | Received, **more: Any) -> None:
        """With the strings that are new since the last time."""
        catalog = self.catalog
        urls = catalog.urls_since(self._urls) if catalog.size > self._urls else ()
        texts = catalog.texts_since(self._texts) if catalog.texts > self._texts else ()
        self.store.append(event, urls=urls, texts=texts, **more)
        self._handed_over = more.get("foreign")
        self._urls, self._texts = catalog.size, catalog.texts


def parent_url(store: CrawlStore, catalog: Catalog, candidate: int) -> str | None:
    parent = store.parent(candidate)
    return None if parent is None else without_mark(catalog.url(parent))


def _only_new(foreign: ForeignLinks) -> ForeignLinks | None:
    return ForeignLinks(foreign.new, no_links()) if len(foreign.new.targets) else None


def _part(batch: LinkBatch, places: Sequence[int]) -> LinkBatch:
    """The links at these places."""
    return LinkBatch(*[field[places] if len(field) else field for field in batch])
