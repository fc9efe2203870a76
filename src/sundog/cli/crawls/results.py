"""``sundog export``, ``query`` and ``report``: what a crawl has found."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand

from sundog.cli.options import AsJson, CrawlDirectory
from sundog.cli.terminal import print_data, print_json, print_texts, progress_of, say
from sundog.errors import SundogError, UsageError, nearest_or_all, unreadable
from sundog.rdf.answer_formats import GRAPHS, TABLES
from sundog.rdf.sparql import QUERY_ENDINGS

if TYPE_CHECKING:
    from sundog.store.query import Answer


AsOf = Annotated[
    str | None,
    typer.Option("--as-of", metavar="DATE|ROUND|AGE", help="As it was then: 2026-01-31, 3 (a round) or 7d ago."),
]


class ExportCommand(TyperCommand):
    """Its help lists the formats, which are loaded only then: most of what Sundog has is needed for that."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        from sundog.results.export import all_formats

        formats = [f"{each.name}: {each.summary}." for each in all_formats().values()]
        self.help = "\n\n".join([self.help or "", *formats])
        super().format_help(ctx, formatter)


def export_command(
    directory: CrawlDirectory,
    name: Annotated[str, typer.Option("--format", metavar="NAME", help="One of those above.")],
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="PATH", help="A file, or a directory of tables; in DIR by default. - is standard output."
        ),
    ] = None,
    kind: Annotated[
        str, typer.Option("--type", metavar="T", help="Entities of this type only, such as Recipe, as one table.")
    ] = "",
    columns: Annotated[
        str, typer.Option(metavar="A,B", help="These columns only, such as name,offers.price; in this order.")
    ] = "",
    where: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FILTER",
            help="Rows for which this holds: 'price < 20 and name contains cake', 'author.name is empty'.",
        ),
    ] = None,
    search: Annotated[str, typer.Option(metavar="TEXT", help="Rows that have this text in some value.")] = "",
    sort: Annotated[str, typer.Option(metavar="COLUMN", help="In this order; else in that of discovery.")] = "",
    descending: Annotated[bool, typer.Option("--descending", help="The other way round.")] = False,
    entities: Annotated[
        str,
        typer.Option(metavar="merged|raw", help="One row for each thing, or for each description of it."),
    ] = "merged",
    with_provenance: Annotated[
        bool, typer.Option("--provenance", help="Of nquads: also where each document comes from, as a graph.")
    ] = False,
    as_of: AsOf = None,
    as_json: AsJson = False,
) -> None:
    """Write what a crawl found, finished or running, and print where. The formats are:"""
    from sundog.results.export import export
    from sundog.store.formats.format import PIPE, Selection

    if entities not in ("merged", "raw"):
        raise UsageError(f"unknown --entities '{entities}'{nearest_or_all(entities, ('merged', 'raw'))}")
    if as_json and out == PIPE:
        raise UsageError("--json and --out - both want standard output: leave out one of them")
    as_one_crawl(directory)
    with progress_of("entities") as progress:
        selection = Selection(
            type=kind,
            columns=_names(columns),
            where=tuple(where or ()),
            search=search,
            sort=sort,
            descending=descending,
            raw=entities == "raw",
            progress=progress,
        )
        path = export(directory, name, out, selection=selection, with_provenance=with_provenance, as_of=as_of)
    if path == PIPE:
        return
    if as_json:
        print_json({"format": name, "path": str(path)})
    else:
        typer.echo(path)


def as_one_crawl(directory: Path) -> Path:
    """Of a crawl in shards, the merged one: made with a progress bar if the shards have gone on."""
    from sundog.results.merge import as_one
    from sundog.store.shards import is_sharded

    if not is_sharded(directory):
        return directory
    with progress_of("merging shards") as progress:
        return as_one(directory, progress)


