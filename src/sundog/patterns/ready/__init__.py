"""Specs to begin with: each is a whole crawl whose seeds and fields are to be adapted."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from sundog.errors import UsageError, nearest


class Ready(NamedTuple):
    """``text`` is the TOML file, with comments that say what to adapt."""

    name: str
    title: str
    description: str
    text: str


@cache
def ready_specs() -> tuple[Ready, ...]:
    """All of them, by name."""
    found = [each for each in files(__name__).iterdir() if each.name.endswith(".toml")]
    return tuple(
        _read(each.name, each.read_text(encoding="utf-8")) for each in sorted(found, key=lambda f: f.name)
    )


def ready_spec(name: str) -> Ready:
    known = {spec.name: spec for spec in ready_specs()}
    if name not in known:
        raise UsageError(f"there is no ready spec '{name}'{nearest(name, known)}; there are {', '.join(known)}")
    return known[name]


def _read(file: str, text: str) -> Ready:
    table = tomllib.loads(text)
    return Ready(file.removesuffix(".toml"), table["title"], table["description"], text)
