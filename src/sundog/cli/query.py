"""``sundog query``: SPARQL over what a crawl found."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sundog.cli.export import CrawlDirectory
from sundog.cli.progress import say
from sundog.cli.tables import AsJson, print_json, print_texts
from sundog.errors import SundogError, UsageError, nearest_or_all

if TYPE_CHECKING:
    from sundog.store.query import Answer

FORMATS = ("table", "json", "csv")
FILES = (".rq", ".sparql")
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

    form = _format(form, as_json)
    most = MOST_IN_TABLE if form == "table" else MOST_ROWS
    answer = query(directory, _text(sparql), seconds=seconds, most_rows=most)
    if answer.behind:
        say(f"the crawl is ahead of its index: {answer.behind:,} pages are not seen yet")
    if answer.cut:
        hint = f"; --format csv or json shows up to {MOST_ROWS:,}" if form == "table" else ""
        say(f"there are more than {most:,} rows, and these are the first{hint}")
    _print(answer, form)


def _format(form: str, as_json: bool) -> str:
    if form not in FORMATS:
        raise UsageError(f"unknown format '{form}'{nearest_or_all(form, FORMATS)}")
    if as_json and form == "csv":
        raise UsageError("--json and --format csv contradict each other: give one of them")
    return "json" if as_json else form


def _text(sparql: str) -> str:
    """What names a file is read; anything else is the query itself."""
    if not sparql.strip().lower().endswith(FILES):
        return sparql
    try:
        return Path(sparql).read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise SundogError(f"{sparql} cannot be read: it is not UTF-8") from None
    except (OSError, ValueError) as error:
        raise SundogError(f"{sparql} cannot be read: {getattr(error, 'strerror', None) or error}") from None


def _print(answer: Answer, form: str) -> None:
    if form == "json":
        print_json(answer.json())
    elif form == "csv":
        sys.stdout.write(answer.csv())
    else:
        print_texts(answer.columns, answer.texts())
