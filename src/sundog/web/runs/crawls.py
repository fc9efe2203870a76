"""Every crawl as the API describes it: its spec, its state, and figures read from its log as it grows."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from threading import Lock
from time import monotonic
from typing import Any

from sundog.completeness.estimate import Left
from sundog.engines.live.progress import ShardLine
from sundog.errors import SundogError
from sundog.fetch.values import REDIRECT_KNOWN
from sundog.report.chart_data import equal_edges
from sundog.spec.crawl import read_leniently
from sundog.spec.world import WEB
from sundog.store import open_readonly
from sundog.store.database import COUNTS_SUM
from sundog.store.directory import DATABASE
from sundog.store.reader import IS_INTERNAL
from sundog.urls.hosts import host_of
from sundog.web.results.offered import offered_formats
from sundog.web.runs.directories import MOST_CRAWLS, CrawlDirectory, Root, read_end
from sundog.web.runs.state import State, Status, read_state, reason_words, status_of

NEW_EVENTS = """SELECT step, event, at, value FROM log WHERE step > ? AND event IN
  ('fetched', 'failed', 'refused', 'looked', 'budgeted', 'revisited') ORDER BY step LIMIT ?"""
# A new version stands in the place of the one before.
VERSION_BEFORE = """(SELECT max(e.step) FROM outcomes e WHERE e.candidate = n.candidate AND e.step < n.step)"""
NEW_COUNTS = f"""SELECT coalesce(sum({COUNTS_SUM}), 0), coalesce(sum({IS_INTERNAL}), 0),
    coalesce(sum(trouble IS '{REDIRECT_KNOWN}'), 0),
    (SELECT coalesce(sum({COUNTS_SUM}), 0) FROM revisits n JOIN outcomes now ON now.step = n.step
      JOIN outcomes o ON o.step = {VERSION_BEFORE} WHERE n.step > ?1 AND n.step <= ?2),
    (SELECT count(*) FROM revisits WHERE result <> 'refused' AND step > ?1 AND step <= ?2)
  FROM outcomes o WHERE step > ?1 AND step <= ?2"""
AT_ONCE = 50_000  # rows that are read in one go
SPARKS = 40
RECENT = 200  # pages
POINTS = 300  # of the harvest curve
SECONDS_BETWEEN_READS = 0.5
LIVE_FIGURES = ("queued", "asleep", "in_flight", "hosts_found", "seconds_left")
OUTPUT_SHOWN = 4_000  # characters
SECONDS_LISTED = 1.0


class Crawls:
    """All crawls under the root; keeps their figures, which grow with their logs."""

    def __init__(self, root: Root) -> None:
        self.root = root
        self._figures: dict[str, Figures] = {}
        self._lock, self._listing = Lock(), Lock()
        self._list: list[dict[str, Any]] = []
        self.count = 0  # also of those that are not listed
        self._next = 0.0

    def all(self) -> list[dict[str, Any]]:
        """The latest first, some if there are very many. Those who ask at about the same time share the answer."""
        with self._listing:
            began = monotonic()
            if began >= self._next:
                self._list = self._listed()
                self._next = monotonic() + max(SECONDS_LISTED, monotonic() - began)
            return self._list

    def refresh_list(self) -> None:
        """Something was done that everybody should see at once."""
        self._next = 0.0

    def _listed(self) -> list[dict[str, Any]]:
        crawls = self.root.crawls()
        self.count = len(crawls)
        self._forget({crawl.id for crawl in crawls})
        shown = (self.as_json(crawl) for crawl in _to_list(crawls))
        return sorted(shown, key=lambda crawl: -(crawl["began"] or 0.0))

    def as_json(self, crawl: CrawlDirectory) -> dict[str, Any]:
        """The state is read before the log: whoever hears that a crawl has ended sees all that it has fetched."""
        figures, state, live = self.figures_of(crawl), read_state(crawl), crawl.live
        status = status_of(crawl, state, live)
        figures.update(at_once=not status.kind.has_process)
        return crawl_as_json(crawl, state, live, status, figures)

    def figures_of(self, crawl: CrawlDirectory) -> Figures:
        with self._lock:
            return self._figures.setdefault(crawl.id, Figures(crawl))

    def _forget(self, present: set[str]) -> None:
        with self._lock:
            for name in self._figures.keys() - present:
                del self._figures[name]


def _to_list(crawls: list[CrawlDirectory]) -> list[CrawlDirectory]:
    """If there are too many: all that are running or waiting, and the latest of the others."""
    if len(crawls) <= MOST_CRAWLS:
        return crawls
    live: list[CrawlDirectory] = []
    others: list[CrawlDirectory] = []
    for crawl in crawls:
        status = status_of(crawl, read_state(crawl), crawl.live)
        (live if status.kind.group == "live" else others).append(crawl)
    others.sort(key=lambda crawl: crawl.changed_at, reverse=True)
    return live + others[: max(0, MOST_CRAWLS - len(live))]


def crawl_as_json(
    crawl: CrawlDirectory, state: State, live: Mapping[str, Any], status: Status, figures: Figures
) -> dict[str, Any]:
    spec, summary = spec_of(crawl), crawl.summary
    world = spec.get(spec["world"], WEB)
    now = live if status.kind.has_process and status.name != "starting" else {}  # else an earlier process wrote it
    visits = figures.fetched + figures.revisited
    requests = now.get("requests") or summary.get("requests") or visits
    moments = figures.moments
    return {
        "id": crawl.id,
        "title": spec["title"],
        "owner": state.owner,
        "objective": spec["objective"],
        "policy": spec["policy"],
        "world": spec["world"],
        "state": status.name,
        "group": status.kind.group,
        "tone": status.kind.tone,
        "has_process": status.kind.has_process,
        "reason": status.reason,
        "reason_words": reason_words(status),
        "actions": list(status.kind.actions),
        "loading": figures.loading,
        "unit": world.unit,
        "budget": figures.budget or now.get("budget") or spec["budget"],
        "spent": world.spent(visits, requests),
        "fetched": figures.fetched,
        "relevant": figures.relevant,
        "harvest": figures.relevant / figures.fetched if figures.fetched else None,
        "reward": figures.reward,
        "failed": figures.failed,
        "redirected": figures.redirected,
        "refused": figures.refused,
        "internal": figures.internal,
        "looked_at": figures.head_requests,
        "statements": figures.statements,
        "hosts": now.get("hosts_found") or summary.get("hosts"),
        "recent": figures.recent,
        "recent_pages": min(figures.fetched, RECENT),
        "pages_per_second": now.get("pages_per_second"),
        "began": state.began or (moments[0] if moments else None),
        "changed": moments[-1] if moments else state.began or None,
        "seconds": now.get("elapsed") or summary.get("seconds"),
        "left": _left(now.get("left")) or _left(summary.get("left")),
        "sparkline": figures.sparkline,
        **{name: now.get(name) for name in LIVE_FIGURES},
        "rounds": max(0, len(summary.get("rounds") or ()) - 1),
        "alarms": len(summary.get("health") or ()),
        "every": state.every,
        "round_budget": state.round_budget,
        "shards": _shards_as_json(now, summary),
        "stage": str(now.get("stage") or ""),
        "warning": str(now.get("warning") or ""),
    }


def _left(told: Any) -> dict[str, Any] | None:
    """Wanted pages that were not fetched, and their entities once the crawl has ended.

    Crawls of earlier versions do not say it.

    >>> three = {"estimate": 2, "low": 1, "high": 3}
    >>> _left({**three, "hosts": {}, "entities": three})["entities"]
    {'estimate': 2.0, 'low': 1.0, 'high': 3.0}
    """
    pages = Left.read(told)
    if pages is None:
        return None
    entities = Left.read(told.get("entities"))
    return {**pages._asdict(), "entities": entities._asdict() if entities else None}


def _shards_as_json(now: Mapping[str, Any], summary: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Of a crawl in shards: as they are, or as they ended."""
    found = now.get("shards") or summary.get("shards")
    if not isinstance(found, list):
        return []
    names = ShardLine._fields
    lines = (dict(zip(names, each, strict=False)) if isinstance(each, list) else each for each in found)
    return [{name: line.get(name) for name in names} for line in lines if isinstance(line, dict)]


