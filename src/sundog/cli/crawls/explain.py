"""``sundog explain``: why a URL was fetched, or was not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sundog.cli.options import AsJson, CrawlDirectory
from sundog.cli.terminal import print_json
from sundog.revisits.reasons import WHY
from sundog.texts import counted, printable, utc_moment

OWN_HINTS = {
    "fresh_for": "Cache-Control",
    "last_modified": "Last-Modified",
    "date_modified": "the date in its markup",
}

if TYPE_CHECKING:
    from sundog.results.explain import Explanation


def explain_command(
    directory: CrawlDirectory,
    url: Annotated[str, typer.Argument(metavar="URL", help="Any URL, fetched or not.")],
    as_json: AsJson = False,
) -> None:
    """Tell why a URL was fetched or was not: score and its parts, host record, group, rule."""
    from sundog.results.explain import explain

    explanation = explain(directory, url)
    if as_json:
        print_json(asdict(explanation))
        return
    for name, text in explanation_lines(explanation):
        typer.echo(f"{name:9} {printable(text)}")


def explanation_lines(explanation: Explanation) -> Iterator[tuple[str, str]]:
    yield "url", explanation.url
    yield "state", _state(explanation)
    if explanation.shard is not None:
        yield "shard", str(explanation.shard)
    if explanation.found:
        yield "found", _found(explanation.found)
    if explanation.page:
        yield "page", _pairs(explanation.page)
    if explanation.decision:
        yield "score", _score(explanation.decision)
    if explanation.revisit:
        yield "again", _again(explanation.revisit)
    if explanation.next_choice:
        yield "next", f"{explanation.next_choice['url']} ({_score(explanation.next_choice)})"
    if explanation.host:
        yield "host", _pairs(explanation.host)
    if explanation.group:
        yield "group", _pairs(explanation.group)
    if explanation.leads:
        yield "leads", _leads(explanation)


def _leads(explanation: Explanation) -> str:
    about = "about " if explanation.state == "waiting" else ""
    pages = {shape: max(1, round(number)) for shape, number in explanation.leads.items()}
    (shape, most), *others = pages.items()
    words = [f"to {about}{counted(most, 'new page')} of {shape}"]
    return ", ".join(words + [f"{number} of {shape}" for shape, number in others])


def _state(explanation: Explanation) -> str:
    when = "" if explanation.at is None else f" at {utc_moment(explanation.at)} UTC"
    return f"{explanation.state}{when}{': ' if explanation.reason else ''}{explanation.reason}"


def _again(visit: Mapping[str, Any]) -> str:
    """Why it was visited again."""
    said = {
        "changed": "; a sitemap or feed said that it had changed",
        "unchanged": "; a sitemap or feed said that it had not changed",
    }
    own = "".join(
        f"; {OWN_HINTS[name]} said that it {'may have' if says else 'had not'} changed"
        for name, says in visit.get("said_itself", {}).items()
    )
    worth = visit["worth"]
    why = (
        f"{WHY.get(worth, f'worth {worth:.4g}')}: "
        f"value {visit['value']:.3g}, {visit['changes_a_day']:.3g} changes a day, "
        f"{visit['days_since']:.3g} days since the last visit{said.get(visit.get('listed_as', ''), '')}{own}"
    )
    reason = f": {visit['reason']}" if visit.get("reason") else ""
    return f"in round {visit['round']}, {why}; {visit['result']}{reason}"


def _found(found: Mapping[str, Any]) -> str:
    if found.get("page") is None:
        return "a seed, or named by a robots.txt"
    words = [f"on {found['page']}, {counted(found['depth'], 'link')} from a seed"]
    if found.get("anchor"):
        words.append(f'link text "{found["anchor"]}"')
    if found.get("tag_path"):
        words.append(f"in {found['tag_path']}")
    return ", ".join(words)


def _score(parts: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} {value:.3g}" for name, value in parts.items() if isinstance(value, float))


def _pairs(values: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} {_number(value)}" for name, value in values.items())


def _number(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)
