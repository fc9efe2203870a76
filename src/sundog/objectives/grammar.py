"""The grammar of objectives: conditions, each in a file of its own, joined by and, or, not and novel."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from sundog.errors import nearest
from sundog.objectives.condition import Condition, can_be_novel
from sundog.objectives.judge import Objective
from sundog.objectives.logic import All, Either, Not
from sundog.objectives.novel import Novel
from sundog.objectives.registry import BEGINNINGS, PLUGINS, WORDS
from sundog.objectives.tokens import Tokens

DEEPEST = 50  # levels of parentheses and nots


def parse_objective(text: str, folder: Path | str = ".", files: Mapping[str, str] | None = None) -> Objective:
    """Read an objective; files that it names are looked for in ``folder``, or among the texts in ``files`` only.

    >>> parse_objective("jsonld+microdata>=3 and not rdfa").text
    'jsonld+microdata>=3 and not rdfa'
    >>> parse_objective("microdat>=5")
    Traceback (most recent call last):
    ...
    sundog.errors.UsageError: objective 'microdat>=5': unknown word 'microdat'; did you mean 'microdata'?
    """
    tokens = Tokens(text, Path(folder), files)
    condition = _either(tokens, 0)
    tokens.end()
    return Objective(text, condition, tokens.files)


def _either(tokens: Tokens, depth: int) -> Condition:
    parts = [_all(tokens, depth)]
    while tokens.take("or"):
        parts.append(_all(tokens, depth))
    return Either(parts) if len(parts) > 1 else parts[0]


def _all(tokens: Tokens, depth: int) -> Condition:
    parts = [_one(tokens, depth)]
    while tokens.take("and"):
        parts.append(_one(tokens, depth))
    return All(parts) if len(parts) > 1 else parts[0]


def _one(tokens: Tokens, depth: int) -> Condition:
    if depth > DEEPEST:
        raise tokens.error(f"more than {DEEPEST} levels deep")
    if tokens.take("not"):
        return Not(_one(tokens, depth + 1))
    if tokens.take("novel"):
        return _novel(tokens, depth)
    if tokens.take("("):
        inner = _either(tokens, depth + 1)
        if not tokens.take(")"):
            raise tokens.error("a ')' is missing")
        return inner
    return _word(tokens)


def _novel(tokens: Tokens, depth: int) -> Condition:
    wanted = _one(tokens, depth + 1)
    if not can_be_novel(wanted):
        raise tokens.error("novel is for entities: it stands before any, a syntax, a type: or a FILE.ttl")
    return Novel(wanted)


def _word(tokens: Tokens) -> Condition:
    word = tokens.word()
    for kind in WORDS:
        if kind.reads(word):
            return kind.read(word, tokens)
    begins, colon, _ = word.partition(":")
    if begins in PLUGINS and (kind := PLUGINS.load(begins)).reads(word):
        return kind.read(word, tokens)
    hint = nearest(begins + colon, [*BEGINNINGS, *PLUGINS.names()]) or "; sundog objectives lists what there is"
    raise tokens.error(f"unknown word '{word}'{hint}")
