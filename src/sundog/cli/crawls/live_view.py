"""Watching a live crawl: a picture on a terminal, a line every few seconds elsewhere.

Both are made of a ``Snapshot`` alone. Names are strangers' texts: nothing in them is obeyed.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol, TextIO

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from sundog.cli.terminal import SECONDS_BETWEEN_LINES, is_quiet
from sundog.engines.live.progress import Snapshot, pairs
from sundog.texts import printable

if TYPE_CHECKING:
    from rich.live import Live
SIDE_BY_SIDE = 100  # columns from which the three tables stand beside each other
ROWS = 6  # of each table
MOST_SHARDS = 16
SECONDS_BETWEEN_PICTURES = 0.25
Clock = Callable[[], float]


class View(Protocol):
    def update(self, snapshot: Snapshot) -> None:
        """Show this now, or with the next one if the last was shown a moment ago."""


@contextmanager
def live_view(stream: TextIO | None = None, *, clock: Clock = time.monotonic) -> Iterator[View]:
    """``view.update(snapshot)`` as often as you like: it draws at most a few times a second.

    While a picture is shown, what others print on standard error appears above it.
    """
    if is_quiet():
        yield _Nothing()
        return
    stream = stream or sys.stderr
    if not stream.isatty():
        yield _Lines(stream, clock)
        return
    from rich.live import Live

    console = Console(file=stream, highlight=False)
    if not console.is_interactive:  # a terminal that cannot move its cursor
        yield _Lines(stream, clock)
        return
    with Live(console=console, auto_refresh=False, transient=True, redirect_stdout=False) as live:
        yield _Picture(live, clock)


class _Nothing:
    def update(self, snapshot: Snapshot) -> None:
        """Nobody looks."""


class _Picture:
    """Draws itself anew in place."""

    def __init__(self, live: Live, clock: Clock) -> None:
        self._live, self._clock = live, clock
        self._drawn = float("-inf")

    def update(self, snapshot: Snapshot) -> None:
        now = self._clock()
        if now - self._drawn >= SECONDS_BETWEEN_PICTURES:
            self._drawn = now
            self._live.update(LivePanel(snapshot), refresh=True)


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
        if text:
            print(printable(text), file=self._stream, flush=True)


def line_of(snapshot: Snapshot) -> str:
    failed = sum(count for _, count in pairs(snapshot.troubles))
    recent = f" ({snapshot.recent_rate:.1%} of the last {snapshot.recent_fetched:,})"
    harvest = f"{snapshot.harvest_rate:.1%} relevant{recent if snapshot.recent_fetched else ''}"
    left = [str(snapshot.left)] if snapshot.left is not None else []
    parts = [budget_line(snapshot), harvest, *left, found_line(snapshot)]
    return " · ".join([*parts, f"{failed:,} failed"] if failed else parts)


class LivePanel:
    """The picture of one snapshot, as wide as the terminal is when it is drawn."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        now, width = self.snapshot, options.max_width
        yield _beside([ProgressBar(total=max(1, now.budget), completed=now.spent, width=width)])
        yield Text(budget_line(now), style="bold")
        yield Text(harvest_line(now))
        yield Text(found_line(now), style="dim")
        if now.stage:
            yield Text(printable(now.stage), style="cyan")
        if now.warning:
            yield Text(printable(now.warning), style="yellow")
        if (shards := _shards(now)) is not None:
            yield Text("")
            yield shards
        tables = [table for table in (_hosts(now), _types(now), _troubles(now)) if table is not None]
        if tables:
            yield Text("")
            yield _beside(tables) if width >= SIDE_BY_SIDE else Group(*tables)


def budget_line(now: Snapshot) -> str:
    left = now.seconds_left
    nodes, fetched = ("", now.unit) if now.requests is None else (f" for {now.fetched:,} nodes", "nodes")
    spent = f"{now.spent:,} of {now.budget:,} {now.unit}{nodes}"
    parts = [spent, f"{speed(now)} {fetched}/s", duration(now.elapsed)]
    if left is not None and now.spent < now.budget:
        parts.append(f"about {duration(left)} left")
    return " · ".join(parts)


def harvest_line(now: Snapshot) -> str:
    parts = [f"{now.harvest_rate:.1%} relevant"]
    if now.recent_fetched:
        parts.append(f"{now.recent_rate:.1%} of the last {now.recent_fetched:,}")
    parts += [f"{now.relevant:,} relevant pages", f"reward {now.reward:,.6g}"]
    return " · ".join([*parts, str(now.left)] if now.left is not None else parts)


def found_line(now: Snapshot) -> str:
    asleep = f" ({now.asleep:,} asleep)" if now.asleep else ""
    parts = [
        f"{now.statements:,} statements",
        f"{now.queued:,} queued",
        f"{now.hosts_found:,} hosts{asleep}",
        f"{now.in_flight:,} in flight",
    ]
    counts = ((now.refused, "refused"), (now.internal, "internal errors"))
    return " · ".join([*parts, *(f"{count:,} {name}" for count, name in counts if count)])


def speed(now: Snapshot) -> str:
    return f"{now.pages_per_second:,.{0 if now.pages_per_second >= 100 else 1}f}"


def duration(seconds: float) -> str:
    """
    >>> duration(9.7), duration(3_725), duration(200_000)
    ('0:09', '1:02:05', '2 d 7 h')
    """
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours >= 48:
        return f"{hours // 24} d {hours % 24} h"
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def _shards(now: Snapshot) -> Table | None:
    """All of them: who watches a crawl in shards wants to know which one is behind."""
    columns = ("shard", "pages", "lease", "queued", "pages/s", "to send", "sent", "got", "lessons", "restarts")
    rows = [
        (
            f"{line.shard} {line.state}".strip(),
            *(f"{count:,}" for count in (line.fetched, line.lease, line.queued)),
            f"{line.pages_per_second:,.1f}",
            *(f"{count:,}" for count in (line.to_send, line.sent, line.received, line.lessons, line.restarts)),
        )
        for line in now.shards
    ]
    return _table(columns, rows, most=MOST_SHARDS)


def _hosts(now: Snapshot) -> Table | None:
    rows = [(line.host, f"{line.good:,}", f"{line.bad:,}") for line in now.hosts]
    return _table(("hosts", "good", "bad"), rows)


def _types(now: Snapshot) -> Table | None:
    from sundog.rdf.namespaces import shortened

    return _table(("types", "pages"), [(shortened(name), f"{count:,}") for name, count in pairs(now.types)])


def _troubles(now: Snapshot) -> Table | None:
    return _table(("troubles", "pages"), [(name, f"{count:,}") for name, count in pairs(now.troubles)])


def _table(columns: Sequence[str], rows: Sequence[Sequence[str]], most: int = ROWS) -> Table | None:
    """The first column gives way where there is too little room; numbers stay whole."""
    if not rows:
        return None
    table = Table(box=None, pad_edge=False, expand=True, header_style="dim")
    table.add_column(columns[0], ratio=1, no_wrap=True, overflow="ellipsis")
    for column in columns[1:]:
        table.add_column(column, justify="right", no_wrap=True, min_width=5)
    for name, *numbers in rows[:most]:
        table.add_row(Text(printable(name)), *numbers)
    return table


def _beside(tables: Iterable[RenderableType]) -> Table:
    found = list(tables)
    grid = Table.grid(expand=True, padding=(0, 3, 0, 0), pad_edge=False)
    for _ in found:
        grid.add_column(ratio=1)
    grid.add_row(*found)
    return grid
