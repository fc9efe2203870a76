"""What the server keeps of a crawl besides what the crawl keeps itself: ``.web/state.json``.

The state of a crawl as people see it, out of what is wanted, what runs and what was written down.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import Any, Literal, NamedTuple

import orjson

from sundog.files import write_whole
from sundog.processes.detached import is_running
from sundog.web.runs.directories import CrawlDirectory, read_small_file

STATE = "state.json"
Wanted = Literal["", "run", "pause", "stop"]


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
    tries: int = 0  # starts without progress since
    steps: int = 0  # of the log when it was started last
    budget: int | None = None  # for the next start
    outcome: str = ""  # paused, stopped, finished or failed, when nothing is wanted any more
    reason: str = ""  # why it cannot go on
    mailed: bool = False
    demo: bool = False  # crawls the demo's web, which must be served meanwhile


def read_state(home: CrawlDirectory) -> State:
    try:
        found: Any = orjson.loads(read_small_file(home.ours / STATE) or "{}")
    except ValueError:
        found = {}
    if not isinstance(found, dict):
        found = {}
    known = {each.name: getattr(State(), each.name) for each in fields(State)}
    return State(**{name: value for name, value in found.items() if name in known and _fits(value, known[name])})


def _fits(value: Any, usual: Any) -> bool:
    """A file that somebody has edited is believed where it can be."""
    if usual is None:
        return value is None or isinstance(value, int)
    return isinstance(value, int | float) if isinstance(usual, float) else type(value) is type(usual)


def write_state(home: CrawlDirectory, state: State) -> None:
    home.ours.mkdir(exist_ok=True)
    write_whole(home.ours / STATE, orjson.dumps(asdict(state), option=orjson.OPT_INDENT_2))


INTERRUPTED = "interrupted"  # as a summary has it
ENDINGS = {"pause": "pausing", "stop": "stopping"}


class Status(NamedTuple):
    name: str
    reason: str
    actions: list[str]


class Process(NamedTuple):
    pid: int
    started: str


def process_of(state: State, live: dict[str, Any]) -> Process | None:
    """The process that runs the crawl, whoever has started it."""
    told = live.get("pid"), live.get("started")
    for pid, started in ((state.pid, state.started), told):
        if isinstance(pid, int) and isinstance(started, str) and is_running(pid, started):
            return Process(pid, started)
    return None


def status_of(home: CrawlDirectory, state: State, live: dict[str, Any]) -> Status:
    process = process_of(state, live)
    if process is not None:
        return _of_running(state, live, process)
    if state.wanted == "run":
        has_ended = bool(state.pid)  # a moment ago: the next look settles what follows
        return Status("stopping", "", []) if has_ended else Status("queued", "", ["pause", "stop"])
    stopped = str(home.summary.get("stopped") or "")
    if state.outcome == "failed":
        return Status("failed", state.reason, ["resume", "delete"])
    if stopped and stopped != INTERRUPTED:
        return Status("finished", stopped, ["resume", "delete"])
    if state.wanted in ENDINGS:  # it has just ended
        return Status(ENDINGS[state.wanted], "", [])
    return Status(state.outcome or "interrupted", "", ["resume", "delete"])


def _of_running(state: State, live: dict[str, Any], process: Process) -> Status:
    if state.wanted in ENDINGS:
        return Status(ENDINGS[state.wanted], "", [])
    has_begun = live.get("pid") == process.pid and "budget" in live
    return Status("running" if has_begun else "starting", "", ["pause", "stop"])
