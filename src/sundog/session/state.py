"""What a session is made of, and what can be asked of it without changing it."""

from __future__ import annotations

import math
from typing import Any, Unpack
from warnings import warn

import numpy as np

from sundog.completeness.left import LeftByHost, WaitingPages, left_by_host, waiting_pages
from sundog.completeness.record import CrawlRecord
from sundog.errors import SundogError, UsageError
from sundog.frontier.arrays import DONE, QUEUED, UNKNOWN
from sundog.frontier.catalog import Catalog
from sundog.frontier.sleepers import Sleepers
from sundog.learn.model import Model
from sundog.learn.prior import Prior
from sundog.model import LARGEST_NUMBER, Decision, Outlook
from sundog.policies import DEFAULT
from sundog.policies.chooser import Setup, Source
from sundog.policies.parameters import PolicyParameters, checked_explore_log
from sundog.policies.presets import POLICIES, AnyPolicy, check_parameters, find_policy
from sundog.session.exploring import Explorer
from sundog.short_repr import ShortRepr
from sundog.texts import short_number
from sundog.urls.identity import identity

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
    "explore_log",
)


class SessionState(ShortRepr):
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
        explore_log: float = 0.0,
        **parameters: Unpack[PolicyParameters],
    ) -> None:
        """``truth`` gives the reward of every candidate of a static source; only oracles look at it.

        Without ``propensities``, those of policies that sample are nan; they take longer than the choice.
        ``head_requests``: whoever drives it can make HEAD requests, and asks ``wants_head`` of every decision.
        Without ``normalise``, URLs are taken as they are: for names of nodes that are no pages of the Web.
        ``shares_learning``: it is a shard of a crawl, which calls ``learned`` and ``take_in_learning``.
        ``tracks_left``: ``left`` can say how many wanted pages were not fetched; it takes a few µs a page.
        ``explore_log``: the probability of a random page in place of the policy's choice, see ``exploring``.
        """
        given: dict[str, Any] = dict(parameters)
        if "looks" in given:
            warn("CrawlSession(looks=…) is called head_requests=… now", DeprecationWarning, stacklevel=2)
            head_requests = given.pop("looks")
        self.policy = find_policy(policy)
        check_parameters(given, [self.policy], ARGUMENTS)
        self.policy.check_foresight(truth)
        values = self.policy.read(given)
        self.budget = checked_budget(budget)
        self.normalise = normalise
        self.fetched, self.relevant, self.reward, self.in_flight = 0, 0, 0.0, 0
        self._spent = 0.0
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
        share = checked_explore_log(explore_log)
        self._explorer = Explorer(share, seed, self.source) if share > 0 else None

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
        """Of the budget, on other things than fetches: HEAD requests, and what ``spend`` was told."""
        return self.chooser.spent + self._spent

    def spend(self, fetches: float) -> None:
        """What is done besides fetching pages, such as rendering one, costs so much of the budget."""
        self._spent += fetches

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
        return left_by_host(self._kept_record(), self.chooser, self.source)

    def waiting_pages(self) -> WaitingPages:
        """How likely each page that waits is wanted. It looks at every known page, and changes nothing."""
        return waiting_pages(self._kept_record(), self.chooser, self.source)

    def _kept_record(self) -> CrawlRecord:
        if self._record is None:
            raise SundogError("CrawlSession(tracks_left=True) is needed to say how much is left")
        return self._record

    def begin_with(self, prior: Prior) -> None:
        """What earlier crawls have learned, before the first seed."""
        self.chooser.begin_with(prior)

    def is_waiting(self, candidate: int) -> bool:
        """Whether it is in the frontier, neither leased nor done."""
        return self.chooser.state_of(candidate) == QUEUED

    def is_done(self, candidate: int) -> bool:
        """Whether it was fetched, or never will be."""
        return self.chooser.state_of(candidate) == DONE

    def may_be_chosen(self, candidate: int) -> bool:
        """Whether it waits, and its host is awake."""
        return self.is_waiting(candidate) and self._host_of(candidate) not in self._sleepers

    def explain(self, candidate: int) -> Decision:
        """What the policy thinks of a page that waits, as parts of a decision that is not made."""
        self._check(candidate, QUEUED, "does not wait in the frontier")
        self.chooser.explain(candidate)
        return self._decision(candidate)

    def leads(self, candidate: int) -> list[tuple[str, float]]:
        """Where a page that waits is expected to lead: a URL like those that are new, and how many of them."""
        self._check(candidate, QUEUED, "does not wait in the frontier")
        return [(self.source.url(example), pages) for example, pages in self.chooser.leads(candidate)]

    # -- for a file, see ``saving`` ------------------------------------------------------------

    def __getstate__(self) -> dict[str, Any]:
        by_name = POLICIES.get(self.policy.name) is self.policy
        return {**vars(self), "policy": self.policy.name if by_name else self.policy}

    def __setstate__(self, saved: dict[str, Any]) -> None:
        vars(self).update(saved, policy=find_policy(saved["policy"]))
        self.chooser.restored()

    # -- internals -----------------------------------------------------------------------------

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

    def _share_learning(self) -> None:
        try:
            self.chooser.share_learning()
        except UsageError as error:
            raise UsageError(f"policy '{self.policy.name}' cannot share what it learns: {error}") from None


def checked_budget(budget: int) -> int:
    if not isinstance(budget, int | np.integer):
        raise UsageError(f"budget={budget!r}: a whole number of fetches is expected")
    if not 0 <= budget <= LARGEST_NUMBER:
        raise UsageError(f"budget={short_number(budget)}: from 0 to {LARGEST_NUMBER:g} fetches are expected")
    return budget
