"""``sundog export``, ``query`` and ``report``: what a crawl has found."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand

from sundog.cli.options import AsJson, CrawlDirectory
from sundog.cli.terminal import print_data, print_json, print_texts, say
from sundog.errors import SundogError, UsageError, nearest_or_all, unreadable
from sundog.rdf.sparql import QUERY_ENDINGS

if TYPE_CHECKING:
    from sundog.store.query import Answer


class ExportCommand(TyperCommand):
    """Its help lists the formats, which are loaded only then: most of what Sundog has is needed for that."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        from sundog.results.export import FORMATS

        formats = [f"{each.name}: {each.summary}." for each in FORMATS.values()]
        self.help = "\n\n".join([self.help or "", *formats])
        super().format_help(ctx, formatter)


def export_command(
    directory: CrawlDirectory,
    name: Annotated[str, typer.Option("--format", metavar="NAME", help="One of those above.")],
    out: Annotated[
        Path | None, typer.Option(metavar="PATH", help="A file, or a directory of tables; in DIR by default.")
    ] = None,
    with_provenance: Annotated[
        bool, typer.Option("--provenance", help="Of nquads: also where each document comes from, as a graph.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Write what a crawl found, finished or running, and print where. The formats are:"""
    from sundog.results.export import export

    path = export(directory, name, out, with_provenance=with_provenance)
    if as_json:
        print_json({"format": name, "path": str(path)})
    else:
        typer.echo(path)


QUERY_FORMATS = ("table", "json", "csv")
MOST_IN_TABLE = 1_000  # more than anybody reads
MOST_ROWS = 100_000


def query_command(
    directory: CrawlDirectory,
    sparql: Annotated[str, typer.Argument(metavar="SPARQL|FILE.rq", help="SELECT, ASK, CONSTRUCT or DESCRIBE.")],
    name: Annotated[str, typer.Option("--format", help="table, json (as the W3C defines it) or csv.")] = "table",
    seconds: Annotated[float, typer.Option("--timeout", min=0.1, help="Seconds until it is stopped.")] = 60.0,
    as_json: AsJson = False,
) -> None:
    """Ask a crawl, finished or running. The page is the graph of what it says.

    Common prefixes (schema, foaf, og, rdf, rdfs, dc …) need not be declared.
    """
    from sundog.store.query import query

    name = _checked_format(name, as_json)
    most = MOST_IN_TABLE if name == "table" else MOST_ROWS
    answer = query(directory, _query_text(sparql), seconds=seconds, most_rows=most)
    if answer.behind:
        say(f"the crawl is ahead of its index: {answer.behind:,} pages are not seen yet")
    if answer.cut:
        hint = f"; --format csv or json shows up to {MOST_ROWS:,}" if name == "table" else ""
        say(f"there are more than {most:,} rows, and these are the first{hint}")
    _print_answer(answer, name)


def _checked_format(name: str, as_json: bool) -> str:
    if name not in QUERY_FORMATS:
        raise UsageError(f"unknown format '{name}'{nearest_or_all(name, QUERY_FORMATS)}")
    if as_json and name == "csv":
        raise UsageError("--json and --format csv contradict each other: give one of them")
    return "json" if as_json else name


def _query_text(sparql: str) -> str:
    """What names a file is read; anything else is the query itself."""
    if not sparql.strip().lower().endswith(QUERY_ENDINGS):
        return sparql
    try:
        return Path(sparql).read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise SundogError(f"{sparql} cannot be read: it is not UTF-8") from None
    except (OSError, ValueError) as error:
        raise unreadable(sparql, error) from None


def _print_answer(answer: Answer, name: str) -> None:
    if name == "json":
        print_json(answer.json())
    elif name == "csv":
        print_data(answer.csv())
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
