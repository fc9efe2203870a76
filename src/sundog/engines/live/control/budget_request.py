"""Another budget for a crawl that runs: a file in its directory asks for it, and the crawl's process takes it.

Policies may look at what is left of the budget, so a replay must know before which choice it has changed. The
process logs the new budget as a step and keeps, in the same commit, the id of the request: a request counts once,
however often the process is killed, and the log says when.
"""

from __future__ import annotations

import math
import secrets
import shlex
from pathlib import Path
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any, NamedTuple

import orjson

from sundog.errors import SundogError, UsageError
from sundog.files import write_whole
from sundog.model import LARGEST_NUMBER
from sundog.processes.detached import DetachedProcess
from sundog.spec.tables import check_number
from sundog.store import CrawlStore, open_readonly
from sundog.store.directory import BUDGET_REQUEST, LIVE, check_crawl
from sundog.store.shards import is_sharded

if TYPE_CHECKING:  # a session is of no use to those who ask
    from sundog.engines.live.journal import Journal

TAKEN = "budget request"  # the state with the id of the last one that counts
LONGEST = 1_000  # bytes of a request
SECONDS_BETWEEN_LOOKS = 0.05


class Request(NamedTuple):
    id: str
    budget: int


class BudgetRequests:
    """Of one running crawl."""

    def __init__(self, store: CrawlStore) -> None:
        self._path = store.directory / BUDGET_REQUEST
        self._taken = store.state(TAKEN)
        self._seen: Any = None  # the file as it was when it was read

    def take(self, journal: Journal, spent: float) -> bool:
        """Whether there was a new one; ``spent`` is the least that a budget can be."""
        request = self._new()
        if request is None:
            return False
        journal.extend(max(request.budget, math.ceil(spent)))
        self._taken = request.id
        journal.store.save(TAKEN, request.id)
        return True

    def _new(self) -> Request | None:
        """Asked in every round of the loop, so a file that has not changed is not read again."""
        try:
            found = self._path.stat()
        except OSError:
            return None
        seen = found.st_mtime_ns, found.st_ino
        if seen == self._seen:
            return None
        self._seen = seen
        request = _read_request(self._path)
        return request if request is not None and request.id != self._taken else None


def skip_request(store: CrawlStore) -> None:
    """One that was not taken yet does not count any more: whoever resumes the crawl has named another budget."""
    if request := _read_request(store.directory / BUDGET_REQUEST):
        store.save(TAKEN, request.id)


def _read_request(path: Path) -> Request | None:
    """None for whatever is no request: anybody might have edited it."""
    found = _read_object(path, LONGEST)
    name, budget = found.get("id"), found.get("budget")
    if not isinstance(name, str) or not isinstance(budget, int) or not 0 < budget <= LARGEST_NUMBER:
        return None
    return Request(name, budget)


def _read_object(path: Path, most: int) -> dict[str, Any]:
    try:
        with path.open("rb") as file:
            found = orjson.loads(file.read(most))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def request_budget(directory: Path, budget: int) -> Request:
    request = Request(secrets.token_hex(8), budget)
    write_whole(directory / BUDGET_REQUEST, orjson.dumps(request._asdict()))
    return request


# -- from another process ----------------------------------------------------------------------------


class Change(NamedTuple):
    """``budget`` is None while the crawl has not taken it."""

    before: int
    budget: int | None
    spent: int
    unit: str


def change_budget(directory: Path, budget: int, *, seconds: float = 10.0) -> Change:
    """Give a running crawl another budget of the whole crawl, and wait until it has logged that.

    Less than was spent is refused. What it spends meanwhile counts: then it ends with that.
    """
    check_number("budget", budget)
    if is_sharded(directory):
        how = _by_resuming(directory, budget)
        raise UsageError(f"{directory} is a crawl in shards: it gets another budget when it is resumed, by {how}")
    check_crawl(directory, write=True)
    live = _read_object(directory / LIVE, 10_000_000)
    process = DetachedProcess(live.get("pid") or 0, live.get("started") or "")
    if not process.is_running or "budget" not in live:
        raise _not_running(directory, budget)
    spent = _spent(directory, live)
    if budget < spent:
        raise UsageError(f"a budget of {budget:,} is less than what was spent already ({spent:,})")
    request = request_budget(directory, budget)
    taken = _taken_budget(directory, request, process, monotonic() + seconds)
    return Change(live["budget"], taken, spent, live["unit"])


def _spent(directory: Path, live: dict[str, Any]) -> int:
    """The log is ahead of ``live.json``, but does not count requests of worlds that have them."""
    if live["requests"] is not None:
        return int(live["spent"])
    with open_readonly(directory) as reader:
        return max(int(live["spent"]), reader.fetches)


def _taken_budget(directory: Path, request: Request, process: DetachedProcess, until: float) -> int | None:
    while True:
        is_running = process.is_running  # asked before the log: the process may take it, and end
        with open_readonly(directory) as reader:
            if reader.state(TAKEN) == request.id:
                return reader.last_budget
        if not is_running:
            raise _not_running(directory, request.budget)
        if monotonic() > until:
            return None
        sleep(SECONDS_BETWEEN_LOOKS)


def _not_running(directory: Path, budget: int) -> SundogError:
    return SundogError(f"{directory} does not run: go on with it by {_by_resuming(directory, budget)}")


def _by_resuming(directory: Path, budget: int) -> str:
    return f"sundog resume {shlex.quote(str(directory))} --budget {budget}"
