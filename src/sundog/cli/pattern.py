"""``sundog pattern``: patterns made from examples, tried on a page, or taken from those that are ready."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from sundog.cli.pattern_page import AllowPrivate, ConnectTo, Delay, read_page
from sundog.cli.pattern_try import try_command
from sundog.cli.progress import say
from sundog.cli.tables import AsJson, print_json
from sundog.errors import SundogError, UsageError, nearest

LANGUAGES = ("xpath", "css")

pattern_app = typer.Typer(
    name="pattern", help="Make patterns from examples, try them on a page, list ready ones.", no_args_is_help=True
)
pattern_app.command("try")(try_command)


@pattern_app.command("new")
def new_command(
    values: Annotated[
        list[str] | None, typer.Argument(metavar="VALUE …", help="Seen on the page; NAME=VALUE names its field.")
    ] = None,
    source: Annotated[str, typer.Option("--from", metavar="URL|FILE", help="The page with the values.")] = "",
    ready: Annotated[
        str, typer.Option(metavar="NAME", help="A ready spec instead; see sundog pattern list.")
    ] = "",
    name: Annotated[str, typer.Option(help="Of the data pattern.")] = "item",
    start: Annotated[str, typer.Option(metavar="URL|FILE", help="The page to begin with, if it is another.")] = "",
    follow: Annotated[
        list[str] | None, typer.Option(metavar="TEXT", help="A link on the first page: its kind is followed.")
    ] = None,
    engine: Annotated[str, typer.Option(help="xpath or css.")] = "xpath",
    base: Annotated[str, typer.Option(metavar="URL", help="The URL that a FILE was saved from.")] = "",
    out: Annotated[Path | None, typer.Option(metavar="FILE.toml", help="Where to write it.")] = None,
    connect_to: ConnectTo = "",
    allow_private: AllowPrivate = False,
    delay: Delay = 1.0,
) -> None:
    """Print a spec, made from values that you see on a page, or ready to be adapted."""
    if bool(source) == bool(ready):
        raise UsageError("give --from with a page that has the values, or --ready with a name, and not both")
    if ready:
        from sundog.patterns.ready import ready_spec

        _write(ready_spec(ready).text, out)
        return
    if engine not in LANGUAGES:
        raise UsageError(f"--engine {engine}{nearest(engine, LANGUAGES)}: xpath or css is expected")
    from sundog.patterns.example import all_followed, explained, guess, page_tree, spec_of
    from sundog.spec.crawl import parse_spec

    read = partial(read_page, connect_to=connect_to, allow_private=allow_private, delay=delay)
    page = read(source, base=base)
    tree = page_tree(*page)
    first = read(start) if start else page
    first_tree = page_tree(*first) if start else tree
    if "://" not in first.url or first.url.startswith("file:"):
        raise UsageError("a crawl begins at a URL: say with --base which one the FILE was saved from")
    guessed = guess(tree, values or [], engine, page.url)
    links = all_followed(first_tree, follow or [], engine)
    text = spec_of(guessed, first.url, name, engine, links)
    parse_spec(text, "the spec")  # names that cannot be used are said now
    for line in explained(guessed, links):
        say(line)
    _write(text, out)


def _write(text: str, out: Path | None) -> None:
    if out is None:
        sys.stdout.write(text)
        return
    try:
        out.write_text(text, encoding="utf-8")
    except OSError as error:
        raise SundogError(f"{out} cannot be written: {error.strerror or error}") from None
    say(f"run it: sundog crawl {out}")


@pattern_app.command("list")
def list_command(as_json: AsJson = False) -> None:
    """List the specs that are ready to be adapted, one line each."""
    from sundog.patterns.ready import ready_specs

    specs = ready_specs()
    if as_json:
        print_json({spec.name: {"title": spec.title, "description": spec.description} for spec in specs})
        return
    width = max(len(spec.name) for spec in specs)
    for spec in specs:
        typer.echo(f"{spec.name:{width}}  {spec.title}")
