"""The crawl session: what to fetch next, and what to make of what was fetched. No I/O, no clock.

Engines drive it with two calls::

    next_decision(now)               -> Decision | Wait | Finished
    observe(decision, outcome, now)  -> Step
"""

from __future__ import annotations

import math
import pickle
from collections.abc import Sequence
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any, Unpack
from warnings import warn

import numpy as np

from sundog.completeness.left import LeftByHost, left_by_host
from sundog.completeness.record import CrawlRecord
from sundog.errors import SundogError, UsageError, unreadable
from sundog.files import complete_or_absent
from sundog.frontier.arrays import LEASED, QUEUED, UNKNOWN
from sundog.frontier.catalog import Catalog
from sundog.frontier.sleepers import Sleepers
from sundog.learn.model import Model
from sundog.learn.sharing import Learned, LearningDelta
from sundog.model import (
    BUDGET_SPENT,
    FRONTIER_EMPTY,
    LARGEST_NUMBER,
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
from sundog.policies.chooser import PARTS, Setup, Source
from sundog.policies.parameters import PolicyParameters
from sundog.policies.presets import DEFAULT, POLICIES, AnyPolicy, check_parameters, find_policy
from sundog.short_repr import ShortRepr
from sundog.texts import short_number
from sundog.urls.identity import identity

NO_TEXTS = np.empty(0, np.int32)
ARGUMENTS = (
    "policy",
    "budget",
    "seed",
    "source",
    "truth",
    "propensities",
    "head_requests",
    "normalise",
    "shares_learning",
    "tracks_left",
)
FILE_BEGIN = b"sundog session "  # then the version, for another one may keep other things


class CrawlSession(ShortRepr):
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

    def __init__(
        self,
        *,
        policy: AnyPolicy = DEFAULT,
        budget: int,
        seed: int = 0,
        source: Source | None = None,
        truth: Any = None,
        propensities: bool = True,
        head_requests: bool = False,
        normalise: bool = True,
        shares_learning: bool = False,
        tracks_left: bool = False,
        **parameters: Unpack[PolicyParameters],
    ) -> None:
        """``truth`` gives the reward of every candidate of a static source; only oracles look at it.

        Without ``propensities``, those of policies that sample are nan; they take longer than the choice.
        ``head_requests``: whoever drives it can make HEAD requests, and asks ``wants_head`` of every decision.
        Without ``normalise``, URLs are taken as they are: for names of nodes that are no pages of the Web.
        ``shares_learning``: it is a shard of a crawl, which calls ``learned`` and ``take_in_learning``.
        ``tracks_left``: ``left`` can say how many wanted pages were not fetched; it takes a few µs a page.
        """
        given: dict[str, Any] = dict(parameters)
        if "looks" in given:
            warn("CrawlSession(looks=…) is called head_requests=… now", DeprecationWarning, stacklevel=2)
            head_requests = given.pop("looks")
        self.policy = find_policy(policy)
        check_parameters(given, [self.policy], ARGUMENTS)
        self.policy.check_foresight(truth)
        values = self.policy.read(given)
        self.budget = _checked_budget(budget)
        self.normalise = normalise
        self.fetched, self.relevant, self.reward, self.in_flight = 0, 0, 0.0, 0
        self.revisited = 0  # visits of pages that were done already; they cost as much as others
        self._revisiting: set[int] = set()
        self.source: Source = Catalog() if source is None else source
        self._reads_groups = self.policy.compares_siblings(values)
        setup = Setup(self.source, budget, seed, truth, propensities, head_requests)
        self.chooser = self.policy.new_chooser(values, setup)
        if shares_learning:
            self._share_learning()
        self._sleepers = Sleepers()
        self._record = CrawlRecord() if tracks_left else None

    def _shown(self) -> dict[str, Any]:
        names = ("budget", "fetched", "relevant", "queued", "in_flight")
        return {"policy": self.policy.name, **{name: getattr(self, name) for name in names}}

    # -- what is known -------------------------------------------------------------------------

    @property
    def queued(self) -> int:
        """Candidates that wait to be chosen."""
        return self.chooser.queued

    @property
    def asleep(self) -> int:
        """Hosts that sleep."""
        return len(self._sleepers)

    @property
    def asleep_for_good(self) -> list[int]:
        """Hosts that sleep until the next ``rest``."""
        return self._sleepers.for_good

    @property
    def asleep_for_a_time(self) -> list[tuple[int, float]]:
        """Hosts that sleep, and until when; without those that sleep until the next ``rest``."""
        return self._sleepers.for_a_time

    def asleep_until(self, host_id: int) -> float | None:
        """None if the host is awake; infinite if it sleeps until the next ``rest``."""
        return self._sleepers.until(host_id)

    @property
    def hosts_found(self) -> int:
        return self.chooser.hosts_found

    @property
    def model(self) -> Model | None:
        """What the policy's classifier has learned, if it has one; its arrays change with every outcome."""
        return self.chooser.model

    @property
    def moves(self) -> int:
        """If it has grown, a call of ``next_decision`` that gave none has changed what later ones give."""
        return self.chooser.moves

    @property
    def spent(self) -> float:
        """Of the budget, on other things than fetches: HEAD requests."""
        return self.chooser.spent

    @property
    def used(self) -> float:
        """Of the budget, on whatever has ended."""
        return self.fetched + self.revisited + self.spent

    def host_queues(self, most: int) -> list[tuple[str, int, float | None]]:
        """Host, pages that wait, until when it sleeps (as ``asleep_until``); the best hosts first.

        Empty if the policy does not keep pages by host.
        """
        return [
            (self.source.host_name(host), queued, self.asleep_until(host))
            for host, queued in self.chooser.longest_queues(most)
        ]

    def candidate(self, url: str) -> int | None:
        """The id of a page that was found, whether it waits or not; None if it was not found."""
        name = identity(url) if self.normalise and isinstance(self.source, Catalog) else url
        found = self.source.find(name) if name else -1
        return None if found < 0 or self.chooser.state_of(found) == UNKNOWN else found

    def estimate(self, candidates: Any) -> Any:
        """The estimator's present scores of candidates, by id; changes nothing."""
        return self.chooser.estimate(candidates)

    def worth(self, host_id: int) -> float:
        """What the best waiting page of a visited host is worth, asleep or not; compare with ``Decision.score``.

        nan if the policy's scores are no worths.
        """
        return self.chooser.worth(host_id)

    def outlook(self) -> Outlook:
        """What waits, asleep or not, and what it is worth; a matter of milliseconds, and changes nothing."""
        return self.chooser.outlook()

    def left(self) -> LeftByHost:
        """How many wanted pages were not fetched. It looks at every known page, and changes nothing."""
        if self._record is None:
            raise SundogError("CrawlSession(tracks_left=True) is needed to say how much is left")
        return left_by_host(self._record, self.chooser, self.source)

    def is_waiting(self, candidate: int) -> bool:
        """Whether it is in the frontier, neither leased nor done."""
        return self.chooser.state_of(candidate) == QUEUED

    def may_be_chosen(self, candidate: int) -> bool:
        """Whether it waits, and its host is awake."""
        return self.is_waiting(candidate) and self._host_of(candidate) not in self._sleepers

    def explain(self, candidate: int) -> Decision:
        """What the policy thinks of a page that waits, as parts of a decision that is not made."""
        self._check(candidate, QUEUED, "does not wait in the frontier")
        self.chooser.explain(candidate)
        return self._decision(candidate)

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
                self.chooser.set_asleep(host, False)
        if self.used + self.in_flight >= self.budget:
            return Wait(None) if self.in_flight else Finished(BUDGET_SPENT)
        candidate = self.chooser.choose()
        if candidate < 0:
            return self._nothing_ready()
        self.in_flight += 1
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
        if self._record is not None:
            self._record.fetched(candidate, reward > 0, batch.targets, self.source.size)
        self.in_flight -= 1
        self.fetched += 1
        self.relevant += reward > 0
        self.reward += reward
        return Step(decision, outcome, reward > 0, discovered)

    def give_back(self, decision: Decision) -> None:
        """Undo a lease, as if the decision had not been made; costs no budget."""
        if decision.candidate in self._revisiting:
            self._revisiting.remove(decision.candidate)
            self.in_flight -= 1
            return
        self._check(decision.candidate, LEASED, "is not leased: it was observed or given back already")
        self.in_flight -= 1
        self.chooser.give_back(decision.candidate)

    def wants_head(self, decision: Decision) -> bool:
        """Whether the policy wants to know the content type before it decides; then call ``observe_head``.

        A page that is fetched all the same may be observed as any other.
        """
        return self.chooser.wants_head(decision.candidate)

    def observe_head(self, decision: Decision, result: HeadResult) -> None:
        """End a decision with the result of a HEAD request; it costs its share, and the candidate waits again."""
        self._check(decision.candidate, LEASED, "is not leased: it was observed or given back already")
        self.chooser.observe_head(decision.candidate, result)
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
        self.chooser.set_asleep(host_id, True)

    def lease(self, candidate: int) -> Decision:
        """Lease a page that waits and that somebody else has chosen, such as the crawl that this one resumes."""
        self._check(candidate, QUEUED, "does not wait in the frontier: it cannot be leased")
        self.chooser.lease(candidate, counts=True)
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

    def extend(self, budget: int, *, horizon: int | None = None) -> None:
        """Set another budget, as one does for a crawl that goes on.

        A shard's budget is what it may spend now. With ``horizon`` it plans for more: for all that it would spend
        if the rest of the whole crawl's budget were its own.
        """
        self.budget = _checked_budget(budget)
        self.chooser.extend(self.budget if horizon is None else _checked_budget(horizon))

    def adopt(self, candidate: int, reward: float, links: Sequence[Link] | LinkBatch) -> None:
        """Take in a page that was crawled before this session began: it costs no budget."""
        self._check_reward(candidate, reward)
        batch = self._batch(links)
        self.chooser.lease(candidate, counts=False)
        self.chooser.take_in(candidate, reward, batch)
        if self._record is not None:
            self._record.fetched(candidate, reward > 0, batch.targets, self.source.size)

    # -- one of several shards ---------------------------------------------------------------------

    def take_in_links(self, parent: str | int, relevant: bool, links: Sequence[Link] | LinkBatch) -> int:
        """Offer links of a page that another shard has fetched; returns how many are new.

        ``parent`` is its URL, or of a static source its id. It is known from now on, and will not be chosen here.
        """
        if isinstance(parent, str):
            parent = int(self.intern([Link(self._seed(parent))]).targets[0])
        batch = self._batch(links)
        if self._record is not None:
            self._record.found(batch.targets, self.source.size)
        return self.chooser.offer_from_elsewhere(parent, relevant, batch)

    def learned(self) -> Learned:
        """What this shard has learned by itself; ``learned().since(before)`` is what others do not know yet."""
        return self.chooser.learned()

    def take_in_learning(self, delta: LearningDelta) -> None:
        """Learn what other shards have learned, each delta once. The same calls in the same order have the same
        effect, to the last bit."""
        self.chooser.take_in_learning(delta)

    def _share_learning(self) -> None:
        try:
            self.chooser.share_learning()
        except UsageError as error:
            raise UsageError(f"policy '{self.policy.name}' cannot share what it learns: {error}") from None

    def intern(self, links: Sequence[Link]) -> LinkBatch:
        """The links with the ids of their strings, new ones added to the catalog; nothing is offered yet.

        Their URLs are taken as they are: engines that call this have one name for each page already.
        """
        if not isinstance(self.source, Catalog):
            raise SundogError("a session over a static world takes its links as a LinkBatch of page ids")
        is_scored = self.policy.reads_link_scores or any(link.score for link in links)
        scores = np.array([link.score for link in links], float) if is_scored else ()
        groups = np.array([link.group for link in links], np.int32) if self._reads_groups else ()
        targets = self.source.add([link.url for link in links])
        anchors = self.source.text_ids([link.anchor for link in links])
        paths = self.source.text_ids([link.tag_path or link.property for link in links])
        self.chooser.grow()
        return LinkBatch(targets, anchors, paths, scores, groups)

    # -- to a file and back --------------------------------------------------------------------

    def save(self, path: Path | str) -> None:
        """Write it to a file: what it found, what it learned, what is leased. The file is whole or absent."""
        with complete_or_absent(Path(path)) as temporary, temporary.open("wb") as file:
            file.write(_first_line())
            pickle.dump(self, file, protocol=5)

    @classmethod
    def load(cls, path: Path | str) -> CrawlSession:
        """A session as it was saved, which goes on as it would have.

        A file can make Python run what it says: load only those that you or your programs have saved.
        """
        try:
            with open(path, "rb") as file:
                first = file.readline(100)
                if first != _first_line():
                    raise SundogError(_not_ours(path, first))
                session = pickle.load(file)
        except OSError as error:
            raise unreadable(path, error) from None
        except (pickle.UnpicklingError, EOFError, AttributeError, ImportError, ValueError, TypeError) as error:
            raise SundogError(f"{path} cannot be loaded as a session: {error}") from error
        if not isinstance(session, cls):
            raise SundogError(f"{path} cannot be loaded as a session: it holds something else")
        return session

    def __getstate__(self) -> dict[str, Any]:
        by_name = POLICIES.get(self.policy.name) is self.policy
        return {**vars(self), "policy": self.policy.name if by_name else self.policy}

    def __setstate__(self, saved: dict[str, Any]) -> None:
        vars(self).update(saved, policy=find_policy(saved["policy"]))
        self.chooser.restored()

    # -- internals -----------------------------------------------------------------------------

    def _seed(self, url: str) -> str:
        name = None
        if isinstance(url, str):
            name = identity(url) if self.normalise else url
        if name is None:
            raise UsageError(f"the seed {url!r:.200} is no URL of the Web, such as https://a.example/")
        return name

    def _batch(self, links: Sequence[Link] | LinkBatch) -> LinkBatch:
        if isinstance(links, LinkBatch):
            return links
        links = _checked_links(links)
        if self.normalise:
            links = [link._replace(url=name) for link in links if (name := identity(link.url))]
        return self.intern(links)

    def _offer(self, parent: int, links: LinkBatch) -> int:
        """Links that no fetch has brought."""
        if self._record is not None:
            self._record.found(links.targets, self.source.size)
        return self.chooser.offer(parent, links)

    def _decision(self, candidate: int) -> Decision:
        return Decision._make((candidate, self._host_of(candidate), *self.chooser.parts.tolist(), self.source))

    def _host_of(self, candidate: int) -> int:
        return int(self.source.facts.host.item(candidate))

    def _check(self, candidate: int, state: int, complaint: str) -> None:
        if self.chooser.state_of(candidate) != state:
            raise SundogError(f"{self.source.url(candidate)} {complaint}")

    def _check_reward(self, candidate: int, reward: float) -> None:
        if not 0 <= reward < math.inf:
            url = self.source.url(candidate)
            raise SundogError(f"a reward of {reward} for {url}: rewards are numbers from 0 on")

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


@cache
def _first_line() -> bytes:
    return FILE_BEGIN + version("sundog").encode() + b"\n"


def _not_ours(path: Path | str, first: bytes) -> str:
    if not first.startswith(FILE_BEGIN):
        return f"{path} is no saved session"
    saved, own = (
        line.removeprefix(FILE_BEGIN).strip().decode("ascii", "replace") for line in (first, _first_line())
    )
    return f"{path} was saved by Sundog {saved}, and this is {own}: load it with that one, or replay its outcomes"


def _checked_budget(budget: int) -> int:
    if not isinstance(budget, int | np.integer):
        raise UsageError(f"budget={budget!r}: a whole number of fetches is expected")
    if not 0 <= budget <= LARGEST_NUMBER:
        raise UsageError(f"budget={short_number(budget)}: from 0 to {LARGEST_NUMBER:g} fetches are expected")
    return budget


def _checked_links(links: Sequence[Link]) -> list[Link]:
    """All of them, before anything is made of the first one."""
    listed = list(links)
    if not all(isinstance(link, Link) for link in listed):
        raise UsageError("links are expected as a list of Link, such as [Link('https://a.example/')]")
    for link in listed:
        for text in (link.url, link.anchor, link.tag_path, link.property):
            if not isinstance(text, str):
                raise UsageError(f"a link has {text!r} where a text is expected")
    return listed
