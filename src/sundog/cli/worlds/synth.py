"""``sundog synth`` and ``sundog score``: make worlds for ``sundog simulate``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sundog.cli.options import AsJson, Force, WorldDirectory, check_absent
from sundog.cli.terminal import ending_at_once, print_json, say, say_if_kernels_must_be_compiled
from sundog.errors import SundogError, UsageError, nearest_or_all

if TYPE_CHECKING:
    from sundog.engines.saved_pages import Scored
    from sundog.objectives.relevance import RelevanceKind
    from sundog.worlds.dumps.counted import CountedWorld
    from sundog.worlds.synthetic import SyntheticWeb


NO_PAGE = "no URL of the Web, or one that was there already"
LEFT_OUT = {".xml": "not of the main namespace", ".txt": "tweets without a user or a text"}


def synth_command(
    directory: WorldDirectory,
    profile: Annotated[
        str,
        typer.Option(
            help="A web: web2014, web2024, adverse, linked-data, changing; or a scored graph: keyword, mentions, …"
        ),
    ] = "web2014",
    pages: Annotated[
        int | None,
        typer.Option(min=1, help="How many pages; 100,000 by default, or 500,000 of linked-data."),
    ] = None,
    hosts: Annotated[
        int | None,
        typer.Option(min=1, help="How many hosts; one for every 12 pages by default, or 50 of linked-data."),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same web.")] = 0,
    force: Force = False,
) -> None:
    """Generate a synthetic web or scored graph and write it as a WORLD: pages.parquet and links.parquet."""
    from sundog.worlds.synthetic import write

    check_world_directory(directory, force=force)
    try:
        with ending_at_once():
            web = _generated(profile, pages, hosts, seed)
    except ValueError as error:
        raise UsageError(str(error)) from None
    write(web, directory, progress=say)
    say(f"{directory}: {web.pages:,} pages, {len(web.link_targets):,} links")


def check_world_directory(directory: Path, *, force: bool) -> None:
    """Whether it can be written is found out before minutes of work."""
    from sundog.arrow import check_arrow
    from sundog.worlds.parquet import LINKS, PAGES

    check_arrow()
    check_absent(directory / PAGES, directory / LINKS, force=force)
    for path in (directory, *directory.parents):
        if path.is_dir():
            return
        if path.exists():
            raise SundogError(f"{directory} cannot be written: {path} is a file, so name another directory")


def _generated(profile: str, pages: int | None, hosts: int | None, seed: int) -> SyntheticWeb:
    from sundog._jit import mark_as_compiled
    from sundog.worlds.synthetic.registry import KIND_OF

    if profile not in KIND_OF:
        raise UsageError(f"unknown profile '{profile}'{nearest_or_all(profile, KIND_OF)}")
    kind = KIND_OF[profile]
    pages = kind.usual_pages if pages is None else pages
    sizes = {"pages": pages}
    if usual := kind.usual_hosts(pages):
        sizes["hosts"] = hosts or usual
    elif hosts is not None:
        raise UsageError(f"profile '{profile}' is a graph of nodes without hosts; leave out --hosts")
    if kind.compiles:
        say_if_kernels_must_be_compiled("synth")
    web = kind.generate(profile, **sizes, seed=seed, progress=say)
    if kind.compiles:
        mark_as_compiled("synth")
    return web


def score_command(
    pages: Annotated[
        Path,
        typer.Argument(
            metavar="PAGES.jsonl|WIKI.xml|TWEETS.txt",
            help="Saved pages, one a line: url, html; a dump of a MediaWiki; or of tweets. Each perhaps packed.",
        ),
    ],
    directory: WorldDirectory,
    objective: Annotated[str, typer.Option("--for", help="Keywords, e.g. keyword:bretagne,brittany.")],
    relevance: Annotated[
        str, typer.Option(help="log: 1 + log of the occurrences; tf-idf: rare words weigh more.")
    ] = "log",
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Make a world of saved pages or of a dump, with pages and links scored by keywords, for sundog simulate."""
    if relevance not in ("log", "tf-idf"):
        raise UsageError(f"--relevance {relevance}: log or tf-idf is expected")
    check_world_directory(directory, force=force)
    made = _scored(pages, directory, objective, "log" if relevance == "log" else "tf-idf")
    if as_json:
        print_json(made._asdict())
        return
    typer.echo(f"{made.pages:,} pages, {made.scored_pages:,} of them with a score")
    typer.echo(f"{made.links:,} links between them, {made.scored_links:,} with a score")
    if made.left_out:
        say(f"{made.left_out:,} pages were left out: {LEFT_OUT.get(_ending(pages), NO_PAGE)}")


def _ending(pages: Path) -> str:
    return Path(pages.name.removesuffix(".gz").removesuffix(".bz2")).suffix


def _scored(pages: Path, directory: Path, objective: str, kind: RelevanceKind) -> Scored | CountedWorld:
    from sundog.engines.saved_pages import read_saved, tf_idf_of, world_from_pages
    from sundog.objectives.relevance import Relevance
    from sundog.worlds.dumps.mediawiki import world_from_wiki
    from sundog.worlds.dumps.tweets import world_from_tweets

    dumps = {".xml": world_from_wiki, ".txt": world_from_tweets}
    if make := dumps.get(_ending(pages)):
        return make(pages, Relevance(objective, kind), directory)
    relevance = None if kind == "log" else tf_idf_of(read_saved(pages), objective)
    return world_from_pages(read_saved(pages), objective, directory, relevance=relevance)
