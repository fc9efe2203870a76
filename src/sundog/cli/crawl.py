"""``sundog crawl`` and ``sundog resume``."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sundog.cli.crawl_summary import tell
from sundog.cli.progress import say, say_if_kernels_must_be_compiled
from sundog.cli.settings import parse_settings
from sundog.cli.tables import AsJson
from sundog.errors import UsageError

if TYPE_CHECKING:
    from sundog.spec import CrawlSpec

WithReport = Annotated[bool, typer.Option("--report/--no-report", help="Write report.html at the end.")]
Budget = Annotated[int | None, typer.Option(min=1, help="How many pages may be fetched; 1,000 by default.")]


def crawl_command(
    what: Annotated[
        list[str], typer.Argument(metavar="SPEC.toml | URL …", help="A spec, or the URLs to begin with.")
    ],
    objective: Annotated[
        str | None, typer.Option("--for", help="What is wanted, e.g. any, type:schema:Recipe, cars.rq.")
    ] = None,
    budget: Budget = None,
    policy: Annotated[str | None, typer.Option(help="sundog by default; see sundog policies.")] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Where it is kept; crawl, crawl-2 … by default.")
    ] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="Of the policy's random choices.")] = None,
    delay: Annotated[
        float | None, typer.Option(min=0, help="Seconds between requests to a host; 1 by default.")
    ] = None,
    concurrency: Annotated[int | None, typer.Option(min=1, help="Requests at once; 64 by default.")] = None,
    workers: Annotated[int | None, typer.Option(min=0, help="Processes that read pages; none by default.")] = None,
    extent: Annotated[
        str | None, typer.Option("--stay", metavar="host|domain|web", help="Where it may go; web by default.")
    ] = None,
    connect_to: Annotated[
        str | None, typer.Option(metavar="HOST:PORT", help="Send every request there, as plain HTTP.")
    ] = None,
    allow_private: Annotated[
        bool | None, typer.Option("--allow-private", help="Also ask private and loopback addresses.")
    ] = None,
    warc: Annotated[bool | None, typer.Option("--warc", help="Keep the pages themselves, too.")] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE …", help="A parameter of the policy, or any key of a spec."),
    ] = None,
    with_report: WithReport = True,
    as_json: AsJson = False,
) -> None:
    """Crawl: spend a budget of fetches on the pages most likely to hold the wanted data."""
    from sundog.cli.live_view import live_view
    from sundog.engines.live.run import crawl
    from sundog.spec import with_settings

    options = {
        "objective": objective,
        "budget": budget,
        "policy": policy,
        "seed": seed,
        "delay": delay,
        "concurrency": concurrency,
        "workers": workers,
        "extent": extent,
        "connect_to": connect_to,
        "allow_private": allow_private,
        "warc": warc,
    }
    given = {name: value for name, value in options.items() if value is not None}
    pairs, what = _apart(what)
    spec, folder = _spec_of(what, given)
    spec = with_settings(spec, parse_settings([*(settings or []), *pairs]))
    directory = out or _free_directory()
    if spec.world == "api" and spec.api.budget(spec.seconds):
        say(_said_budget(spec))
    say_if_kernels_must_be_compiled("crawl")
    with live_view(sys.stderr) as view:
        summary = crawl(spec, directory, folder=folder, watch=view.update)
    tell(summary, directory, with_report=with_report, as_json=as_json)


def _said_budget(spec: CrawlSpec) -> str:
    """What the windows allow, and what of it is asked for."""
    api, seconds = spec.api, spec.seconds or 0.0
    allowed = f"{api.requests:,} requests in {api.window:g} s, for {seconds:g} s: {api.budget(seconds):,} requests"
    return (
        allowed if spec.fetches == api.budget(seconds) else f"{allowed}, of which {spec.fetches:,} are asked for"
    )


def resume_command(
    directory: Annotated[Path, typer.Argument(metavar="DIR", help="A crawl's directory.")],
    budget: Annotated[int | None, typer.Option(min=1, help="A new budget, of the whole crawl.")] = None,
    with_report: WithReport = True,
    as_json: AsJson = False,
) -> None:
    """Go on with a crawl that was stopped or killed, or that has got a larger budget."""
    from sundog.cli.live_view import live_view
    from sundog.engines.live.run import resume

    say_if_kernels_must_be_compiled("crawl")
    with live_view(sys.stderr) as view:
        summary = resume(directory, budget=budget, watch=view.update)
    tell(summary, directory, with_report=with_report, as_json=as_json)


def _apart(words: list[str]) -> tuple[list[str], list[str]]:
    """``--set a=1 b=2``: what follows it and is no URL belongs to it."""
    pairs = [word for word in words if "=" in word and "://" not in word]
    return pairs, [word for word in words if word not in pairs]


def _spec_of(what: list[str], given: dict[str, Any]) -> tuple[CrawlSpec, Path]:
    """The spec, and the folder in which files that it names are looked for."""
    from sundog.spec import CrawlSpec, read_spec
    from sundog.spec.crawl import changed

    files = [word for word in what if word.endswith(".toml") and "://" not in word]
    if not files:
        if len(what) == 1 and os.path.isfile(what[0]):  # which is false for names that cannot be
            raise UsageError(f"{what[0]} is a file, but its name does not end in .toml, as that of a spec does")
        return changed(CrawlSpec(seeds=tuple(what)), given), Path()
    if len(what) > 1:
        raise UsageError(f"one spec or some URLs are expected, not '{what[0]}' and '{what[1]}' together")
    return changed(read_spec(Path(files[0])), given), Path() if "objective" in given else Path(files[0]).parent


def _free_directory() -> Path:
    """``crawl``, or the first of ``crawl-2`` … that is not there."""
    number = 1
    while (path := Path("crawl" if number == 1 else f"crawl-{number}")).exists():
        number += 1
    return path
