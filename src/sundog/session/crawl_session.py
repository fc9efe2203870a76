"""The crawl session: what to fetch next, and what to make of what was fetched. No I/O, no clock.

Engines drive it with two calls::

    next_decision(now)               -> Decision | Wait | Finished
    observe(decision, outcome, now)  -> Step
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self
from warnings import warn

import numpy as np

from sundog.errors import SundogError, UsageError
from sundog.frontier.arrays import DONE, LEASED, QUEUED
from sundog.frontier.clock import kernels_have_a_clock
from sundog.model import (
    BUDGET_SPENT,
    FRONTIER_EMPTY,
    Decision,
    Failed,
    Fetched,
    Finished,
    HeadResult,
    Link,
    LinkBatch,
    Outcome,
    Refused,
    Step,
    Wait,
)
from sundog.policies.chooser import PARTS, PROPENSITY, SCORE
from sundog.policies.static_crawl import RELEVANT, REWARD, SUMS, Choices, StaticPages
from sundog.session.exploring import Explorer
from sundog.session.saving import read_session, write_session
from sundog.session.shard import ShardSession

NO_TEXTS = np.empty(0, np.int32)


class CrawlSession(ShardSession):
    """Chooses pages under a budget of fetches and learns from their outcomes.

    >>> from sundog import CrawlSession, Failed, Fetched, Link
    >>> session = CrawlSession(policy="bfs", budget=2)
    >>> session.add(["http://a.example/"])
    1
    >>> decision = session.next_decision()
    >>> decision.url
    'http://a.example/'
    >>> step = session.observe(decision, Fetched(1.0, [Link("http://a.example/b")]))
    >>> step.relevant, step.discovered
    (True, 1)
    >>> session.observe(session.next_decision(), Failed("timeout")).relevant
    False
    >>> session.next_decision()
    Finished(reason='budget')

    Two spellings of one page are one candidate, named as ``sundog.urls.identity.identity`` does it:

    >>> session = CrawlSession(policy="bfs", budget=2)
    >>> session.add(["HTTP://A.example:80/x#f", "http://a.example/x"]), session.next_decision().url
    (1, 'http://a.example/x')
    """

    # -- the loop ------------------------------------------------------------------------------

    def add(self, urls: Sequence[str]) -> int:
        """Offer seeds; returns how many were new. A URL given twice is one candidate."""
        if isinstance(urls, str):
            raise UsageError(f"add('{urls}'): a list of URLs is expected, such as ['{urls}']")
        return self._offer(-1, self.intern([Link(self._seed(url)) for url in urls]))

    def add_known(self, candidates: Any, anchors: Any = NO_TEXTS, paths: Any = NO_TEXTS) -> int:
        """Offer candidates that the source knows, by their ids: seeds, or links from elsewhere."""
        return self._offer(-1, LinkBatch(np.asarray(candidates, np.int32), anchors, paths))

    def next_decision(self, now: float = 0.0) -> Decision | Wait | Finished:
        """The next page to fetch, leased until ``observe`` or ``give_back``."""
        if self._sleepers:
            for host in self._sleepers.woken(now):
                self._set_asleep(host, False)
        if self.used + self.in_flight >= self.budget:
            return Wait(None) if self.in_flight else Finished(BUDGET_SPENT)
        candidate = self.chooser.choose()
        if candidate < 0:
            return self._nothing_ready()
        self.in_flight += 1
        if self._explorer is not None:
            candidate = self._explored(self._explorer, candidate)
        return self._decision(candidate)

    def observe(self, decision: Decision, outcome: Outcome, now: float = 0.0) -> Step:
        """Learn from the outcome of a leased decision and offer the page's links.

        Links that lead to no page of the Web (``mailto:``, relative ones) are left out. Nothing is counted before
        all is taken in: after an exception the decision is still leased, and can be observed as failed.
        """
        candidate = decision.candidate
        self._check(candidate, LEASED, "is not leased: it was observed or given back already")
        if not isinstance(outcome, Fetched | Failed | Refused):
            raise UsageError(f"the outcome {outcome!r:.80}: Fetched, Failed or Refused is expected")
        reward, links = (outcome.reward, outcome.links) if isinstance(outcome, Fetched) else (0.0, ())
        self._check_reward(candidate, reward)
        if isinstance(outcome, Refused):
            self.chooser.drop(candidate)
            if self._record is not None:
                self._record.refused(candidate)
            self.in_flight -= 1
            return Step(decision, outcome, False, 0)
        batch = self._batch(links)
        discovered = self._take_in(candidate, outcome, reward, batch)
        self._may_be_drawn(batch)
        if self._record is not None:
            self._record.fetched(candidate, reward > 0, batch.targets, self.source.size)
        self.in_flight -= 1
        self.fetched += 1
        self.relevant += reward > 0
        self.reward += reward
        return Step(decision, outcome, reward > 0, discovered)

    def crawls_static(self) -> bool:
        """Whether ``crawl_static`` does what ``next_decision`` and ``observe`` would do, page by page."""
        is_plain = self._record is None and self._explorer is None and not self._sleepers and not self.in_flight
        return is_plain and kernels_have_a_clock() and self.chooser.crawls_static()

    def crawl_static(self, pages: StaticPages, choices: Choices, end: int) -> None:
        """Go on until so many pages are fetched, or a little less; none if there is nothing to fetch.
        Every choice is observed at once.
        """
        sums = np.zeros(SUMS)
        sums[RELEVANT], sums[REWARD] = self.relevant, self.reward
        self.fetched = self.chooser.crawl_static(pages, choices, sums, self.fetched, end)
        self.relevant, self.reward = int(sums[RELEVANT]), sums.item(REWARD)

    def charge(self, candidate: int, cost: float) -> None:
        """Tell what a fetch has cost, after ``observe``: bytes, say, if it is these that are short.

        `sundog` then looks for the most reward per byte. Always the same unit; a crawl that is told no costs takes
        every fetch for as dear as any other.
        """
        self._check(candidate, DONE, "has no outcome yet: it is charged after it was observed")
        if not 0 <= cost < math.inf:
            raise UsageError(f"the cost {cost}: a number from 0 on is expected")
        self.chooser.charge(candidate, cost)

    def give_back(self, decision: Decision) -> None:
        """Undo a lease, as if the decision had not been made; costs no budget."""
        if decision.candidate in self._revisiting:
            self._revisiting.remove(decision.candidate)
            self.in_flight -= 1
            return
        self._check(decision.candidate, LEASED, "is not leased: it was observed or given back already")
        self.in_flight -= 1
        self.chooser.give_back(decision.candidate)
        self._waits_again(decision.candidate)

    def wants_head(self, decision: Decision) -> bool:
        """Whether the policy wants to know the content type before it decides; then call ``observe_head``.

        A page that is fetched all the same may be observed as any other.
        """
        return self.chooser.wants_head(decision.candidate)

    def observe_head(self, decision: Decision, result: HeadResult) -> None:
        """End a decision with the result of a HEAD request; it costs its share, and the candidate waits again."""
        self._check(decision.candidate, LEASED, "is not leased: it was observed or given back already")
        self.chooser.observe_head(decision.candidate, result)
        self._waits_again(decision.candidate)
        self.in_flight -= 1

    def is_look(self, decision: Decision) -> bool:
        """The former name of ``wants_head``; it goes with the next release."""
        warn("CrawlSession.is_look is called wants_head now", DeprecationWarning, stacklevel=2)
        return self.wants_head(decision)

    def looked(self, decision: Decision, sight: HeadResult) -> None:
        """The former name of ``observe_head``; it goes with the next release."""
        warn("CrawlSession.looked is called observe_head now", DeprecationWarning, stacklevel=2)
        self.observe_head(decision, sight)

    def rest(self, host_id: int, until: float) -> None:
        """Let a host sleep: none of its pages is chosen before ``until``; if that is inf, before the next call.

        The last call counts: a time that is past wakes the host.
        """
        self._sleepers.put(host_id, until)
        self._set_asleep(host_id, True)

    def lease(self, candidate: int) -> Decision:
        """Lease a page that waits and that somebody else has chosen, such as the crawl that this one resumes."""
        self._check(candidate, QUEUED, "does not wait in the frontier: it cannot be leased")
        self.chooser.lease(candidate, counts=True)
        self._waits_no_more(candidate)
        self.in_flight += 1
        return Decision._make((candidate, self._host_of(candidate), *[math.nan] * PARTS, self.source))

    def lease_again(self, candidate: int) -> Decision:
        """Lease a page that is done, for another visit; end it with ``observe_again`` or ``give_back``."""
        if self.chooser.state_of(candidate) in (QUEUED, LEASED) or candidate in self._revisiting:
            raise SundogError(f"{self.source.url(candidate)} is not done: it cannot be visited again")
        self._revisiting.add(candidate)
        self.in_flight += 1
        return Decision._make((candidate, self._host_of(candidate), *[math.nan] * PARTS, self.source))

    def is_revisit(self, candidate: int) -> bool:
        """Whether it is leased for another visit."""
        return candidate in self._revisiting

    def observe_again(self, decision: Decision, links: LinkBatch, *, was_asked: bool = True) -> int:
        """End another visit of a page, and offer its links; returns how many are new.

        What the page is worth now teaches the policy nothing: it knows of it already.
        """
        if decision.candidate not in self._revisiting:
            raise SundogError(f"{decision.url} is not leased for another visit")
        discovered = self._offer(decision.candidate, links) if len(links.targets) else 0
        self._revisiting.remove(decision.candidate)
        self.in_flight -= 1
        self.revisited += was_asked
        return discovered

    def adopt(self, candidate: int, reward: float, links: Sequence[Link] | LinkBatch) -> None:
        """Take in a page that was crawled before this session began: it costs no budget."""
        self._check_reward(candidate, reward)
        batch = self._batch(links)
        self.chooser.lease(candidate, counts=False)
        self._waits_no_more(candidate)
        self.chooser.take_in(candidate, reward, batch)
        self._may_be_drawn(batch)
        if self._record is not None:
            self._record.fetched(candidate, reward > 0, batch.targets, self.source.size)

    # -- to a file and back --------------------------------------------------------------------

    def save(self, path: Path | str) -> None:
        """Write it to a file: what it found, what it learned, what is leased. The file is whole or absent."""
        write_session(self, Path(path))

    @classmethod
    def load(cls, path: Path | str) -> Self:
        """A session as it was saved, which goes on as it would have.

        A file can make Python run what it says: load only those that you or your programs have saved.
        """
        return read_session(path, cls)

    # -- internals -----------------------------------------------------------------------------

    def _explored(self, explorer: Explorer, chosen: int) -> int:
        """The chosen page or a random one, leased; a random one was chosen by no score."""
        parts = self.chooser.parts
        page, propensity = explorer.instead_of(chosen)
        if page != chosen:
            self.chooser.give_back(chosen)
            self.chooser.explain(page)
            parts[SCORE] = math.nan
            explained = parts.copy()
            self.chooser.lease(page, counts=True)
            parts[:] = explained
        parts[PROPENSITY] = propensity
        explorer.waiting.discard(page)
        return page

    def _waits_again(self, candidate: int) -> None:
        if self._explorer is not None:
            self._explorer.found([candidate], self.chooser.state_of)

    def _waits_no_more(self, candidate: int) -> None:
        if self._explorer is not None:
            self._explorer.waiting.discard(candidate)

    def _set_asleep(self, host: int, asleep: bool) -> None:
        self.chooser.set_asleep(host, asleep)
        if self._explorer is not None:
            self._explorer.waiting.set_asleep(host, asleep)

    def _take_in(self, candidate: int, outcome: Outcome, reward: float, batch: LinkBatch) -> int:
        """Another name of a page that is there brings nothing, but it leads to what that was."""
        if isinstance(outcome, Fetched) and outcome.near > 0 and not reward > 0:
            return self.chooser.take_in_near_miss(candidate, min(1.0, outcome.near), batch)
        if isinstance(outcome, Failed) and outcome.same_as is not None:
            reward = self.chooser.known_reward(outcome.same_as)
        return self.chooser.take_in(candidate, reward, batch)

    def _nothing_ready(self) -> Wait | Finished:
        if self._no_room_to_ask() and not self.in_flight:
            return Finished(BUDGET_SPENT)
        if self.queued and self._sleepers:
            return Wait(self._sleepers.next_due)
        return Wait(None) if self.in_flight else Finished(FRONTIER_EMPTY)

    def _no_room_to_ask(self) -> bool:
        """What is left of the budget is less than a HEAD request and the fetch that it is made for."""
        return self.spent > 0 and self.used + self.in_flight > self.budget - 2
