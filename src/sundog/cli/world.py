"""``sundog world``: archives and earlier crawls become worlds for ``sundog simulate``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sundog.cli.options import AsJson, Force
from sundog.cli.terminal import print_json, progress_of, say
from sundog.cli.worlds import check_world_directory
from sundog.errors import UsageError

if TYPE_CHECKING:
    from sundog.engines.archived.world_builder import WorldMade


def world_command(
    sources: Annotated[
        list[Path],
        typer.Argument(
            metavar="DIR|FILE…", help="A crawl; or *.warc, *.warc.gz, *.wacz files, or folders of them."
        ),
    ],
    out: Annotated[Path, typer.Option(metavar="WORLD", help="Where the world is written.")],
    workers: Annotated[int | None, typer.Option(min=1, help="Processes that read; one a core by default.")] = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Make a WORLD of a crawl, or of WARC and WACZ files: pages.parquet and links.parquet."""
    check_world_directory(out, force=force)
    made = _made(sources, out, workers)
    if as_json:
        print_json({**made._asdict(), "outside_share": round(made.outside_share, 4)})
        return
    typer.echo(f"{made.pages:,} pages of {made.hosts:,} hosts, {made.links:,} links between them")
    typer.echo(
        f"{made.outside_share:.1%} of all links lead outside, to {made.outside_pages:,} pages that are not there"
    )
    if made.copies:
        typer.echo(f"{made.copies:,} pages are copies of others, by revisit records")
    for reason, count in sorted(made.left_out.items()):
        say(f"left out: {count:,} {reason}")


def _made(sources: list[Path], out: Path, workers: int | None) -> WorldMade:
    from sundog.archives.files import archive_files
    from sundog.engines.archived.from_archives import world_from_archives
    from sundog.engines.archived.from_crawl import is_crawl, world_from_crawl

    crawls = [path for path in sources if is_crawl(path)]
    with progress_of(str(out)) as progress:
        if not crawls:
            return world_from_archives(archive_files(sources), out, workers=workers, tell=say, progress=progress)
        if len(sources) > 1:
            raise UsageError(f"{crawls[0]} is a crawl: a world is made of one crawl, or of archive files")
        return world_from_crawl(crawls[0], out, progress=progress)
