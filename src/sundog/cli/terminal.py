"""Results on standard output, progress and messages on standard error, and Ctrl-C while kernels run."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager

import typer

from sundog.texts import escaped, printable

INTERRUPTED = 130  # as shells say it
SHOW_CURSOR = "\x1b[?25h"  # a progress bar has hidden it
SECONDS_BETWEEN_LINES = 5.0
_is_quiet = False  # by -q, which belongs to the process as its standard error does
PLAIN_WIDTH = 160  # where there is no terminal to ask


def print_table(columns: Sequence[str], rows: Sequence[Sequence[str]], *, numbers_from: int = 1) -> None:
    """A table on standard output; columns from ``numbers_from`` on are aligned to the right."""
    from rich import box
    from rich.console import Console
    from rich.table import Table

    console = Console() if sys.stdout.isatty() else Console(width=PLAIN_WIDTH)
    table = Table(box=box.SIMPLE, show_edge=False, pad_edge=False)
    for index, column in enumerate(columns):
        table.add_column(column, justify="right" if index >= numbers_from else "left", no_wrap=True)
    for row in rows:
        table.add_row(*row)
    console.print(table, markup=False)


def print_texts(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """A table of texts that strangers wrote: folded to a terminal's width, and whole elsewhere."""
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    shown = [[printable(text) for text in row] for row in rows]
    console = Console() if sys.stdout.isatty() else Console(width=_width_of([columns, *shown]))
    table = Table(box=box.SIMPLE, show_edge=False, pad_edge=False)
    for column in columns:
        table.add_column(Text(printable(column)), overflow="fold")
    for row in shown:
        table.add_row(*map(Text, row))
    console.print(table)


def _width_of(rows: Sequence[Sequence[str]]) -> int:
    from rich.cells import cell_len

    widest = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
    return max(PLAIN_WIDTH, sum(widest) + 3 * len(widest))


def print_list(lines: Mapping[str, str]) -> None:
    """A name and what it is on each line."""
    width = max(map(len, lines))
    for name, text in lines.items():
        typer.echo(f"{name:{width}}  {text}")


def print_data(text: str) -> None:
    """Data that strangers wrote: as it is for files and programs, and without commands to a terminal."""
    sys.stdout.write(escaped(text) if sys.stdout.isatty() else text)


def print_json(document: object) -> None:
    typer.echo(json.dumps(document, allow_nan=False))


@contextmanager
def keep_quiet(quiet: bool) -> Iterator[None]:
    """Within, no progress and no messages, if so wished: errors only."""
    global _is_quiet
    _is_quiet, earlier = quiet, _is_quiet
    try:
        yield
    finally:
        _is_quiet = earlier


def is_quiet() -> bool:
    return _is_quiet


def say(message: str) -> None:
    if not _is_quiet:
        print(message, file=sys.stderr, flush=True)


def say_if_kernels_must_be_compiled(work: str) -> None:
    from sundog._jit import COMPILING, kernels_are_compiled

    if not kernels_are_compiled(work):
        say(COMPILING)


@contextmanager
def progress_of(name: str) -> Iterator[Callable[[int, int], None]]:
    """A function to call with (done, total)."""
    if sys.stderr.isatty() and not _is_quiet:
        with _bar(name) as update:
            yield update
    else:
        yield _lines(name)


@contextmanager
def _bar(name: str) -> Iterator[Callable[[int, int], None]]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(name)
        yield lambda done, total: progress.update(task, completed=done, total=total)


def _lines(name: str) -> Callable[[int, int], None]:
    last = time.monotonic()

    def update(done: int, total: int) -> None:
        nonlocal last
        if time.monotonic() - last >= SECONDS_BETWEEN_LINES:
            last = time.monotonic()
            say(f"{name}: {done:,} of {total:,}")

    return update


@contextmanager
def ending_at_once() -> Iterator[None]:
    """Ctrl-C ends the process there and then: for work that keeps nothing before it is done.

    KeyboardInterrupt will not do: Numba crashes if it is raised while a kernel's answer becomes Python objects.
    """
    earlier = signal.signal(signal.SIGINT, _end)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, earlier)


def _end(number: int, frame: object) -> None:
    sys.stderr.write(f"{SHOW_CURSOR if sys.stderr.isatty() else ''}sundog: interrupted\n")
    sys.stderr.flush()
    os._exit(INTERRUPTED)
