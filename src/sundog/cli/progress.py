"""Progress and messages on standard error: a bar on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

SECONDS_BETWEEN_LINES = 5.0


def say(message: str) -> None:
    print(message, file=sys.stderr, flush=True)


def say_if_kernels_must_be_compiled(work: str) -> None:
    from sundog._jit import kernels_are_compiled

    if not kernels_are_compiled(work):
        say("compiling kernels for this machine: once, some ten seconds …")


@contextmanager
def progress_of(name: str) -> Iterator[Callable[[int, int], None]]:
    """A function to call with (done, total)."""
    if sys.stderr.isatty():
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
