"""The table of simulated runs: a line for each policy, its seeds summed up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

import numpy as np

from sundog.report.charts import colour
from sundog.report.document import Column, html_table, short_number

if TYPE_CHECKING:
    from sundog.engines.runs import Run
BASELINE = "bfs"


@dataclass(frozen=True)
class Line:
    """One policy: means over its seeds; spread is the standard deviation, None with one seed."""

    policy: str
    seeds: tuple[int, ...]
    fetched: float
    relevant: float
    harvest: float
    spread: float | None
    times_bfs: float | None
    us_per_fetch: float
    select_p50: float
    select_p99: float
    peak_mb: float
    stopped: str


def summarise(runs: Sequence[Run]) -> list[Line]:
    """Lines in order of appearance."""
    groups: dict[str, list[Run]] = {}
    for run in runs:
        groups.setdefault(run.policy, []).append(run)
    baseline = _mean([run.harvest_rate for run in groups.get(BASELINE, [])])
    return [_line(policy, group, baseline) for policy, group in groups.items()]


def _line(policy: str, runs: Sequence[Run], baseline: float) -> Line:
    rates = [run.harvest_rate for run in runs]
    selects = [run.select_us for run in runs]
    return Line(
        policy=policy,
        seeds=tuple(run.seed for run in runs),
        fetched=_mean([run.fetched for run in runs]),
        relevant=_mean([run.relevant for run in runs]),
        harvest=_mean(rates),
        spread=float(np.std(rates, ddof=1)) if len(rates) > 1 else None,
        times_bfs=_mean(rates) / baseline if baseline else None,
        us_per_fetch=_mean([run.us_per_fetch for run in runs]),
        select_p50=_mean([select["p50"] for select in selects]),
        select_p99=_mean([select["p99"] for select in selects]),
        peak_mb=max(run.peak_rss_mb for run in runs),
        stopped=stop_reasons([run.stopped for run in runs]),
    )


def _mean(values: Sequence[float]) -> float:
    return float(np.mean(values)) if values else 0.0


def stop_reasons(reasons: Sequence[str]) -> str:
    """The reasons to stop, with how often each if they differ.

    >>> stop_reasons(["budget", "budget"]), stop_reasons(["budget", "frontier empty", "budget"])
    ('budget', 'budget (2), frontier empty (1)')
    """
    counts = Counter(reasons)
    return reasons[0] if len(counts) == 1 else ", ".join(f"{reason} ({n})" for reason, n in counts.items())


Shown = tuple[str, str, Callable[[Line], str]]


def harvest(line: Line) -> str:
    """The harvest rate in per cent and its spread in points."""
    spread = "" if line.spread is None else f" <small>± {100 * line.spread:.2f}</small>"
    return f"{line.harvest:.1%}{spread}"


def seeds(line: Line) -> str:
    known = ", ".join(map(str, line.seeds))
    return f'<span title="seeds {escape(known)}">{len(line.seeds)}</span>'


COLUMNS: tuple[Shown, ...] = (
    ("seeds", "how many seeds; the figures are means over them", seeds),
    ("fetched", "pages fetched", lambda line: f"{line.fetched:,.0f}"),
    ("relevant", "relevant pages among them", lambda line: f"{line.relevant:,.0f}"),
    ("harvest rate", "relevant / fetched ± standard deviation over the seeds, in points", harvest),
    ("× bfs", "harvest rate over that of bfs", lambda line: _times(line)),
    ("µs / fetch", "choose, learn and offer all links", lambda line: short_number(line.us_per_fetch)),
    ("select p50 µs", "median time of a choice", lambda line: short_number(line.select_p50)),
    ("select p99 µs", "99th percentile of the time of a choice", lambda line: short_number(line.select_p99)),
    (
        "peak memory",
        "of the whole process until then, world included",
        lambda line: f"{line.peak_mb:,.0f} MB",
    ),
    ("stopped", "why the crawl ended", lambda line: escape(line.stopped)),
)


def _times(line: Line) -> str:
    return "–" if line.times_bfs is None else f"{line.times_bfs:.2f}"


def runs_table(lines: Sequence[Line]) -> str:
    """A row a policy; "× bfs" only if bfs is among them."""
    has_baseline = any(line.policy == BASELINE for line in lines)
    shown = [column for column in COLUMNS if column[0] != "× bfs" or has_baseline]
    columns = [Column("policy"), *[Column(name, hint, name == "stopped") for name, hint, _ in shown]]
    rows = [[_name(i, line), *[show(line) for _, _, show in shown]] for i, line in enumerate(lines)]
    return html_table(columns, rows)


def _name(position: int, line: Line) -> str:
    return f'<i style="background: {colour(position)}"></i>{escape(line.policy)}'
