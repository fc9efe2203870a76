"""Sees to it that what is wanted of crawls happens: starts them, ends them, and starts them again after a crash.

What is wanted stands in files, so a server that was killed goes on where it was. All methods but ``run`` are for
threads, one at a time.
"""

from __future__ import annotations

import asyncio
import logging
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import RLock
from time import time

from sundog.errors import SundogError
from sundog.processes import detached
from sundog.processes.detached import process_started
from sundog.store import open_readonly
from sundog.store.directory import SUMMARY
from sundog.web.errors import ConflictError
from sundog.web.runs.crawls import output_of
from sundog.web.runs.directories import CrawlDirectory, Root
from sundog.web.runs.state import INTERRUPTED, State, process_of, read_state, write_state

SECONDS_BETWEEN_CHECKS = 0.5
SECONDS_TO_END = 120.0  # of a process that was asked to: requests in flight, and the last statements
MOST_TRIES = 3
ENDED_BY_ITSELF = (1, 2)  # exit codes: the crawl has said why
OUTPUT = "output.log"
NO_REPORT = "--no-report"  # it is made when somebody asks for it; whoever pauses a crawl need not wait for it
OVER = ("finished", "stopped", "failed")
Callback = Callable[[CrawlDirectory, State], None]

log = logging.getLogger("sundog.web")


