"""The grammar of objectives: ``any``, ``microdata>=5``, ``jsonld+rdfa>=3``, ``type:schema:Product``, and/or/not.

An objective is evaluated over a table of pages at once: ``rewards(table)`` gives a float a page.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from sundog.errors import UsageError, nearest

SYNTAXES = ("jsonld", "microdata", "rdfa", "microformats", "opengraph", "rdf")
ANY = ("jsonld", "microdata", "rdfa", "microformats")
PREFIXES = {
    "schema": ("http://schema.org/", "https://schema.org/"),
    "foaf": ("http://xmlns.com/foaf/0.1/",),
    "og": ("http://ogp.me/ns#", "https://ogp.me/ns#"),
    "dc": ("http://purl.org/dc/terms/", "http://purl.org/dc/elements/1.1/"),
    "skos": ("http://www.w3.org/2004/02/skos/core#",),
    "gr": ("http://purl.org/goodrelations/v1#",),
    "sioc": ("http://rdfs.org/sioc/ns#",),
}
DEEPEST = 50  # levels of parentheses and nots


class PageTable(Protocol):
    """What an objective may ask of a table of pages; raises UsageError where the table cannot tell."""

    def count(self, syntax: str) -> Any: ...

    def score(self) -> Any: ...

    def has_type(self, names: tuple[str, ...]) -> Any: ...

    def has_markup(self) -> Any: ...


@dataclass(frozen=True)
class Objective:
    """``rewards(table)``: above 0 where a page is relevant."""

    text: str
    rewards: Callable[[PageTable], Any]


_TOKEN = re.compile(r"\s*(\(|\)|>=|>|\+|[^\s()+>]+)")


def parse_objective(text: str) -> Objective:
    """
    >>> parse_objective("jsonld+microdata>=3 and not rdfa").text
    'jsonld+microdata>=3 and not rdfa'
    >>> parse_objective("microdat>=5")
    Traceback (most recent call last):
    ...
    sundog.errors.UsageError: objective 'microdat>=5': unknown word 'microdat'; did you mean 'microdata'?
    """
    parser = _Parser(text, _TOKEN.findall(text))
    rewards = parser.either(0)
    if parser.tokens:
        raise parser.error(f"'{parser.tokens[0]}' is not expected there")
    return Objective(text, rewards)


Rewards = Callable[[PageTable], Any]


class _Parser:
    def __init__(self, text: str, tokens: list[str]) -> None:
        self.text, self.tokens = text, tokens

    def error(self, problem: str) -> UsageError:
        return UsageError(f"objective '{self.text}': {problem}")

    def take(self, *wanted: str) -> bool:
        if self.tokens and self.tokens[0] in wanted:
            self.tokens.pop(0)
            return True
        return False

    def either(self, depth: int) -> Rewards:
        left = self.both(depth)
        while self.take("or"):
            left = _combined(np.maximum, left, self.both(depth))
        return left

    def both(self, depth: int) -> Rewards:
        left = self.one(depth)
        while self.take("and"):
            left = _combined(np.minimum, left, self.one(depth))
        return left

    def one(self, depth: int) -> Rewards:
        if depth > DEEPEST:
            raise self.error(f"more than {DEEPEST} levels deep")
        if self.take("not"):
            inner = self.one(depth + 1)
            return lambda table: (inner(table) <= 0).astype(float)
        if self.take("("):
            inner = self.either(depth + 1)
            if not self.take(")"):
                raise self.error("a ')' is missing")
            return inner
        return self.atom()

    def atom(self) -> Rewards:
        word = self.word()
        if word == "any":
            return lambda table: table.has_markup().astype(float)
        if word == "score":
            return lambda table: table.score()
        if word.startswith("type:"):
            names = _type_names(word.removeprefix("type:"))
            return lambda table: table.has_type(names).astype(float)
        return self.counted([self.syntax(word)])

    def counted(self, syntaxes: list[str]) -> Rewards:
        while self.take("+"):
            syntaxes.append(self.syntax(self.word()))
        least = 1
        if self.take(">="):
            least = self.number()
        elif self.take(">"):
            least = self.number() + 1
        return lambda table: (sum(table.count(name) for name in syntaxes) >= least).astype(float)

    def word(self) -> str:
        if not self.tokens or self.tokens[0] in ("and", "or", "not", "(", ")", "+", ">", ">="):
            raise self.error("an objective such as any, jsonld>=3 or type:schema:Recipe is expected")
        return self.tokens.pop(0)

    def syntax(self, word: str) -> str:
        if word not in SYNTAXES:
            known = (*SYNTAXES, "any", "score", "type:")
            raise self.error(f"unknown word '{word}'{nearest(word, known)}")
        return word

    def number(self) -> int:
        word = self.tokens.pop(0) if self.tokens else ""
        if not word.isdecimal():
            raise self.error(f"a whole number is expected after >=, not '{word}'")
        return int(word)


def _combined(operator: Any, left: Rewards, right: Rewards) -> Rewards:
    return lambda table: operator(left(table), right(table))


def _type_names(name: str) -> tuple[str, ...]:
    """All IRIs by which a type may be written.

    >>> _type_names("schema:Product")
    ('http://schema.org/Product', 'https://schema.org/Product')
    """
    prefix, _, local = name.partition(":")
    if prefix in PREFIXES:
        return tuple(base + local for base in PREFIXES[prefix])
    if "://" in name:
        return (name,)
    raise UsageError(f"type '{name}': unknown prefix '{prefix}'{nearest(prefix, PREFIXES)}")
