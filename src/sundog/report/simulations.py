"""Which charts a report has, and their data.

The page of simulated crawls: what was run, the table of the runs, the charts.

From runs to a file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from sundog.engines.runs import Trace
from sundog.files import write_whole
from sundog.report.chart_data import Row, by_policy, curve_rows, longest, reliability_rows, window_rows
from sundog.report.charts import Chart, Charts, tip
from sundog.report.document import Contents, chart_section, document, facts, figures
from sundog.report.runs_table import Line, runs_table, summarise

if TYPE_CHECKING:
    from sundog.engines.runs import Run


def charts_of_runs(runs: Sequence[Run], base_rate: float) -> Contents:
    """No fetch, no charts; no policy that estimates probabilities, no charts about estimates."""
    groups = by_policy(runs)
    datasets = {
        "curve": curve_rows(groups),
        "windows": window_rows(groups),
        "reliability": reliability_rows(groups),
    }
    return Contents(list(groups), _charts(groups, datasets, base_rate), datasets)


def _charts(
    groups: Mapping[str, Sequence[Trace]], datasets: Mapping[str, list[Row]], base_rate: float
) -> list[Chart]:
    if not datasets["curve"]:
        return []
    end = longest([trace for traces in groups.values() for trace in traces])
    make = Charts(list(groups), base_rate, end)
    band = any(len(traces) > 1 for traces in groups.values())
    judged = [_accuracy(make), _error(make), _reliability(make)] if datasets["reliability"] else []
    return [_harvest(make, band), _per_window(make), _hosts(make, band), *judged, _selection(make)]


def _harvest(make: Charts, band: bool) -> Chart:
    caption = "Relevant pages found after so many fetches."
    caption += " Mean of the seeds; the band runs from the least to the most of them." if band else ""
    caption += f" Dashed: the world's base rate, {make.base_rate:.1%} of its pages are relevant."
    spec = make.totals("relevant", "relevant pages", band=band, base=True)
    return Chart("harvest", "Harvest curve", caption, spec, wide=True)


def _per_window(make: Charts) -> Chart:
    caption = "Share of relevant pages in each stretch of the crawl. Dashed: the world's base rate."
    return Chart("share", "Harvest per window", caption, make.shares("share", "relevant", base=True))


def _hosts(make: Charts, band: bool) -> Chart:
    caption = "Hosts of which at least one page was known by then."
    return Chart("hosts", "Hosts found", caption, make.totals("hosts", "hosts", band=band))


def _accuracy(make: Charts) -> Chart:
    caption = "How often “estimate ≥ ½” and “relevant” agreed, of the pages fetched in each stretch."
    return Chart("accuracy", "Classifier accuracy", caption, make.shares("accuracy", "agreed", top=1))


def _error(make: Charts) -> Chart:
    caption = (
        "Expected calibration error: how far estimate and observed share lie apart, in ten bins. "
        "0 means that estimates are probabilities; few fetches a window raise it by chance."
    )
    spec = make.shares("error", "calibration error", tip("brier", "Brier score", ".3f"))
    return Chart("error", "Calibration over time", caption, spec)


def _reliability(make: Charts) -> Chart:
    caption = (
        "Whole crawl, ten bins by estimate, area by fetches. On the dashed line estimates are "
        "probabilities; above it they are too low, below it too high."
    )
    return Chart("reliability", "Reliability", caption, make.reliability())


def _selection(make: Charts) -> Chart:
    caption = "Mean time to choose the next page, in each stretch of the crawl; logarithmic."
    return Chart("select", "Selection time", caption, make.selection_time())


@dataclass(frozen=True)
class Header:
    """What was run."""

    title: str
    world: Mapping[str, int]
    objective: str
    command: str


def page(header: Header, lines: Sequence[Line], contents: Contents) -> str:
    runs = f"<section>\n<h2>Runs</h2>\n{runs_table(lines)}\n</section>"
    return document(header.title, _header(header), f"{runs}\n{chart_section(contents)}", contents)


def _header(header: Header) -> str:
    world = header.world
    sizes = [(name.replace("_", " "), f"{number:,}{_share(name, world)}") for name, number in world.items()]
    run = [("objective", header.objective), ("command", header.command)]
    return f"{figures(sizes)}\n{facts((name, f'<code>{escape(text)}</code>') for name, text in run)}"


def _share(name: str, world: Mapping[str, int]) -> str:
    return f" <small>{base_rate(world):.1%}</small>" if name == "relevant" else ""


def base_rate(world: Mapping[str, int]) -> float:
    """The share of the world's pages that are relevant.

    >>> base_rate({"pages": 200, "relevant": 50}), base_rate({"pages": 0, "relevant": 0})
    (0.25, 0.0)
    """
    return world.get("relevant", 0) / max(1, world.get("pages", 0))


def write_report(
    path: Path, title: str, world: dict[str, int], runs: Sequence[Run], *, objective: str, command: str
) -> None:
    """Write the runs as one HTML file that needs nothing else.

    Args:
        path: replaced if it exists; appears whole or not at all. SundogError if it cannot be written.
        world: ``pages``, ``hosts``, ``links``, ``relevant``.
        runs: runs of one policy are its seeds.
        command: what made the report, as typed.
    """
    header = Header(title, world, objective, command)
    contents = charts_of_runs(runs, base_rate(world))
    write_whole(Path(path), page(header, summarise(runs), contents).encode("utf-8", "replace"))
