"""One step ahead: what another policy would have chosen in each state of the crawl, and what that was worth.

It learns from the crawl's fetches as if they had been its own, and is asked for its choice before each of them. A
choice that the crawl has fetched, then or later, is worth what it was worth. For others the estimate is doubly
robust: the judge's probability, corrected by what random fetches were worth beyond it (``calibrate``). Those that
resemble the policy's choices weigh more, by the root of how much more frequent such pages are among its choices:
between no weights, which are biased, and importance weights, whose variance is large.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sundog.model import Decision
from sundog.replay.imputation import Imputation, calibrate, logits
from sundog.replay.log import replay
from sundog.replay.record import NOT_ASKED, Record, Settings, session_like
from sundog.session import CrawlSession
from sundog.store import CrawlReader, Decided

BINS = 4  # of probabilities, by which choices and random fetches are compared
DRAWS = 200


def choices_of(reader: CrawlReader, settings: Settings, policy: str, record: Record) -> Any:
    """What the policy would have chosen before each fetch, in their order; -1: nothing."""
    fetched = {fetch.page for fetch in record.fetches}
    chosen: list[int] = []

    def decide(session: CrawlSession, event: Decided) -> Decision:
        own = session.next_decision(event.now)
        if event.candidate in fetched:
            chosen.append(own.candidate if isinstance(own, Decision) else -1)
        if isinstance(own, Decision):
            if own.candidate == event.candidate:
                return own
            session.give_back(own)
        return session.lease(event.candidate)

    replay(reader, session_like(settings, record.catalog, policy, settings.budget), decide=decide)
    return np.array(chosen, np.int64)


def shares_of_draws(record: Record, chosen: Any) -> Any:
    """The mean reward of these choices, in many worlds that fit what is known; in all the same if all is known."""
    chosen = chosen[chosen >= 0]
    if not len(chosen):
        return np.zeros(DRAWS)
    unknown = chosen[record.kind[chosen] == NOT_ASKED]
    imputation = Imputation(record, calibrate(record, weights_for(record, unknown)))
    known = float(record.relevant[chosen].sum())
    rng = np.random.default_rng(len(chosen))
    drawn = [float(imputation.drawn(rng)[unknown].sum()) if len(unknown) else 0.0 for _ in range(DRAWS)]
    return (known + np.array(drawn)) / len(chosen)


def weights_for(record: Record, choices: Any) -> Any:
    """Of each random fetch; their mean is 1."""
    draws = np.array([fetch.expected for fetch in record.random_fetches])
    if len(draws) < BINS or not len(choices):
        return np.ones(len(draws))
    x, edges = logits(draws), np.quantile(logits(draws), np.arange(1, BINS) / BINS)
    expected = record.chances[choices]
    among_choices = np.bincount(np.searchsorted(edges, logits(expected[np.isfinite(expected)])), minlength=BINS)
    among_draws = np.bincount(np.searchsorted(edges, x), minlength=BINS)
    ratio = (among_choices + 1.0) / (among_choices.sum() + BINS) / ((among_draws + 1.0) / (len(x) + BINS))
    weights = np.sqrt(ratio)[np.searchsorted(edges, x)]
    return weights / weights.mean()
