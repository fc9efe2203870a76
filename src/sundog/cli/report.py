"""``sundog report``: a crawl as a page to look at."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sundog.cli.export import CrawlDirectory
from sundog.cli.tables import AsJson, print_json


def report_command(
    directory: CrawlDirectory,
    out: Annotated[Path | None, typer.Option(metavar="FILE.html", help="DIR/report.html by default.")] = None,
    as_json: AsJson = False,
) -> None:
    """Write a crawl, finished or running, as one HTML file that works offline, and print where."""
    from sundog.report.crawl import write_crawl_report

    path = write_crawl_report(directory, out)
    if as_json:
        print_json({"path": str(path)})
    else:
        typer.echo(path)
