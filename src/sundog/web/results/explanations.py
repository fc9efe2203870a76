"""Why a URL: pages that were fetched are explained at once, others by a process that makes the choices again.

The process is kept for a while: starting it and replaying a crawl take seconds, and asking it once more does not.
"""

from __future__ import annotations

import asyncio
import sys
from contextlib import suppress
from dataclasses import asdict
from typing import Any, NoReturn

import orjson

from sundog.errors import SundogError
from sundog.processes.detached import NICENESS, environment
from sundog.results.explain import explain
from sundog.spec.crawl import CrawlSpec
from sundog.store import CrawlReader
from sundog.web.errors import BusyError
from sundog.web.one_shot import ConcurrencyLimit
from sundog.web.runs.directories import CrawlDirectory

SECONDS = 600.0  # for an answer: a large crawl has many choices
SECONDS_KEPT = 300.0  # without a request
LONGEST = 1 << 22  # bytes of an answer
MOST_WAITING = 8
COMMAND = ("nice", "-n", str(NICENESS), sys.executable, "-P", "-m", "sundog.web.results.explain_process")


class Explainer:
    """For one event loop."""

    def __init__(self) -> None:
        self._process: asyncio.subprocess.Process | None = None
        self._turn = asyncio.Lock()
        self._waiting = 0
        self._reading = ConcurrencyLimit(4, "explanations")
        self._end: asyncio.TimerHandle | None = None

    async def explain(self, home: CrawlDirectory, url: str) -> dict[str, Any]:
        try:
            with self._reading.one():
                return await asyncio.to_thread(_explained_from_log, home, url)
        except _NotFetchedError:
            return await self._replayed(home, url)

    async def _replayed(self, home: CrawlDirectory, url: str) -> dict[str, Any]:
        if self._waiting >= MOST_WAITING:
            raise BusyError(f"{MOST_WAITING} explanations are being made: wait for one of them")
        self._waiting += 1
        try:
            async with self._turn:
                said = await self._asked({"directory": str(home.directory.absolute()), "url": url})
        finally:
            self._waiting -= 1
        if "error" in said:
            raise SundogError(said["error"])
        return said

    async def _asked(self, request: dict[str, str]) -> dict[str, Any]:
        process = await self._running()
        is_answered = False
        try:
            async with asyncio.timeout(SECONDS):
                process.stdin.write(orjson.dumps(request) + b"\n")  # type: ignore[union-attr]
                line = await process.stdout.readline()  # type: ignore[union-attr]
            answer: dict[str, Any] = orjson.loads(line)
            is_answered = True
        except TimeoutError:
            raise SundogError(f"the explanation was stopped after {SECONDS:g} seconds") from None
        except (OSError, ValueError):
            raise SundogError("the explanation failed: the crawl may need more memory than there is") from None
        finally:
            if not is_answered:  # also if nobody waits any more: an answer must not be that to the next request
                self.close()
        self._end = asyncio.get_running_loop().call_later(SECONDS_KEPT, self.close)
        return answer

    async def _running(self) -> asyncio.subprocess.Process:
        if self._end is not None:
            self._end.cancel()
        if self._process is None or self._process.returncode is not None:
            self._process = await asyncio.create_subprocess_exec(
                *COMMAND,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
                env=environment(),
                start_new_session=True,
                limit=LONGEST,
            )
        return self._process

    def close(self) -> None:
        process, self._process = self._process, None
        if process is not None and process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()


class _NotFetchedError(Exception):
    """Only the crawl's session knows more."""


def _explained_from_log(home: CrawlDirectory, url: str) -> dict[str, Any]:
    return asdict(explain(home.directory, url, _no_replay))


def _no_replay(reader: CrawlReader, spec: CrawlSpec) -> NoReturn:
    raise _NotFetchedError
