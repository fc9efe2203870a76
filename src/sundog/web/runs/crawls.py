"""A crawl's figures, read from its log as it grows: each look reads what is new.

Crawls as the API tells of them.
"""

from __future__ import annotations

import tomllib
from array import array
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from threading import Lock
from time import monotonic
from typing import Any

from sundog.errors import SundogError
from sundog.spec.crawl import world_kinds
from sundog.spec.world import WEB
from sundog.store import open_readonly
from sundog.store.directory import DATABASE
from sundog.syntaxes import STORED
from sundog.web.runs.directories import CrawlDirectory, Root
from sundog.web.runs.state import State, read_state, status_of

NEW_EVENTS = """SELECT step, event, at, value FROM log WHERE step > ? AND event IN
  ('fetched', 'failed', 'refused', 'looked', 'budgeted') ORDER BY step LIMIT ?"""
NEW_STATEMENTS = f"SELECT coalesce(sum({' + '.join(STORED)}), 0) FROM outcomes WHERE step > ? AND step <= ?"
AT_ONCE = 50_000  # rows a look
SPARKS = 40
RECENT = 200
POINTS = 300  # of the harvest curve
SECONDS_BETWEEN = 0.5  # of two looks into the database


class Figures:
    """May be asked by several threads."""

    def __init__(self, home: CrawlDirectory) -> None:
        self._home = home
        self._lock = Lock()
        self._next = 0.0
        self._begin(None)

    def _begin(self, database: Any) -> None:
        self._database = database
        self.step = self.failed = self.refused = self.looked_at = self.statements = self.relevant = 0
        self.reward = 0.0
        self.budget: int | None = None
        self.moments = array("d")  # of the fetches
        self._sums = array("q", [0])  # relevant ones among the first so many
        self.loading = True
        self._seen: Any = None

    def update(self) -> None:
        """Read on; what cannot be read now stays as it was."""
        with self._lock:
            if monotonic() < self._next:
                return
            try:
                found = (self._home.directory / DATABASE).stat()
                if self._database != (found.st_dev, found.st_ino):  # another crawl of the same name
                    self._begin((found.st_dev, found.st_ino))
                seen = found.st_mtime_ns, _changed_at(self._home.directory / f"{DATABASE}-wal")
                if seen != self._seen or self.loading:
                    self._read_on()
                    self._seen = seen
                self._next = 0.0 if self.loading else monotonic() + SECONDS_BETWEEN
            except (OSError, SundogError):
                self.loading = False

    def _read_on(self) -> None:
        with open_readonly(self._home.directory) as reader:
            rows = reader.connection.execute(NEW_EVENTS, (self.step, AT_ONCE)).fetchall()
            self.loading = len(rows) == AT_ONCE
            if rows:
                ((statements,),) = reader.connection.execute(NEW_STATEMENTS, (self.step, rows[-1][0]))
                self.statements += statements
        for _, event, at, value in rows:
            self._add(event, at, value)
        self.step = rows[-1][0] if rows else self.step

    def _add(self, event: str, at: float, value: float | None) -> None:
        if event == "budgeted":
            self.budget = int(value or 0)
        elif event == "refused":
            self.refused += 1
        elif event == "looked":
            self.looked_at += 1
        else:
            reward = value or 0.0
            self.failed += event == "failed"
            self.relevant += reward > 0
            self.reward += reward
            self._sums.append(self.relevant)
            self.moments.append(at)

    @property
    def fetched(self) -> int:
        return len(self._sums) - 1

    @property
    def recent(self) -> float | None:
        """The share of relevant pages among the last ones."""
        end, begin = self.fetched, max(0, self.fetched - RECENT)
        return (self._sums[end] - self._sums[begin]) / (end - begin) if end else None

    @property
    def sparkline(self) -> list[float]:
        """Shares of relevant pages in equal stretches, the oldest first."""
        return [
            round((self._sums[last] - self._sums[first]) / (last - first), 3)
            for first, last in pairwise(equal_edges(self.fetched, SPARKS))
        ]

    def curve(self) -> list[tuple[int, int]]:
        """Fetched and relevant, from the beginning to now."""
        return [(end, self._sums[end]) for end in equal_edges(self.fetched, POINTS)]


