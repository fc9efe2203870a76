"""``sundog export``: a crawl's data in a file that others can read.

``sundog query``: SPARQL over what a crawl found.

``sundog report``: a crawl as a page to look at.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sundog.cli.options import AsJson, CrawlDirectory
from sundog.cli.terminal import print_json, print_texts, say
from sundog.errors import SundogError, UsageError, nearest_or_all
from sundog.rdf.sparql import QUERY_ENDINGS

if TYPE_CHECKING:
    from sundog.store.query import Answer


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
    from sundog.results.export import export

    path = export(directory, form, out, with_provenance=with_provenance)
    if as_json:
        print_json({"format": form, "path": str(path)})
    else:
        typer.echo(path)


QUERY_FORMATS = ("table", "json", "csv")
MOST_IN_TABLE = 1_000  # more than anybody reads
MOST_ROWS = 100_000


def query_command(
    directory: CrawlDirectory,
    sparql: Annotated[str, typer.Argument(metavar="SPARQL|FILE.rq", help="SELECT, ASK, CONSTRUCT or DESCRIBE.")],
    form: Annotated[str, typer.Option("--format", help="table, json (as the W3C defines it) or csv.")] = "table",
    seconds: Annotated[float, typer.Option("--timeout", min=0.1, help="Seconds until it is stopped.")] = 60.0,
    as_json: AsJson = False,
) -> None:
    """Ask a crawl, finished or running. The page is the graph of what it says.

    Common prefixes (schema, foaf, og, rdf, rdfs, dc …) need not be declared.
    """
    from sundog.store.query import query

    form = _checked_format(form, as_json)
    most = MOST_IN_TABLE if form == "table" else MOST_ROWS
    answer = query(directory, _query_text(sparql), seconds=seconds, most_rows=most)
    if answer.behind:
        say(f"the crawl is ahead of its index: {answer.behind:,} pages are not seen yet")
    if answer.cut:
        hint = f"; --format csv or json shows up to {MOST_ROWS:,}" if form == "table" else ""
        say(f"there are more than {most:,} rows, and these are the first{hint}")
    _print_answer(answer, form)


def _checked_format(form: str, as_json: bool) -> str:
    if form not in QUERY_FORMATS:
        raise UsageError(f"unknown format '{form}'{nearest_or_all(form, QUERY_FORMATS)}")
    if as_json and form == "csv":
        raise UsageError("--json and --format csv contradict each other: give one of them")
    return "json" if as_json else form


def _query_text(sparql: str) -> str:
    """What names a file is read; anything else is the query itself."""
    if not sparql.strip().lower().endswith(QUERY_ENDINGS):
        return sparql
    try:
        return Path(sparql).read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise SundogError(f"{sparql} cannot be read: it is not UTF-8") from None
    except (OSError, ValueError) as error:
        raise SundogError(f"{sparql} cannot be read: {getattr(error, 'strerror', None) or error}") from None


def _print_answer(answer: Answer, form: str) -> None:
    if form == "json":
        print_json(answer.json())
    elif form == "csv":
        sys.stdout.write(answer.csv())
    else:
        print_texts(answer.columns, answer.texts())


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
