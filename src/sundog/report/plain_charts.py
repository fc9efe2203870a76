"""Charts that compare no policies: lines over time or fetches, and stacked bars."""

from __future__ import annotations

from collections.abc import Sequence

from sundog.report.charts import COUNTS, Spec, field, framed


def area(data: str, x: Spec, y: Spec, tips: list[Spec]) -> Spec:
    """One quantity, filled down to zero."""
    mark = {"type": "area", "line": True, "opacity": 0.25, "interpolate": "step", "style": "single"}
    return framed(data, mark=mark, encoding={"x": x, "y": y, "tooltip": tips})


def lines(data: str, x: Spec, y: Spec, series: Sequence[str], tips: list[Spec]) -> Spec:
    """A line for each of three levels, named above the chart."""
    mark = {"type": "line", "strokeWidth": 1.8, "point": {"size": 14, "filled": True}}
    return framed(data, mark=mark, encoding={"x": x, "y": y, "color": _series(series, "levels"), "tooltip": tips})


def bars(data: str, x: Spec, y: Spec, series: Sequence[str], tips: list[Spec]) -> Spec:
    """Stacked, in the order of three outcomes."""
    order = {"field": "order", "type": "quantitative"}
    return framed(
        data,
        mark="bar",
        encoding={"x": x, "y": y, "color": _series(series, "outcomes"), "order": order, "tooltip": tips},
    )


def over_fetches(end: int) -> Spec:
    scale = {"domain": [0, end], "nice": False}
    return field("at", "pages fetched", scale=scale, axis={**COUNTS, "tickCount": 6})


def _series(names: Sequence[str], colours: str) -> Spec:
    """``colours`` is one of the ranges in page.js."""
    legend = {"orient": "top", "title": None}
    return field("series", "", of="nominal", scale={"domain": list(names), "range": colours}, legend=legend)
