"""What a session asks of whatever chooses among its candidates, and what a chooser is given."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, ClassVar, NamedTuple, Protocol

import numpy as np

from sundog.errors import SundogError, UsageError
from sundog.frontier.facts import Facts
from sundog.learn.model import Model
from sundog.learn.prior import Prior
from sundog.learn.sharing import Learned, LearningDelta
from sundog.model import HeadResult, LinkBatch, Outlook
from sundog.policies.static_crawl import Choices, StaticPages

# cells of ``Chooser.parts``: the numbers that explain a decision, in the order of its fields
SCORE, ESTIMATE, CLASSIFIER_PART, HOST_PART, GROUP_PART, EXPLORATION, PROPENSITY = range(7)
PARTS = 7


class ContentTypes(Protocol):
    """Candidate i has ``names[codes[i]]``; a negative code is that of a page that is not there."""

    @property
    def codes(self) -> Any: ...

    @property
    def names(self) -> tuple[str, ...]: ...


class Source(Protocol):
    """What is known of candidates: a growing catalog, or a static world."""

    @property
    def facts(self) -> Facts: ...

    @property
    def size(self) -> int: ...

    @property
    def hosts(self) -> int: ...

    def url(self, candidate: int) -> str: ...

    def host_name(self, host: int) -> str: ...

    def find(self, url: str) -> int:
        """The candidate of this URL; -1 if it is unknown."""

    @property
    def url_bytes(self) -> tuple[Any, Any]:
        """All URLs as bytes, and where each ends; read only. The same objects until they are replaced."""

    @property
    def text_bytes(self) -> tuple[Any, Any]:
        """The same of anchors, tag paths and properties."""

    def keep_tokens(self) -> None:
        """The facts have the paper's tokens of URLs from now on: they take memory, and few policies need them."""

    @property
    def content_types(self) -> ContentTypes | None:
        """What HEAD requests would find; None if the source does not know."""


class Setup(NamedTuple):
    """What a session gives its chooser."""

    source: Source
    budget: int
    seed: int = 0
    truth: Any = None  # the reward of every candidate of a static source, for oracles only
    propensities: bool = True  # those of policies that sample take longer than the choice
    head_requests: bool = False  # whoever drives the session can make them


class HostQueue(NamedTuple):
    host: int
    queued: int


