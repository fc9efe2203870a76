"""From elements of a page that somebody has clicked to patterns.

An element is known by its number in the page's order, which is the same for everybody who parses the same page.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from typing import NamedTuple

from sundog.errors import UsageError
from sundog.patterns.example.guess import Field, Guess, ItemIs, WantedValue, guess_values
from sundog.patterns.example.occurrences import TELLING_ATTRIBUTES, Fit, Occurrence
from sundog.patterns.example.ranking import Finder
from sundog.patterns.example.records import Records
from sundog.patterns.example.tree import Node, attribute, elements, plain, text_of
from sundog.patterns.field_types import type_of

MOST_MARKED = 2_000  # elements that a field is shown to find
USUAL_ATTRIBUTES = {"img": "src", "time": "datetime", "meta": "content"}  # instead of the text
_WITH_A_NOTE = re.compile(r"(\d[\d.,' ]*(?:\s?[^\W\d]{1,3}²?)?)\s*[(\[].*")


class Click(NamedTuple):
    """``attribute``: what is wanted of the element; None: what is usual, which is its text as a rule."""

    element: int
    name: str = ""
    attribute: str | None = None


def structure_of(page: Node) -> str:
    """The same for pages whose elements have the same numbers."""
    tags = " ".join(str(node.tag) for node in elements(page))
    return hashlib.sha256(tags.encode()).hexdigest()[:16]


def nodes_of(page: Node, numbers: Sequence[int]) -> list[Node]:
    """The elements with these numbers. Raises UsageError if there are none."""
    every = elements(page)
    if any(not 0 <= number < len(every) for number in numbers):
        raise UsageError("the page has no such element: show it again")
    return [every[number] for number in numbers]


def guess_clicks(page: Node, clicks: Sequence[Click], engine: str = "xpath", item: ItemIs = "either") -> Guess:
    """The most robust patterns for these elements."""
    nodes = nodes_of(page, [click.element for click in clicks])
    values = [_wanted_value(node, click) for node, click in zip(nodes, clicks, strict=True)]
    return guess_values(page, values, engine, item)


def _wanted_value(node: Node, click: Click) -> WantedValue:
    name = usual_attribute(node) if click.attribute is None else click.attribute
    value = plain(attribute(node, name)) if name else sample_of(text_of(node))
    if not value:
        raise UsageError(f"there is nothing to take in this {node.tag}: click one with a text")
    return WantedValue(value, click.name, type_of(value, name), [Occurrence(node, name, Fit.EXACT)])


def usual_attribute(node: Node) -> str:
    """Empty for the text."""
    name = USUAL_ATTRIBUTES.get(str(node.tag), "")
    return name if attribute(node, name) else ""


def attributes_of(node: Node) -> list[str]:
    """What else may be wanted of an element; the empty name is its text."""
    named = [name for name in TELLING_ATTRIBUTES if attribute(node, name).strip()]
    return ["", *named] if text_of(node) else named


def sample_of(value: str) -> str:
    """A number without the note behind it.

    >>> sample_of("1,356,594 (2007)"), sample_of("519 m (1,703 ft)"), sample_of("2. Bundesliga (men)")
    ('1,356,594', '519 m', '2. Bundesliga (men)')
    """
    found = _WITH_A_NOTE.fullmatch(value)
    return found[1].strip() if found else value


def elements_found(page: Node, field: Field, records: Records | None) -> list[Node]:
    """Where the field's values are on the page."""
    finder = Finder(page)
    roots = records.nodes[:MOST_MARKED] if records else [page]
    return [node for root in roots for node in finder.select(root, field.best.locator.xpath)[:1]]
