"""Deadlines of many requests with one timer: a timer for each would cost more than all its checks.

A request that is late is cancelled as ``asyncio.timeout`` does it. It ends at most a tick after its deadline: that
does no harm.
"""

from __future__ import annotations

import asyncio
from types import TracebackType

from sundog.fetch.values import Limits, TroubleKind

LONGEST_TICK, SHORTEST_TICK = 0.5, 0.02
TICKS = 10  # in the shortest time that is allowed


class LateError(Exception):
    """A deadline has passed; ``kind`` is the trouble that this is."""

    def __init__(self, kind: TroubleKind, detail: str = "") -> None:
        super().__init__(detail)
        self.kind: TroubleKind = kind


class DeadlineTimer:
    """Checks its deadlines every tick, while there are any."""

    def __init__(self, limits: Limits) -> None:
        shortest = min(limits.first_byte, limits.total)
        self._tick = min(max(shortest / TICKS, SHORTEST_TICK), LONGEST_TICK)
        self._loop = asyncio.get_running_loop()
        self.now = self._loop.time
        self._deadlines: set[Deadline] = set()
        self._timer: asyncio.TimerHandle | None = None

    def add(self, deadline: Deadline) -> None:
        self._deadlines.add(deadline)
        if self._timer is None:
            self._timer = self._loop.call_later(self._tick, self._check_all)

    def remove(self, deadline: Deadline) -> None:
        self._deadlines.discard(deadline)

    def _check_all(self) -> None:
        now = self.now()
        for deadline in tuple(self._deadlines):
            if now >= deadline.at:
                deadline.expire()
        self._timer = self._loop.call_later(self._tick, self._check_all) if self._deadlines else None

    def close(self) -> None:
        if self._timer is not None:
            self._timer.cancel()


class Deadline:
    """A block of one task that ends with ``LateError`` soon after ``at``, not later than ``end``."""

    __slots__ = ("_cancelling", "_expired", "_kind", "_task", "_timer", "at", "end", "now")

    def __init__(self, timer: DeadlineTimer, total: float) -> None:
        self._timer = timer
        self.now = timer.now
        self.end = self.at = self.now() + total
        self._kind: TroubleKind = "timeout-total"
        self._expired = False

    def set(self, at: float, kind: TroubleKind) -> None:
        """By then the next thing must have happened."""
        self.at = min(at, self.end)
        self._kind = kind

    def __enter__(self) -> Deadline:
        task = asyncio.current_task()
        assert task is not None
        self._task, self._cancelling = task, task.cancelling()
        self._timer.add(self)
        return self

    def expire(self) -> None:
        if not self._expired:
            self._expired = True
            self._task.cancel()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._timer.remove(self)
        # if somebody else has cancelled the task too, that goes on
        if self._expired and self._task.uncancel() <= self._cancelling and kind is asyncio.CancelledError:
            raise LateError("timeout-total" if self.at >= self.end else self._kind) from error
