"""Starts crawls that should be running, ends those that should not, and restarts them after a crash.

What is wanted of a crawl stands in its ``state.json``, so a server that was killed goes on where it was. All
methods but ``run`` are for threads, one at a time.
"""

from __future__ import annotations

import asyncio
import logging
import signal
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import RLock
from time import monotonic, time

from sundog.errors import SundogError
from sundog.model import INTERRUPTED
from sundog.processes.child import last_line
from sundog.processes.detached import DetachedProcess
from sundog.results.health.health import alarm_line
from sundog.store import open_readonly
from sundog.store.directory import ERRORS, LIVE, SUMMARY
from sundog.store.rounds import seconds_until_turn
from sundog.web.errors import ConflictError
from sundog.web.notify.notice import attention_of
from sundog.web.one_shot import sundog_command
from sundog.web.runs.crawls import output_of
from sundog.web.runs.directories import CrawlDirectory, Root, Stamp, stamp_of
from sundog.web.runs.state import ENDED, OVER, Ending, State, process_of, read_state, write_state

SECONDS_BETWEEN_CHECKS = 0.5
PAUSE = 4.0  # times as long as a check has taken: of thousands of directories each has to be looked at
SECONDS_TO_END = 120.0  # of a process that was asked to: requests in flight, and the last statements
MOST_TRIES = 3  # runs in a row without a new page
ENDED_BY_ITSELF = (1, 2)  # exit codes; the last line of its output says why
NO_REPORT = "--no-report"  # it is made when somebody asks for it; whoever pauses a crawl need not wait for it
MOST_ALARMS = 5  # in a notice
COUNT_VISITS = "SELECT count(*) FROM revisits"
Callback = Callable[[CrawlDirectory, State], None]

log = logging.getLogger("sundog.web")


