"""Query by example: from values that somebody sees on a page to patterns that find them.

``sightings`` finds the values, ``ways`` and ``labels`` lead to them, ``ranking`` chooses, ``records`` knows rows
of a list, ``written`` makes a spec of it.
"""

from __future__ import annotations

from sundog.patterns.example.follow import Followed, all_followed, followed
from sundog.patterns.example.guess import Field, Guess, guess
from sundog.patterns.example.tree import page_tree
from sundog.patterns.example.written import explained, spec_of

__all__ = ["Field", "Followed", "Guess", "all_followed", "explained", "followed", "guess", "page_tree", "spec_of"]
