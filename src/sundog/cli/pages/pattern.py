"""``sundog pattern``: patterns made from examples, tried on a page, or taken from those that are ready."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sundog.cli.options import AllowPrivate, AsJson, ConnectTo, Force, check_absent
from sundog.cli.pages.source_page import SourcePage, read_page
from sundog.cli.terminal import print_json, print_list, print_texts, say
from sundog.errors import UsageError, nearest
from sundog.files import write_whole

if TYPE_CHECKING:
    from sundog.patterns.example import LinkGuess
    from sundog.patterns.example.other_pages import SeenPage
    from sundog.patterns.runner import Subject
    from sundog.patterns.trial import Tried
    from sundog.spec import CrawlSpec
Delay = Annotated[float, typer.Option(min=0, help="Seconds between requests: robots.txt is asked first.")]
EXAMPLE_ENGINES = ("xpath", "css")
MOST_SHOWN = 20  # items or links of one pattern; --json has all
LONGEST_SHOWN = 200
COLUMNS = ("pattern", "kind", "at", "what", "value")
Row = tuple[str, str, str, str, str]
pattern_app = typer.Typer(
    name="pattern", help="Make patterns from examples, try them on a page, list ready ones.", no_args_is_help=True
)


@pattern_app.command("try")
def try_command(
    file: Annotated[Path, typer.Argument(metavar="SPEC.toml", help="The spec with the patterns.")],
    page: Annotated[str, typer.Argument(metavar="PAGE|URL", help="A saved page, - for standard input, or a URL.")],
    base: Annotated[str, typer.Option(metavar="URL", help="The URL that a saved page is from.")] = "",
    depth: Annotated[int, typer.Option(min=0, help="Links from a seed, as if a crawl had got there.")] = 0,
    via: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="A link pattern that led there; there may be several.")
    ] = None,
    connect_to: ConnectTo = "",
    allow_private: AllowPrivate = False,
    delay: Delay = 1.0,
    as_json: AsJson = False,
) -> None:
    """Show what every pattern of a spec yields on one page. Exits with 1 if a pattern is in error."""
    from sundog.patterns.crawl_view import CrawlView
    from sundog.patterns.trial import try_patterns
    from sundog.spec import read_spec

    spec = read_spec(file)
    if not spec.patterns:
        raise UsageError(f"{file} has no patterns to try: add [[patterns.data]] or [[patterns.link]]")
    connect_to, allow_private = connect_to or spec.connect_to, allow_private or spec.allow_private
    source = read_page(page, base=base, connect_to=connect_to, allow_private=allow_private, delay=delay)
    _check_links(via or [], spec)
    view = CrawlView(depth=depth, via=via or [])
    results = try_patterns(spec.patterns, _subject(spec, source)._replace(crawl_view=view))
    if as_json:
        print_json({"page": source.url, "patterns": [tried.as_json() for tried in results]})
    else:
        print_texts(COLUMNS, [row for tried in results for row in _rows(tried)])
    if any(tried.errors for tried in results):
        raise typer.Exit(1)


def _check_links(names: list[str], spec: CrawlSpec) -> None:
    known = [each.name for each in spec.patterns.link]
    for name in names:
        if name not in known:
            raise UsageError(f"--via {name}: there is no such link pattern{nearest(name, known)}")


def _subject(spec: CrawlSpec, page: SourcePage) -> Subject:
    from sundog.patterns.runner import Subject, needs_of

    statements = ""
    if needs_of(spec.patterns).statements:
        from sundog.extract import extract

        found = extract(page.body, base=page.url, content_type=page.content_type).statements
        statements = "".join(f"{' '.join(statement[:3])} .\n" for statement in found)  # no graphs: one page is one
    return Subject(page.url, page.body, page.content_type, statements)


def _rows(tried: Tried) -> Iterator[Row]:
    """A row for each field, link or truth value; one that says so if there is nothing."""
    name, kind = tried.name, str(tried.kind)
    found = [*_found(tried), *(("", "error", error) for error in tried.errors)] or [("", "nothing", "")]
    for at, what, value in found:
        yield name, kind, at, what, value[:LONGEST_SHOWN]
        name = kind = ""


def _found(tried: Tried) -> Iterator[tuple[str, str, str]]:
    if tried.kind == "stop" and not tried.errors:
        yield "", "holds" if tried.holds else "does not hold" if tried.holds is not None else "asks the crawl", ""
    if tried.kind == "result" and not tried.errors:
        yield "", "asks the crawl", ""
    for number, item in enumerate(tried.items[:MOST_SHOWN]):
        for field, value in item.items():
            yield _where(tried, number, field), field, _text(value)
    for number, link in enumerate(tried.links[:MOST_SHOWN]):
        yield _where(tried, number), link.anchor[:60], link.url
    if (most := max(len(tried.items), len(tried.links))) > MOST_SHOWN:
        yield "", f"and {most - MOST_SHOWN:,} more", ""


def _where(tried: Tried, number: int, field: str = "") -> str:
    """Line and column, or the number of the item if they are not known."""
    places = tried.positions[number] if number < len(tried.positions) else {}
    place = places.get(field) or places.get("")
    return f"{place.line}:{place.column}" if place and place.line else f"#{number + 1}"


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


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
    force: Force = False,
) -> None:
    """Print a spec, made from values that you see on a page, or ready to be adapted."""
    if bool(source) == bool(ready):
        raise UsageError("give --from with a page that has the values, or --ready with a name, and not both")
    if out is not None and not out.is_dir():
        check_absent(out, force=force)
    if ready:
        from sundog.patterns.ready import ready_spec

        _write_spec(ready_spec(ready).text, out)
        return
    if engine not in EXAMPLE_ENGINES:
        raise UsageError(f"--engine {engine}{nearest(engine, EXAMPLE_ENGINES)}: xpath or css is expected")
    from sundog.cli.pages.pattern_trial import found_on_pages
    from sundog.patterns.example import explained, guess, guess_links, page_tree, spec_of
    from sundog.patterns.example.other_pages import SeenPage, Trail
    from sundog.spec.crawl import parse_spec

    read = partial(read_page, connect_to=connect_to, allow_private=allow_private, delay=delay)
    page = read(source, base=base)
    tree = page_tree(*page)
    first = read(start) if start else page
    first_tree = page_tree(*first) if start else tree
    if "://" not in first.url or first.url.startswith("file:"):
        raise UsageError("a crawl begins at a URL: say with --base which one the FILE was saved from")
    guessed = guess(tree, values or [], engine, page.url)
    links = guess_links(first_tree, follow or [], engine)
    if start and not follow:
        links = _links_to_example(SeenPage(first.url, first_tree), SeenPage(page.url, tree), source, engine)
    text = spec_of(guessed, first.url, name, engine, links)
    spec = parse_spec(text, "the spec")  # names that cannot be used are an error now
    for line in explained(guessed, links):
        say(line)
    if start and not links:
        say(f"{first.url} has no link to {page.url}: choose with --follow TEXT which of its links are followed")
    if "://" in source:
        trail = Trail(
            SeenPage(page.url, tree),
            SeenPage(first.url, first_tree),
            [link.xpath for link in links],
            guessed.next_page,
            guessed.records is not None,
        )
        for line in found_on_pages(spec, page, trail, read):
            say(line)
    _write_spec(text, out, connect_to=connect_to, allow_private=allow_private)


def _links_to_example(first: SeenPage, page: SeenPage, asked: str, engine: str) -> list[LinkGuess]:
    """Links like the one from the first page to the example, if there is one."""
    from sundog.patterns.example.links import guess_clicked_links, link_to
    from sundog.patterns.example.tree import text_of

    heading = page.tree.select_one("h1")
    title = text_of(heading) if heading is not None else ""
    link = link_to(first.tree, first.url, {asked, page.url}, title)
    return guess_clicked_links(first.tree, [link], engine) if link is not None else []


def _write_spec(text: str, out: Path | None, *, connect_to: str = "", allow_private: bool = False) -> None:
    if out is None:
        sys.stdout.write(text)
        return
    write_whole(out, text.encode())
    way = f" --connect-to {shlex.quote(connect_to)}" if connect_to else ""
    say(f"run it: sundog crawl {shlex.quote(str(out))}{way}{' --allow-private' if allow_private else ''}")


@pattern_app.command("list")
def list_command(as_json: AsJson = False) -> None:
    """List the specs that are ready to be adapted, one line each."""
    from sundog.patterns.ready import ready_specs

    specs = ready_specs()
    if as_json:
        print_json({spec.name: {"title": spec.title, "description": spec.description} for spec in specs})
        return
    print_list({spec.name: spec.title for spec in specs})
