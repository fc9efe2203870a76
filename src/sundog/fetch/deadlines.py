"""Deadlines of many requests with one timer, for a timer of its own would cost each more than its checks.

A request that is late is cancelled from within, as ``asyncio.timeout`` does it; that it ends a little
after its deadline, by at most a tick, harms nobody.
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
    """Looks at its requests every tick, while there are any."""

    def __init__(self, limits: Limits) -> None:
        shortest = min(limits.first_byte, limits.total)
        self._tick = min(max(shortest / TICKS, SHORTEST_TICK), LONGEST_TICK)
        self._loop = asyncio.get_running_loop()
        self.now = self._loop.time
        self._watched: set[Deadline] = set()
        self._timer: asyncio.TimerHandle | None = None

    def add(self, watched: Deadline) -> None:
        self._watched.add(watched)
        if self._timer is None:
            self._timer = self._loop.call_later(self._tick, self._look)

    def remove(self, watched: Deadline) -> None:
        self._watched.discard(watched)

    def _look(self) -> None:
        now = self.now()
        for watched in tuple(self._watched):
            if now >= watched.deadline:
                watched.expire()
        self._timer = self._loop.call_later(self._tick, self._look) if self._watched else None

    def close(self) -> None:
        if self._timer is not None:
            self._timer.cancel()


class Deadline:
    """A block of one task that ends with ``LateError`` soon after its ``deadline``, not later than ``end``."""

    __slots__ = ("_cancelling", "_expired", "_kind", "_task", "_watch", "deadline", "end", "now")

    def __init__(self, watch: DeadlineTimer, total: float) -> None:
        self._watch = watch
        self.now = watch.now
        self.end = self.deadline = self.now() + total
        self._kind: TroubleKind = "timeout-total"
        self._expired = False

    def set(self, deadline: float, kind: TroubleKind) -> None:
        """By then the next thing must have happened."""
        self.deadline = min(deadline, self.end)
        self._kind = kind

    def __enter__(self) -> Deadline:
        task = asyncio.current_task()
        assert task is not None
        self._task, self._cancelling = task, task.cancelling()
        self._watch.add(self)
        return self

    def expire(self) -> None:
        if not self._expired:
            self._expired = True
            self._task.cancel()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._watch.remove(self)
        # if somebody else has cancelled the task too, that goes on
        if self._expired and self._task.uncancel() <= self._cancelling and kind is asyncio.CancelledError:
            raise LateError("timeout-total" if self.deadline >= self.end else self._kind) from error
