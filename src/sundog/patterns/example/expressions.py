"""Small parts of XPath expressions: literals, tests for labels and classes, names worth relying on."""

from __future__ import annotations

import re
import unicodedata
from typing import Literal, NamedTuple

Kind = Literal["itemprop", "label", "id", "class", "heading", "pair", "column", "tag", "position"]
LONGEST_LABEL = 60
LONGEST_NAME = 40  # of a class, an id or a field
GENERIC = frozenset(
    "active body clear clearfix col column container content current div element even first flex grid hidden "
    "inner item last left main node odd outer page row right section selected text visible wrapper".split()
)
_MADE_BY_A_MACHINE = re.compile(
    r"\d{3,}|[-_]\d+$|^[a-z]{1,3}-?[0-9a-f]{4,}$|^(?:css|sc|jsx|_)-?[a-z0-9]{4,}$|__[a-z0-9]{5,}$"
    r"|[A-Z][a-z]?[0-9][A-Za-z]"
)
_NO_LETTERS = re.compile(r"[^\w]+")
_VARIABLE_PART = re.compile(r"\s*[(\[:\d].*$", re.DOTALL)


class Locator(NamedTuple):
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


def is_telling(name: str) -> bool:
    """Whether a class or id says what the thing is, so that other pages are likely to have it too.

    >>> [is_telling(name) for name in ("price", "firstHeading", "css-1x2y3z", "item-48213", "main-content", "a")]
    [True, True, False, False, False, False]
    """
    if not 2 <= len(name) <= LONGEST_NAME or not re.fullmatch(r"[A-Za-z_][\w-]*", name):
        return False
    words = re.split(r"[-_]+|(?<=[a-z])(?=[A-Z])", name)
    return not all(word.lower() in GENERIC for word in words) and not _MADE_BY_A_MACHINE.search(name)


def field_name(text: str, default: str = "value") -> str:
    """A key for TOML and a column for CSV.

    >>> field_name("Lord Mayor:"), field_name("firstHeading"), field_name("2008"), field_name("Größe (m²)")
    ('lord_mayor', 'first_heading', 'value', 'grosse')
    """
    text = text.partition("(")[0].replace("ß", "ss")
    text = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", text)
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    name = _NO_LETTERS.sub("_", plain.replace("-", "_")).strip("_").lower()
    name = re.sub(r"_+", "_", name)[:LONGEST_NAME].strip("_")
    return name if re.match(r"[a-z_]", name) else default