def details_as_json(crawl: CrawlDirectory, state: State) -> dict[str, Any]:
    """What is shown of one crawl only."""
    spec = spec_of(crawl)
    return {
        "patterns": bool(spec["patterns"]),
        "description": spec["description"],
        "seeds": list(spec["seeds"]),
        "parameters": dict(spec["parameters"]),
        "delay": spec["delay"],
        "spec": crawl.spec_text,
        "email": state.email,
        "webhook": host_of(state.webhook),  # the rest of such an address is often a secret
        "output": output_of(crawl)[-OUTPUT_SHOWN:],
        "formats": offered_formats(crawl, spec),
    }


def spec_of(crawl: CrawlDirectory) -> Mapping[str, Any]:
    """Nothing of it is taken for granted, for others may have written it."""
    return _read_spec(crawl.spec_text)


_read_spec = lru_cache(maxsize=MOST_CRAWLS)(read_leniently)


def output_of(crawl: CrawlDirectory) -> str:
    """What the process has printed."""
    return read_end(crawl.output, 2 * OUTPUT_SHOWN)


class Figures:
    """May be asked by several threads."""

    def __init__(self, crawl: CrawlDirectory) -> None:
        self._crawl = crawl
        self._lock = Lock()
        self._next = 0.0
        self._reset({})

    def _reset(self, databases: Any) -> None:
        self._databases = databases
        self._steps: dict[Path, int] = {}  # up to which each log was read
        self.failed = self.refused = self.head_requests = self.statements = self.relevant = 0
        self.internal = 0  # pages on which Sundog itself failed
        self.revisited = 0  # visits of known pages, in rounds
        self.redirected = 0  # redirects to pages that were asked already
        self.reward = 0.0
        self.budget: int | None = None
        self.moments = array("d")  # of the fetches
        self._sums = array("q", [0])  # relevant ones among the first so many
        self.loading = True
        self._seen: Any = None

    def update(self, *, at_once: bool) -> None:
        """Read on, if the last look was not just now; what cannot be read now stays as it was."""
        with self._lock:
            if monotonic() < self._next and not at_once:
                return
            try:
                logs = self._crawl.logs
                found = [(log / DATABASE).stat() for log in logs]
                databases = {log: (each.st_dev, each.st_ino) for log, each in zip(logs, found, strict=True)}
                if {**databases, **self._databases} != databases:  # another crawl of the same name
                    self._reset(databases)
                self._databases = databases
                seen = [each.st_mtime_ns for each in found], [_changed_at(log / f"{DATABASE}-wal") for log in logs]
                if seen != self._seen or self.loading:
                    self._read_on(logs)
                    self._seen = seen
                self._next = 0.0 if self.loading else monotonic() + SECONDS_BETWEEN_READS
            except (OSError, SundogError):
                self.loading = False

    def _read_on(self, logs: Sequence[Path]) -> None:
        rows: list[tuple[Any, ...]] = []
        self.loading = False
        for log in logs:
            rows += self._read_log(log)
        if len(logs) > 1:
            rows.sort(key=_moment)
        for _, event, at, value in rows:
            self._add(event, at, value)

    def _read_log(self, log: Path) -> list[tuple[Any, ...]]:
        with open_readonly(log) as reader:
            step = self._steps.get(log, 0)
            rows = reader.connection.execute(NEW_EVENTS, (step, AT_ONCE)).fetchall()
            self.loading = self.loading or len(rows) == AT_ONCE
            if rows:
                found = reader.connection.execute(NEW_COUNTS, (step, rows[-1][0])).fetchone()
                statements, internal, redirected, replaced, revisited = found
                self.statements += statements - replaced
                self.revisited += revisited
                self.internal += internal
                self.redirected += redirected
                self.failed -= redirected  # each is logged as a failure
                self._steps[log] = rows[-1][0]
        return rows

    def _add(self, event: str, at: float, value: float | None) -> None:
        if event == "budgeted":
            if not self._crawl.is_sharded:  # a shard's says what it plans for
                self.budget = int(value or 0)
        elif event == "refused":
            self.refused += 1
        elif event == "looked":
            self.head_requests += 1
        elif event != "revisited":
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


def _moment(row: Sequence[Any]) -> float:
    return row[2] or 0.0


def _changed_at(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0
