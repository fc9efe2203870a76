"""The table of the runs as HTML."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape

from sundog.report.html_table import Column, html_table
from sundog.report.palette import colour
from sundog.report.summary import Line

Shown = tuple[str, str, Callable[[Line], str]]


def short_number(value: float) -> str:
    """Three digits or so.

    >>> [short_number(x) for x in (0.1234, 12.34, 1234.5)]
    ['0.12', '12.3', '1,234']
    """
    digits = 0 if value >= 100 else 1 if value >= 10 else 2
    return f"{value:,.{digits}f}"


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
    shown = [column for column in COLUMNS if column[0] != "× bfs" or any(line.policy == "bfs" for line in lines)]
    columns = [Column("policy"), *[Column(name, why, name == "stopped") for name, why, _ in shown]]
    rows = [[_name(i, line), *[show(line) for _, _, show in shown]] for i, line in enumerate(lines)]
    return html_table(columns, rows)


def _name(position: int, line: Line) -> str:
    return f'<i style="background: {colour(position)}"></i>{escape(line.policy)}'
