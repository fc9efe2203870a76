"""Hostile answers, made by code. Each builder attacks one thing, says so in one line, and makes so many bytes.

So one corpus serves three ends: small answers are read where the crawl's own loop stands, large ones in readers,
and answers of growing size show what takes more time than its share.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

SMALL = 250_000  # bytes: read in the loop of a crawl without readers
LARGE = 4_900_000  # just below what a crawl fetches of a page

Builder = Callable[[int], str | bytes]


class Answer(NamedTuple):
    """What the server sends."""

    content_type: str
    body: bytes
    headers: tuple[str, ...] = ()


class Attack(NamedTuple):
    name: str
    about: str
    build: Callable[[int], Answer]


ATTACKS: dict[str, Attack] = {}


def attack(content_type: str = "text/html", *headers: str) -> Callable[[Builder], Builder]:
    """Registers a builder; its docstring says what it attacks."""

    def register(build: Builder) -> Builder:
        name = build.__name__.strip("_").replace("_", "-")
        assert name not in ATTACKS
        assert build.__doc__

        def answer(size: int) -> Answer:
            body = build(size)
            return Answer(content_type, body if isinstance(body, bytes) else body.encode(), headers)

        ATTACKS[name] = Attack(name, build.__doc__.strip(), answer)
        return build

    return register


def times(unit: str, size: int) -> str:
    """The unit as often as it fits."""
    return unit * max(1, size // len(unit.encode()))


def numbered(unit: str, size: int) -> str:
    """The same with ``{n}`` counted up, so that no two are alike."""
    return "".join(items(unit, size))


def items(unit: str, size: int) -> list[str]:
    length = len(unit.format(n=123456).encode())
    return [unit.format(n=n) for n in range(max(1, size // length))]


def names(size: int, prefix: str = "") -> str:
    return " ".join(items(prefix + "n{n}", size - size // 10))
