"""Ctrl-C while kernels run."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager

INTERRUPTED = 130  # as shells say it
SHOW_CURSOR = "\x1b[?25h"  # a progress bar has hidden it


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
