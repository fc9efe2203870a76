"""Charts as Vega-Lite specifications, and their colours.

Charts name their data; the page holds each dataset once and hands it over. Colours come from the
page's theme: the scales fix only the order of the policies. ``picked`` is the policy chosen in the
page's legend, or null.

Each colour has a contrast of 3 or more with its background, and any two stay apart (ΔE of 8 or more
in OKLab · 100) as people with protanopia, deuteranopia or tritanopia see them. Beyond eight policies
the colours repeat with another dash.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sundog.report.chart_data import Row

LIGHT = ("#517bcd", "#c73812", "#1da692", "#b29131", "#6c38c1", "#930050", "#00527f", "#707070")
DARK = ("#46a5fb", "#f2994b", "#00feaf", "#918100", "#7866f0", "#bb51aa", "#78d4e2", "#9d9d9d")
DASHES: tuple[tuple[int, ...], ...] = ((1, 0), (7, 3), (2, 2), (9, 3, 2, 3))
Spec = dict[str, Any]
HEIGHT = 280
# Counts on an axis: 500, 1k, 1.5k, and nothing between two whole numbers.
COUNTS = {"labelExpr": "datum.value % 1 ? '' : format(datum.value, '~s')", "tickMinStep": 1}
FEW = 10  # so few fetches are drawn as dots: a line needs two


def colour(position: int) -> str:
    """The colour of a policy, by its position, as the CSS variable that holds it in either theme.

    >>> colour(1), colour(9)
    ('var(--c1)', 'var(--c1)')
    """
    return f"var(--c{position % len(LIGHT)})"


def dash(position: int) -> list[int]:
    """The dash of a policy's lines, by its position.

    >>> dash(1), dash(9)
    ([1, 0], [7, 3])
    """
    return list(DASHES[position // len(LIGHT) % len(DASHES)])


def colour_variables(colours: tuple[str, ...]) -> str:
    """The CSS declarations of a theme's colours.

    >>> colour_variables(("#fff", "#000"))
    '--c0: #fff; --c1: #000;'
    """
    return " ".join(f"--c{i}: {value};" for i, value in enumerate(colours))


@dataclass(frozen=True)
class Chart:
    """A chart and the words beside it."""

    name: str
    title: str
    caption: str
    spec: Spec
    wide: bool = False


def field(name: str, title: str, *, of: str = "quantitative", **more: Any) -> Spec:
    return {"field": name, "type": of, "title": title, **more}


def tip(name: str, title: str, number: str | None = None) -> Spec:
    """A line of a tooltip; ``number`` says how a number is written, without it the value is text.

    ``asText`` is the page's own formatter: without one, Vega-Lite 6 shows text as "undefined" where
    the nearest point is looked for (its pull request 9707).
    """
    if number:
        return field(name, title, format=number)
    return field(name, title, of="nominal", format="", formatType="asText")


class Charts:
    """Makes the charts of one report: the same policies, colours and behaviour in each."""

    def __init__(self, policies: Sequence[str], base_rate: float, end: int) -> None:
        self.policies, self.base_rate, self.end = list(policies), base_rate, end

    def totals(self, y: str, title: str, *, band: bool, base: bool = False, number: str = ",.0f") -> Spec:
        """A total over the fetches, with a band from least to most over the seeds."""
        tips = [tip("at", "pages fetched", ",.0f"), tip(y, title, number)]
        if band:
            tips += [tip(f"{y}_lo", "least", number), tip(f"{y}_hi", "most", number)]
        below = [self._band(y)] if band else []
        below += [self._base_line([(0, 0.0), (self.end, self.base_rate * self.end)])] if base else []
        return self._lines("curve", field(y, title, axis=COUNTS), tips, below)

    def shares(self, y: str, title: str, *more: Spec, base: bool = False, top: float | None = None) -> Spec:
        """A share per window, on an axis of per cent."""
        scale: Spec = {} if top is None else {"scale": {"domainMax": top, "zero": False}}
        axis = field(y, title, axis={"format": "~%"}, **scale)
        tips = [tip("span", "fetches"), tip(y, title, ".1%"), *more]
        below = [self._base_line([(0, self.base_rate), (self.end, self.base_rate)])] if base else []
        return self._lines("windows", axis, tips, below)

    def selection_time(self) -> Spec:
        axis = {"format": ",~f", "tickCount": 5}
        y = field("select", "µs a choice", scale={"type": "log", "nice": True}, axis=axis)
        return self._lines("windows", y, [tip("span", "fetches"), tip("select", "µs a choice", ",.3~g")])

    def reliability(self) -> Spec:
        """Estimated against observed; the diagonal is what honest probabilities would give."""
        tips = [
            tip("policy", "policy"),
            tip("estimate", "mean estimate", ".3f"),
            tip("share", "observed share", ".3f"),
            tip("count", "fetches", ",.0f"),
        ]
        unit: Spec = {"scale": {"domain": [0, 1]}}
        at = {"x": field("estimate", "mean estimate", **unit), "y": field("share", "observed share", **unit)}
        size = {"field": "count", "type": "quantitative", "legend": None, "scale": {"range": [25, 500]}}
        line = {"mark": {"type": "line", "strokeWidth": 1}, "encoding": {**at, **self._style(0.6)}}
        points: Spec = {"mark": {"type": "point", "filled": True, "stroke": None}}
        points["encoding"] = {**at, **self._style(0.85, dashed=False), "size": size, "tooltip": tips}
        diagonal = self._reference([{"x": 0, "y": 0}, {"x": 1, "y": 1}])
        return framed("reliability", layer=[diagonal, line, points])

    def _lines(self, data: str, y: Spec, tips: list[Spec], below: Sequence[Spec] = ()) -> Spec:
        """A line a policy over the fetches; the nearest point shows its figures."""
        at = {"x": self._x(), "y": y}
        line = {"mark": {"type": "line", "strokeWidth": 1.8}, "encoding": {**at, **self._style()}}
        hover = {"type": "point", "on": "pointerover", "nearest": True, "clear": "pointerout"}
        shown = {"condition": {"param": "hover", "empty": False, "value": 1}, "value": float(self.end <= FEW)}
        style = {**self._style(dashed=False), "opacity": shown}
        points = {
            "mark": {"type": "point", "filled": True, "size": 60},
            "params": [{"name": "hover", "select": hover}],
            "encoding": {**at, **style, "tooltip": [tip("policy", "policy"), *tips]},
        }
        spec = framed(data, layer=[*below, line, points])
        return {**spec, "transform": [{"filter": f"isValid(datum.{y['field']})"}]}

    def _band(self, y: str) -> Spec:
        ends = {"y": field(f"{y}_lo", ""), "y2": {"field": f"{y}_hi"}}
        style = self._style(0.2, faded=0.03, dashed=False)
        return {"mark": {"type": "area", "line": False}, "encoding": {"x": self._x(), **ends, **style}}

    def _base_line(self, points: Sequence[tuple[int, float]]) -> Spec:
        return self._reference([{"x": x, "y": y} for x, y in points])

    def _reference(self, values: list[Row]) -> Spec:
        """A dashed grey line between fixed points."""
        at = {"x": {"field": "x", "type": "quantitative"}, "y": {"field": "y", "type": "quantitative"}}
        return {"data": {"values": values}, "mark": {"type": "line", "style": "reference"}, "encoding": at}

    def _x(self) -> Spec:
        return over_fetches(self.end)

    def _style(self, opacity: float = 1, *, faded: float = 0.12, dashed: bool = True) -> Spec:
        """Colour and dash by policy; the policies that are not picked fade."""
        by_policy: Spec = {"field": "policy", "type": "nominal", "legend": None}
        test = "picked === null || datum.policy === picked"
        style: Spec = {"color": {**by_policy, "scale": {"domain": self.policies}}}
        style["opacity"] = {"condition": {"test": test, "value": opacity}, "value": faded}
        if dashed:
            dashes = [dash(i) for i in range(len(self.policies))]
            style["strokeDash"] = {**by_policy, "scale": {"domain": self.policies, "range": dashes}}
        return style


def framed(data: str, **content: Any) -> Spec:
    """A chart as wide as its place on the page, with what it shows."""
    return {
        "data": {"name": data},
        "width": "container",
        "height": HEIGHT,
        "autosize": {"type": "fit", "contains": "padding", "resize": True},
        "params": [{"name": "picked", "value": None}],
        **content,
    }


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
