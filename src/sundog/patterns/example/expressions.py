"""Small parts of XPath 1.0 expressions."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

Kind = Literal["itemprop", "label", "id", "class", "heading", "pair", "column", "tag", "position"]
LONGEST_LABEL = 60
_VARIABLE_PART = re.compile(r"\s*[(\[:\d].*$", re.DOTALL)


class Way(NamedTuple):
    """An expression, and what it rests on.

    ``css`` is empty where selectors cannot say it. ``positions`` counts what depends on an order of elements.
    """

    xpath: str
    kind: Kind
    name: str
    css: str = ""
    steps: int = 1
    positions: int = 0


def literal(text: str) -> str:
    """A string for XPath 1.0, which knows no escapes.

    >>> print(literal("it's"), literal("it's 5\\" long"))
    "it's" concat("it's 5", '"', ' long')
    """
    if "'" not in text:
        return f"'{text}'"
    if '"' not in text:
        return f'"{text}"'
    parts = [part for part in re.split(r'(")', text) if part]
    return f"concat({', '.join(literal(part) for part in parts)})"


def has_class(name: str) -> str:
    return f"contains(concat(' ', normalize-space(@class), ' '), ' {name} ')"


def stable_label(label: str) -> str:
    """Without what changes from page to page: dates, numbers, notes in brackets.

    >>> stable_label("Population (31 December 2007)"), stable_label("Price:"), stable_label("Area")
    ('Population', 'Price', 'Area')
    """
    return _VARIABLE_PART.sub("", label).strip()


def is_label(text: str) -> bool:
    """
    >>> is_label("Lord Mayor"), is_label("7"), is_label("See https")
    (True, False, False)
    """
    return 2 <= len(text) <= LONGEST_LABEL and not text.endswith(("http", "https")) and not text.isdecimal()


def label_test(label: str) -> str:
    """A predicate for the element that has this label, or nothing if it is no label."""
    stable = stable_label(label)
    if not is_label(stable):
        return ""
    if stable == label:
        return f"normalize-space() = {literal(stable)}"
    return f"starts-with(normalize-space(), {literal(stable)})"
