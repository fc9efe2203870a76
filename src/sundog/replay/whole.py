"""Another policy's whole crawl, over the pages that this one knows and others like them.

Pages that were fetched are as they were. Of others it is drawn whether they are relevant, in several worlds
(``Imputation``), and which links they have (``Beyond``). The policy learns in each world from what it finds there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from sundog.frontier.catalog import Catalog
from sundog.model import Decision, Failed, Fetched, Finished, Outcome, Refused
from sundog.replay.imputation import Imputation, World
from sundog.replay.record import CAME, FAILED, REFUSED, Record, Settings, session_like
from sundog.replay.unseen import Beyond, Unseen


class Effort(NamedTuple):
    """Numbers of worlds, and the fetches in all of them together that are aimed at."""

    fewest: int
    most: int
    fetches: int

    def worlds(self, fetches: int) -> int:
        """For a crawl of so many fetches."""
        return int(np.clip(self.fetches // max(1, fetches), self.fewest, self.most))


FULL = Effort(2, 8, 16_000)
OF_LINES = Effort(1, 4, 4_000)  # beside the harvest curve of every report: a crawl should not wait for them


@dataclass(frozen=True)
class Crawl:
    """Of each fetch: whether it is relevant, and whether that is known."""

    relevant: Any
    known: Any


def crawl_again(settings: Settings, policy: str, record: Record, world: World, beyond: Beyond) -> Crawl:
    return _crawl(settings, policy, record, beyond.catalog, lambda page: _drawn_outcome(page, world, beyond))


def crawl_complete(settings: Settings, policy: str, record: Record) -> Crawl:
    """Of a crawl that has left no page."""
    return _crawl(settings, policy, record, record.catalog, lambda page: _known_outcome(record, page))


def _crawl(
    settings: Settings, policy: str, record: Record, catalog: Catalog, drawn: Callable[[int], Outcome]
) -> Crawl:
    """``drawn``: what comes of a page that was not fetched."""
    session = session_like(settings, catalog, policy, len(record.fetches))
    offers, next_offer = record.offers, 0
    relevant, known = [], []
    while True:
        while next_offer < len(offers) and (offers[next_offer][0] <= session.fetched):
            session.add_known(offers[next_offer][1])
            next_offer += 1
        decision = session.next_decision()
        if isinstance(decision, Finished) and next_offer < len(offers) and session.fetched < session.budget:
            session.add_known(offers[next_offer][1])
            next_offer += 1
            continue
        if not isinstance(decision, Decision):
            break
        page = decision.candidate
        is_known = page < len(record.kind) and bool(record.kind[page])
        outcome = _known_outcome(record, page) if is_known else drawn(page)
        session.chooser.grow()
        session.observe(decision, outcome)
        if not isinstance(outcome, Refused):
            relevant.append(isinstance(outcome, Fetched) and outcome.reward > 0)
            known.append(is_known)
    return Crawl(np.array(relevant, bool), np.array(known, bool))


def _known_outcome(record: Record, page: int) -> Outcome:
    match record.kind[page]:
        case kind if kind == CAME:
            return Fetched(float(record.relevant[page]), record.links[page])
        case kind if kind == FAILED:
            return Failed("as in the crawl")
        case kind if kind == REFUSED:
            return Refused("as in the crawl")
    raise AssertionError(kind)


def _drawn_outcome(page: int, world: World, beyond: Beyond) -> Outcome:
    if page < len(world.relevant):
        relevant = bool(world.relevant[page])
    else:
        relevant = beyond.chance.random() < world.chances[beyond.origin(page)]
    links = beyond.links_of(page, relevant)
    return Fetched(float(relevant)) if links is None else Fetched(float(relevant), links)


def crawls(
    settings: Settings, policy: str, record: Record, imputation: Imputation, effort: Effort = FULL
) -> list[Crawl]:
    unseen, found = Unseen(record), []
    for number in range(effort.worlds(len(record.fetches))):
        world = imputation.world(np.random.default_rng([settings.seed, number]))
        found.append(crawl_again(settings, policy, record, world, Beyond(unseen, f"{settings.seed} {number}")))
    return found
