"""What a query language must offer: it makes functions of queries, applied to one page after the other.

Each language has a module here, loaded when a pattern uses it. To add one: a module, and a line in
``definitions.LANGUAGES``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from typing import Any, NamedTuple, Protocol

from sundog.errors import nearest
from sundog.patterns.crawl_view import FUNCTIONS, VARIABLES
from sundog.patterns.definitions import LANGUAGES
from sundog.patterns.document import PageDocument

FieldPlan = Mapping[str, Any]  # a ``Field`` as JSON
Raw = Any  # a text, a number, a truth value, or a mapping of names to lists of these


class QueryError(Exception):
    """A query cannot be compiled or run. ``where`` is its place in the pattern."""

    def __init__(self, message: str, line: int = 0, column: int = 0, where: str = "") -> None:
        super().__init__(message)
        self.message, self.line, self.column, self.where = message, line, column, where

    def __str__(self) -> str:
        place = f"line {self.line}, column {self.column}" if self.line else ""
        return ": ".join(filter(None, (", ".join(filter(None, (self.where, place))), self.message)))


class Reference(NamedTuple):
    """A link as it stands on the page."""

    href: str
    anchor: str


class Engine(Protocol):
    """Each method compiles; what it raises is ``QueryError``."""

    def data(
        self, find: str, fields: Sequence[FieldPlan], where: str
    ) -> Callable[[PageDocument], Sequence[Raw]]: ...

    def links(self, find: str, where: str) -> Callable[[PageDocument], Sequence[Reference]]: ...

    def test(self, query: str, where: str) -> Callable[[PageDocument], bool]: ...


def error_at(query: str, offset: int, message: str) -> QueryError:
    """With line and column of a place that was counted in characters."""
    before = query[: max(0, offset)]
    return QueryError(message, before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1)


def check_names(query: str, tokens: Iterator[tuple[str, int]]) -> None:
    """``tokens``: words and where they begin, without texts and comments. Unknown names are errors."""
    for token, offset in tokens:
        if token[0] in "$?" and token[1:] not in VARIABLES:
            raise error_at(query, offset, f"unknown variable {token}{nearest(token[1:], VARIABLES)}")
        if token.startswith("crawl:") and token[6:] not in FUNCTIONS:
            raise error_at(query, offset, f"unknown function {token}(){nearest(token[6:], FUNCTIONS)}")


def make_engine(language: str) -> Engine:
    """``engine`` in the module makes it, given the language."""
    engine: Engine = _module(language).engine(language)
    return engine


def compile_result(language: str, engine: Engine, find: str, written_as: str, where: str) -> Callable[[str], Any]:
    """A result pattern: from a whole crawl, as the language reads it, to ``text`` or ``records``."""
    run: Callable[[str], Any] = _module(language).compile_result(engine, find, written_as, where)
    return run


def _module(language: str) -> Any:
    return import_module(f"{__name__}.{LANGUAGES[language].module}")
