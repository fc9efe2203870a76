"""Query by example: from values on a page to patterns that find them.

``occurrences`` finds the values, ``locators`` and ``label_locators`` lead to them, ``ranking`` chooses,
``records`` knows rows of a list, ``spec_writer`` makes a spec of it.
"""

from __future__ import annotations

from sundog.patterns.example.guess import Field, Guess, guess
from sundog.patterns.example.links import LinkGuess, guess_link, guess_links
from sundog.patterns.example.spec_writer import explained, spec_of
from sundog.patterns.example.tree import page_tree

__all__ = [
    "Field",
    "Guess",
    "LinkGuess",
    "explained",
    "guess",
    "guess_link",
    "guess_links",
    "page_tree",
    "spec_of",
]
