"""A result pattern, run over a whole crawl in a process that can be ended."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sundog.errors import SundogError, UsageError
from sundog.sandbox.process import Sandbox, StoppedError

if TYPE_CHECKING:
    from sundog.spec.patterns import Patterns

PROGRAM = "sundog.patterns.result_child"
SECONDS = 120.0  # a result is made once


class ResultRunner:
    """For crawls whose result is a query. ``start`` raises UsageError if it cannot be compiled."""

    def __init__(self, patterns: Patterns) -> None:
        result = patterns.result
        setup = {"engine": result.engine, "find": result.find, "format": result.form}
        self._sandbox = Sandbox(PROGRAM, setup, seconds=SECONDS, memory=4 * patterns.memory * 1_000_000)

    def start(self) -> None:
        try:
            self._sandbox.start()
        except StoppedError as stopped:
            raise UsageError(f"patterns.result.find: {stopped}, on an empty crawl") from None

    def run(self, crawl: str) -> dict[str, Any]:
        """``text`` or ``records``; ``crawl`` is XML, or N-Quads for sparql."""
        try:
            answer: dict[str, Any] = self._sandbox.ask({}, crawl.encode())
        except StoppedError as stopped:
            raise SundogError(f"patterns.result.find: {stopped}") from None
        finally:
            self.close()
        return answer

    def close(self) -> None:
        self._sandbox.close()
