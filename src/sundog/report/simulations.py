"""The report of simulated crawls: from runs to one HTML file, with what was run, a table and charts."""

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
from sundog.report.document import ChartSet, chart_section, document, facts, figures
from sundog.report.runs_table import Line, runs_table, summarise

if TYPE_CHECKING:
    from sundog.engines.runs import Run


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
    charts = charts_of_runs(runs, base_rate(world))
    write_whole(Path(path), page(header, summarise(runs), charts).encode("utf-8", "replace"))


@dataclass(frozen=True)
class Header:
    """What was run."""

    title: str
    world: Mapping[str, int]
    objective: str
    command: str


def page(header: Header, lines: Sequence[Line], charts: ChartSet) -> str:
    runs = f"<section>\n<h2>Runs</h2>\n{runs_table(lines)}\n</section>"
    return document(header.title, _header(header), f"{runs}\n{chart_section(charts)}", charts)


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


def charts_of_runs(runs: Sequence[Run], base_rate: float) -> ChartSet:
    """No fetch, no charts; no policy that estimates probabilities, no charts about estimates."""
    groups = by_policy(runs)
    datasets = {
        "curve": curve_rows(groups),
        "windows": window_rows(groups),
        "reliability": reliability_rows(groups),
    }
    return ChartSet(list(groups), _charts(groups, datasets, base_rate), datasets)


def _charts(
    groups: Mapping[str, Sequence[Trace]], datasets: Mapping[str, list[Row]], base_rate: float
) -> list[Chart]:
    if not datasets["curve"]:
        return []
    end = longest([trace for traces in groups.values() for trace in traces])
    charts = Charts(list(groups), base_rate, end)
    band = any(len(traces) > 1 for traces in groups.values())
    judged = [_accuracy(charts), _error(charts), _reliability(charts)] if datasets["reliability"] else []
    return [_harvest(charts, band), _per_window(charts), _hosts(charts, band), *judged, _selection(charts)]


def _harvest(charts: Charts, band: bool) -> Chart:
    caption = "Relevant pages found after so many fetches."
    caption += " Mean of the seeds; the band runs from the least to the most of them." if band else ""
    caption += f" Dashed: the world's base rate, {charts.base_rate:.1%} of its pages are relevant."
    spec = charts.totals("relevant", "relevant pages", band=band, base=True)
    return Chart("harvest", "Harvest curve", caption, spec, wide=True)


def _per_window(charts: Charts) -> Chart:
    caption = "Share of relevant pages in each stretch of the crawl. Dashed: the world's base rate."
    return Chart("share", "Harvest per window", caption, charts.shares("share", "relevant", base=True))


def _hosts(charts: Charts, band: bool) -> Chart:
    caption = "Hosts of which at least one page was known by then."
    return Chart("hosts", "Hosts found", caption, charts.totals("hosts", "hosts", band=band))


def _accuracy(charts: Charts) -> Chart:
    caption = "How often “estimate ≥ ½” and “relevant” agreed, of the pages fetched in each stretch."
    return Chart("accuracy", "Classifier accuracy", caption, charts.shares("accuracy", "agreed", top=1))


def _error(charts: Charts) -> Chart:
    caption = (
        "Expected calibration error: how far estimate and observed share lie apart, in ten bins. "
        "0 means that estimates are probabilities; few fetches a window raise it by chance."
    )
    spec = charts.shares("error", "calibration error", tip("brier", "Brier score", ".3f"))
    return Chart("error", "Calibration over time", caption, spec)


def _reliability(charts: Charts) -> Chart:
    caption = (
        "Whole crawl, ten bins by estimate, area by fetches. On the dashed line estimates are "
        "probabilities; above it they are too low, below it too high."
    )
    return Chart("reliability", "Reliability", caption, charts.reliability())


def _selection(charts: Charts) -> Chart:
    caption = "Mean time to choose the next page, in each stretch of the crawl; logarithmic."
    return Chart("select", "Selection time", caption, charts.selection_time())