class Supervisor:
    """``prepare`` is called before a crawl starts; ``ended`` after its end, until nobody is to be told of it;
    ``needs_attention`` once for each reason."""

    def __init__(
        self,
        root: Root,
        at_once: int,
        *,
        prepare: Callback,
        ended: Callable[[CrawlDirectory, State], bool],
        needs_attention: Callable[[CrawlDirectory, State, str], None],
    ) -> None:
        self._root, self._at_once = root, at_once
        self._prepare, self._ended, self._needs_attention = prepare, ended, needs_attention
        self._children: set[int] = set()
        self._at_rest: dict[
            str, tuple[Stamp, Stamp]
        ] = {}  # crawls of which nothing is to be done, as they were then
        self._due: dict[str, float] = {}  # crawls with a schedule, and when to look whether a round is due
        self._lock = RLock()
        self.running = 0

    async def run(self) -> None:
        """Until cancelled."""
        while True:
            began = monotonic()
            try:
                await asyncio.to_thread(self.check_all)
            except Exception:  # whatever it was, the next check may succeed
                log.exception("checking the crawls failed")
            await asyncio.sleep(max(SECONDS_BETWEEN_CHECKS, PAUSE * (monotonic() - began)))

    # -- what users ask for --------------------------------------------------------------------------

    def begin(self, crawl: CrawlDirectory, state: State) -> None:
        """A crawl whose spec is in its place."""
        with self._lock:
            state.wanted, state.began, state.hooked = "run", time(), False
            write_state(crawl, state)
        self.check_all()

    def pause(self, crawl: CrawlDirectory) -> None:
        self._end(crawl, "pause")

    def stop(self, crawl: CrawlDirectory) -> None:
        self._end(crawl, "stop")

    def resume(self, crawl: CrawlDirectory, budget: int | None = None) -> None:
        with self._locked_state(crawl) as state:
            if state.wanted or process_of(state, crawl.live):
                raise ConflictError(f"{crawl.id} is running or about to: it cannot be resumed")
            state.wanted, state.budget, state.is_round = "run", budget, False
            state.tries, state.outcome, state.reason = 0, "", ""
            state.mailed, state.hooked, state.attention = False, False, ""
            write_state(crawl, state)
        self.check_all()

    def refresh(self, crawl: CrawlDirectory, budget: int, revisits: float | None = None) -> None:
        """A round now."""
        with self._locked_state(crawl) as state:
            self._check_can_refresh(crawl, state)
            state.round_budget, state.revisits = budget, _share(revisits)
            self._want_round(crawl, state)
            state.mailed, state.hooked = False, False
            write_state(crawl, state)
        self.check_all()

    def keep(self, crawl: CrawlDirectory, every: float, budget: int, revisits: float | None = None) -> None:
        """Rounds again and again, from when the last one began. ``every`` 0: no more of them."""
        with self._locked_state(crawl) as state:
            if every:
                self._check_has_pages(crawl)
                state.round_budget, state.revisits = budget, _share(revisits)
            state.every = every
            write_state(crawl, state)
        self._due.pop(crawl.id, None)
        self.check_all()

    def _check_can_refresh(self, crawl: CrawlDirectory, state: State) -> None:
        if state.wanted or process_of(state, crawl.live):
            raise ConflictError(f"{crawl.id} is running or about to: a round cannot be begun")
        self._check_has_pages(crawl)

    def _check_has_pages(self, crawl: CrawlDirectory) -> None:
        if crawl.is_sharded:
            raise ConflictError(f"{crawl.id} is a crawl in shards: its rounds are made by sundog refresh")
        if not _pages(crawl):
            raise ConflictError(f"{crawl.id} has no page yet: there is nothing to visit again")

    def _want_round(self, crawl: CrawlDirectory, state: State) -> None:
        """Whoever is told of ends is told of a round of a schedule only if something broke."""
        state.wanted, state.is_round = "run", True
        state.tries, state.outcome, state.reason, state.attention = 0, "", "", ""
        state.mailed = state.hooked = True
        write_state(crawl, state)

    def _round_is_due(self, crawl: CrawlDirectory, state: State) -> bool:
        """By the schedule. A crawl that was paused, stopped or has failed waits for somebody."""
        if not state.every or state.wanted or state.outcome not in ("", "finished"):
            return False
        if time() < self._due.get(crawl.id, 0.0) <= time() + state.every:  # else the clock was set back
            return False
        try:
            self._due[crawl.id] = time() + seconds_until_turn(crawl.path, state.every, time())
        except (SundogError, sqlite3.Error):
            self._due[crawl.id] = time() + SECONDS_TO_END
        return self._due[crawl.id] <= time()

    @contextmanager
    def while_not_running(self, crawl: CrawlDirectory) -> Iterator[None]:
        """A crawl that does not run, and is not started meanwhile."""
        with self._locked_state(crawl) as state:
            if state.wanted == "run" or process_of(state, crawl.live):
                raise ConflictError(f"{crawl.id} is running: stop it first")
            yield

    def mark_notified(self, crawl: CrawlDirectory, way: str) -> None:
        """Whoever is told this way knows that the crawl has ended."""
        with self._locked_state(crawl) as state:
            if state.outcome not in OVER:  # it goes on already, and its next end is to be told, too
                return
            if way == "email":
                state.mailed = True
            else:
                state.hooked = True
            write_state(crawl, state)

    def _end(self, crawl: CrawlDirectory, wanted: Ending) -> None:
        with self._locked_state(crawl) as state:
            process = process_of(state, crawl.live)
            if process is None and state.wanted != "run":
                raise ConflictError(f"{crawl.id} does not run")
            if process is None:  # it waits for its turn
                state.wanted, state.outcome = "", ENDED[wanted]
            else:
                state.wanted, state.ending_since = wanted, time()
                state.pid, state.started = process
            write_state(crawl, state)
            if process is not None:
                process.send_signal(signal.SIGTERM)
        self.check_all()

    @contextmanager
    def _locked_state(self, crawl: CrawlDirectory) -> Iterator[State]:
        """What is wanted of it, while nobody else changes that. NotFoundError if it was deleted since."""
        with self._lock:
            self._root.crawl(crawl.id)
            yield read_state(crawl)

    # -- what happens --------------------------------------------------------------------------------

    def check_all(self) -> None:
        """Start what should be running, the oldest first, as far as there is room."""
        with self._lock:
            waiting: list[tuple[CrawlDirectory, State]] = []
            self.running = 0
            crawls = self._root.crawls()
            for gone in self._at_rest.keys() - {crawl.id for crawl in crawls}:
                del self._at_rest[gone]
            for crawl in crawls:
                try:
                    state = self._check(crawl)
                except (OSError, SundogError) as error:  # of one crawl, such as a full disk: others go on
                    log.warning("%s: %s", crawl.id, error)
                    continue
                if state is not None:
                    waiting.append((crawl, state))
            for crawl, state in sorted(waiting, key=lambda each: each[1].began):
                if self.running < self._at_once:
                    self._start(crawl, state)

    def _check(self, crawl: CrawlDirectory) -> State | None:
        """See how a crawl is doing; gives its state if it should be running and is not."""
        as_it_is = stamp_of(crawl.state), stamp_of(crawl.home / LIVE)
        if self._at_rest.get(crawl.id) == as_it_is:  # there may be thousands of them
            return None
        state = read_state(crawl)
        if process := process_of(state, crawl.live):
            self.running += 1
            if state.wanted in ENDED and 0 < state.ending_since < time() - SECONDS_TO_END:
                log.warning("%s does not end: its process is killed", crawl.id)
                process.send_signal(signal.SIGKILL)  # what it has logged is kept
            self._see_to_it(crawl, state)
            return None
        # Only now: a child that ends after it was asked would be one of which nobody knows how it ended.
        code = DetachedProcess(state.pid, state.started).exit_code() if state.pid in self._children else None
        if state.wanted and state.pid:
            self._process_ended(crawl, state, code)
        elif self._round_is_due(crawl, state):
            self._want_round(crawl, state)
        elif not state.wanted and not (state.outcome in OVER and self._ended(crawl, state)) and not state.every:
            self._at_rest[crawl.id] = as_it_is
        return state if state.wanted == "run" else None

    def _see_to_it(self, crawl: CrawlDirectory, state: State) -> None:
        """Tell of what a running crawl needs somebody for."""
        reason = attention_of(crawl.live)
        if reason and reason != state.attention and state.wanted == "run":
            self._needs_attention(crawl, state, reason)
            state.attention = reason
            write_state(crawl, state)

    def _start(self, crawl: CrawlDirectory, state: State) -> None:
        try:
            self._prepare(crawl, state)
            words = self._command_words(crawl, state)
            state.pages = _pages(crawl) or 0
            process = sundog_command(words).detach(crawl.output.absolute())
        except (OSError, SundogError) as error:
            state.wanted, state.outcome, state.reason = "", "failed", str(error)
            write_state(crawl, state)
            return
        self._children.add(process.pid)
        self.running += 1
        state.pid, state.started = process
        state.began = state.began or time()
        state.started_at = time()
        write_state(crawl, state)

    def _command_words(self, crawl: CrawlDirectory, state: State) -> list[str]:
        directory = str(crawl.home.absolute())
        if state.is_round:
            share = ["--revisits", str(state.revisits)] if state.revisits >= 0 else []
            return ["refresh", directory, "--budget", str(state.round_budget), *share, NO_REPORT]
        if _pages(crawl) is not None or not crawl.draft_spec.is_file():
            return ["resume", directory, *(["--budget", str(state.budget)] if state.budget else []), NO_REPORT]
        return ["crawl", str(crawl.draft_spec.absolute()), "--out", directory, NO_REPORT]

    def _process_ended(self, crawl: CrawlDirectory, state: State, code: int | None) -> None:
        """Was it asked to, has it finished, or should it be started again?"""
        self._children.discard(state.pid)
        state.pid, state.started = 0, ""
        stopped = _stop_reason(crawl, since=state.started_at)
        if stopped and stopped != INTERRUPTED:
            state.wanted, state.outcome = "", "finished"
            if state.is_round and (news := _news(crawl)):
                state.reason, state.mailed, state.hooked = news, False, False
        elif state.wanted in ENDED:
            state.wanted, state.outcome = "", ENDED[state.wanted]
        elif code in ENDED_BY_ITSELF:
            state.wanted, state.outcome, state.reason = "", "failed", _last_line(crawl)
        else:
            state.tries = state.tries + 1 if (_pages(crawl) or 0) == state.pages else 0
            if state.tries >= MOST_TRIES:
                state.wanted, state.outcome, state.reason = "", "failed", _given_up(crawl, code)
        write_state(crawl, state)


