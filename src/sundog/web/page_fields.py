"""What a page says beside labels: rows of info-boxes and pairs of lists, to choose fields from."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from sundog.patterns.example.names import field_name
from sundog.patterns.example.tree import Node, children, text_of
from sundog.patterns.example.types import Type, type_of

MOST = 80
LONGEST_LABEL, LONGEST_VALUE = 60, 300  # characters
MOST_ROWS = 5_000
WITH_A_NOTE = re.compile(r"(\d[\d.,' ]*(?:\s?[^\W\d]{1,3}²?)?)\s*[(\[].*")


class PageField(NamedTuple):
    """``value`` is what is shown, ``sample`` the part of it that the field is about."""

    name: str
    label: str
    value: str
    sample: str
    type: Type


def page_fields(page: Node) -> list[PageField]:
    """The page's heading first; no label twice."""
    found: dict[str, PageField] = {}
    for label, value in (*_heading(page), *_rows(page), *_pairs(page)):
        if 0 < len(label) <= LONGEST_LABEL and 0 < len(value) <= LONGEST_VALUE and len(found) < MOST:
            name, sample = field_name(label), sample_of(value)
            found.setdefault(name, PageField(name, label, value, sample, type_of(sample)))
    return list(found.values())


def sample_of(value: str) -> str:
    """A number without the note behind it.

    >>> sample_of("1,356,594 (2007)"), sample_of("519 m (1,703 ft)"), sample_of("2. Bundesliga (men)")
    ('1,356,594', '519 m', '2. Bundesliga (men)')
    """
    found = WITH_A_NOTE.fullmatch(value)
    return found[1].strip() if found else value


def _heading(page: Node) -> Iterator[tuple[str, str]]:
    heading = page.select_one("h1")
    if heading is not None:
        yield "name", text_of(heading)


def _rows(page: Node) -> Iterator[tuple[str, str]]:
    """Rows of two cells, of which the first is a label."""
    for row in page.select("tr")[:MOST_ROWS]:
        cells = [each for each in children(row) if each.tag in ("th", "td")]
        if len(cells) == 2 and cells[1].tag == "td":
            yield text_of(cells[0]).rstrip(":"), text_of(cells[1])


def _pairs(page: Node) -> Iterator[tuple[str, str]]:
    for term in page.select("dl > dt")[:MOST_ROWS]:
        following = next((each for each in term.next_siblings if isinstance(each, Node)), None)
        if following is not None and following.tag == "dd":
            yield text_of(term).rstrip(":"), text_of(following)
