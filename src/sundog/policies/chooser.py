"""What a session asks of whatever chooses among candidates, and what that asks of the session's source."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

from sundog.frontier.facts import Facts
from sundog.model import HeadResult, LinkBatch

PARTS = 7  # numbers that explain a decision: score, estimate, classifier, host, group, exploration, propensity


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

    @property
    def url_bytes(self) -> tuple[Any, Any]:
        """All URLs as bytes, and where each ends; read only. The same objects until they are replaced."""

    @property
    def text_bytes(self) -> tuple[Any, Any]:
        """The same of anchors, tag paths and properties."""

    @property
    def content_types(self) -> ContentTypes | None:
        """What HEAD requests would tell; None if nobody can be asked."""


class Chooser(Protocol):
    """Candidates are ids of the source. Each is unknown, then queued; leased by ``choose``; at last done."""

    @property
    def parts(self) -> Any:
        """The numbers that explain what was chosen or explained last."""

    @property
    def queued(self) -> int: ...

    @property
    def hosts_found(self) -> int: ...

    @property
    def spent(self) -> float:
        """Of the budget, on other things than fetches."""

    def grow(self) -> None:
        """The source has more candidates, hosts or texts than before."""

    def state_of(self, candidate: int) -> int: ...

    def choose(self) -> int:
        """Lease the next candidate; -1 if no host is ready."""

    def lease(self, candidate: int, *, counts: bool) -> None:
        """Lease a given queued candidate; ``counts``: as one of the budget's fetches."""

    def offer(self, parent: int, links: LinkBatch) -> int:
        """Make candidates of seeds (parent -1), or of links of a page; returns how many are new."""

    def take_in(self, candidate: int, reward: float, links: LinkBatch) -> int:
        """Learn from a leased candidate's outcome and offer its links; returns how many are new."""

    def drop(self, candidate: int) -> None:
        """End a lease without an outcome."""

    def give_back(self, candidate: int) -> None:
        """Undo a lease."""

    def set_asleep(self, host: int, asleep: bool) -> None: ...

    def extend(self, budget: int) -> None: ...

    def estimate(self, candidates: Any) -> Any:
        """The estimator's present word on candidates; changes nothing."""

    def worth(self, host: int) -> float:
        """What the best waiting page of a visited host is worth, asleep or not, on the scale of decisions' scores.

        nan if scores are no worths that could be compared.
        """

    def explain(self, candidate: int) -> None:
        """Fill ``parts`` for a queued candidate as if it were chosen now; changes nothing else."""


@runtime_checkable
class Looker(Protocol):
    """A chooser that may want a candidate's content type before it decides."""

    def wants_head(self, candidate: int) -> bool:
        """Whether the candidate is leased for a look, not for a fetch."""
        ...

    def observe_head(self, candidate: int, result: HeadResult) -> None:
        """End the lease with what was told."""


@runtime_checkable
class Recogniser(Protocol):
    """A chooser that asks where candidates lead, whether or not another one has led there before."""

    def known_reward(self, candidate: int) -> float:
        """What a candidate that is done has taught."""
        ...
