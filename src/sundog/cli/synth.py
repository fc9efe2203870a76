"""``sundog synth``: make a synthetic web."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sundog.cli.progress import say, say_if_kernels_must_be_compiled
from sundog.errors import SundogError, UsageError, nearest


def synth_command(
    directory: Annotated[Path, typer.Argument(metavar="DIR", help="Where the world is written.")],
    profile: Annotated[str, typer.Option(help="web2014, web2024 or adverse.")] = "web2014",
    pages: Annotated[int, typer.Option(help="How many pages.")] = 100_000,
    hosts: Annotated[int | None, typer.Option(help="How many hosts; one for every 12 pages by default.")] = None,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same web.")] = 0,
) -> None:
    """Generate a synthetic web and write it as a WORLD: pages.parquet and links.parquet."""
    from sundog._jit import mark_as_compiled
    from sundog.worlds.synthetic import PROFILES, generate, write

    if profile not in PROFILES:
        raise UsageError(
            f"unknown profile '{profile}'{nearest(profile, PROFILES)}; there are {', '.join(PROFILES)}"
        )
    say_if_kernels_must_be_compiled("synth")
    try:
        web = generate(profile, pages=pages, hosts=hosts or max(1, pages // 12), seed=seed, progress=say)
    except ValueError as error:
        raise UsageError(str(error)) from None
    try:
        write(web, directory, progress=say)
    except OSError as error:
        raise SundogError(f"{directory} cannot be written: {error.strerror or error}") from None
    mark_as_compiled("synth")
    say(f"{directory}: {pages:,} pages, {len(web.link_targets):,} links")
