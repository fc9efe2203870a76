"""What ``sundog crawl`` and ``sundog resume`` say at the end."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer

from sundog.cli.progress import say
from sundog.cli.tables import print_json
from sundog.errors import SundogError


def tell(summary: dict[str, Any], directory: Path, *, with_report: bool, as_json: bool) -> None:
    """Results to standard output; where to find more, and what to do next, to standard error."""
    report = _report(directory) if with_report else None
    if as_json:
        print_json(summary)
        return
    for line in lines_of(summary):
        typer.echo(line)
    if "result" in summary:
        typer.echo(f"result: {directory / summary['result']}")
    name = shlex.quote(str(directory))
    if "result_fault" in summary:
        say(f"no result: {summary['result_fault']}")
        say(
            f"nothing is lost: mend [patterns.result] in {directory / 'spec.toml'}, "
            f"then sundog export {name} --format result"
        )
    if report:
        say(f"report: {report}")
    if summary["failed"] == summary["fetched"] > 0:
        say(f"every fetch failed, most often: {_most_frequent_trouble(directory)}")
    elif "requests" in summary:
        say(f"take it home: sundog export {name} --format answers")
    elif "patterns" in summary:
        say(f"take it home: sundog export {name} --format items")
    else:
        say(f"take it home: sundog export {name} --format jsonl, or sundog query {name} 'SELECT …'")
    if summary["stopped"] in ("interrupted", "time", "hosts resting"):
        say(f"go on: sundog resume {name}")
    elif summary["stopped"] == "budget" and "requests" not in summary:  # else its windows are the limit
        say(f"go on: sundog resume {name} --budget {2 * summary['fetched']}")


def _most_frequent_trouble(directory: Path) -> str:
    from sundog.report.crawl.counts import troubles
    from sundog.store import open_readonly

    with open_readonly(directory) as reader:
        trouble = troubles(reader).shown[0]
    return trouble.also or trouble.name


def _report(directory: Path) -> Path | None:
    """A report that cannot be written is no reason to fail: the crawl is done and saved."""
    from sundog.report.crawl import write_crawl_report

    try:
        return write_crawl_report(directory, None)
    except SundogError as error:
        say(f"no report: {error}")
        return None


def lines_of(summary: dict[str, Any]) -> Iterator[str]:
    """A crawl in a few lines."""
    fetched, relevant, seconds = summary["fetched"], summary["relevant"], summary["seconds"]
    if "requests" in summary:
        what = f"{_counted(fetched, 'node')} by {_counted(summary['requests'], 'request')}"
    else:
        what = f"{_counted(fetched, 'page')} of {_counted(summary['hosts'], 'host')}"
    yield f"{what} in {seconds:,.1f} s; stopped: {summary['stopped']}"
    yield f"{relevant:,} relevant ({relevant / max(1, fetched):.1%}), reward {summary['reward']:,.6g}"
    if "requests" in summary:
        yield f"{summary['bytes'] / 1e6:,.1f} MB of answers"
    else:
        yield f"{summary['statements']:,} statements in {summary['bytes'] / 1e6:,.1f} MB of pages"
    for name, counts in summary.get("patterns", {}).items():
        yield _said_of(name, counts)
    yield f"{summary['failed']:,} failed, {summary['refused']:,} refused, {summary['retries']:,} tried again"
    if looked := summary.get("looked_at"):
        yield f"{_counted(looked, 'HEAD request')}, each at its share of the budget"


def _said_of(name: str, counts: dict[str, Any]) -> str:
    """What a pattern has come to."""
    said = f"pattern {name}: {counts['found']:,} on {_counted(counts['pages'], 'page')}"
    if not counts["pages"]:
        said = f"pattern {name}: never matched"
    return f"{said}; {_counted(counts['faults'], 'time')}: {counts['fault']}" if counts["faults"] else said


def _counted(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"
