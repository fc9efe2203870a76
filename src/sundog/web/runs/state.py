"""What is wanted of a crawl (``.web/state.json``), and the state of it that people see, with its words."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import Any, Literal, NamedTuple

import orjson

from sundog.files import write_whole
from sundog.model import (
    BUDGET_SPENT,
    BYTES_SPENT,
    FRONTIER_EMPTY,
    HOSTS_RESTING,
    INTERRUPTED,
    LITTLE_LEFT,
    STOP_PATTERN,
    TIME_IS_UP,
)
from sundog.processes.detached import DetachedProcess
from sundog.web.runs.directories import CrawlDirectory, read_json

Wanted = Literal["", "run", "pause", "stop"]
Action = Literal["budget", "pause", "stop", "resume", "delete"]
Ending = Literal["pause", "stop"]
ENDING = {"pause": "pausing", "stop": "stopping"}  # by what is wanted: the state until it is so
ENDED = {"pause": "paused", "stop": "stopped"}  # and from then on


class StateKind(NamedTuple):
    """What holds of all crawls in a state. ``tone`` is how it is shown, ``group`` what a list is filtered by."""

    group: str
    tone: str
    actions: tuple[Action, ...]
    has_process: bool = False


AT_WORK: tuple[Action, ...] = ("pause", "stop")
AT_REST: tuple[Action, ...] = ("resume", "delete")
STATES = {
    "queued": StateKind("live", "", AT_WORK),
    "starting": StateKind("live", "", AT_WORK, has_process=True),
    "running": StateKind("live", "live", ("budget", *AT_WORK), has_process=True),
    "pausing": StateKind("live", "", (), has_process=True),
    "stopping": StateKind("live", "", (), has_process=True),
    "paused": StateKind("rest", "warn", AT_REST),
    "stopped": StateKind("rest", "", AT_REST),
    "interrupted": StateKind("rest", "warn", AT_REST),
    "finished": StateKind("finished", "good", AT_REST),
    "failed": StateKind("failed", "bad", AT_REST),
}
GROUPS = {
    "live": "Running or waiting",
    "rest": "Paused or stopped",
    "finished": "Finished",
    "failed": "Failed",
}
OVER = ("finished", "stopped", "failed")  # outcomes of which its owner is told
REASON_WORDS = {
    BUDGET_SPENT: "budget spent",
    FRONTIER_EMPTY: "nothing left to fetch",
    TIME_IS_UP: "time is up",
    LITTLE_LEFT: "as little is left as it was told to leave",
    BYTES_SPENT: "as many bytes as it may fetch",
    HOSTS_RESTING: "all hosts that are left rest for long",
    INTERRUPTED: "interrupted",
}


@dataclass
class State:
    """``wanted`` is empty for crawls that were begun elsewhere."""

    wanted: Wanted = ""
    owner: str = ""
    email: str = ""
    pid: int = 0
    started: str = ""  # of the process
    began: float = 0.0
    started_at: float = 0.0  # when the last process was started
    ending_since: float = 0.0  # when its process was asked to end
    tries: int = 0  # runs in a row that ended abnormally without a new page
    pages: int = 0  # that it had when it was started last
    budget: int | None = None  # for the next start
    outcome: str = ""  # paused, stopped, finished or failed, when nothing is wanted any more
    reason: str = ""  # why it cannot go on
    mailed: bool = False
    webhook: str = ""  # its own; without one, that of the server counts
    hooked: bool = True  # whether nothing more is to be told by webhook; so it is of crawls that never could
    attention: str = ""  # what the owner was told last of why the crawl needs somebody
    is_round: bool = False  # what runs, or is to, is a round: known pages again, and new ones
    round_budget: int = 0  # of rounds
    revisits: float = -1.0  # the share of known pages in them; below 0: what is worth more
    every: float = 0.0  # seconds from round to round; 0: nobody has asked for a schedule
    demo: bool = False  # crawls the demo's web, which must be served meanwhile


def read_state(crawl: CrawlDirectory) -> State:
    found = read_json(crawl.state)
    known = {each.name: getattr(State(), each.name) for each in fields(State)}
    return State(**{name: value for name, value in found.items() if name in known and _fits(value, known[name])})


def _fits(value: Any, default: Any) -> bool:
    """A file that somebody has edited is believed where it can be."""
    if default is None:
        return value is None or isinstance(value, int)
    return isinstance(value, int | float) if isinstance(default, float) else type(value) is type(default)


def write_state(crawl: CrawlDirectory, state: State) -> None:
    crawl.site_folder.mkdir(exist_ok=True)
    write_whole(crawl.state, orjson.dumps(asdict(state), option=orjson.OPT_INDENT_2))


class Status(NamedTuple):
    """One of ``STATES`` by its name, and why it is so if that is known."""

    name: str
    reason: str = ""

    @property
    def kind(self) -> StateKind:
        return STATES[self.name]


def status_of(crawl: CrawlDirectory, state: State, live: dict[str, Any]) -> Status:
    process = process_of(state, live)
    if process is not None:
        if state.wanted in ENDING:
            return Status(ENDING[state.wanted])
        has_begun = live.get("pid") == process.pid and "budget" in live
        return Status("running" if has_begun else "starting")
    if state.wanted == "run":  # with a process that has just ended, the supervisor will see what follows
        return Status("stopping" if state.pid else "queued")
    stopped = str(crawl.summary.get("stopped") or "")
    if state.outcome == "failed":
        return Status("failed", state.reason)
    if stopped and stopped != INTERRUPTED:
        return Status("finished", stopped)
    if state.wanted in ENDING:  # it has just ended
        return Status(ENDING[state.wanted])
    return Status(state.outcome if state.outcome in STATES else "interrupted")


def process_of(state: State, live: dict[str, Any]) -> DetachedProcess | None:
    """The process that runs the crawl, whoever has started it."""
    for pid, started in ((state.pid, state.started), (live.get("pid"), live.get("started"))):
        if isinstance(pid, int) and isinstance(started, str):
            process = DetachedProcess(pid, started)
            if process.is_running:
                return process
    return None


def reason_words(status: Status) -> str:
    """Why it is in this state, for people.

    >>> reason_words(Status("finished", "hosts resting")), reason_words(Status("finished", "stop pattern enough"))
    ('all hosts that are left rest for long', 'the stop pattern enough holds')
    """
    if status.name == "queued":
        return "waits for a place"
    if status.name == "finished" and status.reason.startswith(f"{STOP_PATTERN} "):
        return f"the {status.reason} holds"
    return REASON_WORDS.get(status.reason, status.reason) if status.name == "finished" else status.reason