class Supervisor:
    """``prepare`` is asked before a crawl starts; ``ended`` is told of those whose owners want to know, again and
    again until ``was_told``."""

    def __init__(self, root: Root, at_once: int, *, ended: Callback, prepare: Callback) -> None:
        self._root, self._at_once = root, at_once
        self._ended, self._prepare = ended, prepare
        self._children: set[int] = set()
        self._lock = RLock()
        self.running = 0

    async def run(self) -> None:
        """Until cancelled."""
        while True:
            try:
                await asyncio.to_thread(self.look)
            except Exception:  # whatever it was, the next look may succeed
                log.exception("looking after the crawls failed")
            await asyncio.sleep(SECONDS_BETWEEN_CHECKS)

    # -- wishes --------------------------------------------------------------------------------------

    def begin(self, home: CrawlDirectory, state: State) -> None:
        """A crawl whose spec is in its place."""
        with self._lock:
            state.wanted, state.began = "run", time()
            write_state(home, state)
        self.look()

    def pause(self, home: CrawlDirectory) -> None:
        self._end(home, "pause")

    def stop(self, home: CrawlDirectory) -> None:
        self._end(home, "stop")

    def resume(self, home: CrawlDirectory, budget: int | None = None) -> None:
        with self._of_crawl(home) as state:
            if state.wanted or process_of(state, home.live):
                raise ConflictError(f"{home.id} is running or about to: it cannot be resumed")
            state.wanted, state.budget = "run", budget
            state.tries, state.outcome, state.reason, state.mailed = 0, "", "", False
            write_state(home, state)
        self.look()

    @contextmanager
    def at_rest(self, home: CrawlDirectory) -> Iterator[None]:
        """A crawl that does not run, and is not started meanwhile."""
        with self._of_crawl(home) as state:
            if state.wanted == "run" or process_of(state, home.live):
                raise ConflictError(f"{home.id} is running: stop it first")
            yield

    def was_told(self, home: CrawlDirectory) -> None:
        """The owner knows that the crawl has ended."""
        with self._of_crawl(home) as state:
            state.mailed = True
            write_state(home, state)

    def _end(self, home: CrawlDirectory, wanted: str) -> None:
        with self._of_crawl(home) as state:
            process = process_of(state, home.live)
            if process is None and state.wanted != "run":
                raise ConflictError(f"{home.id} does not run")
            state.wanted = "pause" if wanted == "pause" else "stop"
            if process is None:  # it waits for its turn
                state.outcome, state.wanted = ("paused" if wanted == "pause" else "stopped"), ""
            else:
                state.pid, state.started = process
                state.ending_since = time()
            write_state(home, state)
            if process is not None:
                detached.send_signal(*process, signal.SIGTERM)
        self.look()

    @contextmanager
    def _of_crawl(self, home: CrawlDirectory) -> Iterator[State]:
        """What is wanted of it, while nobody else changes that. It may be deleted since it was looked up."""
        with self._lock:
            self._root.home(home.id)
            yield read_state(home)

    # -- what happens --------------------------------------------------------------------------------

    def look(self) -> None:
        with self._lock:
            waiting: list[tuple[CrawlDirectory, State]] = []
            self.running = 0
            for home in self._root.homes():
                try:
                    state = self._to_be_started(home)
                except (OSError, SundogError) as error:  # of one crawl, such as a full disk: others go on
                    log.warning("%s: %s", home.id, error)
                    continue
                if state is not None:
                    waiting.append((home, state))
            for home, state in sorted(waiting, key=lambda each: each[1].began):
                if self.running < self._at_once:
                    self._start(home, state)

    def _to_be_started(self, home: CrawlDirectory) -> State | None:
        """The state of a crawl that is wanted and does not run."""
        state = read_state(home)
        code = detached.exit_code(state.pid) if state.pid in self._children else None
        if process := process_of(state, home.live):
            self.running += 1
            if state.wanted in ("pause", "stop") and 0 < state.ending_since < time() - SECONDS_TO_END:
                log.warning("%s does not end: its process is killed", home.id)
                detached.send_signal(*process, signal.SIGKILL)  # what it has logged is kept
            return None
        if state.wanted and state.pid:
            self._settle(home, state, code)
        elif state.outcome in OVER and state.email and not state.mailed:
            self._ended(home, state)
        return state if state.wanted == "run" else None

    def _start(self, home: CrawlDirectory, state: State) -> None:
        try:
            self._prepare(home, state)
            words = self._words(home, state)
            state.steps = _steps(home) or 0
            pid = detached.start_command(words, (home.ours / OUTPUT).absolute())
        except (OSError, SundogError) as error:
            state.wanted, state.outcome, state.reason = "", "failed", str(error)
            write_state(home, state)
            return
        self._children.add(pid)
        self.running += 1
        state.pid, state.started = pid, process_started(pid) or "ended at once"
        state.began = state.began or time()
        state.started_at = time()
        write_state(home, state)

    def _words(self, home: CrawlDirectory, state: State) -> list[str]:
        directory = str(home.directory.absolute())
        if _steps(home) is not None or not home.draft_spec.is_file():
            return ["resume", directory, *(["--budget", str(state.budget)] if state.budget else []), NO_REPORT]
        return ["crawl", str(home.draft_spec.absolute()), "--out", directory, NO_REPORT]

    def _settle(self, home: CrawlDirectory, state: State, code: int | None) -> None:
        """Its process has ended: was it to be, and may it be started again?"""
        self._children.discard(state.pid)
        state.pid, state.started = 0, ""
        stopped = _stop_reason(home, since=state.started_at)
        if stopped and stopped != INTERRUPTED:
            state.wanted, state.outcome = "", "finished"
        elif state.wanted in ("pause", "stop"):
            state.outcome, state.wanted = ("paused" if state.wanted == "pause" else "stopped"), ""
        elif code in ENDED_BY_ITSELF:
            state.wanted, state.outcome, state.reason = "", "failed", _last_line(home)
        else:
            state.tries = state.tries + 1 if (_steps(home) or 0) == state.steps else 0
            if state.tries >= MOST_TRIES:
                why = f"it ended {MOST_TRIES} times without progress: {_last_line(home)}"
                state.wanted, state.outcome, state.reason = "", "failed", why
        write_state(home, state)


def _stop_reason(home: CrawlDirectory, *, since: float) -> str:
    """Why it ended, if it wrote that down since it was started."""
    try:
        if (home.directory / SUMMARY).stat().st_mtime < since:
            return ""
    except OSError:
        return ""
    return str(home.summary.get("stopped") or "")


def _steps(home: CrawlDirectory) -> int | None:
    """How far the log has come; None if there is none that could be gone on with."""
    try:
        with open_readonly(home.directory) as reader:
            return reader.steps
    except SundogError:
        return None


def _last_line(home: CrawlDirectory) -> str:
    lines = [line.strip() for line in output_of(home).splitlines() if line.strip()]
    return lines[-1].removeprefix("sundog: ")[:300] if lines else "it said nothing"
