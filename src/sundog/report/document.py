"""A report as one HTML document: its frame, tables, charts, and the scripts that draw them.

What goes inside <script> tags is made so that it cannot end them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from html import escape
from importlib.metadata import version
from importlib.resources import files
from importlib.util import find_spec
from typing import Any, NamedTuple

from sundog.errors import SundogError
from sundog.files import write_whole
from sundog.report.chart_data import Row
from sundog.report.charts import DARK, LIGHT, Chart, colour, colour_variables, dash
from sundog.report.pictures import picture

STILL = "These charts are still pictures. With <code>pip install 'sundog[charts]'</code> they answer to the mouse."
LONGEST_NAME = 120  # characters of a name
# Nothing is loaded from anywhere; Vega compiles its expressions, hence unsafe-eval.
POLICY = "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval'; style-src 'unsafe-inline'; img-src data:"


@dataclass(frozen=True)
class ChartSet:
    """The charts, the datasets that they name, and the names in their legend."""

    policies: list[str] = field(default_factory=list)
    charts: list[Chart] = field(default_factory=list)
    datasets: dict[str, list[Row]] = field(default_factory=dict)


def document(title: str, header: str, main: str, charts: ChartSet) -> str:
    """``header`` and ``main`` are HTML; ``title`` is text."""
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{escape(title)}</title>
<style>
{_style()}
</style>
</head>
<body>
<header>
<h1>{escape(title)}</h1>
{header}
</header>
<main>
{main}
</main>
{_scripts(charts) if charts.charts and has_vega() else ""}
</body>
</html>
"""


def figures(values: Iterable[tuple[str, str]]) -> str:
    """Large numbers, each with its name; the values are HTML."""
    return _list("figures", values)


def facts(values: Iterable[tuple[str, str]]) -> str:
    """Lines of a name and a value, which is HTML."""
    return _list("run", values)


def _list(kind: str, values: Iterable[tuple[str, str]]) -> str:
    lines = "\n".join(f"<div><dt>{escape(name)}</dt><dd>{value}</dd></div>" for name, value in values)
    return f'<dl class="{kind}">\n{lines}\n</dl>'


def chart_section(charts: ChartSet) -> str:
    if not charts.charts:
        return '<p class="empty">Nothing was fetched, so there is nothing to draw.</p>'
    drawn = "\n".join(_figure(chart, charts.datasets) for chart in charts.charts)
    section = f'<section class="charts">\n{drawn}\n</section>'
    if not has_vega():
        section += f"\n<p>{STILL}</p>"
    return f"<div>\n{_legend(charts.policies)}\n{section}\n</div>"  # the legend stays with the charts


def _figure(chart: Chart, datasets: Mapping[str, list[Row]]) -> str:
    drawn = "" if has_vega() else picture(chart.spec, datasets[chart.spec["data"]["name"]])
    wide = ' class="wide"' if chart.wide else ""
    return f"""<figure{wide}>
<figcaption><h2>{escape(chart.title)}</h2><p>{escape(chart.caption)}</p></figcaption>
<div class="chart" id="chart-{chart.name}">{drawn}</div>
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


def _asset(name: str) -> str:
    return files("sundog.report").joinpath(name).read_text(encoding="utf-8").strip()


def _style() -> str:
    light, dark = colour_variables(LIGHT), colour_variables(DARK)
    themes = f":root {{ {light} }}\n@media (prefers-color-scheme: dark) {{ :root {{ {dark} }} }}"
    return f"{themes}\n{_asset('page.css')}"


class Column(NamedTuple):
    """``hint`` is shown when the mouse rests on the name."""

    name: str
    hint: str = ""
    is_text: bool = False


def html_table(columns: Sequence[Column], rows: Sequence[Sequence[str]]) -> str:
    """Cells are HTML; the first column names the row."""
    head = "".join(_head(column) for column in columns)
    body = "\n".join(_row(columns, row) for row in rows)
    return (
        '<div class="scroll" tabindex="0"><table>\n'
        f"<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody></table></div>"
    )


def _head(column: Column) -> str:
    title = f' title="{escape(column.hint)}"' if column.hint else ""
    return f'<th scope="col"{_kind(column)}{title}>{escape(column.name)}</th>'


def _row(columns: Sequence[Column], row: Sequence[str]) -> str:
    name, *cells = row
    rest = "".join(f"<td{_kind(column)}>{cell}</td>" for column, cell in zip(columns[1:], cells, strict=True))
    return f'<tr><th scope="row">{name}</th>{rest}</tr>'


def _kind(column: Column) -> str:
    return ' class="text"' if column.is_text else ""


def short_number(value: float) -> str:
    """Three digits or so.

    >>> [short_number(x) for x in (0.1234, 12.34, 1234.5)]
    ['0.12', '12.3', '1,234']
    """
    digits = 0 if value >= 100 else 1 if value >= 10 else 2
    return f"{value:,.{digits}f}"


def section_heading(title: str, caption: str) -> str:
    return f"<h2>{escape(title)}</h2>\n<p>{escape(caption)}</p>"


def cut_text(shown: str, whole: str) -> str:
    cut = shown if len(shown) <= LONGEST_NAME else f"{shown[:LONGEST_NAME]}…"
    return f'<span title="{escape(whole[: 4 * LONGEST_NAME])}">{escape(cut) or "–"}</span>'


def _scripts(charts: ChartSet) -> str:
    data = {"datasets": charts.datasets, "charts": {chart.name: chart.spec for chart in charts.charts}}
    return f"""<script type="application/json" id="data">{inline_json(data)}</script>
<script>{vega()}</script>
<script>
{_asset("page.js")}
</script>"""


def has_vega() -> bool:
    """If not, charts are still pictures."""
    return find_spec("vl_convert") is not None


@cache
def vega() -> str:
    """Vega, Vega-Lite and Vega-Embed, out of the installed vl-convert; defines ``vegaEmbed``. To bundle them takes
    a second and a half of CPU, so it is done once for each version of it, not for each report."""
    import vl_convert  # 80 MB, and needed only here

    from sundog._jit import cache_directory  # which loads Numba

    kept = cache_directory() / f"vega-{version('vl-convert-python')}.js"
    with suppress(OSError, UnicodeDecodeError):
        return kept.read_text(encoding="utf-8")
    code = inline(vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;"))
    with suppress(OSError, SundogError):
        kept.parent.mkdir(parents=True, exist_ok=True)
        write_whole(kept, code.encode(), durable=False)
    return code


def inline(code: str) -> str:
    r"""JavaScript in which no string or pattern can end the tag or open a comment.

    >>> inline('a = "</script><!--"')
    'a = "<\\/script><\\!--"'
    """
    return re.sub("</(?=script)", r"<\\/", code, flags=re.IGNORECASE).replace("<!--", "<\\!--")


def inline_json(value: Any) -> str:
    r"""JSON without a character that HTML would notice.

    >>> inline_json("</script>&")
    '"\\u003c/script\\u003e\\u0026"'
    """
    text = json.dumps(value, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
