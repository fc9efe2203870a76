"""The page of simulated crawls: what was run, the table of the runs, the charts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

from sundog.report.document import Contents, chart_section, document, facts, figures
from sundog.report.summary import Line
from sundog.report.table import runs_table


@dataclass(frozen=True)
class Header:
    """What was run."""

    title: str
    world: Mapping[str, int]
    objective: str
    command: str


def page(header: Header, lines: Sequence[Line], contents: Contents) -> str:
    runs = f"<section>\n<h2>Runs</h2>\n{runs_table(lines)}\n</section>"
    return document(header.title, _header(header), f"{runs}\n{chart_section(contents)}", contents)


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
