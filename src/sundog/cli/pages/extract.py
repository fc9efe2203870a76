"""``sundog extract``: what a saved page says."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sundog.cli.options import ConnectTo
from sundog.cli.pages.source_page import read_file, read_page, url_of
from sundog.cli.terminal import print_data, say
from sundog.errors import UsageError, nearest_or_all

if TYPE_CHECKING:
    from sundog.extract import Extraction

EXTRACT_FORMATS = ("nquads", "json", "jsonld")
CONTEXTS = ("bundled", "fetch")


def extract_command(
    file: Annotated[
        str, typer.Argument(metavar="FILE|URL|-", help="A saved page or RDF file, a page; -: standard input.")
    ],
    base: Annotated[str, typer.Option(metavar="URL", help="The URL it was saved from.")] = "",
    content_type: Annotated[
        str, typer.Option(metavar="TYPE", help="As the server said; found out from name and bytes by default.")
    ] = "",
    syntax: Annotated[str, typer.Option(metavar="NAME[,…]", help="Only these, e.g. jsonld,microdata.")] = "",
    output: Annotated[str, typer.Option("--format", help="nquads, json or jsonld.")] = "nquads",
    contexts: Annotated[
        str, typer.Option(metavar="WORD", help="bundled, or fetch: get remote contexts of JSON-LD.")
    ] = "bundled",
    render: Annotated[
        bool, typer.Option("--render", help="As a browser shows the URL, when its scripts have run.")
    ] = False,
    connect_to: ConnectTo = "",
    allow_private: Annotated[
        bool, typer.Option("--allow-private", help="Fetch from private addresses, too.")
    ] = False,
) -> None:
    """Print the structured data of a page."""
    from sundog.extract import extract
    from sundog.extract.media import guessed_type

    if output not in EXTRACT_FORMATS:
        raise UsageError(f"unknown format '{output}'{nearest_or_all(output, EXTRACT_FORMATS)}")
    if base and ":" not in base:
        raise UsageError(f"--base '{base}' is no URL: it needs a scheme, e.g. https://{base}")
    if contexts not in CONTEXTS:
        raise UsageError(f"--contexts {contexts}: {' or '.join(CONTEXTS)} is expected")
    names = [name.strip() for name in syntax.split(",") if name.strip()] or None
    if "://" in file or render:
        page = read_page(file, base=base, connect_to=connect_to, allow_private=allow_private, render=render)
        body, url, kind = page.body, page.url, content_type or page.content_type
    else:
        body, url = read_file(file), base or url_of(file)
        kind = content_type or guessed_type(file, body)

    def read(documents: Mapping[str, Any]) -> Extraction:
        return extract(body, base=url, content_type=kind, syntaxes=names, contexts=documents)

    found = _with_fetched_contexts(url, read, allow_private) if contexts == "fetch" else read({})
    for fault in found.faults:
        say(f"{fault.syntax}: {fault.reason}")
    print_data(_printed(found, output, names))


def _with_fetched_contexts(
    url: str, read: Callable[[Mapping[str, Any]], Extraction], allow_private: bool
) -> Extraction:
    """As polite as a crawl."""
    import asyncio

    from sundog.engines.live.pages.contexts import FetchedContexts
    from sundog.fetch.fetcher import Fetcher
    from sundog.fetch.pace import Manners, Pace
    from sundog.fetch.polite import PoliteFetcher, steady_clock
    from sundog.fetch.robots import Robots

    async def read_with(documents: Mapping[str, Any]) -> Extraction:
        return read(documents)

    async def main() -> Extraction:
        async with Fetcher(allow_private=allow_private, clock=steady_clock()) as fetcher:
            polite = PoliteFetcher(fetcher, pace=Pace(Manners()), robots=Robots(fetcher.agent))
            return await FetchedContexts(polite).read(url, read_with)

    return asyncio.run(main())


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