def _changed_at(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


def equal_edges(size: int, stretches: int) -> list[int]:
    """
    >>> edges(10, 4), edges(2, 40), edges(0, 40)
    ([0, 2, 5, 7, 10], [0, 1, 2], [0])
    """
    count = min(size, stretches)
    return [number * size // count for number in range(count + 1)] if count else [0]


LIVE_FIGURES = ("queued", "asleep", "in_flight", "hosts_found", "seconds_left")
OUTPUT_SHOWN = 4_000  # characters
SECONDS_LISTED = 1.0


class Crawls:
    """All crawls under the root; keeps their figures, which grow with their logs."""

    def __init__(self, root: Root) -> None:
        self.root = root
        self._overviews: dict[str, Figures] = {}
        self._lock, self._listing = Lock(), Lock()
        self._list: list[dict[str, Any]] = []
        self._next = 0.0

    def all(self) -> list[dict[str, Any]]:
        """The latest first. Those who ask at about the same time share the answer."""
        with self._listing:
            if monotonic() >= self._next:
                self._list = self._listed()
                self._next = monotonic() + SECONDS_LISTED
            return self._list

    def forget_list(self) -> None:
        """Something was done that everybody should see at once."""
        self._next = 0.0

    def _listed(self) -> list[dict[str, Any]]:
        homes = self.root.homes()
        self._forget({home.id for home in homes})
        return sorted((self.crawl(home) for home in homes), key=lambda crawl: -(crawl["began"] or 0.0))

    def crawl(self, home: CrawlDirectory) -> dict[str, Any]:
        overview = self.overview(home)
        overview.update()
        return crawl_as_json(home, read_state(home), overview)

    def overview(self, home: CrawlDirectory) -> Figures:
        with self._lock:
            return self._overviews.setdefault(home.id, Figures(home))

    def _forget(self, present: set[str]) -> None:
        with self._lock:
            for name in self._overviews.keys() - present:
                del self._overviews[name]


def crawl_as_json(home: CrawlDirectory, state: State, overview: Figures) -> dict[str, Any]:
    spec, live, summary = spec_of(home), home.live, home.summary
    status = status_of(home, state, live)
    world = _text(spec, "world", "web")
    unit = world_kinds().get(world, WEB).unit
    is_running = status.name in ("running", "pausing", "stopping")
    now = live if is_running else {}
    moments = overview.moments
    return {
        "id": home.id,
        "title": _text(spec, "title"),
        "owner": state.owner,
        "objective": _text(spec, "objective") or _usual_objective(spec),
        "policy": _text(spec, "policy", "sundog"),
        "world": world,
        "state": status.name,
        "reason": status.reason,
        "actions": status.actions,
        "loading": overview.loading,
        "budget": now.get("budget") or overview.budget or spec.get("budget") or 1_000,
        "spent": (unit == "requests" and (now.get("requests") or summary.get("requests"))) or overview.fetched,
        "unit": unit,
        "fetched": overview.fetched,
        "relevant": overview.relevant,
        "harvest": overview.relevant / overview.fetched if overview.fetched else None,
        "reward": overview.reward,
        "failed": overview.failed,
        "refused": overview.refused,
        "looked_at": overview.looked_at,
        "statements": overview.statements,
        "hosts": now.get("hosts_found") or summary.get("hosts"),
        "recent": overview.recent,
        "pages_per_second": now.get("pages_per_second"),
        "began": state.began or (moments[0] if moments else None),
        "changed": moments[-1] if moments else state.began or None,
        "seconds": now.get("elapsed") or summary.get("seconds"),
        "sparkline": overview.sparkline,
        **{name: now.get(name) for name in LIVE_FIGURES},
        "stage": str(now.get("stage") or ""),
        "warning": str(now.get("warning") or ""),
    }


def details_as_json(home: CrawlDirectory, state: State) -> dict[str, Any]:
    """What is shown of one crawl only."""
    spec = spec_of(home)
    seeds, parameters = spec.get("seeds"), spec.get("parameters")
    patterns = spec.get("patterns")
    return {
        "patterns": isinstance(patterns, dict) and bool(patterns),
        "description": _text(spec, "description"),
        "seeds": seeds if isinstance(seeds, list) else [],
        "parameters": parameters if isinstance(parameters, dict) else {},
        "delay": spec.get("delay", 1.0),
        "spec": home.spec_text,
        "email": state.email,
        "output": output_of(home)[-OUTPUT_SHOWN:],
    }


def spec_of(home: CrawlDirectory) -> dict[str, Any]:
    """What the spec says; nothing of it is taken for granted, for others may have written it."""
    return _parsed(home.spec_text)


@lru_cache(maxsize=256)
def _parsed(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError):
        return {}


def _usual_objective(spec: dict[str, Any]) -> str:
    """Of a spec that names none, as ``CrawlSpec.usual_objective`` has it."""
    patterns = spec.get("patterns")
    return "patterns" if isinstance(patterns, dict) and patterns.get("data") else "any"


def output_of(home: CrawlDirectory) -> str:
    """What the process has printed."""
    path = home.ours / "output.log"
    try:
        with path.open("rb") as file:
            file.seek(max(0, path.stat().st_size - 2 * OUTPUT_SHOWN))
            return file.read().decode("utf-8", "replace")
    except OSError:
        return ""


def _text(spec: dict[str, Any], name: str, otherwise: str = "") -> str:
    found = spec.get(name)
    return found if isinstance(found, str) else otherwise
