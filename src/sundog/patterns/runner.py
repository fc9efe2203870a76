"""Patterns, ready to be applied to one page after the other, in a process that can be ended."""

from __future__ import annotations

from types import TracebackType
from typing import Self

from sundog.patterns.values import Found, Subject
from sundog.spec.patterns import Patterns


class PatternRunner:
    """Use it as a context manager, or ``close`` it."""

    def __init__(self, patterns: Patterns) -> None:
        self.patterns = patterns

    def start(self) -> None:
        """Compile all patterns; raises UsageError with pattern, line and column if one cannot be."""
        raise NotImplementedError

    def apply(self, subject: Subject) -> Found:
        """Never raises for what a page or a query does: that is among the faults."""
        raise NotImplementedError

    def close(self) -> None:
        raise NotImplementedError

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
