"""All conditions. A new one is a file, and its class here, or a class of an installed package."""

from __future__ import annotations

from typing import Any, Final

from sundog.objectives.condition import Condition
from sundog.objectives.counts import Counts
from sundog.objectives.keyword import Keyword
from sundog.objectives.logic import All, Either, Not
from sundog.objectives.markup import Markup
from sundog.objectives.novel import Novel
from sundog.objectives.pattern_match import PatternMatch
from sundog.objectives.score import Score
from sundog.objectives.shacl import Shacl
from sundog.objectives.sparql import Sparql
from sundog.objectives.types import Types
from sundog.plugins import Plugins
from sundog.syntaxes import STORED

# Asked in this order who reads a word.
WORDS: Final[tuple[type[Condition], ...]] = (Markup, Counts, Types, Keyword, Sparql, Shacl, PatternMatch, Score)
JOINED: Final[tuple[type[Condition], ...]] = (Novel, All, Either, Not)
OBJECTIVES: Final = (*WORDS, *JOINED)
# Among these the nearest to a misspelt word is looked for.
BEGINNINGS: Final = (
    "any",
    *STORED,
    "type:",
    "keyword:",
    "FILE.rq",
    "FILE.ttl",
    "patterns",
    "pattern:",
    "score",
    "novel",
)


def _plugged(name: str, given: Any) -> type[Condition]:
    if not (isinstance(given, type) and issubclass(given, Condition)):
        raise ValueError(f"a subclass of sundog.objectives.condition.Condition is expected, not {given!r:.80}")
    if missing := [each for each in ("form", "summary", "example") if not hasattr(given, each)]:
        raise ValueError(f"its class has no '{missing[0]}'")
    return given


# A plug-in that is called ``language`` reads the words ``language`` and ``language:…``.
PLUGINS: Plugins[type[Condition]] = Plugins(
    "sundog.objectives", _plugged, lambda: {"and", "or", "not", *(each.rstrip(":") for each in BEGINNINGS)}
)


def all_conditions() -> tuple[type[Condition], ...]:
    """Those of Sundog, then those of installed packages."""
    return (*OBJECTIVES, *PLUGINS.all().values())
