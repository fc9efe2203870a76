"""What every live world answers (``World``), and what it makes of a fetch (``Observation``)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol, TypeVar

from sundog.engines.live.page_failures import StageError
from sundog.engines.live.pages.reading import Statements
from sundog.extract.page_signs import PageSigns
from sundog.fetch.values import Trouble
from sundog.model import Link, Outcome, Step
from sundog.store import Exchange, PageRecord, PatternFindings, RenderChoice

V = TypeVar("V")


class World(Protocol[V]):
    """How a candidate becomes an outcome, in two steps: a visit, of which many run at the same time, and the
    observation of what it brought, one at a time, in the order of arrival."""

    async def visit(self, url: str, candidate: int) -> V | Trouble | None:
        """Ask and read. None: it could not be made now, and is to be made again later."""
        ...

    def observe(self, url: str, visit: V, depth: int, candidate: int) -> Observation:
        """What it is worth and what is kept of it; ``depth`` is where the candidate was found."""
        ...

    def is_cached(self, name: str) -> bool:
        """Whether it can be visited without a request; ``name`` is the URL, with the mark of the visit."""
        ...

    def after_step(self, candidate: int, observation: Observation, step: Step) -> str:
        """The session has learned of it, and given ids to its links; returns why the crawl is to end, if it is."""
        ...

    def extra_links(self, origin: str, now: float) -> Sequence[Link]:
        """Candidates that no page brings; called when the first page of an origin is asked for."""
        ...

    @property
    def idle(self) -> int:
        """How many visits only wait until they may ask again; nobody has to wait for them."""
        ...

    @property
    def requests(self) -> int | None:
        """How many were made, if the budget is of them; None: it is of candidates, which the session counts."""
        ...

    @property
    def most_in_flight(self) -> float:
        """How many visits may be under way: more would bring more than the crawl is to have."""
        ...


class Observation(NamedTuple):
    """What the session learns of a fetch, and what the store keeps of it."""

    outcome: Outcome
    record: PageRecord
    statements: Statements | None = None
    answers: Sequence[Any] = ()
    types: Sequence[str] = ()
    findings: PatternFindings | None = None  # followed: places among the links
    exchange: Exchange | None = None
    render: RenderChoice | None = None  # whether it was rendered, and why
    redirect: str = ""  # where it led, if that is for another shard
    look: Callable[[], PageSigns] | None = None  # what kind of page came, for whoever has to know
    dates: Mapping[str, float] = {}  # by URL as links have it: when a list says that the page last changed
    led_to: str = ""  # where a redirect would have led that was not followed
    error: StageError | None = None  # of which the outcome is, or which it has survived
