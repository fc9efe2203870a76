"""``sundog score``: saved pages as a scored world."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sundog.cli.progress import say
from sundog.cli.tables import AsJson, print_json


def score_command(
    pages: Annotated[Path, typer.Argument(metavar="PAGES.jsonl[.gz]", help="A page a line: url, html.")],
    directory: Annotated[Path, typer.Argument(metavar="DIR", help="Where the world is written.")],
    objective: Annotated[str, typer.Option("--for", help="Keywords, e.g. keyword:bretagne,brittany.")],
    as_json: AsJson = False,
) -> None:
    """Make a world of saved pages, with pages and links scored by keywords, for sundog simulate."""
    from sundog.engines.saved_pages import read_saved, world_from_pages

    made = world_from_pages(read_saved(pages), objective, directory)
    if as_json:
        print_json(made._asdict())
        return
    typer.echo(f"{made.pages:,} pages, {made.scored_pages:,} of them with a score")
    typer.echo(f"{made.links:,} links between them, {made.scored_links:,} with a score")
    if made.left_out:
        say(f"{made.left_out:,} pages were left out: no URL of the Web, or one that was there already")
