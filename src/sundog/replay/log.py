"""A crawl's log played to a session again: the session as the log leaves it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np

from sundog.errors import UsageError
from sundog.frontier.catalog import Catalog
from sundog.learn.prior import Prior
from sundog.learn.sharing import LearningDelta
from sundog.model import Decision
from sundog.policies.presets import AnyPolicy
from sundog.replay.checkpoint import read_checkpoint
from sundog.session import CrawlSession
from sundog.spec import CrawlSpec
from sundog.store import (
    Budgeted,
    Charged,
    CrawlReader,
    Decided,
    Event,
    GivenBack,
    HeadAnswered,
    NearMiss,
    Observed,
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
from sundog.store.reader import BEFORE_ALL

OnOutcome = Callable[[Catalog, Observed], None]
OnRender = Callable[[RenderChoice], None]
Decide = Callable[[CrawlSession, Decided], Decision]


class Replayed:
    """The session as the log leaves it: what it thinks of pages, and what it would choose next."""

    def __init__(self, reader: CrawlReader, spec: CrawlSpec) -> None:
        session, in_flight = restore(reader, spec)
        self._session = session
        self.in_flight = {decision.candidate for decision in in_flight}
        session.extend(math.ceil(session.used) + session.in_flight + 1)  # what it would do with one more page
        following = session.next_decision(math.inf)
        self.next_choice: dict[str, Any] = {}
        if isinstance(following, Decision):
            self.next_choice = {"url": following.url, **score_parts(following)}
            session.give_back(following)

    def worth(self, candidate: int) -> dict[str, Any]:
        return score_parts(self._session.explain(candidate))

    def leads(self, candidate: int) -> list[tuple[str, float]]:
        return self._session.leads(candidate)


def new_session(spec: CrawlSpec, catalog: Catalog, *, is_shard: bool = False) -> CrawlSession:
    """``is_shard``: others learn with it, if its policy can share what it learns."""
    return CrawlSession(
        policy=spec.policy,
        budget=spec.fetches,
        seed=spec.seed,
        source=catalog,
        head_requests=spec.world_kind.has_pages,
        tracks_left=True,
        explore_log=spec.explore.log,
        shares_learning=is_shard and not why_alone(spec.policy, spec.policy_parameters),
        **spec.policy_parameters,
    )


def why_alone(policy: AnyPolicy, parameters: Mapping[str, Any]) -> str:
    """Why shards with this policy cannot share what they learn; '' if they can."""
    try:
        CrawlSession(policy=policy, budget=0, truth=np.zeros(0), shares_learning=True, **parameters)
    except UsageError as error:
        return str(error)
    return ""


def filled_catalog(store: CrawlReader) -> Catalog:
    catalog = Catalog()
    _fill(catalog, store)
    return catalog


def _fill(catalog: Catalog, store: CrawlReader) -> None:
    """With all strings that it does not have yet."""
    for urls in store.urls(first=catalog.size):
        catalog.add(urls)
    for texts in store.texts(first=catalog.texts):
        catalog.text_ids(texts)


def restore(
    store: CrawlReader,
    spec: CrawlSpec,
    observed: OnOutcome | None = None,
    rendered: OnRender | None = None,
    *,
    with_links: bool = True,
    is_shard: bool = False,
) -> tuple[CrawlSession, list[Decision]]:
    """The session as the log leaves it, and the decisions that are in flight, in their order.

    ``observed`` is called with every outcome in the log, in its order, and the catalog of the session; without
    ``with_links``, links may be missing there. ``rendered`` is called with every choice whether to render a page.
    """
    is_shard = is_shard or store.is_shard
    checkpoint = read_checkpoint(store, spec)
    if checkpoint is None:
        catalog = filled_catalog(store)
        session = new_session(spec, catalog, is_shard=is_shard)
        return session, replay(store, session, partial(observed, catalog) if observed else None, rendered)
    session = checkpoint.session
    assert isinstance(session.source, Catalog)
    catalog = session.source
    _fill(catalog, store)
    session.chooser.grow()
    in_flight = {decision.candidate: decision._replace(source=catalog) for decision in checkpoint.in_flight}
    if observed is None:
        return session, replay(store, session, None, rendered, after=checkpoint.step, in_flight=in_flight)
    for event in _with_near(store.replay_outcomes(through=checkpoint.step, with_links=with_links)):
        if isinstance(event, Observed):
            observed(catalog, event)
        elif isinstance(event, RenderChoice) and rendered is not None:
            rendered(event)
    heard = partial(observed, catalog)
    return session, replay(store, session, heard, rendered, after=checkpoint.step, in_flight=in_flight)


def _with_near(events: Iterable[Event]) -> Iterator[Event]:
    """A near miss is logged before its outcome; here it is a part of it."""
    near: dict[int, float] = {}
    for event in events:
        match event:
            case NearMiss():
                near[event.candidate] = event.near
            case Observed() if event.candidate in near:
                yield event._replace(near=near.pop(event.candidate))
            case _:
                yield event


def replay(
    store: CrawlReader,
    session: CrawlSession,
    observed: Callable[[Observed], None] | None = None,
    rendered: OnRender | None = None,
    *,
    after: int = BEFORE_ALL,
    in_flight: dict[int, Decision] | None = None,
    decide: Decide | None = None,
    offered: Callable[[Any], None] | None = None,
) -> list[Decision]:
    """Make the calls again that were logged after a step; returns what is then in flight, in its order.

    ``decide`` leases what was chosen, for a session of another policy: it makes no HEAD requests and shares no
    learning. ``offered`` is called with seeds and with what other shards have sent.

    A session of another version of Sundog may choose differently. Then it leases what was chosen: the crawl goes
    on with all that it knows, though not as it would have without the stop.
    """
    in_flight = {} if in_flight is None else in_flight
    for event in _with_near(store.replay(after=after, plain_choices=rendered is not None)):
        match event:
            case Observed():
                session.observe(in_flight.pop(event.candidate), event.outcome, event.now)
                if observed is not None:
                    observed(event)
            case Charged():
                session.charge(event.candidate, event.cost)
            case RenderChoice():
                session.spend(event.cost)
                if rendered is not None:
                    rendered(event)
            case Decided():
                in_flight[event.candidate] = (decide or _decided_again)(session, event)
            case Rested():
                session.rest(event.host, event.until)
            case Seeded():
                session.add_known(event.candidates)
                if offered is not None:
                    offered(event.candidates)
            case GivenBack():
                session.give_back(in_flight.pop(event.candidate))
            case Waited():
                _wait_again(session, event)
            case HeadAnswered():
                asked = in_flight.pop(event.candidate)
                session.give_back(asked) if decide else session.observe_head(asked, event.result)
            case Budgeted():
                session.extend(event.budget)
            case Revisiting():
                in_flight[event.candidate] = _revisited_again(session, event)
            case Revisited():
                was_asked = event.result != "refused"
                session.observe_again(in_flight.pop(event.candidate), event.links, was_asked=was_asked)
            case RoundBegun():
                pass  # its budget has an event of its own
            case Received():
                session.add_known(*event.links[:3])
                if offered is not None:
                    offered(event.links[0])
            case Taught() if decide is None:
                session.take_in_learning(LearningDelta.unpacked(event.delta))
            case Prepared():
                session.begin_with(Prior.unpacked(event.prior))
    return list(in_flight.values())


def _decided_again(session: CrawlSession, event: Decided) -> Decision:
    decision = session.next_decision(event.now)
    if isinstance(decision, Decision):
        if decision.candidate == event.candidate:
            return decision
        session.give_back(decision)
    return session.lease(event.candidate)


def _revisited_again(session: CrawlSession, event: Revisiting) -> Decision:
    """Whoever chose it had asked the session for a new page first."""
    decision = session.next_decision(event.now)
    if isinstance(decision, Decision):
        session.give_back(decision)
    return session.lease_again(event.candidate)


def _wait_again(session: CrawlSession, event: Waited) -> None:
    decision = session.next_decision(event.now)
    if isinstance(decision, Decision):
        session.give_back(decision)


def score_parts(decision: Decision) -> dict[str, Any]:
    """What a page was chosen by, fit for JSON."""
    values = {"score": decision.score, "estimate": decision.estimate, **decision.parts}
    return {name: None if math.isnan(value) else value for name, value in values.items()}
