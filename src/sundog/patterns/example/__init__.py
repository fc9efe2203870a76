"""Query by example: from values on a page to patterns that find them.

``occurrences`` finds the values, or ``clicks`` says which elements have them; ``locators`` and ``label_locators``
lead to them, ``ranking`` chooses; ``kinds`` and ``records`` know what is a list, ``links`` and ``next_page`` what
is followed; ``spec_writer`` makes a spec of it, ``other_pages`` says where to try it.
"""

from __future__ import annotations

from sundog.patterns.example.clicks import Click, guess_clicks
from sundog.patterns.example.guess import Field, Guess, guess
from sundog.patterns.example.links import LinkGuess, guess_clicked_links, guess_link, guess_links
from sundog.patterns.example.spec_writer import explained, spec_of
from sundog.patterns.example.tree import page_tree

__all__ = [
    "Click",
    "Field",
    "Guess",
    "LinkGuess",
    "explained",
    "guess",
    "guess_clicked_links",
    "guess_clicks",
    "guess_link",
    "guess_links",
    "page_tree",
    "spec_of",
]
