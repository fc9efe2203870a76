"""Time: a box that extractors ask now and then, to be stopped when theirs is over; and none for garbage."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter


class OutOfTimeError(Exception):
    """The extractor's time is over; what it has found so far counts."""


class TimeBox:
    __slots__ = ("_end", "seconds")

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.restart()

    def restart(self) -> None:
        """For time that is not the extractor's own: the copy of the page serves all of them."""
        self._end = perf_counter() + self.seconds

    def check(self) -> None:
        if perf_counter() > self._end:
            raise OutOfTimeError


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
