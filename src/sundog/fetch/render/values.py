"""What rendering is limited by and waits for, and what comes of it: a ``Rendered`` or a ``RenderFailure``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from sundog.fetch.values import Page

FailureKind = Literal["browser", "crash", "memory", "timeout", "nodes", "document"]
FAILURES: dict[FailureKind, str] = {
    "browser": "the browser could not be started, or was lost",
    "crash": "the page crashed",
    "memory": "the page took more memory than it may",
    "timeout": "the page did not let itself be read in time",
    "nodes": "the page has more elements than it may",
    "document": "the browser did not take the page",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class RenderLimits:
    """The bounds of one rendered page."""

    requests: int = 60  # that may leave for it
    bytes: int = 15_000_000  # that these may bring, unpacked
    seconds: float = 15.0  # until its document is taken as it is; time in which it waits for hosts does not count
    longest: float = 60.0  # with that time
    nodes: int = 100_000  # elements of the document
    memory: int = 600_000_000  # bytes of the process that runs it
    document: int = 5_000_000  # characters of the document; what is longer is cut


@dataclass(frozen=True, kw_only=True, slots=True)
class RenderWait:
    """When a page is ready. ``click`` are names of buttons: each is clicked for as long as it is there, at most
    ``clicks`` times. ``scroll``: how often to the end of the page."""

    quiet: float = 0.3  # seconds without a request and without new elements
    selector: str = ""  # that must be there first
    scroll: int = 0
    click: tuple[str, ...] = ()
    clicks: int = 3


class Traffic(NamedTuple):
    """What a page's scripts asked for: what was sent, what it brought, and what was refused, by reason."""

    requests: int = 0
    bytes: int = 0
    refused: tuple[tuple[str, int], ...] = ()


class Rendered(NamedTuple):
    """``page`` is as the plain one, with the document's HTML as its body."""

    page: Page
    traffic: Traffic
    seconds: float
    moved_to: str = ""  # where a script wanted to go from there; it was not followed
    screenshot: bytes = b""


class RenderFailure(NamedTuple):
    """The plain page is not touched by it."""

    kind: FailureKind
    detail: str = ""
    traffic: Traffic = Traffic()
    seconds: float = 0.0

    def __str__(self) -> str:
        return f"{FAILURES[self.kind]}: {self.detail}" if self.detail else FAILURES[self.kind]
