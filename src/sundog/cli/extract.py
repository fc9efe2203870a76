"""``sundog extract``: what a saved page says."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sundog.cli.terminal import print_data, say
from sundog.errors import UsageError, nearest_or_all, unreadable

if TYPE_CHECKING:
    from sundog.extract import Extraction

EXTRACT_FORMATS = ("nquads", "json", "jsonld")


def extract_command(
    file: Annotated[str, typer.Argument(metavar="FILE|-", help="A saved page or RDF file; -: standard input.")],
    base: Annotated[str, typer.Option(metavar="URL", help="The URL it was saved from.")] = "",
    content_type: Annotated[
        str, typer.Option(metavar="TYPE", help="As the server said; found out from name and bytes by default.")
    ] = "",
    syntax: Annotated[str, typer.Option(metavar="NAME[,…]", help="Only these, e.g. jsonld,microdata.")] = "",
    output: Annotated[str, typer.Option("--format", help="nquads, json or jsonld.")] = "nquads",
) -> None:
    """Print the structured data of a saved page."""
    from sundog.extract import extract
    from sundog.extract.media import guessed_type

    if output not in EXTRACT_FORMATS:
        raise UsageError(f"unknown format '{output}'{nearest_or_all(output, EXTRACT_FORMATS)}")
    if base and ":" not in base:
        raise UsageError(f"--base '{base}' is no URL: it needs a scheme, e.g. https://{base}")
    names = [name.strip() for name in syntax.split(",") if name.strip()] or None
    body, url = read_file(file), base or url_of(file)
    found = extract(body, base=url, content_type=content_type or guessed_type(file, body), syntaxes=names)
    for fault in found.faults:
        say(f"{fault.syntax}: {fault.reason}")
    print_data(_printed(found, output, names))


def read_file(file: str) -> bytes:
    if file == "-":
        return sys.stdin.buffer.read()
    try:
        return Path(file).read_bytes()
    except OSError as error:
        raise unreadable(file, error) from None


def url_of(file: str) -> str:
    return "" if file == "-" else Path(file).resolve().as_uri()


def _printed(found: Extraction, output: str, names: list[str] | None) -> str:
    import orjson

    if output == "nquads":
        return found.nquads()
    if output == "jsonld":
        from sundog.extract.result import as_jsonld

        return as_jsonld(found)
    from sundog.extract.result import as_items

    document = found.mf2 if names == ["microformats"] else as_items(found)
    return orjson.dumps(document, option=orjson.OPT_INDENT_2).decode() + "\n"
