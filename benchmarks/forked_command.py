"""``sundog`` commands in processes that are forked from one that has everything loaded: they start at once.

For benchmarks that start the command a thousand times. Each is a process of its own, and dies like any other.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from multiprocessing.context import ForkServerContext
from pathlib import Path

from sundog.cli import main
from sundog.engines.live.start import warm_up
from sundog.objectives import parse_objective
from sundog.spec import CrawlSpec

if __name__ != "__main__" and multiprocessing.current_process().name == "MainProcess":
    warm_up(CrawlSpec(seeds=("http://a.example/",)), parse_objective("any"))


def forks() -> ForkServerContext:
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__])
    return context


class ForkedCommand:
    """The part of ``subprocess.Popen`` that is needed to wait for it and to kill it."""

    def __init__(self, context: ForkServerContext, words: Sequence[str], errors: Path) -> None:
        self._process = context.Process(target=_run, args=(list(words), str(errors)))
        self._process.start()

    @property
    def returncode(self) -> int | None:
        return self._process.exitcode

    def poll(self) -> int | None:
        return self._process.exitcode

    def wait(self, timeout: float | None = None) -> int:
        self._process.join(timeout)
        if self._process.exitcode is None:
            raise subprocess.TimeoutExpired("sundog", timeout or 0.0)
        return self._process.exitcode

    def send_signal(self, sign: signal.Signals) -> None:
        if self._process.pid is not None and self._process.exitcode is None:
            os.kill(self._process.pid, sign)


def _run(words: list[str], errors: str) -> None:
    """In the new process."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    os.dup2(os.open(errors, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 2)
    signal.signal(signal.SIGINT, signal.default_int_handler)  # the fork server ignores it
    sys.argv = ["sundog", *words]
    main()
