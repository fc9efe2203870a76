"""A round: begun with one commit, ended with another; one that was interrupted goes on where it was.

The first crawl is round 0. ``ROUND_ENDED`` is the last round that has ended by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from sundog.engines.live.journal import Journal
from sundog.engines.live.rounds.known_pages import DAY, Ages, known_pages
from sundog.engines.live.rounds.order import RevisitOrder
from sundog.model import Decision
from sundog.store import CrawlReader, CrawlStore
from sundog.store.rounds import ROUND_ENDED, last_round, unfinished_round

SHARE = "share of revisits"  # the state with what was asked for, in this round
TOLD = "wanted"  # the state with the objective and the scope of the round before


class RoundRequest(NamedTuple):
    """``share`` of its fetches that are visits of known pages; None: as it is worth. ``number``: the same one in
    all shards of a crawl; None: the next one."""

    budget: int
    share: float | None = None
    number: int | None = None


def enter_round(
    journal: Journal,
    in_flight: list[Decision],
    request: RoundRequest | None,
    clock: Callable[[], float],
) -> Callable[[], float] | None:
    """Go on with the round that was interrupted, or begin another if one is asked for; returns what gives the
    crawl's age, or None if this is no round."""
    store = journal.store
    number = _next_round(store, request)
    if number is not None and request is not None:
        now = clock()
        store.save(SHARE, request.share)
        journal.begin_round(number, request.budget, now, Ages(store).now(store, now))
        store.commit()
    elif request is None and unfinished_round(store) is None:
        return None
    now = clock()
    began = Ages(store).now(store, now)
    pages, learned, trust = known_pages(store, journal.catalog.facts)
    order = RevisitOrder(pages, learned, journal.session, trust, age=began / DAY, share=store.state(SHARE))
    for candidate in _visited(store, in_flight):
        order.take(candidate)
    order.sort()
    journal.revisits = order
    return lambda: began + max(0.0, clock() - now)


def _next_round(store: CrawlReader, request: RoundRequest | None) -> int | None:
    """The round to begin; None: there is none, or one goes on. A shard goes on with a round that it has ended for
    as long as others have not."""
    last = last_round(store)
    if request is None:
        return None
    if request.number is not None:
        return request.number if last < request.number else None
    return last + 1 if unfinished_round(store) is None else None


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
    wanted = wanted_by(store.spec_table)
    yield from told_edits(store.state(TOLD), wanted)
    store.save(TOLD, wanted)


def wanted_by(spec: Mapping[str, Any]) -> dict[str, Any]:
    """``spec``: as TOML has it."""
    return {name: spec.get(name) for name in ("objective", "scope")}


def told_edits(earlier: Mapping[str, Any] | None, wanted: Mapping[str, Any]) -> Iterator[str]:
    for name, value in wanted.items():
        if earlier is not None and earlier.get(name) != value:
            yield f"spec.toml has another {name} than before: it holds from now on, also for pages seen again"
