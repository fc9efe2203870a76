"""Other commands of ``sundog`` as processes: they take their time and memory, and the site stays quick."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from threading import BoundedSemaphore

from sundog.errors import SundogError
from sundog.web.errors import BusyError
from sundog.web.processes import COMMAND, NICENESS, environment


class Places:
    """So many at once; whoever finds none free is told so."""

    def __init__(self, count: int, what: str) -> None:
        self._free, self._what, self._count = BoundedSemaphore(count), what, count

    @contextmanager
    def one(self) -> Iterator[None]:
        if not self._free.acquire(blocking=False):
            raise BusyError(f"{self._count} {self._what} are being made: wait for one of them")
        try:
            yield
        finally:
            self._free.release()


def run(words: list[str], seconds: float) -> str:
    """``sundog WORDS``; what it prints. Raises SundogError with what it complains of."""
    try:
        done = subprocess.run(
            ["nice", "-n", str(NICENESS), *COMMAND, *words],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            env=environment(),
            text=True,
            errors="replace",
            timeout=seconds,
        )
    except subprocess.TimeoutExpired:
        raise SundogError(f"sundog {words[0]} was stopped after {seconds:g} seconds") from None
    if done.returncode:
        lines = done.stderr.strip().splitlines() or [f"sundog {words[0]} failed"]
        raise SundogError(lines[-1].removeprefix("sundog: ")[:500])
    return done.stdout
