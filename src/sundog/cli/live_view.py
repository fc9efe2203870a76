"""Watching a live crawl: a picture on a terminal, a line every few seconds elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol, TextIO

from sundog.cli.progress import SECONDS_BETWEEN_LINES
from sundog.engines.snapshot import Snapshot

if TYPE_CHECKING:
    from rich.live import Live

SECONDS_BETWEEN_PICTURES = 0.25
Clock = Callable[[], float]


class View(Protocol):
    def update(self, snapshot: Snapshot) -> None:
        """Show this now, or with the next one if the last was shown a moment ago."""


class _Picture:
    """Draws itself anew in place."""

    def __init__(self, live: Live, clock: Clock) -> None:
        self._live, self._clock = live, clock
        self._drawn = float("-inf")

    def update(self, snapshot: Snapshot) -> None:
        from sundog.cli.live_panel import Panel

        now = self._clock()
        if now - self._drawn >= SECONDS_BETWEEN_PICTURES:
            self._drawn = now
            self._live.update(Panel(snapshot), refresh=True)


class _Lines:
    """Prints a line now and then; what is going on and warnings at once, and once."""

    def __init__(self, stream: TextIO, clock: Clock) -> None:
        self._stream, self._clock = stream, clock
        self._printed = clock()
        self._stage = self._warning = ""

    def update(self, snapshot: Snapshot) -> None:
        if snapshot.stage != self._stage:
            self._stage = snapshot.stage
            self._say(snapshot.stage)
        if snapshot.warning != self._warning:
            self._warning = snapshot.warning
            self._say(snapshot.warning)
        if self._clock() - self._printed >= SECONDS_BETWEEN_LINES:
            self._printed = self._clock()
            self._say(line_of(snapshot))

    def _say(self, text: str) -> None:
        from sundog.cli.tables import on_one_line

        if text:
            print(on_one_line(text), file=self._stream, flush=True)


def line_of(snapshot: Snapshot) -> str:
    from sundog.cli.live_panel import budget_line, found_line, pairs

    failed = sum(count for _, count in pairs(snapshot.troubles))
    recent = f" ({snapshot.recent_rate:.1%} of the last {snapshot.recent_fetched:,})"
    harvest = f"{snapshot.harvest_rate:.1%} relevant{recent if snapshot.recent_fetched else ''}"
    parts = [budget_line(snapshot), harvest, found_line(snapshot)]
    return " · ".join([*parts, f"{failed:,} failed"] if failed else parts)


@contextmanager
def live_view(stream: TextIO | None = None, *, clock: Clock = time.monotonic) -> Iterator[View]:
    """``view.update(snapshot)`` as often as you like: it draws at most a few times a second.

    While a picture is shown, what others print on standard error appears above it.
    """
    stream = stream or sys.stderr
    if not stream.isatty():
        yield _Lines(stream, clock)
        return
    from rich.console import Console
    from rich.live import Live

    console = Console(file=stream, highlight=False)
    if not console.is_interactive:  # a terminal that cannot move its cursor
        yield _Lines(stream, clock)
        return
    with Live(console=console, auto_refresh=False, transient=True, redirect_stdout=False) as live:
        yield _Picture(live, clock)
