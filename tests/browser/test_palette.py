"""Text can be read: WCAG's contrast of 4.5 for text and of 3 for edges, in both themes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import sundog

TOKENS = (Path(sundog.__file__).parent / "web" / "static" / "css" / "tokens.css").read_text()
GROUNDS = ("page", "card", "sunk")
TEXTS = [
    *[(text, ground) for ground in GROUNDS for text in ("text", "muted")],
    *[("accent", ground) for ground in ("page", "card", "tint")],
    *[("on-accent", ground) for ground in ("accent", "accent-strong")],
    *[(kind, ground) for kind in ("good", "warn", "bad") for ground in ("card", f"{kind}-tint")],
    ("text", "tint"),
    ("accent", "sunk"),
    ("card", "bad"),
]
EDGES = [("edge", "card"), ("edge", "page"), ("accent", "sunk"), ("accent", "card"), ("trial", "card")]


def palette(theme: str) -> dict[str, str]:
    light, _, dark = TOKENS.partition("@media")
    pairs = re.findall(r"--([\w-]+): (#[0-9a-f]{6});", light)
    return dict(pairs) | (dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", dark)) if theme == "dark" else {})


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(first: str, second: str) -> float:
    lighter, darker = sorted((luminance(first), luminance(second)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_contrast(theme: str) -> None:
    colours = palette(theme)
    weak = {
        (text, ground): round(contrast(colours[text], colours[ground]), 2)
        for pairs, least in ((TEXTS, 4.5), (EDGES, 3.0))
        for text, ground in pairs
        if contrast(colours[text], colours[ground]) < least
    }
    assert not weak


def test_the_measure() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)
