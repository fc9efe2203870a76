"""Why a URL was fetched: from the log at once, or by a process that makes the choices of the crawl again.

The process is kept for a while: starting it and replaying a crawl take seconds, and asking it once more does not.
"""

from __future__ import annotations

import asyncio
from dataclasses import asdict
from typing import Any, NoReturn

from sundog.processes.child import FETCHING_NAMES, plain_environment
from sundog.processes.sandbox import Sandbox
from sundog.results.explain import explain
from sundog.spec.crawl import CrawlSpec
from sundog.store import CrawlReader
from sundog.web.one_shot import NICENESS, ConcurrencyLimit, SandboxThreads
from sundog.web.results.addresses import with_scheme
from sundog.web.results.reading import kind_of, reading
from sundog.web.runs.directories import CrawlDirectory

PROGRAM = "sundog.web.results.explain_process"
SECONDS = 600.0  # for an answer: a large crawl has many choices
SECONDS_KEPT = 300.0  # without a request
KIND = """SELECT l.event, o.trouble FROM outcomes o JOIN log l ON l.step = o.step
  WHERE o.candidate = ? ORDER BY o.step DESC LIMIT 1"""
PARENT = "SELECT parent FROM urls WHERE id = ?"


class Explainer:
    """For one event loop."""

    def __init__(self) -> None:
        self._sandbox: Sandbox | None = None
        self._threads = SandboxThreads(1)
        self._turn = asyncio.Lock()
        self._reading = ConcurrencyLimit(4, "explanations")
        self._replaying = ConcurrencyLimit(8, "explanations")
        self._idle_timer: asyncio.TimerHandle | None = None

    async def explain(self, crawl: CrawlDirectory, address: str) -> dict[str, Any]:
        """What ``sundog explain`` says, and the number by which the site's pages know the URL."""
        url = await asyncio.to_thread(_spelled_out, crawl, address)
        try:
            with self._reading.slot():
                found = await asyncio.to_thread(_explained_from_log, crawl, url)
        except _NotFetchedError:
            with self._replaying.slot():
                found = await self._ask_process({"directory": str(crawl.path.absolute()), "url": url})
        return found | await asyncio.to_thread(_place_of, crawl, found["url"])

    async def _ask_process(self, request: dict[str, str]) -> dict[str, Any]:
        async with self._turn:
            if self._idle_timer is not None:
                self._idle_timer.cancel()
            if self._sandbox is None:
                self._sandbox = _new_sandbox()
            try:
                answer: dict[str, Any] = await self._threads.ask(
                    self._sandbox, request, "the explanation", keep=True
                )
            except asyncio.CancelledError:
                self._sandbox = None  # it was killed
                raise
            self._idle_timer = asyncio.get_running_loop().call_later(SECONDS_KEPT, self.close)
            return answer

    def close(self) -> None:
        """Also while somebody waits for an answer."""
        if self._sandbox is not None:
            self._sandbox.kill()
            self._sandbox = None


def _new_sandbox() -> Sandbox:
    """It reads what strangers wrote, so it gets no secrets; kernels are compiled once, in a cache."""
    environment = plain_environment(*FETCHING_NAMES)
    return Sandbox(PROGRAM, None, seconds=SECONDS, memory=0, environment=environment, niceness=NICENESS)


class _NotFetchedError(Exception):
    """Only the crawl's session knows more."""


def _spelled_out(crawl: CrawlDirectory, address: str) -> str:
    with reading(crawl) as reader:
        return with_scheme(reader, address)


def _place_of(crawl: CrawlDirectory, url: str) -> dict[str, Any]:
    """``number`` is null for URLs that the crawl has not met; ``kind`` and ``parent`` are those of a Page."""
    with reading(crawl) as reader:
        number = reader.candidate(url)
        row = reader.connection.execute(KIND, (number,)).fetchone()
        ((parent,),) = reader.connection.execute(PARENT, (number,)).fetchall() or [(None,)]
        return {"number": number, "kind": kind_of(*row) if row else "frontier", "parent": parent}


def _explained_from_log(crawl: CrawlDirectory, url: str) -> dict[str, Any]:
    return asdict(explain(crawl.path, url, _no_replay))


def _no_replay(reader: CrawlReader, spec: CrawlSpec) -> NoReturn:
    raise _NotFetchedError