class Chooser(ABC):
    """Candidates are ids of the source. Each is unknown, then queued; leased by ``choose``; at last done."""

    parts: Any  # float64[PARTS]: explains what was chosen or explained last
    # A candidate's state. An attribute, set anew when arrays are replaced: ``item`` of an array is quicker than
    # a method that indexes it.
    state_of: Callable[[int], int]
    model: Model | None = None  # what a classifier has learned, if there is one
    scores_are_worths = False  # whether those of decisions are rewards that can be expected
    # What a saved chooser leaves out: ``restored`` makes it anew.
    not_saved: ClassVar[frozenset[str]] = frozenset({"state_of"})

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name not in self.not_saved}

    def __setstate__(self, saved: dict[str, Any]) -> None:
        vars(self).update(saved)

    @abstractmethod
    def restored(self) -> None:
        """Whatever it holds was loaded: hand it to the kernels."""

    @property
    @abstractmethod
    def queued(self) -> int:
        """Candidates that wait."""

    @property
    @abstractmethod
    def hosts_found(self) -> int: ...

    @property
    def moves(self) -> int:
        """Grows when a call of ``choose`` without result has changed later ones."""
        return 0

    @property
    def spent(self) -> float:
        """Of the budget, on other things than fetches."""
        return 0.0

    @abstractmethod
    def grow(self) -> None:
        """The source has more candidates, hosts or texts than before."""

    @abstractmethod
    def choose(self) -> int:
        """Lease the next candidate; -1 if no host is ready."""

    @abstractmethod
    def lease(self, candidate: int, *, counts: bool) -> None:
        """Lease a given queued candidate; ``counts``: as one of the budget's fetches."""

    @abstractmethod
    def offer(self, parent: int, links: LinkBatch) -> int:
        """Make candidates of seeds (parent -1), or of links of a page; returns how many are new."""

    @abstractmethod
    def take_in(self, candidate: int, reward: float, links: LinkBatch) -> int:
        """Learn from a leased candidate's outcome and offer its links; returns how many are new."""

    @abstractmethod
    def drop(self, candidate: int) -> None:
        """End a lease without an outcome."""

    @abstractmethod
    def give_back(self, candidate: int) -> None:
        """Undo a lease."""

    @abstractmethod
    def set_asleep(self, host: int, asleep: bool) -> None: ...

    @abstractmethod
    def estimate(self, candidates: Any) -> Any:
        """The estimator's present scores of candidates; changes nothing."""

    def leads(self, candidate: int) -> list[tuple[int, float]]:
        """Where a queued page is expected to lead: a candidate like those that are new, and how many of them."""
        return []

    @abstractmethod
    def explain(self, candidate: int) -> None:
        """Fill ``parts`` for a queued candidate as if it were chosen now; changes nothing else."""

    # -- what not every chooser does -------------------------------------------------------------

    def extend(self, budget: int) -> None:  # noqa: B027 (most do not look at the budget)
        """There is another budget."""

    def worth(self, host: int) -> float:
        """What the best waiting page of a visited host is worth, asleep or not, on the scale of decisions' scores.

        nan if scores are no worths that could be compared.
        """
        return math.nan

    def outlook(self) -> Outlook:
        """What waits, asleep or not, and what it is worth."""
        pages = np.full(min(1, self.queued), self.queued)
        return Outlook(np.zeros(len(pages)), pages, pages, np.full(len(pages), np.inf))

    def chances(self, candidates: Any) -> Any:
        """The probabilities of relevance of candidates that wait, if it fetches those with the highest first.

        None if it has none, or does not go by them.
        """
        return None

    def share_learning(self) -> None:
        """Others will learn with it; called before anything is learned."""
        raise UsageError("keeps nothing that could be added up")

    def learned(self) -> Learned:
        """What it has learned by itself."""
        raise SundogError("this policy shares nothing")

    @property
    def shares_learning(self) -> bool:
        """Whether ``share_learning`` was called."""
        return False

    def learned_by_others(self) -> LearningDelta:
        """All that it has taken in from others."""
        raise SundogError("this policy shares nothing")

    def take_in_learning(self, delta: LearningDelta) -> None:
        """Learn what others have learned."""
        raise SundogError("this policy shares nothing")

    def begin_with(self, prior: Prior) -> None:
        """Weights of earlier crawls, before anything is offered."""
        raise UsageError("this policy cannot begin with what an earlier crawl has learned: sundog can")

    def offer_from_elsewhere(self, parent: int, relevant: bool, links: LinkBatch) -> int:
        """Offer links of a page that was fetched elsewhere; to policies that do not look at it they are seeds."""
        return self.offer(-1, links)

    def wants_head(self, candidate: int) -> bool:
        """Whether the candidate is leased for a HEAD request, not for a fetch."""
        return False

    def observe_head(self, candidate: int, result: HeadResult) -> None:
        """End the lease with the result of a HEAD request."""
        raise SundogError("this policy makes no HEAD requests")

    def take_in_near_miss(self, candidate: int, near: float, links: LinkBatch) -> int:
        """As ``take_in`` for a page that earned nothing, but came near (0 to 1); most take it as any other."""
        return self.take_in(candidate, 0.0, links)

    def charge(self, candidate: int, cost: float) -> None:  # noqa: B027 (to most, every fetch costs the same)
        """What the fetch of a candidate that is done has cost, in the unit of the budget."""

    def known_reward(self, candidate: int) -> float:
        """What is learned from a page if an earlier candidate, now done, brought the same one."""
        return 0.0

    def crawls_static(self) -> bool:
        """Whether ``crawl_static`` may be called instead of ``choose`` and ``take_in`` for each page."""
        return False

    def crawl_static(self, pages: StaticPages, choices: Choices, sums: Any, begin: int, end: int) -> int:
        """Take steps over a static world, from ``begin`` to at most ``end``; returns where it ended."""
        raise SundogError("this policy takes one step at a time")

    def longest_queues(self, most: int) -> list[HostQueue]:
        """Hosts whose queues are worth showing, the best first; none if candidates are not kept by host."""
        return []
