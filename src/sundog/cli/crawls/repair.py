"""``sundog repair``: a damaged crawl made whole again, with what can be read of it."""

from __future__ import annotations

import shlex

import typer

from sundog.cli.options import AsJson, CrawlDirectory
from sundog.cli.terminal import print_json
from sundog.texts import printable


def repair_command(directory: CrawlDirectory, as_json: AsJson = False) -> None:
    """Save what can be read of a damaged crawl, say what is lost, and make its statement index anew.

    Damaged files are kept beside the new ones. It may be stopped and run again.
    """
    from sundog.store.repair.repair import repair

    told: list[str] = []
    was_damaged = repair(directory, told.append)
    if as_json:
        print_json({"repaired": was_damaged, "told": told})
        return
    for line in told:
        typer.echo(printable(line))
    name = shlex.quote(str(directory))
    typer.echo(f"repaired; go on: sundog resume {name}" if was_damaged else "there is nothing to repair")
