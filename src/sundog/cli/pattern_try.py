"""``sundog pattern try``: what every pattern of a spec yields on one page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sundog.cli.pattern_page import AllowPrivate, ConnectTo, Delay, LookedAt, read_page
from sundog.cli.tables import AsJson, print_json, print_texts
from sundog.errors import UsageError, nearest

if TYPE_CHECKING:
    from sundog.patterns.trial import Tried
    from sundog.patterns.values import Subject
    from sundog.spec import CrawlSpec

MOST_SHOWN = 20  # items or links of one pattern; --json has all
LONGEST_SHOWN = 200
COLUMNS = ("pattern", "kind", "at", "what", "value")
Row = tuple[str, str, str, str, str]


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
    from sundog.patterns.trial import try_patterns
    from sundog.patterns.values import Surroundings
    from sundog.spec import read_spec

    spec = read_spec(file)
    if not spec.patterns:
        raise UsageError(f"{file} has no patterns to try: add [[patterns.data]] or [[patterns.link]]")
    connect_to, allow_private = connect_to or spec.connect_to, allow_private or spec.allow_private
    looked_at = read_page(page, base=base, connect_to=connect_to, allow_private=allow_private, delay=delay)
    _check_links(via or [], spec)
    around = Surroundings(depth=depth, via=via or [])
    results = try_patterns(spec.patterns, _subject(spec, looked_at)._replace(surroundings=around))
    if as_json:
        print_json({"page": looked_at.url, "patterns": [tried.as_json() for tried in results]})
    else:
        print_texts(COLUMNS, [row for tried in results for row in _rows(tried)])
    if any(tried.errors for tried in results):
        raise typer.Exit(1)


def _check_links(names: list[str], spec: CrawlSpec) -> None:
    known = [each.name for each in spec.patterns.link]
    for name in names:
        if name not in known:
            raise UsageError(f"--via {name}: there is no such link pattern{nearest(name, known)}")


def _subject(spec: CrawlSpec, page: LookedAt) -> Subject:
    from sundog.patterns.plan import needs_of
    from sundog.patterns.values import Subject

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
    places = tried.places[number] if number < len(tried.places) else {}
    place = places.get(field) or places.get("")
    return f"{place.line}:{place.column}" if place and place.line else f"#{number + 1}"


def _text(value: Any) -> str:
    import json

    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
