"""What an objective sees: one page of a live crawl, or all pages of a static world at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol


class PageView(NamedTuple):
    """A fetched page: statements are N-Quads terms by syntax; schema.org's ``types`` are written with http.

    ``text`` is what a reader sees; it may be left out unless the objective ``needs_text``. ``language`` is as the
    page declares it, such as ``fr`` or ``en-GB``. ``matched``: how many items each data pattern found there.
    """

    url: str
    counts: Mapping[str, int]
    types: Sequence[str]
    statements: Mapping[str, Sequence[tuple[str, ...]]]
    text: str = ""
    language: str = ""
    matched: Mapping[str, int] = {}


class Judgement(NamedTuple):
    """``answers``: what the crawl was asked for, as JSON; ``faults``: which condition failed, and why;
    ``near``: how near a page that earned nothing came, from 0 to 1."""

    reward: float
    answers: tuple[Any, ...] = ()
    faults: tuple[tuple[str, str], ...] = ()
    near: float = 0.0


class PageTable(Protocol):
    """What an objective may ask of a table of pages; raises UsageError if the table lacks the column."""

    def count(self, syntax: str) -> Any: ...

    def score(self) -> Any: ...

    def has_type(self, names: tuple[str, ...]) -> Any: ...

    def has_markup(self) -> Any: ...
