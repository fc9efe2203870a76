"""Values of a page that stand beside labels: in rows of info-boxes and in pairs of lists."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from sundog.patterns.example.clicks import sample_of
from sundog.patterns.example.expressions import LONGEST_LABEL, field_name
from sundog.patterns.example.tree import Node, children, elements, text_of
from sundog.patterns.field_types import Type, type_of

MOST_FIELDS = 80
LONGEST_VALUE = 300  # characters
MOST_ROWS = 5_000


class PageField(NamedTuple):
    """``value`` is what is shown, ``sample`` the part that the field is about, ``element`` the number of where."""

    name: str
    label: str
    value: str
    sample: str
    type: Type
    element: int


def page_fields(page: Node) -> list[PageField]:
    """The page's heading first; no label twice."""
    numbers = {node: number for number, node in enumerate(elements(page))}
    found: dict[str, PageField] = {}
    for label, node in (*_heading(page), *_rows(page), *_pairs(page)):
        value = text_of(node)
        if 0 < len(label) <= LONGEST_LABEL and 0 < len(value) <= LONGEST_VALUE and len(found) < MOST_FIELDS:
            name, sample = field_name(label), sample_of(value)
            found.setdefault(name, PageField(name, label, value, sample, type_of(sample), numbers[node]))
    return list(found.values())


def _heading(page: Node) -> Iterator[tuple[str, Node]]:
    heading = page.select_one("h1")
    if heading is not None:
        yield "name", heading


def _rows(page: Node) -> Iterator[tuple[str, Node]]:
    """Rows of two cells, of which the first is a label."""
    for row in page.select("tr")[:MOST_ROWS]:
        cells = [each for each in children(row) if each.tag in ("th", "td")]
        if len(cells) == 2 and cells[1].tag == "td":
            yield text_of(cells[0]).rstrip(":"), cells[1]


def _pairs(page: Node) -> Iterator[tuple[str, Node]]:
    for term in page.select("dl > dt")[:MOST_ROWS]:
        following = next((each for each in term.next_siblings if isinstance(each, Node)), None)
        if following is not None and following.tag == "dd":
            yield text_of(term).rstrip(":"), following
