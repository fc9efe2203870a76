"""Options and arguments that several commands have."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from sundog.errors import SundogError, UsageError

AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")]
CrawlDirectory = Annotated[Path, typer.Argument(metavar="DIR", help="The directory of a crawl.")]
WorldDirectory = Annotated[Path, typer.Argument(metavar="DIR", help="Where the world is written.")]
_address = typer.Option(metavar="HOST:PORT", help="Send every request there, as plain HTTP.")
_private = typer.Option("--allow-private", help="Also ask private and loopback addresses.")
ConnectTo = Annotated[str, _address]
AllowPrivate = Annotated[bool, _private]
ConnectToOrSpec = Annotated[str | None, _address]  # None: as the spec says
AllowPrivateOrSpec = Annotated[bool | None, _private]
Force = Annotated[bool, typer.Option("--force", help="Overwrite what is there.")]


def check_absent(*paths: Path, force: bool) -> None:
    """Nothing is overwritten by mistake; found out before any work is done."""
    there = [path for path in paths if os.path.lexists(path)]
    if there and not force:
        raise SundogError(f"{there[0]} is there already: name another place, or overwrite it with --force")


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
