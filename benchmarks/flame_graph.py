"""``python -m benchmarks.flame_graph STACKS FILE.svg [TITLE]``: a profile as a picture for the docs.

``STACKS`` has one stack a line, its functions from the outermost with ``;`` between them, then how often it was
seen, as ``py-spy record --format raw`` writes it. Width is time; what is narrower than ``LEAST`` is left out.
"""

from __future__ import annotations

import re
import sys
from html import escape
from pathlib import Path
from typing import NamedTuple

WIDTH, ROW, LETTER = 1200, 16, 6.2  # pixels
LEAST = 0.002
COLOURS = {"sundog": "#f4c27a", "turbohtml": "#9fc5e8", "": "#d9d9d9"}


class Frame:
    """A function in its place: how often it was seen there, and what it called."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.seen = 0
        self.inside: dict[str, Frame] = {}


class Box(NamedTuple):
    name: str
    left: float  # of all, from 0 to 1
    share: float
    depth: int


def read_stacks(lines: list[str]) -> Frame:
    """
    >>> read_stacks(["main;read (a.py:3) 3", "main;read (a.py:4) 1"]).inside["main"].inside["read (a.py)"].seen
    4
    """
    root = Frame("all")
    for line in lines:
        stack, _, seen = line.rpartition(" ")
        frame = root
        frame.seen += int(seen)
        for name in stack.split(";"):
            plain = re.sub(r":\d+\)$", ")", name)
            frame = frame.inside.setdefault(plain, Frame(plain))
            frame.seen += int(seen)
    return root


def boxes(root: Frame) -> list[Box]:
    found: list[Box] = []
    waiting = [(root, 0.0, 0)]
    while waiting:
        frame, left, depth = waiting.pop()
        share = frame.seen / root.seen
        if share < LEAST:
            continue
        found.append(Box(frame.name, left, share, depth))
        for each in sorted(frame.inside.values(), key=lambda each: each.name):
            waiting.append((each, left, depth + 1))
            left += each.seen / root.seen
    return found


def as_svg(title: str, found: list[Box]) -> str:
    height = (max(box.depth for box in found) + 3) * ROW
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" font-family="monospace" '
        f'font-size="10"><text x="4" y="12">{escape(title)}</text>'
    ]
    for box in found:
        x, y, width = box.left * WIDTH, (box.depth + 1) * ROW, box.share * WIDTH
        colour = next(colour for package, colour in COLOURS.items() if package in box.name)
        shown = escape(box.name[: int(width / LETTER)]) if width > 3 * LETTER else ""
        parts.append(
            f'<g><title>{escape(box.name)}: {box.share:.1%}</title><rect x="{x:.1f}" y="{y}" width="{width:.1f}" '
            f'height="{ROW - 1}" fill="{colour}"/><text x="{x + 2:.1f}" y="{y + 11}">{shown}</text></g>'
        )
    return "\n".join([*parts, "</svg>\n"])


def main() -> None:
    stacks, picture, *title = sys.argv[1:]
    found = boxes(read_stacks(Path(stacks).read_text().splitlines()))
    Path(picture).write_text(as_svg(" ".join(title), found))


if __name__ == "__main__":
    main()
