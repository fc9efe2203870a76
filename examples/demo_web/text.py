"""Titles, paragraphs and names, drawn from a language's words."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from .dice import Dice
from .words import FIRST, LAST, TOWNS, Language

PARAGRAPHS = 96  # per language: enough that no two pages are alike
_SPECIAL = str.maketrans({"ß": "ss", "ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue"})
_PLACES = re.compile(r"\{(\w+)\}")


def filled(pattern: str, language: Language, dice: Dice) -> str:
    """The pattern with a word of the language for each placeholder."""

    def word(match: re.Match[str]) -> str:
        name = match[1]
        match name:
            case "town":
                return dice.pick(TOWNS)
            case "first":
                return dice.pick(FIRST)
            case "last":
                return dice.pick(LAST)
            case "size":
                return str(dice.between(2, 99) * 10)
        return str(dice.pick(getattr(language, name)))

    text = _PLACES.sub(word, pattern)
    return text[0].upper() + text[1:]


def person(dice: Dice) -> str:
    return f"{dice.pick(FIRST)} {dice.pick(LAST)}"


@lru_cache(maxsize=64)
def paragraphs(seed: int, language: Language) -> tuple[str, ...]:
    """A stock of paragraphs, from which pages take some: written once, for pages must be quick to make."""
    dice = Dice(seed, *language.code.encode())
    return tuple(
        " ".join(filled(dice.pick(language.sentences), language, dice) for _ in range(dice.between(3, 8)))
        for _ in range(PARAGRAPHS)
    )


def slug(text: str) -> str:
    """
    >>> slug("Straßenfest in Brunnau, à la carte")
    'strassenfest-in-brunnau-a-la-carte'
    """
    plain = unicodedata.normalize("NFKD", text.translate(_SPECIAL)).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")
