"""The state of a crawl as people see it, out of what is wanted, what runs and what was written down."""

from __future__ import annotations

from typing import Any, NamedTuple

from sundog.web.directories import Home
from sundog.web.processes import is_running
from sundog.web.states import State

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


def status_of(home: Home, state: State, live: dict[str, Any]) -> Status:
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
