"""What happens in a crawl, as values: the calls made to a session, in their order.

Candidates and texts are named by the dense ids that the session's catalog gave them. Times are Unix
seconds, as the engine's clock said. Arrays of ids are int32.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np

from sundog.model import Decision, Failed, Fetched, LinkBatch, Outcome, Refused, Sight

SYNTAXES = ("jsonld", "microdata", "rdfa", "microformats", "opengraph", "rdf")
Kind = Literal["fetched", "failed", "refused"]
Triple = tuple[str, ...]  # N-Quads terms: subject, predicate, object; a fourth one, a graph, is not kept


def no_links() -> LinkBatch:
    nothing = np.empty(0, np.int32)
    return LinkBatch(nothing, nothing, nothing)


class Seeded(NamedTuple):
    """These candidates were offered as seeds."""

    candidates: Any


class Decided(NamedTuple):
    """This candidate was chosen; why is said by the same numbers as in ``Decision``."""

    candidate: int
    now: float
    score: float
    estimate: float
    classifier_part: float
    host_part: float
    group_part: float
    exploration: float
    propensity: float

    @classmethod
    def of(cls, decision: Decision, now: float) -> Decided:
        return cls(decision.candidate, now, *decision[2:9])


class PageRecord(NamedTuple):
    """What is worth knowing of an attempt besides what the session learns from it."""

    status: int | None = None
    trouble: str | None = None  # the kind of failure, such as "timeout"
    final_url: str | None = None  # where redirects ended
    hops: Sequence[str] = ()  # what redirects led to before that
    content_type: str | None = None
    size: int | None = None  # bytes of the body
    seconds: float | None = None  # from the request to the last byte
    content_hash: bytes | None = None
    names: Sequence[bytes] = ()  # other keys by which the page is known from now on
    duplicate_of: int | None = None  # the candidate that had the same content before
    counts: Mapping[str, int] = {}  # statements by syntax
    types: Sequence[str] = ()
    faults: Sequence[tuple[str, str]] = ()  # (syntax, reason): what went wrong in the extraction


class Finds(NamedTuple):
    """What patterns found on a page. ``followed``: the targets of link patterns, by candidate."""

    items: Mapping[str, Sequence[Mapping[str, Any]]] = {}
    followed: Mapping[str, Sequence[int]] = {}
    stops: Sequence[str] = ()

    def __bool__(self) -> bool:
        return bool(self.items or self.followed or self.stops)

    def with_targets(self, targets: Sequence[int]) -> Finds:
        """Candidates in place of the places that they have among the page's links."""
        return self._replace(
            followed={name: [targets[place] for place in places] for name, places in self.followed.items()}
        )


class Observed(NamedTuple):
    """The outcome of a decision. ``record`` is None on replay: a session needs it not."""

    candidate: int
    now: float
    kind: Kind
    reward: float = 0.0
    reason: str = ""
    links: LinkBatch = no_links()
    record: PageRecord | None = None
    same_as: int | None = None  # of one that failed because it leads to what this candidate has brought

    @property
    def outcome(self) -> Outcome:
        """What ``CrawlSession.observe`` takes."""
        if self.kind == "fetched":
            return Fetched(self.reward, self.links)
        return Failed(self.reason, self.same_as) if self.kind == "failed" else Refused(self.reason)


class Rested(NamedTuple):
    """A host, by the session's id of it, was put to sleep."""

    host: int
    until: float


class Waited(NamedTuple):
    """Nothing could be chosen, but the session has changed in looking for it."""

    now: float


class GivenBack(NamedTuple):
    """A decision was undone."""

    candidate: int


class Looked(NamedTuple):
    """A decision was to look: this is what a HEAD request told. The candidate waits again."""

    candidate: int
    now: float
    sight: Sight


class Budgeted(NamedTuple):
    """The crawl goes on with another budget."""

    budget: int


Event = Seeded | Decided | Observed | Rested | GivenBack | Looked | Waited | Budgeted
