"""``--set KEY=VALUE``, as several commands have it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sundog.errors import UsageError

AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")]
CrawlDirectory = Annotated[Path, typer.Argument(metavar="DIR", help="The directory of a crawl.")]


def parse_settings(words: list[str]) -> dict[str, str]:
    """``KEY=VALUE`` pairs, each a word of its own or several in one.

    >>> parse_settings(["lambda=0.2 decay=10", "fresh=true"])
    {'lambda': '0.2', 'decay': '10', 'fresh': 'true'}
    """
    parameters: dict[str, str] = {}
    for word in (part for text in words for part in text.split()):
        name, equals, value = word.partition("=")
        if not equals or not name:
            raise UsageError(f"'{word}' is not of the form KEY=VALUE")
        if not value:
            raise UsageError(f"'{word}' has no value: write KEY=VALUE, or leave it out")
        parameters[name] = value
    return parameters
