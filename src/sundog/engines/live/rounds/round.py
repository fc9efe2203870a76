"""A round: begun with one commit, ended with another; one that was interrupted goes on where it was.

The first crawl is round 0. ``ROUND_ENDED`` is the last round that has ended by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from sundog.engines.live.journal import Journal
from sundog.engines.live.rounds.known_pages import DAY, Ages, known_pages
from sundog.engines.live.rounds.order import RevisitOrder
from sundog.model import Decision
from sundog.store import CrawlReader, CrawlStore
from sundog.store.rounds import ROUND_ENDED, last_round, unfinished_round

SHARE = "share of revisits"  # the state with what was asked for, in this round
TOLD = "wanted"  # the state with the objective and the scope of the round before


class RoundRequest(NamedTuple):
    """``share`` of its fetches that are visits of known pages; None: as it is worth."""

    budget: int
    share: float | None = None


def enter_round(
    journal: Journal,
    in_flight: list[Decision],
    request: RoundRequest | None,
    clock: Callable[[], float],
) -> Callable[[], float] | None:
    """Go on with the round that was interrupted, or begin another if one is asked for; returns what gives the
    crawl's age, or None if this is no round."""
    store = journal.store
    if unfinished_round(store) is None:
        if request is None:
            return None
        now = clock()
        store.save(SHARE, request.share)
        journal.begin_round(last_round(store) + 1, request.budget, now, Ages(store).now(store, now))
        store.commit()
    now = clock()
    began = Ages(store).now(store, now)
    pages, learned, trust = known_pages(store, journal.catalog.facts)
    order = RevisitOrder(pages, learned, journal.session, trust, age=began / DAY, share=store.state(SHARE))
    for candidate in _visited(store, in_flight):
        order.take(candidate)
    order.sort()
    journal.revisits = order
    return lambda: began + max(0.0, clock() - now)


def _visited(store: CrawlReader, in_flight: list[Decision]) -> Iterator[int]:
    """In this round, or about to be: once is enough. What was fetched in it is as new as it can be."""
    query = """SELECT subject FROM log WHERE event IN ('revisited', 'fetched', 'failed')
      AND step > (SELECT max(step) FROM log WHERE event = 'round')"""
    for (candidate,) in store.connection.execute(query):
        yield candidate
    yield from (decision.candidate for decision in in_flight)


def end_round(store: CrawlStore) -> None:
    store.save(ROUND_ENDED, last_round(store))


def wanted_edits(store: CrawlStore) -> Iterator[str]:
    """What is wanted from this round on, where that differs from the last one; it is kept for the next."""
    spec, earlier = store.spec_table, store.state(TOLD)
    wanted = {name: spec.get(name) for name in ("objective", "scope")}
    for name, value in wanted.items():
        if earlier is not None and earlier.get(name) != value:
            yield f"spec.toml has another {name} than before: it holds from now on, also for pages seen again"
    store.save(TOLD, wanted)
