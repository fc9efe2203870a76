"""A crawl's log played to a session again: the session as the log leaves it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from sundog.errors import UsageError
from sundog.frontier.catalog import Catalog
from sundog.learn.sharing import LearningDelta
from sundog.model import Decision
from sundog.policies.presets import AnyPolicy
from sundog.session import CrawlSession
from sundog.spec import CrawlSpec
from sundog.store import (
    Budgeted,
    CrawlReader,
    Decided,
    GivenBack,
    HeadAnswered,
    NearMiss,
    Observed,
    Received,
    Rested,
    Revisited,
    Revisiting,
    RoundBegun,
    Seeded,
    Taught,
    Waited,
)


class Replayed:
    """The session as the log leaves it: what it thinks of pages, and what it would choose next."""

    def __init__(self, reader: CrawlReader, spec: CrawlSpec) -> None:
        session = self._session = new_session(spec, filled_catalog(reader), is_shard=reader.is_shard)
        self.in_flight = {decision.candidate for decision in replay(reader, session)}
        session.extend(math.ceil(session.used) + session.in_flight + 1)  # what it would do with one more page
        following = session.next_decision(math.inf)
        self.next_choice: dict[str, Any] = {}
        if isinstance(following, Decision):
            self.next_choice = {"url": following.url, **score_parts(following)}
            session.give_back(following)

    def worth(self, candidate: int) -> dict[str, Any]:
        return score_parts(self._session.explain(candidate))


def new_session(spec: CrawlSpec, catalog: Catalog, *, is_shard: bool = False) -> CrawlSession:
    """``is_shard``: others learn with it, if its policy can share what it learns."""
    return CrawlSession(
        policy=spec.policy,
        budget=spec.fetches,
        seed=spec.seed,
        source=catalog,
        head_requests=spec.world_kind.has_pages,
        tracks_left=True,
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
    for urls in store.urls():
        catalog.add(urls)
    for texts in store.texts():
        catalog.text_ids(texts)
    return catalog


def replay(
    store: CrawlReader, session: CrawlSession, observed: Callable[[Observed], None] = lambda _: None
) -> list[Decision]:
    """Make the logged calls again; returns the decisions that are in flight, in their order.

    A session of another version of Sundog may choose differently. Then it leases what was chosen: the crawl goes
    on with all that it knows, though not as it would have without the stop.
    """
    in_flight: dict[int, Decision] = {}
    near: dict[int, float] = {}
    for event in store.replay():
        match event:
            case NearMiss():
                near[event.candidate] = event.near
            case Observed():
                event = event._replace(near=near.pop(event.candidate, 0.0))
                session.observe(in_flight.pop(event.candidate), event.outcome, event.now)
                observed(event)
            case Decided():
                in_flight[event.candidate] = _decided_again(session, event)
            case Rested():
                session.rest(event.host, event.until)
            case Seeded():
                session.add_known(event.candidates)
            case GivenBack():
                session.give_back(in_flight.pop(event.candidate))
            case Waited():
                _wait_again(session, event)
            case HeadAnswered():
                session.observe_head(in_flight.pop(event.candidate), event.result)
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
            case Taught():
                session.take_in_learning(LearningDelta.unpacked(event.delta))
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
