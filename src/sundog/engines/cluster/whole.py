"""One crawl of many shards, as it is shown: a snapshot of all, and the summary of the whole."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from sundog.completeness.left import LeftByHost, together
from sundog.engines.cluster.messages import Report
from sundog.engines.live.left_watch import HOSTS_TOLD
from sundog.engines.live.progress import SHOWN, HostLine, ShardLine, Snapshot, pairs
from sundog.store import open_readonly

SUMS = (
    "fetched relevant reward refused failed internal duplicates statements hosts bytes retries contexts spent "
    "looked_at not_indexed"
).split()
ADDED = (
    "fetched relevant reward recent_fetched recent_relevant pages_per_second queued hosts_found asleep in_flight "
    "statements refused internal revisited besides"
).split()
SUMMED_BY_KEY = ("sitemaps", "rendered")
SHOWN_OF_SHARDS = ("fetched", "relevant", "reward", "failed", "refused", "statements", "hosts", "seconds")


def whole_left(reports: Mapping[int, Report]) -> LeftByHost | None:
    """How much all of them have left; None while one has not said it."""
    parts = [report.left for report in reports.values() if report.left is not None]
    return together(parts) if parts and len(parts) == len(reports) else None


def whole_snapshot(
    reports: Mapping[int, Report], restarts: Sequence[int], *, budget: int, elapsed: float, stage: str
) -> Snapshot:
    left = whole_left(reports)
    known = {number: each.snapshot for number, each in sorted(reports.items()) if each.snapshot is not None}
    found = list(known.values())

    def total(name: str) -> Any:
        return sum(getattr(each, name) for each in found)

    return Snapshot(
        budget=budget,
        **{name: total(name) for name in ADDED},
        elapsed=elapsed,
        types=_most(each.types for each in found),
        troubles=_most(each.troubles for each in found),
        hosts=sorted((line for each in found for line in each.hosts), key=_worst)[:SHOWN],
        stage=stage,
        warning=next((each.warning for each in found if each.warning), ""),
        paused=next((each.paused for each in found if each.paused), ""),
        shards=[_line(number, report, restarts[number]) for number, report in sorted(reports.items())],
        left=left.all if left is not None else None,
        left_by_host=_most_left(each.left_by_host for each in found),
    )


def _most(counts: Iterable[Any]) -> list[tuple[str, int]]:
    added: Counter[str] = Counter()
    for each in counts:
        added.update(dict(pairs(each)))
    return added.most_common(SHOWN)


def _most_left(hosts: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    found = [each for part in hosts for each in part.items()]
    return dict(sorted(found, key=lambda each: -each[1]["estimate"])[:HOSTS_TOLD])


def _worst(line: HostLine) -> tuple[int, int]:
    return -line.good, line.bad


def _line(number: int, report: Report, restarts: int) -> ShardLine:
    snapshot = report.snapshot
    state = "ended" if report.summary is not None else report.rest if report.is_running else "starting"
    return ShardLine(
        number,
        snapshot.fetched if snapshot else 0,
        report.before + report.budget.lease.most.fetches,
        snapshot.queued if snapshot else 0,
        snapshot.pages_per_second if snapshot else 0.0,
        report.pending,
        restarts,
        state,
        report.pid,
        report.sent,
        report.received,
        report.taught,
        report.node,
    )


def whole_summary(
    summaries: Sequence[Mapping[str, Any]], retired: Sequence[Path], stopped: str, left: LeftByHost | None
) -> dict[str, Any]:
    """Totals of all shards, also of those that are there no more; ``shards`` lists each."""
    earlier: list[dict[str, Any]] = []
    for path in retired:
        with open_readonly(path) as reader:
            earlier.append({**reader.summary, **reader.totals()})
    found = [*summaries, *earlier]
    summary: dict[str, Any] = {
        name: sum(each.get(name, 0) for each in found) for name in SUMS if any(name in each for each in found)
    }
    for name in SUMMED_BY_KEY:
        if parts := [each[name] for each in found if name in each]:
            summary[name] = {key: sum(part[key] for part in parts) for key in parts[0]}
    rounds = whole_rounds([each["rounds"] for each in found if "rounds" in each])
    visits = sum(each["revisited"] for each in rounds)
    summary["spent"] = summary["fetched"] + visits + summary.get("rendered", {}).get("cost", 0)
    summary["seconds"] = max((each.get("seconds", 0.0) for each in found), default=0.0)
    summary |= {"stopped": stopped, "unit": "pages", "rounds": rounds}
    if len(rounds) > 1:
        alarms = [alarm for each in summaries for alarm in each.get("health", ())]
        summary["health"] = sorted(alarms, key=lambda alarm: (-alarm["since"], alarm["host"], -alarm["wrong"]))
    patterns = _patterns(each.get("patterns", {}) for each in found)
    if patterns:
        summary["patterns"] = patterns
    if left is not None:
        parts = [each["left"] for each in summaries if "left" in each]
        summary["left"] = {**left.all.as_json(), "hosts": _most_left(part["hosts"] for part in parts)}
        if entities := [part["entities"] for part in parts if "entities" in part]:
            summary["left"]["entities"] = {name: sum(each[name] for each in entities) for name in entities[0]}
    summary["shards"] = [
        {"shard": number, **{name: each.get(name, 0) for name in SHOWN_OF_SHARDS}}
        for number, each in enumerate(found)
    ]
    return summary


def whole_rounds(of_shards: Iterable[Iterable[Mapping[str, Any]]]) -> list[dict[str, Any]]:
    """By number: it began when the first shard began it, and did what all of them did.

    >>> whole_rounds([[{"round": 0, "new": 7}, {"round": 1, "began": "2026-01-02", "budget": 5, "new": 1}],
    ...     [{"round": 1, "began": "2026-01-01", "budget": 5, "new": 2}]])
    [{'round': 0, 'new': 7}, {'round': 1, 'began': '2026-01-01', 'budget': 5, 'new': 3}]
    """
    whole: dict[int, dict[str, Any]] = {}
    for each in chain.from_iterable(of_shards):
        so_far = whole.setdefault(each["round"], {})
        for name, value in each.items():
            if name == "began":
                so_far[name] = min(value, so_far.get(name, value))
            else:
                so_far[name] = value if name in ("round", "budget") else so_far.get(name, 0) + value
    return [whole[number] for number in sorted(whole)]


def _patterns(counts: Iterable[Mapping[str, Mapping[str, Any]]]) -> dict[str, dict[str, Any]]:
    whole: dict[str, dict[str, Any]] = {}
    for each in counts:
        for name, found in each.items():
            so_far = whole.setdefault(name, {"pages": 0, "found": 0, "faults": 0})
            for key, value in found.items():
                so_far[key] = so_far[key] + value if isinstance(value, int) and key in so_far else value
    return whole
