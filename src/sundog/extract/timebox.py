"""A time box: extractors ask it now and then, and are stopped when their time is over."""

from __future__ import annotations

from time import perf_counter


class OutOfTimeError(Exception):
    """The extractor's time is over; what it has found so far counts."""


class TimeBox:
    __slots__ = ("_end", "seconds")

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._end = perf_counter() + seconds

    def check(self) -> None:
        if perf_counter() > self._end:
            raise OutOfTimeError
