"""``sundog world``: archives and earlier crawls become worlds for ``sundog simulate``."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sundog.cli.options import AllowPrivate, AsJson, Force
from sundog.cli.terminal import print_json, progress_of, say
from sundog.cli.worlds.synth import check_world_directory
from sundog.errors import UsageError

if TYPE_CHECKING:
    from sundog.engines.archived.world_builder import WorldMade

COMMON_CRAWL = "cc:"


def world_command(
    sources: Annotated[
        list[str],
        typer.Argument(
            metavar="DIR|FILE|cc:HOST,…",
            help="A crawl; *.warc, *.warc.gz, *.wacz files, or folders of them; or hosts of Common Crawl.",
        ),
    ],
    out: Annotated[Path, typer.Option(metavar="WORLD", help="Where the world is written.")],
    index: Annotated[
        str | None,
        typer.Option(
            metavar="PATH|URL", help="Of cc: the columnar index: a Parquet file, a folder, a list of paths."
        ),
    ] = None,
    data: Annotated[
        str, typer.Option(metavar="DIR|URL", help="Of cc: where its WARC files are; beside an index on a server.")
    ] = "",
    delay: Annotated[float, typer.Option(min=0, help="Of cc: seconds between requests.")] = 1.0,
    allow_private: AllowPrivate = False,
    workers: Annotated[int | None, typer.Option(min=1, help="Processes that read; one a core by default.")] = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Make a WORLD of a crawl, of WARC and WACZ files, or of Common Crawl: pages.parquet and links.parquet."""
    check_world_directory(out, force=force)
    from_common_crawl = [source for source in sources if source.startswith(COMMON_CRAWL)]
    with progress_of(str(out)) as progress:
        if not from_common_crawl:
            if index is not None:
                raise UsageError("--index is for Common Crawl: say cc:HOST")
            made = _of_files([Path(source) for source in sources], out, workers, progress)
        elif len(from_common_crawl) < len(sources) or index is None:
            raise UsageError("hosts of Common Crawl stand alone, and need --index: the path or URL of its index")
        else:
            from sundog.archives.common_crawl import CommonCrawl, hosts_in
            from sundog.engines.archived.from_archives import world_from_pages

            hosts = [host for source in sources for host in hosts_in(source)]
            crawl = CommonCrawl(index, data=data, delay=delay, allow_private=allow_private)
            made = world_from_pages(crawl.pages(hosts, progress), out, workers=workers)
    _print(made, as_json=as_json)


def _print(made: WorldMade, *, as_json: bool) -> None:
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


def _of_files(
    sources: list[Path], out: Path, workers: int | None, progress: Callable[[int, int], None]
) -> WorldMade:
    from sundog.archives.files import archive_files
    from sundog.engines.archived.from_archives import world_from_archives
    from sundog.engines.archived.from_crawl import is_crawl, world_from_crawl

    crawls = [path for path in sources if is_crawl(path)]
    if not crawls:
        return world_from_archives(archive_files(sources), out, workers=workers, tell=say, progress=progress)
    if len(sources) > 1:
        raise UsageError(f"{crawls[0]} is a crawl: a world is made of one crawl, or of archive files")
    return world_from_crawl(crawls[0], out, progress=progress)
