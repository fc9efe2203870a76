"""The page: header, table, charts, and the scripts that draw them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from importlib.resources import files

from sundog.report.charts import Chart
from sundog.report.contents import Contents
from sundog.report.palette import DARK, LIGHT, colour, colour_variables, dash
from sundog.report.scripts import inline_json, vega
from sundog.report.summary import Line
from sundog.report.table import runs_table

# Nothing is loaded from anywhere; Vega compiles its expressions, hence unsafe-eval.
POLICY = "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval'; style-src 'unsafe-inline'; img-src data:"


@dataclass(frozen=True)
class Header:
    """What was run."""

    title: str
    world: Mapping[str, int]
    objective: str
    command: str


def page(header: Header, lines: Sequence[Line], contents: Contents) -> str:
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{escape(header.title)}</title>
<style>
{_style()}
</style>
</head>
<body>
{_header(header)}
<main>
<section>
<h2>Runs</h2>
{runs_table(lines)}
</section>
{_charts(contents)}
</main>
{_scripts(contents) if contents.charts else ""}
</body>
</html>
"""


def _asset(name: str) -> str:
    return files("sundog.report").joinpath(name).read_text(encoding="utf-8").strip()


def _style() -> str:
    light, dark = colour_variables(LIGHT), colour_variables(DARK)
    themes = f":root {{ {light} }}\n@media (prefers-color-scheme: dark) {{ :root {{ {dark} }} }}"
    return f"{themes}\n{_asset('page.css')}"


def _header(header: Header) -> str:
    figures = "".join(
        f"<div><dt>{escape(name)}</dt><dd>{number:,}{_share(name, header.world)}</dd></div>"
        for name, number in header.world.items()
    )
    return f"""<header>
<h1>{escape(header.title)}</h1>
<dl class="figures">{figures}</dl>
<dl class="run">
<div><dt>objective</dt><dd><code>{escape(header.objective)}</code></dd></div>
<div><dt>command</dt><dd><code>{escape(header.command)}</code></dd></div>
</dl>
</header>"""


def _share(name: str, world: Mapping[str, int]) -> str:
    return f" <small>{base_rate(world):.1%}</small>" if name == "relevant" else ""


def base_rate(world: Mapping[str, int]) -> float:
    """The share of the world's pages that are relevant.

    >>> base_rate({"pages": 200, "relevant": 50}), base_rate({"pages": 0, "relevant": 0})
    (0.25, 0.0)
    """
    return world.get("relevant", 0) / max(1, world.get("pages", 0))


def _charts(contents: Contents) -> str:
    if not contents.charts:
        return '<p class="empty">Nothing was fetched, so there is nothing to draw.</p>'
    figures = "\n".join(map(_figure, contents.charts))
    return f'{_legend(contents.policies)}\n<section class="charts">\n{figures}\n</section>'


def _figure(chart: Chart) -> str:
    wide = ' class="wide"' if chart.wide else ""
    return f"""<figure{wide}>
<figcaption><h2>{escape(chart.title)}</h2><p>{escape(chart.caption)}</p></figcaption>
<div class="chart" id="chart-{chart.name}"></div>
</figure>"""


def _legend(policies: Sequence[str]) -> str:
    """One legend for all charts; a click on a policy brings it out."""
    buttons = "\n".join(_key(i, policy) for i, policy in enumerate(policies))
    return f'<nav class="legend" aria-label="policies">\n{buttons}\n</nav>'


def _key(position: int, policy: str) -> str:
    dashes = " ".join(map(str, dash(position)))
    line = f'<line x1="1" y1="5" x2="27" y2="5" style="stroke: {colour(position)}" stroke-dasharray="{dashes}"/>'
    svg = f'<svg width="28" height="10" aria-hidden="true">{line}</svg>'
    name = escape(policy)
    return f'<button type="button" aria-pressed="false" data-policy="{name}">{svg}{name}</button>'


def _scripts(contents: Contents) -> str:
    data = {"datasets": contents.datasets, "charts": {chart.name: chart.spec for chart in contents.charts}}
    return f"""<script type="application/json" id="data">{inline_json(data)}</script>
<script>{vega()}</script>
<script>
{_asset("page.js")}
</script>"""