def merge_command(
    directory: CrawlDirectory,
    out: Annotated[Path, typer.Argument(metavar="OUT", help="A new directory.")],
    as_json: AsJson = False,
) -> None:
    """Write a crawl in shards as an ordinary one, and print where."""
    from sundog.results.merge import merge

    with progress_of("merging shards") as progress:
        merge(directory, out, progress)
    if as_json:
        print_json({"path": str(out)})
    else:
        typer.echo(out)


def _names(text: str) -> tuple[str, ...]:
    """Between commas; one that has a comma in it stands in quotation marks."""
    parts = next(csv.reader([text], skipinitialspace=True), [])
    return tuple(part.strip() for part in parts if part.strip())


QUERY_FORMATS = ("table", *(each.name for each in (*TABLES, *GRAPHS)))
ROWS = ("table", "json", "csv")  # of a graph, too; the other formats are texts as the W3C defines them
MOST_IN_TABLE = 1_000  # more than anybody reads
MOST_ROWS = 100_000
MOST_BYTES = 1_000_000_000  # of a text


def query_command(
    directory: CrawlDirectory,
    sparql: Annotated[str, typer.Argument(metavar="SPARQL|FILE.rq", help="SELECT, ASK, CONSTRUCT or DESCRIBE.")],
    name: Annotated[
        str, typer.Option("--format", help="table, json, csv, xml, tsv; turtle, ntriples, rdfxml, jsonld.")
    ] = "table",
    seconds: Annotated[float, typer.Option("--timeout", min=0.1, help="Seconds until it is stopped.")] = 60.0,
    as_of: AsOf = None,
    as_json: AsJson = False,
) -> None:
    """Ask a crawl, finished or running. The page is the graph of what it says.

    Common prefixes (schema, foaf, og, rdf, rdfs, dc …) need not be declared.
    """
    from sundog.results.moments import find_step
    from sundog.store.query import query

    name = _checked_format(name, as_json)
    directory = as_one_crawl(directory)
    step = None if as_of is None else find_step(directory, as_of)
    if name not in ROWS:
        return _print_text(directory, _query_text(sparql), name, seconds, step)
    most = MOST_IN_TABLE if name == "table" else MOST_ROWS
    answer = query(directory, _query_text(sparql), seconds=seconds, most_rows=most, as_of=step)
    _say_behind(answer.behind)
    if answer.cut:
        hint = f"; --format csv or json shows up to {MOST_ROWS:,}" if name == "table" else ""
        say(f"there are more than {most:,} rows, and these are the first{hint}")
    return _print_answer(answer, name)


def _say_behind(behind: int) -> None:
    if behind:
        say(f"the crawl is ahead of its index: {behind:,} pages are not seen yet")


def _print_text(directory: Path, sparql: str, name: str, seconds: float, as_of: int | None) -> None:
    from sundog.store.query import query_text

    form = next(each for each in (*TABLES, *GRAPHS) if each.name == name)
    text, behind = query_text(directory, sparql, form, seconds=seconds, most_bytes=MOST_BYTES, as_of=as_of)
    _say_behind(behind)
    print_data(text)


def _checked_format(name: str, as_json: bool) -> str:
    if name not in QUERY_FORMATS:
        raise UsageError(f"unknown format '{name}'{nearest_or_all(name, QUERY_FORMATS)}")
    if as_json and name not in ("table", "json"):
        raise UsageError(f"--json and --format {name} contradict each other: give one of them")
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
    beside: Annotated[
        str, typer.Option(metavar="NAME[,…]", help="Policies that are replayed and drawn beside the crawl.")
    ] = "bfs",
    as_json: AsJson = False,
) -> None:
    """Write a crawl, finished or running, as one HTML file that works offline, and print where."""
    from sundog.report.crawl import write_crawl_report

    as_one_crawl(directory)
    path = write_crawl_report(directory, out, beside=_names(beside))
    if as_json:
        print_json({"path": str(path)})
    else:
        typer.echo(path)
