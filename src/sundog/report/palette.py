"""Colours and dashes of the policies.

Each colour has a contrast of 3 or more with its background, and any two stay apart (ΔE of 8 or more
in OKLab · 100) as people with protanopia, deuteranopia or tritanopia see them. Beyond eight policies
the colours repeat with another dash.
"""

from __future__ import annotations

LIGHT = ("#517bcd", "#c73812", "#1da692", "#b29131", "#6c38c1", "#930050", "#00527f", "#707070")
DARK = ("#46a5fb", "#f2994b", "#00feaf", "#918100", "#7866f0", "#bb51aa", "#78d4e2", "#9d9d9d")
DASHES: tuple[tuple[int, ...], ...] = ((1, 0), (7, 3), (2, 2), (9, 3, 2, 3))


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
