"""Other commands of ``sundog`` as processes: they take their time and memory, and the site stays quick.

A module asked in a process of its own, timed: it is to meet what strangers have written.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import BoundedSemaphore
from typing import Any

import orjson

from sundog.errors import SundogError
from sundog.processes.detached import NICENESS, SUNDOG, environment
from sundog.web.errors import BusyError


class ConcurrencyLimit:
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


def run_command(words: list[str], seconds: float) -> str:
    """``sundog WORDS``; what it prints. Raises SundogError with what it complains of."""
    try:
        done = subprocess.run(
            ["nice", "-n", str(NICENESS), *SUNDOG, *words],
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


TO_ANSWER = 40.0


async def ask_module(module: str, request: dict[str, Any], what: str) -> dict[str, Any]:
    """Its answer. ``what`` it makes is for messages; raises SundogError."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-P", "-m", module),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        env=environment(),
        start_new_session=True,
    )
    try:
        said, _ = await asyncio.wait_for(process.communicate(orjson.dumps(request)), TO_ANSWER)
    except TimeoutError:
        raise SundogError(f"{what} was stopped after {TO_ANSWER:g} seconds") from None
    finally:
        if process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()
    try:
        answer: dict[str, Any] = orjson.loads(said)
    except ValueError:
        raise SundogError(f"{what} failed: the page may need more memory than there is for it") from None
    if "error" in answer:
        raise SundogError(answer["error"])
    return answer
