"""``sundog synth``: make a synthetic web."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sundog.cli.progress import say, say_if_kernels_must_be_compiled
from sundog.errors import SundogError, UsageError, nearest


def synth_command(
    directory: Annotated[Path, typer.Argument(metavar="DIR", help="Where the world is written.")],
    profile: Annotated[
        str, typer.Option(help="A web: web2014, web2024, adverse; or a scored graph: keyword, mentions, …")
    ] = "web2014",
    pages: Annotated[int, typer.Option(help="How many pages.")] = 100_000,
    hosts: Annotated[int | None, typer.Option(help="How many hosts; one for every 12 pages by default.")] = None,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same web.")] = 0,
) -> None:
    """Generate a synthetic web or scored graph and write it as a WORLD: pages.parquet and links.parquet."""
    from sundog._jit import mark_as_compiled
    from sundog.worlds.synthetic import GRAPHS, PROFILES, generate, generate_graph, write

    known = [*PROFILES, *GRAPHS]
    if profile not in known:
        raise UsageError(f"unknown profile '{profile}'{nearest(profile, known)}; there are {', '.join(known)}")
    if profile in GRAPHS and hosts is not None:
        raise UsageError(f"profile '{profile}' is a graph of nodes without hosts; leave out --hosts")
    try:
        if profile in GRAPHS:
            web = generate_graph(profile, pages=pages, seed=seed, progress=say)
        else:
            say_if_kernels_must_be_compiled("synth")
            web = generate(profile, pages=pages, hosts=hosts or max(1, pages // 12), seed=seed, progress=say)
            mark_as_compiled("synth")
    except ValueError as error:
        raise UsageError(str(error)) from None
    try:
        write(web, directory, progress=say)
    except OSError as error:
        raise SundogError(f"{directory} cannot be written: {error.strerror or error}") from None
    say(f"{directory}: {pages:,} pages, {len(web.link_targets):,} links")
