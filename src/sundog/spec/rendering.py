"""The table ``[rendering]``: how pages are rendered, and what that may cost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from sundog.errors import UsageError

Render = Literal["never", "learned", "always"]


@dataclass(frozen=True, kw_only=True)
class Rendering:
    """Sizes are bytes, times seconds."""

    price: float | None = None  # of a rendered page, in fetches of the budget; none: it costs no budget
    budget: int | None = None  # pages that are rendered at most
    at_once: int = 2
    quiet: float = 0.3  # a page is ready when so long nothing was asked for, and no element has come
    selector: str = ""  # an element that must be there first
    scroll: int = 0  # times to the end of the page
    click: tuple[str, ...] = ()  # names of buttons, such as "Accept all" or "Load more"
    hosts: frozenset[str] = frozenset()  # from which scripts may come besides those of the scope; with those below
    seconds: float = 15.0  # of a page, without the time that it waits for hosts
    requests: int = 60  # of a page
    bytes: int = 15_000_000  # that these bring
    nodes: int = 100_000  # elements of a page
    memory: int = 600_000_000  # of the process that runs a page
    screenshots: bool = False  # keep a picture of each rendered page

    def check(self) -> None:
        for name in self.hosts:
            if "/" in name or not name.strip("."):
                raise UsageError(f"rendering.hosts: '{name}' is no host; write it as cdn.example.org")
