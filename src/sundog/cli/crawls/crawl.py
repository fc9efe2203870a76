"""``sundog crawl`` and ``sundog resume``, and what they print at the end."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sundog.cli.environment import root_of_crawls, with_defaults
from sundog.cli.options import AllowPrivateOrSpec, AsJson, ConnectToOrSpec, CrawlDirectory, parse_settings
from sundog.cli.terminal import print_json, say, say_if_kernels_must_be_compiled
from sundog.errors import NoSpaceError, SundogError, UsageError
from sundog.model import BUDGET_SPENT, HOSTS_RESTING, INTERRUPTED, TIME_IS_UP
from sundog.texts import counted

if TYPE_CHECKING:
    from sundog.spec import CrawlSpec

MOST_ALARMS = 5  # in a summary
WithReport = Annotated[bool, typer.Option("--report/--no-report", help="Write report.html at the end.")]
RayAddress = Annotated[
    str | None,
    typer.Option("--ray", metavar="ADDRESS", help="A Ray cluster; else one is started here."),
]
Budget = Annotated[int | None, typer.Option(min=1, help="How many pages may be fetched; 1,000 by default.")]


def crawl_command(
    what: Annotated[
        list[str] | None,
        typer.Argument(metavar="SPEC.toml | URL …", help="A spec, or the URLs to begin with."),
    ] = None,
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
    workers: Annotated[
        int | None, typer.Option(min=0, help="Processes that read pages; one for each core but one by default.")
    ] = None,
    extent: Annotated[
        str | None, typer.Option("--stay", metavar="host|domain|web", help="Where it may go; web by default.")
    ] = None,
    world: Annotated[
        str | None,
        typer.Option(metavar="archive:PATH", help="Crawl a WARC or WACZ file, or a folder of them, not the Web."),
    ] = None,
    connect_to: ConnectToOrSpec = None,
    allow_private: AllowPrivateOrSpec = None,
    render: Annotated[
        str | None, typer.Option(metavar="WHICH", help="Pages that a browser renders: never, learned or always.")
    ] = None,
    screenshots: Annotated[
        bool, typer.Option("--screenshots", help="Keep a picture of each page that is rendered.")
    ] = False,
    warc: Annotated[bool | None, typer.Option("--warc", help="Keep the pages themselves, too.")] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE …", help="A parameter of the policy, or any key of a spec."),
    ] = None,
    learn_from: Annotated[
        list[Path] | None,
        typer.Option(metavar="DIR …", help="Earlier crawls for the same objective: begin with what they learned."),
    ] = None,
    shards: Annotated[
        int | None, typer.Option(min=1, help="Divide it into so many shards, which run on Ray.")
    ] = None,
    ray: RayAddress = None,
    with_report: WithReport = True,
    as_json: AsJson = False,
) -> None:
    """Crawl: spend a budget of fetches on the pages most likely to hold the wanted data."""
    from sundog.cli.crawls.live_view import live_view
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
        "render": render,
        "warc": warc,
    }
    given: dict[str, Any] = {name: value for name, value in options.items() if value is not None}
    pairs, words = _split_settings(what or [])
    if world is not None:
        path = _archive_of(world)
        given |= {"world": "archive", "archive": {"path": str(path)}}
        words = words or [_first_page(path)]
    if not words:
        raise UsageError("missing argument 'SPEC.toml | URL …'; see sundog crawl --help")
    spec, folder = _spec_of(words, given)
    pictures = ["rendering.screenshots=true"] if screenshots else []
    spec = with_settings(spec, parse_settings([*(settings or []), *pairs, *pictures]))
    if screenshots and spec.render == "never":
        raise UsageError("--screenshots are of rendered pages: say --render learned, or --render always")
    directory = out or _free_directory()
    if line := spec.world_kind.budget_line(spec.seconds, spec.fetches):
        say(line)
    if ray is not None and shards is None:
        raise UsageError("--ray is for a crawl in shards: say how many with --shards")
    if shards is not None and learn_from:
        raise UsageError("--learn-from is not for a crawl in shards: leave out one of the two")
    say_compiling = partial(say_if_kernels_must_be_compiled, "crawl")
    with says_how_to_go_on(directory), live_view(sys.stderr) as view:
        if shards is None:
            say_compiling()
            summary = crawl(spec, directory, folder=folder, watch=view.update, learn_from=learn_from or ())
        else:
            from sundog.engines.cluster.run import crawl_in_shards

            summary = crawl_in_shards(
                spec,
                directory,
                shards=shards,
                address=ray,
                folder=folder,
                watch=view.update,
                accepted=say_compiling,
            )
    print_summary(summary, directory, with_report=with_report, as_json=as_json)


def resume_command(
    directory: CrawlDirectory,
    budget: Annotated[int | None, typer.Option(min=1, help="A new budget, of the whole crawl.")] = None,
    shards: Annotated[
        int | None, typer.Option(min=1, help="Of a crawl in shards: another number of them.")
    ] = None,
    ray: RayAddress = None,
    with_report: WithReport = True,
    as_json: AsJson = False,
) -> None:
    """Go on with a crawl that was stopped or killed, or that has got a larger budget."""
    from sundog.cli.crawls.live_view import live_view
    from sundog.engines.live.run import resume
    from sundog.store.directory import check_crawl
    from sundog.store.shards import is_sharded

    is_in_shards = is_sharded(directory)
    if not is_in_shards and (shards is not None or ray is not None):
        raise UsageError(f"{directory} is no crawl in shards: leave out --shards and --ray")
    say_compiling = partial(say_if_kernels_must_be_compiled, "crawl")
    with says_how_to_go_on(directory), live_view(sys.stderr) as view:
        if is_in_shards:
            from sundog.engines.cluster.run import resume_shards

            summary = resume_shards(
                directory, shards=shards, address=ray, budget=budget, watch=view.update, accepted=say_compiling
            )
        else:
            check_crawl(directory, write=True)
            say_compiling()
            summary = resume(directory, budget=budget, watch=view.update, tell=say)
    print_summary(summary, directory, with_report=with_report, as_json=as_json)


@contextmanager
def says_how_to_go_on(directory: Path) -> Iterator[None]:
    """Whoever stops a crawl on a full disk loses what came since the last commit, and no more."""
    try:
        yield
    except NoSpaceError as error:
        command = f"sundog resume {shlex.quote(str(directory))}"
        raise NoSpaceError(f"{error}; when there is space again, go on: {command}") from None


def _split_settings(words: list[str]) -> tuple[list[str], list[str]]:
    """``--set a=1 b=2``: what follows it and is no URL belongs to it."""
    pairs = [word for word in words if "=" in word and "://" not in word]
    return pairs, [word for word in words if word not in pairs]


def _archive_of(world: str) -> Path:
    """The path in ``archive:PATH``, as it holds wherever the crawl is resumed."""
    kind, _, path = world.partition(":")
    if kind != "archive" or not path:
        raise UsageError(f"--world '{world}': archive:PATH is expected; other worlds are in a spec")
    return Path(path).resolve()


def _first_page(path: Path) -> str:
    from sundog.archives.archived_web import first_page
    from sundog.archives.files import archive_files

    return first_page(archive_files([path]))


def _spec_of(what: list[str], given: dict[str, Any]) -> tuple[CrawlSpec, Path]:
    """The spec, and the folder in which files that it names are looked for."""
    from sundog.spec import CrawlSpec, read_spec
    from sundog.spec.crawl import changed, keys_in

    files = [word for word in what if word.endswith(".toml") and "://" not in word]
    if not files:
        if len(what) == 1 and os.path.isfile(what[0]):  # which is false for names that cannot be
            raise UsageError(f"{what[0]} is a file, but its name does not end in .toml, as that of a spec does")
        return changed(with_defaults(CrawlSpec(seeds=tuple(what)), given), given), Path()
    if len(what) > 1:
        raise UsageError(f"one spec or some URLs are expected, not '{what[0]}' and '{what[1]}' together")
    file = Path(files[0])
    otherwise = {"seeds": [_first_page(Path(given["archive"]["path"]))]} if "archive" in given else {}
    spec = with_defaults(read_spec(file, **otherwise), {*keys_in(file), *given})
    return changed(spec, given), Path() if "objective" in given else file.parent


def _free_directory() -> Path:
    """``crawl``, or the first of ``crawl-2`` … that is not there."""
    root, number = root_of_crawls(), 1
    while (path := root / ("crawl" if number == 1 else f"crawl-{number}")).exists():
        number += 1
    return path


def print_summary(summary: dict[str, Any], directory: Path, *, with_report: bool, as_json: bool) -> None:
    """Results to standard output; where to find more, and what to do next, to standard error."""
    report = write_report(directory) if with_report else None
    if as_json:
        print_json(summary)
        return
    for line in summary_lines(summary):
        typer.echo(line)
    if "result" in summary:
        typer.echo(f"result: {directory / summary['result']}")
    name = shlex.quote(str(directory))
    if "shards" in summary and "patterns" in summary:
        say(f"result: sundog export {name} --format result")
    if "result_fault" in summary:
        from sundog.results.result_document import RESULT
        from sundog.store.directory import SPEC

        say(f"no result: {summary['result_fault']}")
        say(
            f"nothing is lost: mend [patterns.result] in {directory / SPEC}, "
            f"then sundog export {name} --format {RESULT.name}"
        )
    if "paused" in summary:
        say(f"it was paused: {summary['paused']}")
    if "not_indexed" in summary:
        say(f"queries do not see the statements of {summary['not_indexed']:,} pages: the index has refused them")
    if "index_fault" in summary:
        say(f"queries do not see all pages yet: {summary['index_fault']}")
    say_alarms(summary, directory)
    if report:
        say(f"report: {report}")
    if summary["failed"] == summary["fetched"] > 0:
        say(f"every fetch failed, most often: {_most_frequent_trouble(directory)}")
    else:
        _say_how_to_export(summary, name)
    if summary["stopped"] in (INTERRUPTED, TIME_IS_UP, HOSTS_RESTING):
        say(f"go on: sundog resume {name}")
    elif summary["stopped"] == BUDGET_SPENT and "requests" not in summary:  # else its windows are the limit
        last = summary.get("rounds", ())[-1:]
        if last and "budget" in last[0]:
            say(f"go on: sundog refresh {name} --budget {last[0]['budget']}")
        else:
            say(f"go on: sundog resume {name} --budget {2 * summary['fetched']}")


def say_alarms(summary: dict[str, Any], directory: Path) -> None:
    """What broke, and has not mended since."""
    from sundog.results.health.health import alarm_line

    alarms = summary.get("health", ())
    for alarm in alarms[:MOST_ALARMS]:
        say(alarm_line(alarm))
    if alarms:
        more = f"{len(alarms) - MOST_ALARMS:,} more, and what" if len(alarms) > MOST_ALARMS else "what"
        say(f"{more} may help: sundog health {shlex.quote(str(directory))}")


def _say_how_to_export(summary: dict[str, Any], name: str) -> None:
    from sundog.results.export import best_format
    from sundog.results.formats.jsonl import JSONL

    best = best_format(summary)
    query = f", or sundog query {name} 'SELECT …'" if best is JSONL else ""
    say(f"take it home: sundog export {name} --format {best.name}{query}")


def _most_frequent_trouble(directory: Path) -> str:
    from sundog.report.crawl.findings import troubles
    from sundog.results.merge import as_one
    from sundog.store import open_readonly

    with open_readonly(as_one(directory)) as reader:
        trouble = troubles(reader).shown[0]
    return trouble.second or trouble.name


def write_report(directory: Path) -> Path | None:
    """A report that cannot be written is no reason to fail: the crawl is done and saved."""
    from sundog.cli.crawls.results import as_one_crawl
    from sundog.engines.live.page_failures import ErrorLog, StageError
    from sundog.report.crawl import write_crawl_report

    try:
        as_one_crawl(directory)
        return write_crawl_report(directory, None)
    except SundogError as error:
        say(f"no report: {error}")
    except Exception as error:
        failed = StageError("report", error)
        ErrorLog(directory).write("", failed)
        say(f"no report: {failed}; errors.log has the traceback")
    return None


def round_line(done: dict[str, Any]) -> str:
    """What a round brought."""
    visits = f"{done['revisited']:,} visited again: {done['changed']:,} changed, {done['gone']:,} gone"
    return f"round {done['round']}: {counted(done['new'], 'new page')}; {visits}, {done['failed']:,} failed"


def summary_lines(summary: dict[str, Any]) -> Iterator[str]:
    """A crawl in a few lines."""
    fetched, relevant, seconds = summary["fetched"], summary["relevant"], summary["seconds"]
    if "requests" in summary:
        what = f"{counted(fetched, 'node')} by {counted(summary['requests'], 'request')}"
    else:
        what = f"{counted(fetched, 'page')} of {counted(summary['hosts'], 'host')}"
    yield f"{what} in {seconds:,.1f} s; stopped: {summary['stopped']}"
    yield f"{relevant:,} relevant ({relevant / max(1, fetched):.1%}), reward {summary['reward']:,.6g}"
    if "left" in summary:
        yield left_line(summary["left"])
    if "requests" in summary:
        yield f"{summary['bytes'] / 1e6:,.1f} MB of answers"
    else:
        yield f"{summary['statements']:,} statements in {summary['bytes'] / 1e6:,.1f} MB of pages"
    if len(rounds := summary.get("rounds", ())) > 1:
        yield round_line(rounds[-1])
    for name, counts in summary.get("patterns", {}).items():
        yield _pattern_line(name, counts)
    if "sitemaps" in summary:
        yield sitemap_line(summary["sitemaps"])
    yield f"{summary['failed']:,} failed, {summary['refused']:,} refused, {summary['retries']:,} tried again"
    if paused := summary.get("paused_seconds"):
        yield f"paused for {paused:,.1f} s: there was too little space on the disk"
    if rendered := summary.get("rendered"):
        yield _rendered_line(rendered)
    if internal := summary.get("internal"):
        yield f"{counted(internal, 'page')} on which Sundog itself failed: see errors.log"
    if duplicates := summary.get("duplicates"):
        yield f"{counted(duplicates, 'page')} not kept: the same as others (following.duplicates)"
    if head_requests := summary.get("looked_at"):
        yield f"{counted(head_requests, 'HEAD request')}, each at its share of the budget"


def _rendered_line(rendered: dict[str, Any]) -> str:
    """What browsers brought and cost."""
    line = f"{counted(rendered['pages'], 'page')} rendered, {rendered['gained']:,} gave more"
    line += f"; {rendered['cpu']:,.1f} s of CPU, {counted(rendered['requests'], 'request')} of scripts"
    return f"{line}, {rendered['refused']:,} refused" + (
        f"; {rendered['failed']:,} failed" if rendered["failed"] else ""
    )


def left_line(told: dict[str, Any]) -> str:
    """How many wanted pages the crawl has not fetched, and how many entities they have."""
    from sundog.completeness.estimate import Left

    pages, entities = (Left.read(part) for part in (told, told.get("entities")))
    return f"{pages}" + (f", with {entities.of('entity', 'entities')}" if entities else "")


def sitemap_line(listed: dict[str, int]) -> str:
    """What became of the pages that sitemaps list."""
    from sundog.results.sitemaps import SitemapPages

    return str(SitemapPages(**listed))


def _pattern_line(name: str, counts: dict[str, Any]) -> str:
    """What a pattern has come to."""
    line = f"pattern {name}: {counts['found']:,} on {counted(counts['pages'], 'page')}"
    if not counts["pages"]:
        line = f"pattern {name}: never matched"
    return f"{line}; {counted(counts['faults'], 'time')}: {counts['fault']}" if counts["faults"] else line
