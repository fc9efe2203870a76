"""What the server keeps of a crawl besides what the crawl keeps itself: ``.web/state.json``."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import Any, Literal

import orjson

from sundog.store.directory import write_whole
from sundog.web.directories import Home, read_inside

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


def read_state(home: Home) -> State:
    try:
        found: Any = orjson.loads(read_inside(home.ours / STATE) or "{}")
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


def write_state(home: Home, state: State) -> None:
    home.ours.mkdir(exist_ok=True)
    write_whole(home.ours / STATE, orjson.dumps(asdict(state), option=orjson.OPT_INDENT_2))
