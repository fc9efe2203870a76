"""``sundog explain``: why a URL was fetched, or was not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sundog.cli.options import AsJson
from sundog.cli.terminal import print_json

if TYPE_CHECKING:
    from sundog.results.explain import Explanation


def explain_command(
    directory: Annotated[Path, typer.Argument(metavar="DIR", help="A crawl's directory.")],
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
        typer.echo(f"{name:9} {_printable(text)}")


def explanation_lines(said: Explanation) -> Iterator[tuple[str, str]]:
    yield "url", said.url
    yield "state", _state(said)
    if said.found:
        yield "found", _found(said.found)
    if said.page:
        yield "page", _pairs(said.page)
    if said.decision:
        yield "score", _score(said.decision)
    if said.next_choice:
        yield "next", f"{said.next_choice['url']} ({_score(said.next_choice)})"
    if said.host:
        yield "host", _pairs(said.host)
    if said.group:
        yield "group", _pairs(said.group)


def _state(said: Explanation) -> str:
    when = "" if said.at is None else f" at {datetime.fromtimestamp(said.at, UTC):%Y-%m-%d %H:%M:%S} UTC"
    return f"{said.state}{when}{': ' if said.reason else ''}{said.reason}"


def _found(found: Mapping[str, Any]) -> str:
    if found.get("page") is None:
        return "a seed, or named by a robots.txt"
    depth = found["depth"]
    words = [f"on {found['page']}, {depth} {'link' if depth == 1 else 'links'} from a seed"]
    if found.get("anchor"):
        words.append(f'link text "{found["anchor"]}"')
    if found.get("tag_path"):
        words.append(f"in {found['tag_path']}")
    return ", ".join(words)


def _score(parts: Mapping[str, Any]) -> str:
    return ", ".join(
        f"{name} {value:.3g}" for name, value in parts.items() if isinstance(value, float) and value is not None
    )


def _pairs(values: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} {_number(value)}" for name, value in values.items())


def _number(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _printable(text: str) -> str:
    """Texts come from strangers' pages: nothing of them moves the cursor."""
    return "".join(char if char.isprintable() else " " for char in text)
