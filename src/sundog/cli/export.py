"""``sundog export``: a crawl's data in a file that others can read."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sundog.cli.tables import AsJson, print_json

CrawlDirectory = Annotated[Path, typer.Argument(metavar="DIR", help="The directory of a crawl.")]


def export_command(
    directory: CrawlDirectory,
    form: Annotated[
        str,
        typer.Option(
            "--format",
            help="nquads, jsonl, parquet, csv, answers, items, result, provenance, void or warc.",
        ),
    ],
    out: Annotated[
        Path | None, typer.Option(metavar="PATH", help="A file, or a directory of tables; in DIR by default.")
    ] = None,
    with_provenance: Annotated[
        bool, typer.Option("--provenance", help="Of nquads: also where each document comes from, as a graph.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Write what a crawl found, finished or running, and print where.

    nquads: all statements, the page as graph. jsonl: one entity a line. parquet, csv: tables of pages, links
    and the entities of each type. answers: what queries, forms and APIs have answered, one a line. items: what
    data patterns found, one a line. result: what the result pattern makes of it. provenance: where and when each
    document was fetched, in PROV and Dublin Core. void: a description of what was collected. warc: requests and
    responses, if the crawl kept them.
    """
    from sundog.engines.live.export import export

    path = export(directory, form, out, with_provenance=with_provenance)
    if as_json:
        print_json({"format": form, "path": str(path)})
    else:
        typer.echo(path)
