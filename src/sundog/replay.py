"""sundog.replay"""

from __future__ import annotations

from collections.abc import Callable

from sundog.frontier.catalog import Catalog
from sundog.model import Decision
from sundog.session import CrawlSession
from sundog.spec import CrawlSpec
from sundog.store import Budgeted, CrawlReader, Decided, GivenBack, Looked, Observed, Rested, Seeded, Waited


def new_session(spec: CrawlSpec, catalog: Catalog) -> CrawlSession:
    return CrawlSession(
        policy=spec.policy,
        budget=spec.fetches,
        seed=spec.seed,
        source=catalog,
        head_requests=spec.world_kind.has_pages,
        **spec.policy_parameters,
    )


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

    A session of another version of Sundog may choose differently. Then it is told what was chosen: the crawl goes
    on with all that it knows, though not as it would have without the stop.
    """
    flying: dict[int, Decision] = {}
    for event in store.replay():
        match event:
            case Observed():
                session.observe(flying.pop(event.candidate), event.outcome, event.now)
                observed(event)
            case Decided():
                flying[event.candidate] = _decided_again(session, event)
            case Rested():
                session.rest(event.host, event.until)
            case Seeded():
                session.add_known(event.candidates)
            case GivenBack():
                session.give_back(flying.pop(event.candidate))
            case Waited():
                _wait_again(session, event)
            case Looked():
                session.observe_head(flying.pop(event.candidate), event.sight)
            case Budgeted():
                session.extend(event.budget)
    return list(flying.values())


def _decided_again(session: CrawlSession, event: Decided) -> Decision:
    decision = session.next_decision(event.now)
    if isinstance(decision, Decision):
        if decision.candidate == event.candidate:
            return decision
        session.give_back(decision)
    return session.lease(event.candidate)


def _wait_again(session: CrawlSession, event: Waited) -> None:
    decision = session.next_decision(event.now)
    if isinstance(decision, Decision):
        session.give_back(decision)
