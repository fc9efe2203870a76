"""What shards and their coordinator tell each other: plain values, few and large."""

from __future__ import annotations

from importlib.metadata import version
from typing import Any, NamedTuple

from sundog.engines.live.progress import Snapshot

Row = tuple[int, int, str, str, str, float, int]  # step, depth, URL, anchor, tag path, score, group


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
    """What the coordinator wants of one incarnation of a shard; a lower lease gives back what is not spent."""

    number: int
    incarnation: str
    lease: int
    horizon: int = 0  # what the policy takes for its budget; 0: as before
    stop: str = ""  # why the crawl is over


class Report(NamedTuple):
    """A shard at one moment. What is named first is safe in its log."""

    incarnation: str
    order: int  # the last one that is committed
    lease: int  # committed
    is_running: bool = False
    spent: int = 0  # with what is in flight
    rest: str = ""  # why it has nothing to do; empty: it is at work
    received: int = 0  # links, since it was started
    sent: int = 0  # links that others have committed
    pending: int = 0  # links that others have not committed yet, or parcels that it has not
    worth: float = 0.0  # of the pages that it would fetch next
    snapshot: Snapshot | None = None
    no_seed: str = ""
    failure: str = ""  # one sentence
    summary: dict[str, Any] | None = None  # when it has ended
    node: str = ""
    pid: int = 0
