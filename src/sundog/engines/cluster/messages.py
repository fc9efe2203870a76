"""What shards and their coordinator tell each other: plain values, few and large."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.metadata import version
from typing import Any, NamedTuple

from sundog.completeness.left import LeftByHost
from sundog.engines.live.progress import Snapshot
from sundog.engines.live.rounds.round import RoundRequest
from sundog.learn.sharing import LearningDelta
from sundog.sharding import budget

SECONDS_A_ROUND = 1.0
CALLS_A_SECOND = 200  # that the coordinator makes
Row = tuple[int, int, str, str, str, float, int]  # step, depth, URL, anchor, tag path, score, group


def seconds_a_round(shards: int) -> float:
    """Between two reports of a shard: with many of them the coordinator's rounds are longer.

    >>> seconds_a_round(4), seconds_a_round(1_000)
    (1.0, 5.0)
    """
    return max(SECONDS_A_ROUND, shards / CALLS_A_SECOND)


def installed_version() -> str:
    """Of Sundog, where this runs."""
    return version("sundog")


class Setup(NamedTuple):
    """All that a shard needs to begin, or to go on after its process was lost."""

    number: int
    shards: int
    split: frozenset[str]
    directory: str  # of this shard, on whatever node it runs
    spec: str  # TOML
    files: dict[str, str]  # that the objective names
    round: RoundRequest | None = None  # that all shards make; None: they crawl


class Hello(NamedTuple):
    """Who an actor is. ``incarnation`` is another one after every restart."""

    version: str
    node: str
    pid: int
    incarnation: str


class Parcel(NamedTuple):
    """Links to the receiver's hosts that the sender found after step ``since``, up to step ``through``.

    ``rows`` are JSON; the answer to a parcel is the step up to which the receiver has committed what it got.
    """

    sender: int
    log: str  # the sender's: another one if its disk was lost, and its steps are counted from the beginning again
    since: int
    through: int
    rows: bytes


class Order(NamedTuple):
    """What the coordinator wants of one incarnation of a shard."""

    incarnation: str
    pool: int = 0  # of the budget: the one to obey
    grant: budget.Grant | None = None
    gives_back: bool = False  # what it has not spent
    horizon: int = 0  # what the policy takes for its budget; 0: as before
    stop: str = ""  # why the crawl is over


class Report(NamedTuple):
    """A shard at one moment. ``budget.lease`` is safe in its log. In a round, budgets count from its beginning."""

    incarnation: str
    budget: budget.Report
    log: str = ""  # its name; another one if its disk was lost
    is_running: bool = False
    rest: str = ""  # why it has nothing to do; empty: it is at work
    received: int = 0  # links, since it was started
    sent: int = 0  # links that others have committed
    pending: int = 0  # links that others have not committed yet, or parcels that it has not
    taught: int = 0  # how often it has taken in what others have learned
    snapshot: Snapshot | None = None
    left: LeftByHost | None = None  # how much is; None: nobody has looked so far
    items: Mapping[str, int] = {}  # by data pattern, also before it was resumed
    no_seed: str = ""
    failure: str = ""  # one sentence
    summary: dict[str, Any] | None = None  # when it has ended
    node: str = ""
    pid: int = 0
    version: str = ""  # of Sundog
    before: int = 0  # fetches that it had spent when the round began


class Lesson(NamedTuple):
    """What the others have learned, for a shard that has taken in ``version`` lessons so far.

    ``heard``: the number of its last statement that has come; 0: it is to tell all.
    """

    incarnation: str
    number: int
    heard: int
    version: int = 0
    delta: LearningDelta | None = None


class Statement(NamedTuple):
    """What a shard has learned, and committed, since its statement before; with ``taken`` it is all of it."""

    incarnation: str
    number: int
    own: LearningDelta
    version: int  # how many lessons it has taken in, and committed
    lesson: int  # the number of the last one that this incarnation has taken in
    taken: LearningDelta | None = None  # all that it has taken in from others
