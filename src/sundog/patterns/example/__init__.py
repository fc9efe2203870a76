"""Query by example: from values that somebody sees on a page to patterns that find them.

``sightings`` finds the values, ``ways`` and ``labels`` lead to them, ``ranking`` chooses, ``records`` knows rows
of a list, ``written`` makes a spec of it.
"""

from __future__ import annotations

from sundog.patterns.example.guess import Field, Guess, guess
from sundog.patterns.example.written import explained, spec_of

__all__ = ["Field", "Guess", "explained", "guess", "spec_of"]
