"""A queue of requests in the order of a policy, for crawlers that fetch by themselves.

A request has a name, which is its URL unless several have the same. It is leased when its crawler gets it, and
settled when all that came of it is known. Links to further requests belong to the lease of the page that they were
found on; the policy hears of them when that is settled, or earlier if it has nothing else to choose.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from sundog.contrib.breadth_first import Range, Visit, reward_of_breadth_first
from sundog.contrib.job import Job
from sundog.engines.live.start import compile_kernels
from sundog.model import Decision, Failed, Fetched, Finished, Link, LinkBatch, Outcome, Wait
from sundog.session import CrawlSession

HORIZON = 10_000  # fetches that a policy plans for if there is no budget; twice as many when half are made
logger = logging.getLogger(__name__)
NO_LINKS = LinkBatch(*[np.empty(0, np.int32)] * 3)  # of most pages: those that they link to are known


@dataclass(slots=True, eq=False)
class Lease:
    decision: Decision
    links: list[Link] = field(default_factory=list)
    released: int = 0  # of them, that the policy has heard of

    @property
    def name(self) -> str:
        return self.decision.url


class PolicyQueue:
    def __init__(
        self, *, policy: str, budget: int | None = None, seed: int = 0, job: Job | None = None, **parameters: Any
    ) -> None:
        compile_kernels(policy, **parameters)
        self._has_budget = budget is not None
        horizon = HORIZON if budget is None else budget
        self.session = CrawlSession(
            policy=policy, budget=horizon, seed=seed, normalise=False, tracks_left=True, **parameters
        )
        self._job = job
        self._names: set[str] = set()
        self._open: dict[Lease, None] = {}
        self._starts: list[int] = []
        self._visits: dict[int, Visit] = {}
        if job:
            self._learn_again(job.outcomes())

    @property
    def reward(self) -> float:
        return self.session.reward

    @property
    def fetched(self) -> int:
        return self.session.fetched

    @property
    def in_flight(self) -> int:
        return len(self._open)

    @property
    def waiting(self) -> int:
        """Requests that may still be chosen."""
        return self.session.queued + sum(len(lease.links) - lease.released for lease in self._open)

    @property
    def is_spent(self) -> bool:
        session = self.session
        return self._has_budget and session.fetched + session.in_flight >= session.budget

    def reward_of_breadth_first(self) -> Range:
        """A page that was not fetched is worth what those that brought something did, as likely as it does."""
        brought = [visit.reward for visit in self._visits.values() if visit.reward > 0]
        worth = sum(brought) / max(1, len(brought))
        columns = (column.tolist() for column in self.session.waiting_pages())
        guesses = {
            page: Range(0.0, likely * worth, most * worth) for page, likely, most in zip(*columns, strict=True)
        }
        return reward_of_breadth_first(self._visits, self._starts, guesses)

    # -- requests come -------------------------------------------------------------------------------

    def is_new(self, name: str) -> bool:
        """Whether no request has this name. From now on one has."""
        if name in self._names:
            return False
        self._names.add(name)
        return True

    def offer(self, name: str) -> None:
        """A request that no page led to."""
        self._starts.append(self._candidate(name))
        self.session.add_known([self._starts[-1]])

    def found(self, lease: Lease, link: Link) -> None:
        """A request, by its name, that a page leads to."""
        if lease in self._open:
            lease.links.append(link)
        else:
            self.offer(link.url)

    # -- requests go ---------------------------------------------------------------------------------

    def choose(self, now: float) -> Lease | Wait | Finished:
        self._look_further()
        answer = self.session.next_decision(now)
        if not isinstance(answer, Decision) and self._release_links():
            answer = self.session.next_decision(now)
        return self._leased(answer) if isinstance(answer, Decision) else answer

    def take(self, name: str) -> Lease | None:
        """Lease a request that its crawler insists on; None if it was leased already."""
        candidate = self._candidate(name)
        if not self.session.is_waiting(candidate):
            self.offer(name)
        return self._leased(self.session.lease(candidate)) if self.session.is_waiting(candidate) else None

    def give_back(self, lease: Lease) -> None:
        del self._open[lease]
        self.session.give_back(lease.decision)

    def settle(self, lease: Lease, outcome: Outcome, others: Iterable[str] = ()) -> None:
        """What came of it; of a page that came, the links are those that were found meanwhile.

        ``others``: names of requests that are done with it, for it was redirected to them.
        """
        if lease not in self._open:
            return
        del self._open[lease]
        if isinstance(outcome, Fetched):
            outcome = outcome._replace(links=lease.links)
        else:
            for link in lease.links:  # an errback may ask for something
                self.offer(link.url)
        self._observe(lease.decision, outcome)
        if self._job:
            self._job.finish(lease.name, outcome, others)

    # -- internals -----------------------------------------------------------------------------------

    def _leased(self, decision: Decision) -> Lease:
        lease = Lease(decision)
        self._open[lease] = None
        return lease

    def _observe(self, decision: Decision, outcome: Outcome) -> None:
        if not isinstance(outcome, Fetched):
            self.session.observe(decision, outcome)
            if isinstance(outcome, Failed):  # which costs as much as a page that brings nothing
                self._visits[decision.candidate] = Visit(0.0, NO_LINKS.targets)
            return
        links = self.session.intern(list(outcome.links)) if outcome.links else NO_LINKS
        self.session.observe(decision, Fetched(outcome.reward, links))
        self._visits[decision.candidate] = Visit(outcome.reward, links.targets)

    def _release_links(self) -> bool:
        """Slow pipelines hold pages back: their links need not wait if nothing else does."""
        links: list[Link] = []
        for lease in self._open:
            links += lease.links[lease.released :]
            lease.released = len(lease.links)
        return bool(links) and self.session.add_known(self.session.intern(links).targets) > 0

    def _look_further(self) -> None:
        session = self.session
        if not self._has_budget and session.fetched + session.in_flight >= session.budget // 2:
            session.extend(session.budget * 2)

    def _learn_again(self, outcomes: Iterable[tuple[str, Outcome]]) -> None:
        for name, outcome in outcomes:
            self._look_further()
            self._names.add(name)
            if isinstance(outcome, Fetched):
                self._names.update(link.url for link in outcome.links)
            lease = self.take(name)
            if lease is not None:
                del self._open[lease]
                self._observe(lease.decision, outcome)

    def _candidate(self, name: str) -> int:
        return int(self.session.intern([Link(name)]).targets[0])
