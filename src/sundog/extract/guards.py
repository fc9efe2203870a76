"""Walls around hostile pages: a time box for each extractor, and triple terms that would crash the parser.

pyoxigraph overflows its stack on deeply nested ones. Honest files have none; others are found before they are
parsed. ``xml_danger`` does the same for XML.
"""

from __future__ import annotations

import gc
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter, thread_time
from typing import Final

SECONDS: Final = 2.0  # of an extractor, for a page of a megabyte or more
LEAST_SECONDS: Final = 1.0  # for a small one; less would be over on a machine that stood still for a moment
ALL_TOGETHER: Final = 1.5  # times that: what all extractors of a page may take
MAX_DEPTH: Final = 500
_TRIPLE_TERM = re.compile(rb"<<|>>")

Report = Callable[[str], None]  # takes what is wrong with a page, in one line


class GivenUpError(Exception):
    """An extractor ends before the page does; what it has found so far counts."""


class OutOfTimeError(GivenUpError):
    def __init__(self, seconds: float) -> None:
        super().__init__(f"stopped after {seconds:.2g} seconds")


def seconds_for(size: int) -> float:
    """Of an extractor, for so many bytes. Honest pages take a fiftieth of it.

    >>> seconds_for(20_000), seconds_for(800_000), seconds_for(5_000_000)
    (1.0, 1.6, 2.0)
    """
    return min(SECONDS, max(LEAST_SECONDS, SECONDS * size / 1_000_000))


class TimeBox:
    """Seconds of this thread's processor time: on a busy machine no page has less. To look at that takes long, so
    it is looked at when so much time has passed on the clock."""

    __slots__ = ("_cpu_ahead", "_cpu_end", "_end", "seconds")

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.restart()

    def restart(self) -> None:
        """For time that is not the extractor's own: the copy of the page serves all of them."""
        cpu, now = thread_time(), perf_counter()
        self._cpu_end = cpu + self.seconds
        self._end = now + self.seconds
        self._cpu_ahead = cpu - now  # of the clock; from now on it falls behind

    def part(self, seconds: float) -> TimeBox:
        """A box inside this one that begins now: with so many seconds, or what is left. It begins without a look
        at the processor time, which can only have passed more slowly than the clock."""
        now = perf_counter()
        cpu = now + self._cpu_ahead
        box = type(self).__new__(type(self))
        box._cpu_ahead = self._cpu_ahead
        box._cpu_end = min(cpu + seconds, self._cpu_end)
        box.seconds = max(0.0, box._cpu_end - cpu)
        box._end = now + box.seconds
        return box

    def check(self) -> None:
        if perf_counter() > self._end:
            self._look()

    def _look(self) -> None:
        left = self.left
        if left <= 0:
            raise OutOfTimeError(self.seconds)
        self._end = perf_counter() + left

    @property
    def left(self) -> float:
        return self._cpu_end - thread_time()


@contextmanager
def no_garbage_collection() -> Iterator[None]:
    """Thousands of new objects and no garbage among them: looking for some would take a fifth of the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def triple_term_danger(body: bytes) -> str:
    """Why this Turtle, or a relative of it, is not parsed; '' if it may be."""
    return TripleTermGuard().danger(body) if body.count(b"<<") > MAX_DEPTH else ""


class TripleTermGuard:
    """The same for a file that comes in pieces.

    >>> guard = TripleTermGuard()
    >>> guard.danger(b"<<" * 500 + b"<"), guard.danger(b"<")
    ('', 'nested more than 500 deep')
    """

    def __init__(self) -> None:
        self._depth = 0
        self._last = b""

    def danger(self, piece: bytes) -> str:
        """Why no more of it is parsed; '' while it may be."""
        text = self._last + piece if self._last else piece
        self._last = b""
        if b"<<" not in text and not self._depth:
            self._last = b"<" if text.endswith(b"<") else b""
            return ""
        depth, end = self._depth, 0
        for mark in _TRIPLE_TERM.finditer(text):
            depth = depth + 1 if mark[0] == b"<<" else max(0, depth - 1)
            end = mark.end()
            if depth > MAX_DEPTH:
                return f"nested more than {MAX_DEPTH} deep"
        self._depth = depth
        if text[end:].endswith((b"<", b">")):  # half a mark: the next piece has the rest
            self._last = text[-1:]
        return ""
