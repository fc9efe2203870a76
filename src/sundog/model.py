"""The values that travel through a crawl. They are immutable, and they know nothing of how they are used."""

from __future__ import annotations

import builtins
from collections.abc import Sequence
from typing import Any, Final, NamedTuple, Protocol

LARGEST_NUMBER = 1e15  # of settings and budgets: kernels have room for it, and as a float it is exact


class Around(Protocol):
    """The text on both sides of a link; pages find it when it is asked for."""

    @property
    def before(self) -> str: ...

    @property
    def after(self) -> str: ...


class Sides(NamedTuple):
    """Text on both sides that is known already."""

    before: str = ""
    after: str = ""


NOTHING_AROUND = Sides()


class Link(NamedTuple):
    """A link as found on a page; only the URL is always known.

    ``around`` has the text before and after it, ``rel`` is what the page says of the target (``next``,
    ``canonical``, ``refresh`` …), ``property`` the RDF property that leads to it, ``position`` its place among
    the page's links, ``score`` what the world knows of the link itself, such as how often a keyword is near it.
    ``group``: links of a page with the same number share that property and the term at its other end; 0: unknown.
    """

    url: str
    anchor: str = ""
    tag_path: str = ""
    around: Around = NOTHING_AROUND
    rel: str = ""
    property: str = ""
    position: int = 0
    nofollow: bool = False
    score: float = 0.0
    group: int = 0

    @builtins.property  # its own name is a field here
    def before(self) -> str:
        return self.around.before

    @builtins.property
    def after(self) -> str:
        return self.around.after


class Outlook(NamedTuple):
    """What waits in a frontier, the best first: about ``pages[i]`` pages are worth about ``worths[i]`` each.

    ``expected`` has also pages of that worth that are likely to be found there. Worths are on the scale of
    ``Decision.score``. If a policy's scores are no worths, all pages have the same. The worths of first visits are
    mostly hope and much alike; ``ranks`` say in which order the policy would make them.
    """

    worths: Any  # float64, falling
    pages: Any  # int64: as many as may be fetched before worths should be looked at again
    expected: Any  # int64
    ranks: Any  # float64: of hosts never visited, the highest first; infinite for pages of other hosts

    @property
    def total(self) -> int:
        return int(self.pages.sum())


class LinkBatch(NamedTuple):
    """Links whose strings have ids already, as static worlds give them: int32 arrays, empty if unknown.

    ``paths`` say how links lead to their targets: by tag paths, or by RDF properties where there is no document
    tree. ``scores`` are float64, or empty if links have none. ``groups``: see ``Link``.
    """

    targets: Any
    anchors: Any
    paths: Any
    scores: Any = ()
    groups: Any = ()

    def part(self, begin: int, end: int) -> LinkBatch:
        return LinkBatch(*[field[begin:end] for field in self])


class Fetched(NamedTuple):
    """The page came, was worth ``reward`` (relevant if above 0) and has these links.

    ``near``: how near a page that earned nothing came, from 0 to 1: with 12 statements, say, where 20 are wanted.
    """

    reward: float
    links: Sequence[Link] | LinkBatch = ()
    near: float = 0.0


class Failed(NamedTuple):
    """The fetch was made and brought no page. It cost budget; the host's record suffers for it.

    ``same_as`` is the candidate that has brought the page already, if the fetch ended where it led there.
    """

    reason: str
    same_as: int | None = None


class Refused(NamedTuple):
    """The fetch was not made: out of scope, forbidden by robots.txt, a private address. It costs nothing."""

    reason: str


Outcome = Fetched | Failed | Refused


# In the place of a syntax, among what went wrong with a page:
INTERNAL: Final = "internal"  # Sundog itself failed; also a kind of trouble
NOT_KEPT = "kept"  # why nothing of it was kept
INDEX_FAULT = "index"  # the store's index has refused the page's statements
PATTERN_FAULT = "pattern "  # and the name of the pattern that failed


class HeadResult(NamedTuple):
    """The result of a HEAD request: the content type, empty if none was named, None if the page is not there.

    ``refused``: its host does not answer such requests.
    """

    content_type: str | None
    refused: bool = False


class UrlSource(Protocol):
    """Whoever can turn a candidate's id back into its URL."""

    def url(self, candidate: int) -> str: ...

    def host_name(self, host: int) -> str: ...


class KnownPage(NamedTuple):
    """A source of one page: what a decision takes along when it leaves its session."""

    page_url: str
    page_host: str

    def url(self, candidate: int) -> str:
        return self.page_url

    def host_name(self, host: int) -> str:
        return self.page_host


class Decision(NamedTuple):
    """Fetch this next.

    ``estimate`` is the probability of relevance that the policy gives it, ``score`` what it was chosen
    by, ``propensity`` the probability with which the policy would have chosen it. It can be pickled and printed as
    the few values that it is; a copy may be observed like the original.
    """

    candidate: int
    host_id: int
    score: float
    estimate: float
    classifier_part: float
    host_part: float
    group_part: float
    exploration: float
    propensity: float
    source: UrlSource

    def __reduce__(self) -> tuple[Any, ...]:
        return Decision, (*self[:-1], KnownPage(self.url, self.host))

    def __repr__(self) -> str:
        return f"Decision(url={self.url!r}, score={self.score:.4g}, candidate={self.candidate})"

    @property
    def url(self) -> str:
        return self.source.url(self.candidate)

    @property
    def host(self) -> str:
        return self.source.host_name(self.host_id)

    @property
    def parts(self) -> dict[str, float]:
        """What the score was made of: why this URL?"""
        return {
            "classifier": self.classifier_part,
            "host": self.host_part,
            "group": self.group_part,
            "exploration": self.exploration,
        }


class Wait(NamedTuple):
    """Nothing may be fetched now. ``until`` is when a host awakes; None: not before feedback comes."""

    until: float | None


# Why a crawl has stopped; summaries of stored crawls have these words.
BUDGET_SPENT = "budget"
FRONTIER_EMPTY = "frontier empty"
TIME_IS_UP = "time"
BYTES_SPENT = "bytes"
INTERRUPTED = "interrupted"
HOSTS_RESTING = "hosts resting"  # for longer than the crawl has patience
LITTLE_LEFT = "little left"  # of the wanted pages, as the interval says
STOP_PATTERN = "stop pattern"  # and its name


class Finished(NamedTuple):
    """Nothing will be fetched any more: ``BUDGET_SPENT`` or ``FRONTIER_EMPTY``."""

    reason: str


class Step(NamedTuple):
    """What one observed outcome has changed: all that a store has to commit."""

    decision: Decision
    outcome: Outcome
    relevant: bool
    discovered: int