def _share(revisits: float | None) -> float:
    return -1.0 if revisits is None else revisits


def _news(crawl: CrawlDirectory) -> str:
    """What broke in the last round."""
    found = crawl.summary.get("health")
    alarms = [each for each in found if isinstance(each, dict)] if isinstance(found, list) else []
    return "; ".join(alarm_line(alarm) for alarm in alarms[:MOST_ALARMS] if alarm.get("is_new"))


def _stop_reason(crawl: CrawlDirectory, *, since: float) -> str:
    """Why it ended, if it wrote that down since it was started."""
    try:
        if (crawl.home / SUMMARY).stat().st_mtime < since:
            return ""
    except OSError:
        return ""
    return str(crawl.summary.get("stopped") or "")


def _pages(crawl: CrawlDirectory) -> int | None:
    """Pages that were fetched or failed, and visits of known ones; None if there is no log to go on with.

    Steps of the log would be more, and prove nothing: every run logs some before its first page.
    """
    try:
        return sum(map(_fetches, crawl.logs)) if crawl.logs else None
    except (SundogError, sqlite3.Error):
        return None


def _fetches(log: Path) -> int:
    with open_readonly(log) as reader:
        return reader.fetches + int(reader.connection.execute(COUNT_VISITS).fetchone()[0])


def _given_up(crawl: CrawlDirectory, code: int | None) -> str:
    """What happened, and what to do about it."""
    killed = f" by {signal.Signals(-code).name}" if code and -code in set(signal.Signals) else ""
    return (
        f"its process was ended{killed} {MOST_TRIES} times in a row before it had a new page, so the site does "
        f"not start it again. The last line that it printed: {_last_line(crawl)}. "
        f"To see more, run sundog resume {crawl.id} in the site's root, and look at {crawl.id}/{ERRORS}"
    )


def _last_line(crawl: CrawlDirectory) -> str:
    return last_line(output_of(crawl)) or "it printed nothing"
