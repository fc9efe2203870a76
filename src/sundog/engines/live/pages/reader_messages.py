"""What a crawl and a process that reads its pages tell each other.

Each message is a frame: a length, and a pickle. The first one to the process has the setup, and is answered by an
empty one. Each further one is a page, and is answered by what it says. Those two are plain tuples on the way: each
named one would be taken apart, looked up and put together by functions in Python.
"""

from __future__ import annotations

import io
import pickle
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from sundog.engines.live.pages.reading import NO_CONTEXTS, PageContexts, Reading
from sundog.extract.robot_tags import RobotTags
from sundog.model import Link

if TYPE_CHECKING:
    from sundog.engines.live.patterns.reading import PatternTask
    from sundog.patterns.runner import Plan

LENGTH = 8  # bytes of the length before every pickle
LINKS, TAGS = Reading._fields.index("links"), Reading._fields.index("tags")
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


CONTEXTS = PageToRead._fields.index("contexts")


class Failure(NamedTuple):
    """An exception as texts: its name, what it says, and where it was raised."""

    name: str
    message: str
    trace: str


class Answer(NamedTuple):
    """``memory``: the most that the process has had, in bytes."""

    result: Reading | Failure
    memory: int


def framed_page(page: PageToRead) -> bytes:
    plain = tuple(page) if page.contexts is not NO_CONTEXTS else page[:CONTEXTS]
    return framed(plain)


def framed_answer(answer: Answer) -> bytes:
    result, memory = answer
    if isinstance(result, Failure):
        return framed((memory, result))
    plain: list[Any] = list(result)
    plain[LINKS], plain[TAGS] = list(map(tuple, result.links)), tuple(result.tags)
    return framed((memory, *plain))


def unpacked_answer(pickled: bytes) -> Answer | None:
    """None: the process is ready. Raises UnpicklingError, or anything else, if it is no answer."""
    found = plain_values(pickled)
    if found is None:
        return None
    memory, *plain = found
    if len(plain) == 1 and isinstance(plain[0], Failure):
        return Answer(plain[0], memory)
    rows: Sequence[tuple[Any, ...]] = plain[LINKS]
    if not set(map(len, rows)) <= {len(Link._fields)}:
        raise pickle.UnpicklingError("a link that is none")
    plain[LINKS], plain[TAGS] = list(map(_link, rows)), RobotTags(*plain[TAGS])
    return Answer(Reading(*plain), memory)


def framed(value: Any) -> bytes:
    message = pickle.dumps(value, protocol=5)
    return len(message).to_bytes(LENGTH, "big") + message


_FOUND: dict[tuple[str, str], type[tuple[Any, ...]]] = {}  # as many as there are values


class _PlainValues(pickle.Unpickler):
    """Strangers' bytes may have taken hold of a process that reads: what it answers can only be values of ours."""

    def find_class(self, module: str, name: str) -> Any:
        """Looked up once."""
        known = _FOUND.get((module, name))
        if known is None:
            known = _FOUND[module, name] = self._find(module, name)
        return known

    def _find(self, module: str, name: str) -> Any:
        found = super().find_class(module, name) if module.startswith("sundog.") else None
        if isinstance(found, type) and issubclass(found, tuple):
            return found
        raise pickle.UnpicklingError(f"{module}.{name} is no value of a page")


def plain_values(pickled: bytes) -> Any:
    return _PlainValues(io.BytesIO(pickled)).load()
