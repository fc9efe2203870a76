"""``sundog changes``: what is new, changed and gone."""

from __future__ import annotations

from typing import Annotated

import typer

from sundog.cli.crawls.results import as_one_crawl
from sundog.cli.options import CrawlDirectory
from sundog.cli.terminal import print_data
from sundog.errors import UsageError, nearest_or_all


def changes_command(
    directory: CrawlDirectory,
    since: Annotated[
        str | None,
        typer.Option(metavar="ROUND|DATE|AGE", help="3, 2026-01-31 or 7d; the last round by default."),
    ] = None,
    kind: Annotated[
        str,
        typer.Option("--type", metavar="T", help="Things of this type only, such as Product; or of a pattern."),
    ] = "",
    name: Annotated[str, typer.Option("--format", help="jsonl, csv or html.")] = "jsonl",
) -> None:
    """Print what differs between the state before a round and now: pages that are new, changed or gone."""
    from sundog.results.changes import FORMATS, changes

    if name not in FORMATS:
        raise UsageError(f"unknown format '{name}'{nearest_or_all(name, FORMATS)}")
    as_one_crawl(directory)
    for text in FORMATS[name](changes(directory, since, kind)):
        print_data(text)
