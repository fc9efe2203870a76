"""A paper's page in ``docs/papers``: sections with a command, a table, perhaps a plot, and what differs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.common import ROOT, machine
from benchmarks.papers.plot import Curve, line_chart

FOLDER = ROOT / "docs" / "papers"


CAUTION = (
    "Figures in columns named *paper*, or in brackets, are the paper's. The causes named under *What differs* "
    "are what we suppose, unless a section *Causes* has tested them by changing the generator."
)
NOT_RUN = " The paper's own size was not run for this page."


class Section(NamedTuple):
    heading: str
    text: str
    columns: Sequence[str] = ()
    rows: Sequence[Sequence[str]] = ()
    difference: str = ""


class PaperPage:
    """``sizes``: what was run, in words; ``options`` of the command, None if they were not given."""

    def __init__(
        self, name: str, title: str, sizes: str, *, small: bool, options: Mapping[str, int | None] | None = None
    ) -> None:
        self.name, self.title, self.sizes, self.small, self._options = name, title, sizes, small, options or {}
        self.sections: list[Section] = []
        self._plots: dict[str, str] = {}

    def add(
        self,
        heading: str,
        text: str,
        columns: Sequence[str] = (),
        rows: Sequence[Sequence[str]] = (),
        *,
        difference: str = "",
        curves: Mapping[str, Curve] | None = None,
        axes: tuple[str, str] = ("fetched pages", ""),
    ) -> None:
        """``difference``: from the paper's figures, and its cause."""
        print(f"{self.name}: {heading}", flush=True)
        if curves:
            text = f"{text}\n\n{self.plot(heading, curves, axes)}"
        self.sections.append(Section(heading, text, columns, rows, difference))

    def plot(self, title: str, curves: Mapping[str, Curve], axes: tuple[str, str], *, low: bool = False) -> str:
        """As it stands in a section's text. ``low``: the axis begins near the lowest value, not at 0."""
        file = f"{self.name}-{len(self._plots) + 1}.svg"
        self._plots[file] = line_chart(curves, axes, low=low)
        return f"![{title}]({file})"

    @property
    def command(self) -> str:
        given = (f" --{name} {value}" for name, value in self._options.items() if value is not None)
        return f"python -m benchmarks papers {self.name}{' --small' * self.small}{''.join(given)}"

    def text(self) -> str:
        parts = [
            f"# {self.title}",
            f"`{self.command}` made this page ({machine()}). {self.sizes}",
            CAUTION + NOT_RUN * self.small,
        ]
        for section in self.sections:
            parts += [f"## {section.heading}", section.text]
            if section.rows:
                lines = [section.columns, ["---"] * len(section.columns), *section.rows]
                parts.append("\n".join(f"| {' | '.join(line)} |" for line in lines))
            if section.difference:
                parts.append(f"*What differs:* {section.difference}")
        return "\n\n".join(parts) + "\n"

    def write(self, folder: Path = FOLDER) -> Path:
        folder.mkdir(parents=True, exist_ok=True)
        for file, chart in self._plots.items():
            (folder / file).write_text(chart, encoding="utf-8")
        path = folder / f"{self.name}.md"
        path.write_text(self.text(), encoding="utf-8")
        return path
