"""Curves as a small SVG file, without a library: docs show it wherever they are read."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape

Curve = Sequence[tuple[float, float]]
WIDTH, HEIGHT, LEFT, TOP, BOTTOM, LEGEND = 760, 320, 62, 12, 34, 210
FROM_WHOLE = 100  # numbers at an axis have no digits behind the point
STEPS = 20  # of 1, where an axis may begin
COLOURS = (
    "#1b6ca8",
    "#d1495b",
    "#2e8b57",
    "#b8860b",
    "#6a4c93",
    "#008b8b",
    "#8b4513",
    "#555555",
    "#c71585",
    "#9acd32",
)


def line_chart(curves: Mapping[str, Curve], axes: tuple[str, str], *, low: bool = False) -> str:
    """One line a curve; both axes begin at 0, or the second one, if ``low``, just below the lowest value."""
    right = max((x for curve in curves.values() for x, _ in curve), default=1.0) or 1.0
    values = [y for curve in curves.values() for _, y in curve]
    top = max(values, default=1.0) or 1.0
    bottom = math.floor(min(values) * STEPS - 1) / STEPS if low and values else 0.0
    wide, high = WIDTH - LEFT - LEGEND, HEIGHT - TOP - BOTTOM
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-size="11"',
        ' font-family="sans-serif">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
    ]
    for step in range(5):
        y = TOP + high - high * step / 4
        parts.append(f'<line x1="{LEFT}" y1="{y:.1f}" x2="{LEFT + wide}" y2="{y:.1f}" stroke="#ddd"/>')
        value = bottom + (top - bottom) * step / 4
        parts.append(f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{_shown(value)}</text>')
        x = LEFT + wide * step / 4
        parts.append(f'<text x="{x:.1f}" y="{HEIGHT - 18}" text-anchor="middle">{right * step / 4:,.0f}</text>')
    for place, (name, curve) in enumerate(curves.items()):
        colour = COLOURS[place % len(COLOURS)]
        dashes = ' stroke-dasharray="5 3"' if place >= len(COLOURS) else ""
        points = " ".join(
            f"{LEFT + wide * x / right:.1f},{TOP + high - high * (y - bottom) / (top - bottom):.1f}"
            for x, y in curve
        )
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="1.6"{dashes}/>')
        y = TOP + 12 + 16 * place
        x = LEFT + wide + 12
        parts.append(
            f'<line x1="{x}" y1="{y - 4}" x2="{x + 18}" y2="{y - 4}" stroke="{colour}" stroke-width="2"{dashes}/>'
        )
        parts.append(f'<text x="{x + 24}" y="{y}">{escape(name)}</text>')
    parts.append(f'<text x="{LEFT + wide / 2}" y="{HEIGHT - 4}" text-anchor="middle">{escape(axes[0])}</text>')
    parts.append(
        f'<text x="12" y="{TOP + high / 2}" transform="rotate(-90 12 {TOP + high / 2})" text-anchor="middle">'
    )
    parts.append(f"{escape(axes[1])}</text></svg>\n")
    return "\n".join(parts)


def _shown(value: float) -> str:
    """
    >>> _shown(0.4821), _shown(70_003.2)
    ('0.482', '70,003')
    """
    return f"{value:,.0f}" if value >= FROM_WHOLE else f"{value:.3g}"
