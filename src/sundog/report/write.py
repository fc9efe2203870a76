"""From runs to a file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from sundog.report.contents import contents_of
from sundog.report.files import write_whole
from sundog.report.page import Header, base_rate, page
from sundog.report.summary import summarise

if TYPE_CHECKING:
    from sundog.engines.simulated import Run


def write_report(
    path: Path, title: str, world: dict[str, int], runs: Sequence[Run], *, objective: str, command: str
) -> None:
    """Write the runs as one HTML file that needs nothing else.

    Args:
        path: replaced if it exists; appears whole or not at all. SundogError if it cannot be written.
        world: ``pages``, ``hosts``, ``links``, ``relevant``.
        runs: runs of one policy are its seeds.
        command: what made the report, as typed.
    """
    header = Header(title, world, objective, command)
    contents = contents_of(runs, base_rate(world))
    write_whole(Path(path), page(header, summarise(runs), contents))
