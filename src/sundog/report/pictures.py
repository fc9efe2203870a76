"""Charts as still pictures, drawn from their Vega-Lite specifications, where Vega is not installed.

They show the same lines, bands, bars and dots in the same colours, but do not answer to the mouse. Only what
``charts.py`` writes is understood.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from html import escape
from typing import Any

from sundog.report.chart_data import Row
from sundog.report.charts import Spec, colour, dash

WIDTH, HEIGHT = 640, 280
LEFT, RIGHT, TOP, BOTTOM = 60, 8, 22, 42  # room for the axes
LEVELS, OUTCOMES = (2, 4, 3), (2, 7, 5)  # colours of series, as in page.js
Scale = Callable[[Any], float]


def picture(spec: Spec, rows: Sequence[Row]) -> str:
    """An SVG element."""
    layers = [layer for layer in spec.get("layer", [spec]) if "params" not in layer or layer is spec]
    main = next(layer for layer in reversed(layers) if "data" not in layer or layer is spec)
    x, y = main["encoding"]["x"], main["encoding"]["y"]
    rows = [row for row in rows if row.get(y["field"]) is not None and row.get(x["field"]) is not None]
    if not rows:
        return '<p class="empty">There is nothing to draw.</p>'
    is_bar = main["mark"] == "bar"
    width, height = (LEFT, WIDTH - RIGHT), (HEIGHT - BOTTOM, TOP)
    tops = _stacked(rows, x["field"], y["field"]) if is_bar else [each for row in rows for each in _ends(row, y)]
    across, x_ticks = _places(rows, x, width) if is_bar else _scale([row[x["field"]] for row in rows], x, width)
    up, y_ticks = _scale(tops, y, height)
    parts = [_axes(x, y, across, up, x_ticks, y_ticks)]
    parts += [_layer(layer, rows, across, up) for layer in layers]
    if (series := main["encoding"].get("color", {})).get("legend"):
        parts.append(_legend(series))
    label = escape(f"{y['title']} over {x['title']}")
    return f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{label}">{"".join(parts)}</svg>'


def _layer(layer: Spec, rows: Sequence[Row], across: Scale, up: Scale) -> str:
    encoding, mark = layer["encoding"], layer["mark"]
    kind = mark if isinstance(mark, str) else mark["type"]
    x, y = encoding["x"]["field"], encoding["y"]["field"]
    if "values" in layer.get("data", {}):
        points = [(across(row[x]), up(row[y])) for row in layer["data"]["values"]]
        return _line(points, "stroke: var(--muted); stroke-dasharray: 5 4")
    if kind == "bar":
        return _bars(rows, encoding, across, up)
    parts = []
    for number, some in _by_series(rows, encoding.get("color", {})):
        points = [(across(row[x]), up(row[y])) for row in some]
        paint = colour(number)
        if kind == "area":
            floor = [
                (across(row[x]), up(row[encoding["y2"]["field"]]) if "y2" in encoding else up(0)) for row in some
            ]
            parts.append(
                f'<polygon points="{_text([*points, *reversed(floor)])}" style="fill: {paint}; opacity: 0.2"/>'
            )
        if kind == "line" or (kind == "area" and "y2" not in encoding):
            parts.append(_line(points, f"stroke: {paint}; stroke-dasharray: {' '.join(map(str, dash(number)))}"))
        if kind == "point" or len(points) == 1:
            parts += [f'<circle cx="{a:.1f}" cy="{b:.1f}" r="3" style="fill: {paint}"/>' for a, b in points]
    return "".join(parts)


def _bars(rows: Sequence[Row], encoding: Spec, across: Scale, up: Scale) -> str:
    x, y, names = encoding["x"]["field"], encoding["y"]["field"], encoding["color"]["scale"]["domain"]
    wide = (WIDTH - LEFT - RIGHT) / len({row[x] for row in rows}) * 0.8
    below: dict[Any, float] = defaultdict(float)
    parts = []
    for row in sorted(rows, key=lambda row: row["order"]):
        bottom, top = up(below[row[x]]), up(below[row[x]] + row[y])
        below[row[x]] += row[y]
        paint = colour(OUTCOMES[names.index(row["series"])])
        place = f'x="{across(row[x]) - wide / 2:.1f}" y="{top:.1f}" width="{wide:.1f}" height="{bottom - top:.1f}"'
        parts.append(f'<rect {place} style="fill: {paint}"/>')
    return "".join(parts)


def _by_series(rows: Sequence[Row], by: Spec) -> Iterable[tuple[int, list[Row]]]:
    """Rows of each policy, or of each level, with the number of its colour."""
    if "field" not in by:
        return [(0, list(rows))]
    names = by["scale"]["domain"]
    levels = LEVELS if by.get("legend") else range(len(names))
    found = [[row for row in rows if row[by["field"]] == name] for name in names]
    return [(levels[at], some) for at, some in enumerate(found) if some]


def _legend(by: Spec) -> str:
    colours = OUTCOMES if by["scale"].get("range") == "outcomes" else LEVELS
    parts = []
    for at, name in enumerate(by["scale"]["domain"]):
        left = LEFT + at * 130
        parts.append(f'<rect x="{left}" y="4" width="10" height="10" style="fill: {colour(colours[at])}"/>')
        parts.append(_label(left + 15, 13, name, "start"))
    return "".join(parts)


# -- scales and axes ---------------------------------------------------------------------------------


def _scale(values: Sequence[float], field: Spec, ends: tuple[int, int]) -> tuple[Scale, list[tuple[Any, str]]]:
    """Where a value stands, and which values are marked on the axis."""
    options = field.get("scale", {})
    per_cent = "%" in field.get("axis", {}).get("format", "")
    if options.get("type") == "log":
        low, high = max(min(values), 1e-6), max(max(values), 1e-5)
        decades = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
        bottom, top = float(decades[0]), float(max(decades[-1], decades[0] + 1))
        return (
            lambda value: _between(math.log10(max(value, 1e-6)), bottom, top, ends),
            [(10.0**each, _number(10.0**each)) for each in decades],
        )
    low, high = options.get("domain", (min(0, *values) if len(values) > 1 else 0, max(values)))
    high = options.get("domainMax", high)
    high = high if high > low else low + 1
    step = _step((high - low) / 5)
    marks = [step * each for each in range(math.ceil(low / step), math.floor(high / step + 1e-9) + 1)]
    shown = [(each, f"{each:.0%}" if per_cent and step >= 0.01 else _number(each)) for each in marks]
    return lambda value: _between(value, low, high, ends), shown


def _places(rows: Sequence[Row], field: Spec, ends: tuple[int, int]) -> tuple[Scale, list[tuple[Any, str]]]:
    order = field.get("sort", {}).get("field", field["field"])
    names = list(dict.fromkeys(row[field["field"]] for row in sorted(rows, key=lambda row: row[order])))
    places = {name: at + 0.5 for at, name in enumerate(names)}
    return lambda name: _between(places[name], 0, len(names), ends), [(name, str(name)) for name in names]


def _between(value: float, low: float, high: float, ends: tuple[int, int]) -> float:
    return ends[0] + (value - low) / (high - low) * (ends[1] - ends[0])


def _step(least: float) -> float:
    """
    >>> [_step(least) for least in (0.13, 3, 700)]
    [0.2, 5.0, 1000.0]
    """
    power = 10.0 ** math.floor(math.log10(least))
    return next(power * each for each in (1, 2, 5, 10) if power * each >= least * 0.999)


def _number(value: float) -> str:
    """
    >>> [_number(value) for value in (0, 0.25, 500, 1500, 2e6)]
    ['0', '0.25', '500', '1.5k', '2M']
    """
    for size, letter in ((1e6, "M"), (1e3, "k")):
        if abs(value) >= size:
            return f"{value / size:.3g}{letter}"
    return f"{value:.3g}"


def _axes(x: Spec, y: Spec, across: Scale, up: Scale, x_ticks: Sequence[Any], y_ticks: Sequence[Any]) -> str:
    floor = HEIGHT - BOTTOM
    parts = []
    for value, text in y_ticks:
        height = up(value)
        parts.append(_line([(LEFT, height), (WIDTH - RIGHT, height)], "stroke: var(--grid); stroke-width: 1"))
        parts.append(_label(LEFT - 6, height + 4, text, "end"))
    parts += [_label(across(value), floor + 16, text, "middle") for value, text in x_ticks]
    parts.append(_line([(LEFT, floor), (WIDTH - RIGHT, floor)], "stroke: var(--rule); stroke-width: 1"))
    parts.append(_label((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8, x["title"], "middle"))
    if "legend" not in y:
        parts.append(_label(4, 12, y["title"], "start") if y["title"] else "")
    return "".join(parts)


# -- marks -------------------------------------------------------------------------------------------


def _line(points: Sequence[tuple[float, float]], style: str) -> str:
    return f'<polyline points="{_text(points)}" style="fill: none; stroke-width: 1.8; {style}"/>'


def _text(points: Iterable[tuple[float, float]]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points)


def _label(x: float, y: float, text: str, anchor: str) -> str:
    style = "fill: var(--muted); font-size: 12px"
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" style="{style}">{escape(text)}</text>'


def _ends(row: Row, y: Spec) -> list[float]:
    """The value, and the ends of its band."""
    names = (y["field"], f"{y['field']}_hi")
    return [row[name] for name in names if row.get(name) is not None]


def _stacked(rows: Sequence[Row], x: str, y: str) -> list[float]:
    total: dict[Any, float] = defaultdict(float)
    for row in rows:
        total[row[x]] += row[y]
    return list(total.values())
