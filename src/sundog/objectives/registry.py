"""All conditions. A new one is a file, and its class here."""

from __future__ import annotations

from typing import Final

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
