"""Processes that read pages; ``reader_process`` is their program.

A page that a process dies of is given to another one, for something else may have ended it. If that dies, too, the
page is given up. Pages that waited for a process that died are not blamed: each reads in the order in which it is
asked.
"""

from __future__ import annotations

import asyncio
import builtins
import signal
import socket
import subprocess
from collections import deque
from typing import Any

from sundog.engines.live.pages.reader_messages import (
    LENGTH,
    Answer,
    Failure,
    PageToRead,
    Setup,
    framed,
    framed_page,
    unpacked_answer,
)
from sundog.engines.live.pages.reading import Reading
from sundog.processes.child import Child

AHEAD = 4  # pages that a process has: one that it reads, and others that it need not wait for
PAGES_A_PROCESS = 5_000  # then it is replaced: what leaks in parsers is gone with it
FAILED_STARTS = 3  # in a row


class ReaderDiedError(Exception):
    """A page cannot be read: two processes died of it, or one had no time left, or none can be started."""


class _Job:
    """A page that is to be read, and how often a process died of it."""

    def __init__(self, page: PageToRead, answer: asyncio.Future[Reading]) -> None:
        self.frame, self.seconds, self.answer = framed_page(page), page.seconds, answer
        self.deaths = 0

    def fail(self, error: Exception) -> None:
        if not self.answer.done():  # the crawl may have stopped waiting
            self.answer.set_exception(error)


class Readers:
    """At most so many processes; each is started when those that run have enough to do."""

    def __init__(self, most: int, memory: int, setup: Setup) -> None:
        self.most, self._memory, self._setup = most, memory, setup
        self._jobs: deque[_Job] = deque()  # that no process has yet
        self._processes: list[_Process] = []
        self._retired: list[_Process] = []  # they finish what they have
        self._starting: set[asyncio.Task[None]] = set()
        self._failed_starts = 0

    async def read(self, page: PageToRead) -> Reading:
        job = _Job(page, asyncio.get_running_loop().create_future())
        self._jobs.append(job)
        self._hand_out()
        return await job.answer

    def close(self) -> None:
        for task in self._starting:
            task.cancel()
        for process in [*self._processes, *self._retired]:
            process.kill()

    def _hand_out(self) -> None:
        while self._jobs:
            process = min(self._processes, key=lambda each: len(each.jobs), default=None)
            if process is not None and len(process.jobs) < AHEAD:
                process.send(self._jobs.popleft())
                continue
            is_short = len(self._jobs) > AHEAD * len(self._starting)
            if is_short and len(self._processes) + len(self._starting) < self.most:
                self._start()
            return

    def _start(self) -> None:
        task = asyncio.create_task(self._started())
        self._starting.add(task)
        task.add_done_callback(self._starting.discard)

    async def _started(self) -> None:
        try:
            process = await _Process.start(self, self._memory, self._setup)
        except Exception as error:  # no process, no memory or no file is left: else pages would wait for ever
            self._start_failed(str(error))
        else:
            self._processes.append(process)
        self._starting.discard(asyncio.current_task())
        self._hand_out()

    def _start_failed(self, reason: str) -> None:
        self._failed_starts += 1
        if self._failed_starts >= FAILED_STARTS:
            while self._jobs:
                self._jobs.popleft().fail(ReaderDiedError(f"no process that reads pages can be started: {reason}"))

    # -- from the processes --------------------------------------------------------------------------

    def ready(self) -> None:
        self._failed_starts = 0

    def answered(self, process: _Process, memory: int) -> None:
        """One that has become large is replaced: its memory would not come back."""
        if process in self._processes and (process.pages >= PAGES_A_PROCESS or memory > self._memory // 2):
            self._processes.remove(process)
            self._retired.append(process)
        if process in self._retired and not process.jobs:
            process.kill()
        self._hand_out()

    def ended(self, process: _Process, code: int) -> None:
        """The page that it was at is to blame, unless it died before it could read any."""
        for each in (self._processes, self._retired):
            if process in each:
                each.remove(process)
        if process.is_closed:
            return
        jobs = process.jobs
        first = jobs.popleft() if jobs and process.is_ready else None
        self._jobs.extendleft(reversed(jobs))
        if not process.is_ready:
            self._start_failed(f"it ended with code {code}")
        elif first and code == -signal.SIGALRM:
            first.fail(ReaderDiedError(f"killed the reader: it took more than {first.seconds:g} seconds"))
        elif first:
            self._died_of(first)
        self._hand_out()

    def _died_of(self, job: _Job) -> None:
        job.deaths += 1
        if job.deaths < 2:
            self._jobs.appendleft(job)
            return
        limit = f"{self._memory >> 20:,} MB"
        job.fail(ReaderDiedError(f"killed the reader: twice, perhaps by needing more than {limit} of memory"))


class _Process(asyncio.Protocol):
    """A process that reads, as the crawl sees it. The first of its ``jobs`` is what it reads now."""

    def __init__(self, readers: Readers, process: subprocess.Popen[bytes]) -> None:
        self._readers, self._process = readers, process
        self._received = bytearray()
        self._transport: Any = None
        self.jobs: deque[_Job] = deque()
        self.pages = 0
        self.is_ready = self.is_closed = False

    @classmethod
    async def start(cls, readers: Readers, memory: int, setup: Setup) -> _Process:
        """It imports while the crawl goes on; what it is sent meanwhile waits in its socket."""
        ours, theirs = socket.socketpair()
        with theirs:
            child = Child(module="sundog.engines.live.pages.reader_process", words=(str(memory),))
            process = cls(readers, child.start(channel=theirs))
        ours.setblocking(False)
        await asyncio.get_running_loop().create_unix_connection(lambda: process, sock=ours)
        process._transport.write(framed(setup))
        return process

    def send(self, job: _Job) -> None:
        self.jobs.append(job)
        self._transport.write(job.frame)

    def kill(self) -> None:
        self.is_closed = True
        self._process.kill()
        self._process.wait()
        self._transport.abort()

    # -- of the connection ---------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._received += data
        while (frame := self._next_frame()) is not None:
            try:
                answer = unpacked_answer(frame)
            except Exception:  # it may be anything: whatever sent it is not to be trusted any more
                self._transport.abort()
                return
            self._take(answer)

    def connection_lost(self, error: Exception | None) -> None:
        self._process.kill()  # it has ended, or says nothing more
        self._readers.ended(self, self._process.wait())

    def _next_frame(self) -> bytes | None:
        received = self._received
        end = LENGTH + int.from_bytes(received[:LENGTH], "big")
        if len(received) < LENGTH or len(received) < end:
            return None
        frame = bytes(received[LENGTH:end])
        del received[:end]
        return frame

    def _take(self, answer: Answer | None) -> None:
        if answer is None:
            self.is_ready = True
            self._readers.ready()
            return
        job = self.jobs.popleft()
        self.pages += 1
        if isinstance(answer.result, Failure):
            job.fail(_error_of(answer.result))
        elif not job.answer.done():
            job.answer.set_result(answer.result)
        self._readers.answered(self, answer.memory)


def _error_of(failure: Failure) -> Exception:
    """The same error here, if it is one of Python's own."""
    kind = getattr(builtins, failure.name, None)
    if isinstance(kind, type) and issubclass(kind, Exception) and not issubclass(kind, UnicodeError):
        error = kind(failure.message)
    else:
        error = RuntimeError(f"{failure.name}: {failure.message}")
    error.add_note(failure.trace)
    return error
