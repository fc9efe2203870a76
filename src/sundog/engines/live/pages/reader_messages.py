"""What a crawl and a process that reads its pages tell each other.

Each message is a frame: a length, and a pickle. The first one to the process has the setup, and is answered by an
empty one. Each further one is a page, and is answered by what it says.
"""

from __future__ import annotations

import io
import pickle
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from sundog.engines.live.pages.reading import NO_CONTEXTS, PageContexts, Reading
from sundog.model import Link

if TYPE_CHECKING:
    from sundog.engines.live.patterns.reading import PatternTask
    from sundog.patterns.runner import Plan

LENGTH = 8  # bytes of the length before every pickle
_link = partial(tuple.__new__, Link)  # what its _make does, in half the time


class Setup(NamedTuple):
    """``read`` takes body, URL, content type and contexts; ``plan`` are patterns to apply as well."""

    read: Callable[[bytes, str, str, PageContexts], Reading]
    plan: Plan | None


class PageToRead(NamedTuple):
    """``seconds``: that it may take."""

    body: bytes
    url: str
    content_type: str
    task: PatternTask | None
    seconds: float
    contexts: PageContexts = NO_CONTEXTS


class Failure(NamedTuple):
    """An exception as texts: its name, what it says, and where it was raised."""

    name: str
    message: str
    trace: str


class Answer(NamedTuple):
    """``memory``: the most that the process has had, in bytes."""

    result: Reading | Failure
    memory: int


def with_plain_links(result: Reading) -> Reading:
    """For the way: a page has a hundred links, and each would be pickled and made again by functions in Python."""
    return result._replace(links=list(map(tuple, result.links)))  # type: ignore[arg-type]


def with_links(result: Reading) -> Reading:
    """As it was."""
    rows: Sequence[tuple[Any, ...]] = result.links
    if not set(map(len, rows)) <= {len(Link._fields)}:
        raise pickle.UnpicklingError("a link that is none")
    return result._replace(links=list(map(_link, rows)))


def framed(value: Any) -> bytes:
    message = pickle.dumps(value, protocol=5)
    return len(message).to_bytes(LENGTH, "big") + message


class _PlainValues(pickle.Unpickler):
    """Strangers' bytes may have taken hold of a process that reads: what it answers can only be values of ours."""

    def find_class(self, module: str, name: str) -> Any:
        found = super().find_class(module, name) if module.startswith("sundog.") else None
        if isinstance(found, type) and issubclass(found, tuple):
            return found
        raise pickle.UnpicklingError(f"{module}.{name} is no value of a page")


def plain_values(pickled: bytes) -> Any:
    return _PlainValues(io.BytesIO(pickled)).load()
